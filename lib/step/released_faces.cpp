#include "step/released_faces.h"

#include "core/timer.h"
#include "problem/release_faces.h"

namespace csim {

bool ReleasedFaces::update(StepProblem* problem, StepOutcome* outcome) {
  ScopedTimer timer(&outcome->statistics.seconds.assembly);
  return release_faces(problem->contacts, problem->forces, &problem->data.problem);
}

}  // namespace csim
