// What a shape is around a point of its surface: a face, a line, or curved.
#include "geometry/local_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace csim {
namespace {

using Random = std::mt19937_64;
using Kind = LocalSurface::Kind;

double uniform(Random* random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(*random);
}

/// n turned towards a random direction, by up to `tilt` (rad) in each axis.
Vector3 tilted(const Vector3& n, double tilt, Random* random) {
  return (n + tilt * Vector3(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)))
      .normalized();
}

// A contact at the edge of a floor has the normal of the face but for 1e-6: its other points are on the face.
TEST(LocalSurface, WithinAFaceIsFlat) {
  Random random(1);
  const Box box{{0.2, 0.3, 0.4}};
  const Cylinder cylinder{0.1, 0.3};
  for (const double tilt : {0.0, 1e-9, 1e-6, 1e-3, 0.1}) {
    for (int trial = 0; trial < 20; ++trial) {
      const double x = uniform(&random, -0.09, 0.09), y = uniform(&random, -0.04, 0.04);
      EXPECT_EQ(local_surface(box, {x, y, 0.2}, tilted({0, 0, 1}, tilt, &random), 0.0).kind, Kind::kFlat)
          << tilt;
      EXPECT_EQ(local_surface(box, {-0.1, y, x}, tilted({-1, 0, 0}, tilt, &random), 0.0).kind, Kind::kFlat)
          << tilt;
      EXPECT_EQ(local_surface(cylinder, {x, y, 0.15}, tilted({0, 0, 1}, tilt, &random), 0.0).kind,
                Kind::kFlat)
          << tilt;
    }
  }
}

// Elsewhere a box has edges, about which the normal is free, and corners.
TEST(LocalSurface, OfABoxHasEdgesAndCorners) {
  const Box box{{0.2, 0.3, 0.4}};
  const double s = std::sqrt(0.5);
  const LocalSurface edge = local_surface(box, {0.1, 0.05, 0.2}, {s, 0, s}, 0.0);
  EXPECT_EQ(edge.kind, Kind::kLine);
  EXPECT_EQ(edge.line, Vector3::UnitY());
  EXPECT_TRUE(edge.S.isZero(0.0));
  const LocalSurface corner = local_surface(box, {0.1, 0.15, 0.2}, Vector3(1, 1, 1).normalized(), 0.0);
  EXPECT_EQ(corner.kind, Kind::kCurved);
  EXPECT_TRUE(corner.S.isZero(0.0));
}

// The point of the side whose normal is n moves by S dn where n turns about the axis: by finite differences
// of the circle. A normal that is tilted along the axis leaves a point of the side on its generator.
TEST(LocalSurface, OfASideIsItsGenerator) {
  Random random(2);
  const double r = 0.1, dt = 1e-6;
  for (const Shape& shape : {Shape(Cylinder{r, 0.3}), Shape(Capsule{r, 0.3})}) {
    for (const double tilt : {0.0, 1e-7, 1e-5, 1e-2}) {
      for (int trial = 0; trial < 20; ++trial) {
        const double angle = uniform(&random, 0.0, 6.0);
        const auto across = [&](double a) { return Vector3(std::cos(a), std::sin(a), 0.0); };
        const Vector3 n = (across(angle) + tilt * Vector3::UnitZ()).normalized();
        const Vector3 p = r * across(angle) + uniform(&random, -0.1, 0.1) * Vector3::UnitZ();
        const LocalSurface surface = local_surface(shape, p, n, 0.0);
        ASSERT_EQ(surface.kind, Kind::kLine) << tilt;
        EXPECT_EQ(surface.line, Vector3::UnitZ());
        const Vector3 dn = across(angle + dt) - across(angle - dt);
        EXPECT_NEAR((surface.S * dn - r * dn).norm(), 0.0, 1e-12);
        EXPECT_NEAR((surface.S * n).norm(), 0.0, 1e-15);
      }
    }
  }
}

}  // namespace
}  // namespace csim
