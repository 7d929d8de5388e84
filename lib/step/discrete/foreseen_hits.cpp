#include "step/discrete/foreseen_hits.h"

#include "core/timer.h"
#include "step/account/step_events.h"
#include "step/discrete/step_bias.h"

namespace csim {
namespace {

/// [trees of the model]: contacts of the island of which a tree is the first, -1 for any other.
void count_contacts_of_islands(const Model& model, const ConvexProblem& problem, std::vector<int>* contacts) {
  contacts->assign(model.trees.size(), -1);
  for (const Island& island : problem.islands)
    (*contacts)[problem.trees[island.tree_begin].model_tree] = island.contacts.end - island.contacts.begin;
}

/// Marks the islands that have more contacts than before, or whose data other corrections had changed,
/// which the new problem does not have.
void mark_changed(const ConvexProblem& problem, bool friction_is_repeated, SolvedStep* solved) {
  const auto count = [&](CorrectionKind kind) { return solved->corrections[static_cast<std::size_t>(kind)]; };
  const bool all =
      friction_is_repeated || count(CorrectionKind::kFaces) > 0 || count(CorrectionKind::kFriction) > 0;
  solved->changed.assign(problem.islands.size(), 0);
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    const Island& island = problem.islands[k];
    const int contacts = island.contacts.end - island.contacts.begin;
    solved->changed[k] =
        all || solved->contacts_before[problem.trees[island.tree_begin].model_tree] != contacts;
  }
}

}  // namespace

bool add_foreseen_hits(const StepAtHand& step, bool may_change) {
  PreparedStep& p = *step.prepared;
  SolvedStep& s = *step.solved;
  StepStatistics& statistics = step.outcome->statistics;
  if (!p.options.margin_auto) return false;
  {
    ScopedTimer timer(&statistics.seconds.geometry);
    compute_twists(p.model, p.kinematics, s.v, &s.twists);
    const PairCount closing = step.finder->look_again(contact_query(p), s.twists, p.contacts);
    if (closing.count == 0) return false;
    if (!may_change) {
      statistics.num_unforeseen += static_cast<int>(closing.count);
      add_pair_event(EventKind::kUnforeseenHit, closing, &step.outcome->events);
      return false;
    }
    ++statistics.num_rounds;
    step.finder->add_found(&p.contacts);
  }
  count_contacts_of_islands(p.model, p.data.problem, &s.contacts_before);
  build_problem(&statistics, &p);
  mark_changed(p.data.problem, p.options.repeats_friction, &s);
  put_bias(s.v, &p, &s.changed);
  // From the velocities found. They close gaps, which a barrier does not allow: its guess is that of the
  // step.
  if (p.data.problem.law->has_domain) {
    s.iterate.v = p.data.problem.v0;
  } else {
    gather_velocities(p.data.problem, s.v, &s.iterate.v);
  }
  return true;
}

}  // namespace csim
