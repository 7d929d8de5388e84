#include "step/limited_drives.h"

#include "core/timer.h"

namespace csim {

bool LimitedDrives::update(StepProblem* problem, StepOutcome* outcome) {
  StepProblem& p = *problem;
  if (p.model.limited_drives.empty()) return false;
  ScopedTimer timer(&outcome->statistics.seconds.assembly);
  if (!p.drive_limits.change(p.model, p.dynamics, p.v, p.h, p.newton.relative_tolerance, &p.free_motion))
    return false;
  compute_free_motion(p.model, p.dynamics, *p.start, p.h, &p.free_motion);
  p.set_free_motion();
  return true;
}

}  // namespace csim
