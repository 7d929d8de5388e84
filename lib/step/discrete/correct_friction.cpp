#include "step/discrete/correct_friction.h"

#include "core/timer.h"
#include "step/discrete/step_constants.h"

namespace csim {

bool correct_friction(const StepAtHand& step) {
  PreparedStep& p = *step.prepared;
  SolvedStep& s = *step.solved;
  if (!p.options.repeats_friction) return false;
  ConvexProblem& problem = p.data.problem;
  StepStatistics* statistics = &step.outcome->statistics;
  FrictionRepetition& friction = s.friction;
  if (!find_lagging_islands(problem, s.forces.gamma, p.options.friction_tolerance, &friction.islands))
    return false;
  friction.coupled.resize(friction.islands.size());
  bool couples = false, changes = false;
  for (std::size_t k = 0; k < friction.islands.size(); ++k) {
    s.changed[k] = friction.islands[k] = friction.islands[k] && s.may_change[k];
    const int count = count_of(static_cast<int>(CorrectionKind::kFriction), problem, k, &s);
    friction.coupled[k] = friction.islands[k] && count % kRepetitionsBetween == kRepetitionsBetween - 1;
    couples = couples || friction.coupled[k];
    changes = changes || s.changed[k];
  }
  if (!changes) return false;
  if (couples) couple_lagging_friction(&p, step.work, statistics, &s);  // leaves those that failed
  ScopedTimer timer(&statistics->seconds.assembly);
  repeat_friction(s.forces.gamma, friction.islands, &friction, &problem);
  return true;
}

}  // namespace csim
