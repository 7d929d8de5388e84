// How large a coordinate of a mesh may be.
#pragma once

#include <string>
#include <vector>

#include "core/number_format.h"
#include "core/types.h"

namespace csim {

/// m; the volume of a box of this size is still a number, and so are the sums that trees are built from.
inline constexpr double kLargestCoordinate = 1e100;

/// What is wrong with the first point that has a larger coordinate, or nothing.
[[nodiscard]] inline std::string check_coordinates(const std::vector<Vector3>& points) {
  for (const Vector3& p : points) {
    const double largest = p.cwiseAbs().maxCoeff();
    if (largest > kLargestCoordinate)
      return "a coordinate of " + format_number(largest) + " m, expected at most " +
             format_number(kLargestCoordinate);
  }
  return {};
}

}  // namespace csim
