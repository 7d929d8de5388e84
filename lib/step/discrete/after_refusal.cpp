// What a discrete step does after a try was refused. The try has changed nothing but work space, so that the
// next one begins where it did, or where a longer part did that is taken in shorter ones.
//
//   1. An island that sleeps was met, or the try was refused for it: it wakes, and the step begins anew.
//   2. With error control: the refused islands want shorter steps. Where islands that take parts of different
//      lengths come together they are joined, and the step begins anew.
//   With constant lengths, of the islands that the refusal is of:
//   3. One has kept a longer part that others take in shorter ones, and is met in these or passed: it joins
//      them, and the shorter parts of that level begin anew.
//   4. The part was not solved for one: it waits, and the others try the part again.
//   5. The part leads one into what may not be: it takes it in shorter parts, which are a level, together
//   with
//      those that wait, and the others keep what the try has made of them. Where there are no others it is no
//      level.
//
// A part as short as the rule allows is not refused for what it leads into (DiscreteStepper::judge); the run
// fails where the rule has no shorter one (Lengths::shorten).
#include <algorithm>
#include <limits>

#include "step/discrete/discrete_stepper.h"
#include "step/discrete/refusals.h"
#include "step/discrete/refused_trees.h"
#include "step/discrete/step_statistics.h"
#include "step/discrete/tree_groups.h"

