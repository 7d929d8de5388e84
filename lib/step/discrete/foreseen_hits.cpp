#include "step/discrete/foreseen_hits.h"

#include <algorithm>

#include "core/timer.h"
#include "step/account/query_events.h"
#include "step/discrete/step_bias.h"

namespace csim {
namespace {

/// Marks the bodies of these islands in asked_again.
void mark_bodies(const std::vector<char>& islands, PreparedStep* p) {
  p->asked_again.resize(p->model.bodies.size());
  for (std::size_t b = 0; b < p->asked_again.size(); ++b) {
    const int tree = p->model.bodies[b].tree;
    const int island = tree < 0 ? -1 : p->data.tree_island[tree];
    p->asked_again[b] = island >= 0 && islands[island];
  }
}

/// Keeps what corrections have made of the islands before contacts are added, at their first trees.
void keep_islands(const PreparedStep& p, SolvedStep* s) {
  const ConvexProblem& problem = p.data.problem;
  s->contacts_before.assign(p.model.trees.size(), {});
  for (const Island& island : problem.islands)
    s->contacts_before[problem.trees[island.tree_begin].model_tree] = island.contacts;
  s->bias_before = p.data.path_bias;
  s->bounds_before.clear();
  s->residuals_before.clear();
  if (!p.options.repeats_friction) return;
  if (const FrictionRepetition& friction = s->friction; !friction.bound.empty()) {
    s->residuals_before = friction.residual;
    s->relaxation_before.assign(p.model.trees.size(), 0.0);
    for (std::size_t k = 0; k < problem.islands.size(); ++k)
      s->relaxation_before[problem.trees[problem.islands[k].tree_begin].model_tree] = friction.relaxation[k];
  }
  for (int i = 0; i < problem.num_contacts(); ++i)
    s->bounds_before.push_back(problem.law->friction_bound(problem.contacts, i));
}

/// Marks the islands that have more contacts than before, and those whose faces were released, which the new
/// problem does not know.
void find_changed_islands(const ConvexProblem& problem, SolvedStep* s) {
  s->changed.assign(problem.islands.size(), 0);
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    const ContactRange now = problem.islands[k].contacts;
    const ContactRange before = s->contacts_before[problem.trees[problem.islands[k].tree_begin].model_tree];
    s->changed[k] = now.end - now.begin != before.end - before.begin ||
                    count_of(static_cast<int>(CorrectionKind::kFaces), problem, k, s) > 0;
  }
}

/// The others get back what corrections had made of them.
void restore_islands(PreparedStep* prepared, SolvedStep* solved) {
  PreparedStep& p = *prepared;
  SolvedStep& s = *solved;
  ConvexProblem& problem = p.data.problem;
  const bool repeats = !s.residuals_before.empty();
  if (repeats) s.friction.begin(problem.num_contacts(), problem.islands.size());
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    if (s.changed[k]) continue;
    const ContactRange now = problem.islands[k].contacts;
    const int tree = problem.trees[problem.islands[k].tree_begin].model_tree;
    const int shift = s.contacts_before[tree].begin - now.begin;
    if (repeats) s.friction.relaxation[k] = s.relaxation_before[tree];
    for (int i = now.begin; i < now.end; ++i) {
      if (repeats) s.friction.residual[i] = s.residuals_before[i + shift];
      if (!s.bias_before.empty()) p.bias[i] = s.bias_before[i + shift];
      if (!s.bounds_before.empty())
        problem.law->set_friction_bound(problem.law_parameters, s.bounds_before[i + shift], i,
                                        &problem.contacts);
    }
    if (!s.bias_before.empty()) set_contact_bias(p.bias, now, &p.data);
  }
}

}  // namespace

bool add_foreseen_hits(const StepAtHand& step) {
  PreparedStep& p = *step.prepared;
  SolvedStep& s = *step.solved;
  StepStatistics& statistics = step.outcome->statistics;
  if (!p.options.margin_auto) return false;
  {
    ScopedTimer timer(&statistics.seconds.geometry);
    find_twists(p, &s);
    ContactQuery query = contact_query(p);
    // The first time all bodies have other velocities, later those of islands that were solved again.
    if (std::any_of(s.solved_last.begin(), s.solved_last.end(), [](char is) { return is == 0; })) {
      mark_bodies(s.solved_last, &p);
      query.asked = &p.asked_again;
    }
    const PairCount closing = step.finder->look_again(query, s.twists, p.contacts);
    if (closing.count == 0) return false;
    if (std::any_of(s.may_change.begin(), s.may_change.end(), [](char may) { return may == 0; })) {
      statistics.num_unforeseen += static_cast<int>(closing.count);
      add_pair_event(EventKind::kUnforeseenHit, closing, &step.outcome->events);
      return false;
    }
    ++statistics.num_rounds;
    step.finder->add_found(&p.contacts);
  }
  keep_islands(p, &s);
  build_problem(&statistics, &p);
  find_changed_islands(p.data.problem, &s);
  put_bias(s.v, &s.changed, &p);
  restore_islands(&p, &s);
  // From the velocities found. They close gaps, which a barrier does not allow: its guess is that of the
  // step.
  const ConvexProblem& problem = p.data.problem;
  gather_velocities(problem, s.v, &s.iterate.v);
  for (std::size_t k = 0; problem.law->has_domain && k < problem.islands.size(); ++k) {
    const Island& island = problem.islands[k];
    if (s.changed[k])
      s.iterate.v.segment(island.v_begin, island.nv()) = problem.v0.segment(island.v_begin, island.nv());
  }
  return true;
}

}  // namespace csim
