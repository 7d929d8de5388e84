// Adversarial poses: a query returns finite numbers, throws and allocates nothing, and phi keeps its bound.
#include <gtest/gtest.h>

#include "support/allocation_count.h"
#include "unit/contact/shape_oracle.h"

namespace csim::test {
namespace {

// Shapes with equal and with special sizes, so that faces, edges and axes coincide.
std::vector<Shape> special_shapes() {
  return {Sphere{0.5},
          Sphere{1e-3},
          Box{Vector3(1, 1, 1)},
          Box{Vector3(2, 1, 1e-3)},
          Cylinder{0.5, 1.0},
          Cylinder{1.0, 1e-3},
          Cylinder{1e-3, 2.0},
          Capsule{0.5, 1.0},
          Capsule{0.01, 0.0},
          Ellipsoid{Vector3(0.5, 0.5, 0.5)},
          Ellipsoid{Vector3(1.0, 0.5, 0.01)},
          make_prism(3, 0.5, 1.0),
          make_prism(4, std::sqrt(0.5), 1.0),
          make_prism(24, 0.5, 1.0),
          HalfSpace{}};
}

Matrix3 special_rotation(Random* random) {
  static const std::array<double, 6> angles = {0.0, 0.5 * M_PI, M_PI, 0.25 * M_PI, 1e-9, 1e-15};
  const double angle = angles[(*random)() % angles.size()];
  return Eigen::AngleAxisd(angle, Vector3::Unit((*random)() % 3)).toRotationMatrix() *
         Eigen::AngleAxisd(angles[(*random)() % angles.size()], Vector3::Unit((*random)() % 3))
             .toRotationMatrix();
}

double special_offset(Random* random) {
  static const std::array<double, 12> offsets = {0.0,        0.0,        0.5,         1.0,    -1.0,  0.25,
                                                 1.0 + 1e-9, 1.0 - 1e-9, 1.0 + 1e-16, 1e-300, 1e-16, -0.75};
  return offsets[(*random)() % offsets.size()];
}

double thickness(const Shape& shape) {
  double least = 1.0;
  for (int i = 0; i < 3; ++i) least = std::min(least, support_height(shape, {}, Vector3::Unit(i)));
  return least;
}

TEST(NarrowPhaseFuzz, DegeneratePosesStayFiniteAndBounded) {
  const std::vector<Shape> shapes = special_shapes();
  Random random(21);
  Manifold manifold;
  for (const Shape& shape : shapes)  // takes the thread's memory
    if (!std::holds_alternative<HalfSpace>(shape)) query_pair(HalfSpace{}, {}, shape, {}, 0.05, &manifold);
  long found = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const Shape& a = shapes[random() % shapes.size()];
    const Shape& b = shapes[random() % shapes.size()];
    if (std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(b)) continue;
    const RigidTransform X_A(special_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(
        special_rotation(&random),
        Vector3(special_offset(&random), special_offset(&random), special_offset(&random)));
    const long before = num_allocations();
    query_pair(a, X_A, b, X_B, 0.05, &manifold);
    ASSERT_EQ(num_allocations(), before) << trial;
    ASSERT_LE(manifold.size, Manifold::kCapacity);
    for (const ManifoldPoint& point : manifold) {
      ASSERT_TRUE(point.p_a.allFinite() && point.p_b.allFinite() && point.normal.allFinite() &&
                  std::isfinite(point.phi))
          << trial;
      ASSERT_NEAR(point.normal.norm(), 1.0, 1e-12) << trial;
      ASSERT_LT((point.p_b - point.p_a - point.phi * point.normal).norm(), 1e-13) << trial;
    }
    const bool plane = std::holds_alternative<HalfSpace>(a) || std::holds_alternative<HalfSpace>(b);
    if (manifold.size > 0 && !plane) {
      // A translation that separates; no face direction does better (the cheap part of the global search).
      // Deep overlaps of bodies through each other's axes have many equal directions: the search for the
      // start stops at 1e-3 of the depth there.
      const ManifoldPoint& point = deepest(manifold);
      const bool deep = point.phi < -0.1 * std::min(thickness(a), thickness(b));
      const double tolerance = deep ? -2e-3 * point.phi : 3e-9;
      ASSERT_NEAR(point.phi, separation(a, X_A, b, X_B, point.normal), tolerance) << trial;
      for (int i = 0; i < 3; ++i) {
        for (const double sign : {1.0, -1.0}) {
          ASSERT_GT(point.phi, separation(a, X_A, b, X_B, sign * X_A.R.col(i)) - tolerance) << trial;
          ASSERT_GT(point.phi, separation(a, X_A, b, X_B, sign * X_B.R.col(i)) - tolerance) << trial;
        }
      }
      for (const ManifoldPoint& p : manifold) {
        ASSERT_LT(outside(a, X_A, p.p_a), deep ? 1e-2 : 1e-6) << trial;
        ASSERT_LT(outside(b, X_B, p.p_b), deep ? 1e-2 : 1e-6) << trial;
      }
    }
    found += manifold.size;
  }
  EXPECT_GT(found, 50000);
}

// Feature names tell the points of a manifold apart, and no two points are one spring.
TEST(NarrowPhaseFuzz, PointsAreDistinct) {
  const std::vector<Shape> shapes = special_shapes();
  Random random(22);
  Manifold manifold;
  for (int trial = 0; trial < 20000; ++trial) {
    const Shape& a = shapes[random() % shapes.size()];
    const Shape& b = shapes[random() % shapes.size()];
    const RigidTransform X_A(special_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(
        special_rotation(&random),
        Vector3(special_offset(&random), special_offset(&random), special_offset(&random)));
    query_pair(a, X_A, b, X_B, 0.05, &manifold);
    for (int i = 0; i < manifold.size; ++i) {
      for (int j = 0; j < i; ++j) {
        ASSERT_NE(manifold.points[i].feature, manifold.points[j].feature) << trial;
        ASSERT_GT((manifold.points[i].p_a - manifold.points[j].p_a).norm(), 1e-8) << trial;
      }
    }
  }
}

}  // namespace
}  // namespace csim::test