namespace csim {

/// After a refused try: whether there is another, of a shorter part or of more trees.
bool DiscreteStepper::plan_next_try(const State& state, double t_limit, const Refusal& refusal) {
  if (wake_refused(state)) {
    divided_.trees.clear();
    num_levels_ = 0;
    longest_.assign(model_.trees.size(), kMostParts);
    begin_anew(state);
    lengths_->begin(state, t_limit);
    return true;
  }
  if (controls_error()) return shorten_or_join(state, refusal);
  find_refused_in_part();
  int level = num_levels_;
  for_each_in(refused_, 0, static_cast<int>(refused_.size()), [&](int tree) {
    const int its = keeping_level(std::span(levels_).first(num_levels_), tree);
    if (its >= 0) level = std::min(level, its);
  });
  if (level == num_levels_) return parts_[0].ok ? divide(refusal) : postpone(refusal);
  join(level);
  return true;
}

/// Wakes those that are met, or for which the try was refused.
bool DiscreteStepper::wake_refused(const State& state) {
  if (awake_.trees.empty() || !parts_[0].ok) return false;
  find_refused_pairs(parts_[0], &refused_pairs_);
  if (!wake(model_, state.rest, refused_pairs_, &awake_.trees)) return false;
  awake_.rest_number = 0;
  if (is_all(awake_.trees)) awake_.trees.clear();
  return true;
}

/// With constant lengths: fills refused_ with the trees that take the part to try in shorter ones: those it
/// is refused for, all that tried it where nothing tells for whom it was not solved, and those that have not
/// tried it. What is met is among them.
void DiscreteStepper::find_refused_in_part() {
  refused_.assign(model_.trees.size(), 0);
  find_refused_pairs(parts_[0], &refused_pairs_);
  add_islands(step_.last(), refused_pairs_, &refused_);
  add_joined(&coupled_, &refused_);
  const int num_trees = static_cast<int>(model_.trees.size());
  if (std::all_of(refused_.begin(), refused_.end(), [](char is) { return is == 0; }))
    for_each_in(step_.last().trees, 0, num_trees, [&](int t) { refused_[t] = 1; });
  for_each_marked(postponed_, [&](int t) { refused_[t] = 1; });
}

/// The trees refused_ that this level keeps take its shorter parts too, which begin anew.
void DiscreteStepper::join(int level) {
  PartLevel& its = levels_[level];
  num_levels_ = level;
  const TreeSet& all = participants().trees;
  TreeSet& divided = its.divided.trees;
  for_each_marked(refused_, [&](int tree) {
    for (const int b : bodies_of(model_, model_.trees[tree])) add_islands(step_.kept(level), b, b, &divided);
  });
  add_joined(&coupled_, &divided);
  for_each_marked(divided, [&](int t) { its.longest[t] = std::min(its.longest[t], its.first.size); });
  longest_ = its.longest;
  keep_work(its.start.statistics, &outcome_.statistics);
  StepStatistics statistics;
  std::swap(statistics, outcome_.statistics);
  outcome_ = its.start;
  std::swap(outcome_.statistics, statistics);
  part_number_ = its.part_number;
  by_halves_->go_back(its.first);
  if (all.empty() ? is_all(divided) : divided == all) return step_.keep_first(level);
  num_levels_ = level + 1;
  keep_others(level);
}

/// The trees refused_, for which the part was not solved, wait for the others, which try it again.
bool DiscreteStepper::postpone(const Refusal& refusal) {
  const HalvedPart part = by_halves_->part();
  for_each_marked(refused_, [&](int t) { longest_[t] = std::min(longest_[t], std::max(part.size / 2, 1)); });
  if (!by_halves_->shorten(refusal, {})) return false;
  by_halves_->go_back(part);
  return true;
}

/// Shorter parts of the part that was refused for the trees refused_; the others keep it.
bool DiscreteStepper::divide(const Refusal& refusal) {
  const HalvedPart part = by_halves_->part();
  foresee(step_.last().trees);
  for_each_marked(refused_, [&](int t) {
    const int island = parts_[0].gaining_island.empty() ? -1 : parts_[0].gaining_island[t];
    const int longest = island < 0 ? std::max(part.size / 2, 1)
                                   : by_halves_->longest_after_refusal(parts_[0].island_gains[island]);
    longest_[t] = std::min(longest_[t], longest);
  });
  if (!by_halves_->shorten(refusal, {})) return false;
  const TreeSet& trees = participants().trees;
  if (trees.empty() ? !is_all(refused_) : refused_ != trees) add_level(part);
  return true;
}

/// A level: the trees refused_ take the part in shorter ones, the others that take it have tried it and keep
/// it.
void DiscreteStepper::add_level(const HalvedPart& part) {
  const int level = num_levels_++;
  if (static_cast<int>(levels_.size()) < num_levels_) levels_.emplace_back();
  PartLevel& its = levels_[level];
  its.part = part;
  its.first = {part.begin, part.size / 2};
  its.divided.trees = refused_;
  its.start = outcome_;
  StepStatistics& statistics = its.start.statistics;  // what it took is kept whatever begins anew
  for (auto* column :
       {&statistics.iteration_cost, &statistics.iteration_gradient_norm, &statistics.iteration_step_length})
    column->clear();
  if (part_number_ == 1) its.start.memory = memory_;
  its.part_number = part_number_;
  its.gained = parts_[0].gained;
  its.seen = parts_[0].events;
  its.longest = longest_;
  keep_others(level);
}

/// Takes the attempt of all trees of a level for those that are not divided. The parts of these begin at its
/// start, where the others set out with its velocities.
void DiscreteStepper::keep_others(int level) {
  PartLevel& its = levels_[level];
  const TreeSet& divided = its.divided.trees;
  step_.keep_without(level, its.start.memory, divided, &its.kept);
  add_part(its.kept.statistics, &outcome_.statistics);
  // Those without a subject are of whom the attempt is kept for.
  for (const Event& event : its.seen)
    if (event.subject_a >= 0 && !concerns(model_, divided, event)) add_event(event, &outcome_.events);
  for (const Event& event : its.kept.events)
    if (event.subject_a < 0) add_event(event, &outcome_.events);
  for_each_in(step_.kept(level).trees, 0, static_cast<int>(divided.size()), [&](int t) {
    if (!contains(divided, t)) outcome_.gained[t] = its.gained[t];
  });
  add_pairs(its.kept.pairs, 1.0, &outcome_.pairs, &pair_work_);
  if (its.kept.deepest.depth > outcome_.deepest.depth) outcome_.deepest = its.kept.deepest;
  const State& start = its.start.state;
  static_cast<StepState&>(outcome_.state) = its.kept.state;
  outcome_.state.time = start.time;
  outcome_.state.q = start.q;
  outcome_.state.v = start.v;
  copy_outside(model_, divided, start.q, step_.kept_velocities(level), &outcome_.state.q, &outcome_.state.v);
}

/// With error control: after a refused try. Trees that come together have to take the step together.
bool DiscreteStepper::shorten_or_join(const State& state, const Refusal& refusal) {
  groups_ = coupled_;
  join_islands(step_.last(), &groups_);
  if (step_.num_kept() > 0) join_islands(step_.kept(0), &groups_);
  find_refused(refusal);
  const TreeSet& trees = participants().trees;
  bool joins = false;
  for (std::size_t t = 0; t < refused_.size(); ++t)
    joins = joins || (refused_[t] != 0 && !contains(trees, static_cast<int>(t)));
  bool goes_on = true;
  if (joins) {
    by_error_->join(refused_);
    begin_anew(state);
  } else {
    goes_on = lengths_->shorten(refusal, refused_);
  }
  choose_participants();
  return goes_on;
}

/// With error control: fills refused_ with the trees that a refusal is of; empty: all of the try.
void DiscreteStepper::find_refused(const Refusal& refusal) {
  const PreparedStep& prepared = step_.last();
  refused_.assign(model_.trees.size(), 0);
  if (refusal.kind == RefusalKind::kError) return;
  find_refused_pairs(*last_, &refused_pairs_);
  add_islands(prepared, refused_pairs_, &refused_);
  for (const int subject : {refusal.subject_a, refusal.subject_b}) {
    if (subject < 0) continue;
    const int body = rule_of(refusal.kind).has_bodies ? subject : model_.geometries[subject].body;
    add_islands(prepared, body, body, &refused_);
  }
  add_joined(&groups_, &refused_);
  if (std::all_of(refused_.begin(), refused_.end(), [](char is) { return is == 0; })) refused_.clear();
}

/// The step begins anew, of more trees.
void DiscreteStepper::begin_anew(const State& state) {
  StepStatistics none;
  none.condition = std::numeric_limits<double>::quiet_NaN();
  keep_work(none, &outcome_.statistics);
  outcome_.events.clear();
  outcome_.pairs.clear();
  outcome_.deepest = {};
  outcome_.gained.setZero();
  copy_state(model_, awake_.trees, awake_.rest_number, state, &outcome_.state);
  part_number_ = 1;
}

}  // namespace csim
