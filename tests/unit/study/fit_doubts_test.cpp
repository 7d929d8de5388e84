// What a constant leaves of a measured curve.
#include "study/fit_doubts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace csim {
namespace {

TEST(Variation, IsTheDeviationFromTheMean) {
  Curve curve;
  curve.time = {0.0, 1.0, 2.0};
  curve.width = 2;
  curve.values = {1.0, 5.0, 2.0, 5.0, 6.0, 5.0};  // x: 1, 2, 6 about 3
  EXPECT_DOUBLE_EQ(variation(curve), std::sqrt((4.0 + 1.0 + 9.0) / 3.0));
  EXPECT_EQ(variation({}), 0.0);
}

// Turns by -a, 0, a about an axis, some with the other sign, which is the same rotation: a sqrt(2/3).
TEST(Variation, OfQuaternionsIsAnAngle) {
  Curve curve;
  curve.width = 4;
  curve.is_quaternion = true;
  double sign = 1.0;
  for (const double angle : {-0.2, 0.0, 0.2}) {
    curve.time.push_back(angle);
    for (const double value : {std::cos(angle / 2), 0.0, std::sin(angle / 2), 0.0})
      curve.values.push_back(sign * value);
    sign = -sign;
  }
  EXPECT_NEAR(variation(curve), 0.2 * std::sqrt(2.0 / 3.0), 1e-15);  // rounding
}

}  // namespace
}  // namespace csim
