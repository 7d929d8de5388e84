#include "contact/convex/point_distance.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/nearest_point.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::make_convex;
using testing::random_pose;
using testing::random_vector;

std::vector<Shape> bodies(std::mt19937* rng) {
  std::vector<Vector3> points;
  for (int i = 0; i < 30; ++i) points.push_back(random_vector(rng, 1.0).normalized() * 0.08);
  return {Sphere{0.05},         Box{Vector3(0.1, 0.06, 0.2)},         Capsule{0.03, 0.1},
          Cylinder{0.05, 0.08}, Ellipsoid{Vector3(0.06, 0.04, 0.05)}, make_convex(points)};
}

/// Directions all over the sphere.
std::vector<Vector3> directions(int count) {
  std::vector<Vector3> d;
  for (int i = 0; i < count; ++i) {
    const double z = (2.0 * i + 1.0) / count - 1.0, angle = 2.0 * std::numbers::pi * i / std::numbers::phi;
    d.emplace_back(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z);
  }
  return d;
}

/// The distance is the largest separation of all directions: along its own normal the bodies are that far
/// apart, and along no other are they farther, be it apart, just touching or deep inside.
void expect_largest_separation(const Vector3& p, const Vector3& q, const ConvexSupport& body,
                               const SignedDistance& found, const std::vector<Vector3>& all) {
  const auto separation = [&](const Vector3& n) {
    return n.dot(body.support(-n)) - body.radius() - std::max(n.dot(p), n.dot(q));
  };
  ASSERT_NEAR(found.normal.norm(), 1.0, 1e-12);
  EXPECT_NEAR(separation(found.normal), found.phi, 1e-9);
  for (const Vector3& n : all) EXPECT_LE(separation(n), found.phi + 1e-12);
}

TEST(PointDistance, IsTheLargestSeparationAtAnyDepth) {
  std::mt19937 rng(81);
  const std::vector<Vector3> all = directions(2000);
  for (int k = 0; k < 40; ++k) {
    for (const Shape& shape : bodies(&rng)) {
      const RigidTransform X = random_pose(&rng, 0.3);
      const ConvexSupport body(shape, X);
      const Vector3 p = X.p + random_vector(&rng, 0.12);
      const SignedDistance found = point_distance(p, body, 1.0);
      expect_largest_separation(p, p, body, found, all);
      EXPECT_LT((found.p_b - p - found.phi * found.normal).norm(), 1e-14);
    }
  }
}

TEST(PointDistance, OfASegmentIsTheLargestSeparationAtAnyDepth) {
  std::mt19937 rng(82);
  const std::vector<Vector3> all = directions(2000);
  for (int k = 0; k < 40; ++k) {
    for (const Shape& shape : bodies(&rng)) {
      const RigidTransform X = random_pose(&rng, 0.3);
      const ConvexSupport body(shape, X);
      const Vector3 p = X.p + random_vector(&rng, 0.12), q = p + random_vector(&rng, 0.04);
      const SignedDistance found = segment_distance(p, q, body, 1.0);
      // Deep between several ways out of nearly one length a search may end at any: the ends' are exact.
      if (found.phi < -1e-3 && (found.p_a - p).norm() > 0.0 && (found.p_a - q).norm() > 0.0) continue;
      expect_largest_separation(p, q, body, found, all);
    }
  }
}

/// Of what is apart the two points lie on the segment and on the body. (A segment is a triangle whose corners
/// lie on a line: it has no face, whatever rounding makes of its area.)
TEST(PointDistance, OfASegmentApartIsTakenOnBoth) {
  std::mt19937 rng(84);
  int num_apart = 0;
  for (int k = 0; k < 10000; ++k) {
    const RigidTransform X = random_pose(&rng, 0.01);
    const Vector3 p = X.p + random_vector(&rng, 0.12), q = p + random_vector(&rng, 0.08);
    for (const Shape& shape : {Shape(Cylinder{0.05, 0.08}), Shape(Box{Vector3(0.1, 0.06, 0.2)})}) {
      const ConvexSupport body(shape, X);
      const SignedDistance found = segment_distance(p, q, body, 1.0);
      if (found.phi < 1e-4) continue;
      ++num_apart;
      const Vector3 on_line = p + nearest_on_segment(p, q - p, found.p_a) * (q - p);
      EXPECT_LT((on_line - found.p_a).norm(), 1e-9) << k;
      EXPECT_NEAR(point_distance(found.p_b, body, 1.0).phi, 0.0, 1e-9) << k;
    }
  }
  EXPECT_GT(num_apart, 5000);
}

/// What is farther than max_phi is said to be so, and what is not is found.
TEST(PointDistance, StopsAtTheLargestGapAskedFor) {
  std::mt19937 rng(83);
  for (int k = 0; k < 300; ++k) {
    for (const Shape& shape : bodies(&rng)) {
      const ConvexSupport body(shape, random_pose(&rng, 0.05));
      const Vector3 p = random_vector(&rng, 0.2), q = p + random_vector(&rng, 0.1);
      const double exact = segment_distance(p, q, body, 1.0).phi;
      if (exact < 0.0) continue;
      const double bounded = segment_distance(p, q, body, 0.01).phi;
      if (exact < 0.01) {
        EXPECT_NEAR(bounded, exact, 1e-12);
      } else {
        EXPECT_GE(bounded, 0.01);
      }
    }
  }
}

}  // namespace
}  // namespace csim
