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
  const int count = s.corrections[static_cast<std::size_t>(CorrectionKind::kFriction)];
  const bool lags =
      count % kRepetitionsBetween == kRepetitionsBetween - 1
          ? couple_lagging_friction(&p, step.work, statistics, &s)
          : find_lagging_islands(problem, s.forces.gamma, p.options.friction_tolerance, &s.friction.islands);
  if (!lags) return false;
  ScopedTimer timer(&statistics->seconds.assembly);
  repeat_friction(s.forces.gamma, s.friction.islands, &s.friction, &problem);
  return true;
}

}  // namespace csim
