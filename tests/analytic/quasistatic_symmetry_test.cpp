// A cube that a spherical finger pushes through its middle: scene and law are their own mirror images where
// the push is a mirror line of the friction pyramid, and so must the motion be.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

struct Motion {
  double ahead, aside, turn;  // m, m, rad
};

Motion push(double degrees, const std::vector<std::string>& overrides) {
  Simulation s(pushed_cube(degrees), overrides);
  s.step(100);
  const double angle = degrees * std::numbers::pi / 180.0;
  const Vector3 way = s.position("box");
  const Eigen::Vector4d q = s.state.q.tail<7>().head<4>();
  return {way.x() * std::cos(angle) + way.y() * std::sin(angle),
          way.y() * std::cos(angle) - way.x() * std::sin(angle), 2.0 * std::atan2(q[3], q[0]) - angle};
}

TEST(QuasistaticSymmetry, AStraightPushStaysStraight) {
  for (const int rays : {4, 6, 8, 16}) {
    for (int k = 0; k < 4; ++k) {  // along a ray or midway between two
      const double degrees = 180.0 * k / rays;
      SCOPED_TRACE(std::to_string(rays) + " rays, " + std::to_string(degrees) + " degrees");
      const Motion motion = push(degrees, {"integrator.rays_per_contact=" + std::to_string(rays)});
      EXPECT_NEAR(motion.aside, 0.0, 1e-9);
      EXPECT_NEAR(motion.turn, 0.0, 1e-9);
      EXPECT_GT(motion.ahead, 0.16);
    }
  }
}

TEST(QuasistaticSymmetry, RegularizationDoesNotMatter) {
  const Motion standard = push(0.0, {});
  for (const char* weight : {"1.0e-8", "1.0e-4", "1.0e-2", "0.1", "1", "10"}) {
    SCOPED_TRACE(weight);
    const Motion motion = push(0.0, {std::string("integrator.regularization=") + weight});
    EXPECT_NEAR(motion.ahead, standard.ahead, 1e-9);
    EXPECT_NEAR(motion.aside, 0.0, 1e-9);
    EXPECT_NEAR(motion.turn, 0.0, 1e-9);
  }
}

}  // namespace
}  // namespace csim
