// Drives that the solution moves to or from their largest effort (model/drive_limits.h).
#pragma once

#include "step/solution_datum.h"

namespace csim {

class LimitedDrives final : public SolutionDatum {
 public:
  [[nodiscard]] bool update(StepProblem* problem, StepOutcome* outcome) override;
};

}  // namespace csim
