#include "scene/inertia_check.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/number_format.h"

namespace csim {

std::string wrong_inertia(const Matrix3& inertia, bool zero) {
  // Relative to the trace: rounding of a flat body, whose moments just meet the inequality.
  constexpr double kSlack = 1e-9;
  const Vector3 moments =
      Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double slack = kSlack * std::abs(inertia.trace());
  const std::string found =
      format_text("principal moments %.6g, %.6g, %.6g", moments[0], moments[1], moments[2]);
  if (zero ? !(moments[0] >= -slack) : !(moments[0] > 0.0))
    return found + ", expected a positive definite inertia (kg m^2)";
  if (moments[2] > moments[0] + moments[1] + slack)
    return found + ", expected none larger than the sum of the other two (kg m^2)";
  return "";
}

}  // namespace csim
