#include "step/discrete/correct_friction.h"

#include "core/timer.h"
#include "step/discrete/step_constants.h"

namespace csim {

bool correct_friction(const StepAtHand& step, bool may_change) {
  PreparedStep& p = *step.prepared;
  SolvedStep& s = *step.solved;
  if (!p.options.repeats_friction || !may_change) return false;
  ConvexProblem& problem = p.data.problem;
  StepStatistics* statistics = &step.outcome->statistics;
  FrictionRepetition& friction = s.friction;
  if (!find_lagging_islands(problem, s.forces.gamma, p.options.friction_tolerance, &friction.islands))
    return false;
  for (std::size_t k = 0; k < friction.islands.size(); ++k)
    s.changed[k] = s.changed[k] || friction.islands[k];
  const int count = s.corrections[static_cast<std::size_t>(CorrectionKind::kFriction)];
  if (count % kRepetitionsBetween == kRepetitionsBetween - 1)
    couple_lagging_friction(&p, step.work, statistics, &s);  // leaves those that failed
  ScopedTimer timer(&statistics->seconds.assembly);
  repeat_friction(s.forces.gamma, friction.islands, &friction, &problem);
  return true;
}

}  // namespace csim
