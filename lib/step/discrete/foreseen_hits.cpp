#include "step/discrete/foreseen_hits.h"

#include "core/timer.h"
#include "step/account/step_events.h"
#include "step/discrete/step_bias.h"

namespace csim {

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
  build_problem(&statistics, &p);
  put_bias(s.v, &p);
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
