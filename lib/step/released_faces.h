// Faces of patches that push bodies which the step has already parted (problem/release_faces.h).
#pragma once

#include "step/solution_datum.h"

namespace csim {

/// A face is released at most once.
class ReleasedFaces final : public SolutionDatum {
 public:
  [[nodiscard]] bool update(StepProblem* problem, StepOutcome* outcome) override;
};

}  // namespace csim
