#include "contact/mesh/arc_optimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/mesh/mesh_tolerances.h"

namespace csim {
namespace {

struct RandomEdge {
  Vector3 a, along, n0, n1;
  double angle;  // rad
};

RandomEdge random_edge(std::mt19937* random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.05, 3.0);
  const auto vector = [&] { return Vector3(normal(*random), normal(*random), normal(*random)); };
  RandomEdge edge{0.3 * vector(), vector().normalized(), {}, {}, uniform(*random)};
  edge.n0 = edge.along.cross(vector()).normalized();
  edge.n1 = std::cos(edge.angle) * edge.n0 + std::sin(edge.angle) * edge.along.cross(edge.n0);
  return edge;
}

/// h at a fraction t of the arc.
double height(const ConvexSupport& support, const RandomEdge& edge, double t) {
  const Vector3 n = std::cos(t * edge.angle) * edge.n0 + std::sin(t * edge.angle) * edge.along.cross(edge.n0);
  return n.dot(support.support(-n) - edge.a) - support.radius();
}

ConvexSupport random_shape(int kind, std::mt19937* random) {
  std::normal_distribution<double> normal;
  const Vector3 p(0.3 * normal(*random), 0.3 * normal(*random), 0.3 * normal(*random));
  const Quaternion q(normal(*random), normal(*random), normal(*random), normal(*random));
  const RigidTransform X(q.normalized().toRotationMatrix(), p);
  switch (kind) {
    case 0:
      return {Box{{1.0, 0.6, 0.2}}, X};
    case 1:
      return {Capsule{0.2, 0.8}, X};
    case 2:
      return {Cylinder{0.3, 0.5}, X};
    default:
      return {Ellipsoid{{0.5, 0.3, 0.2}}, X};
  }
}

/// Against the best of ten thousand directions on the arc.
TEST(BestOnArc, IsAsHighAsAnyDirectionOfTheArc) {
  std::mt19937 random(7);
  int num_inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool is_box = i % 4 == 0;
    const ConvexSupport support = random_shape(i % 4, &random);
    const RandomEdge edge = random_edge(&random);
    const ArcOptimum found = best_on_arc(support, edge.a, edge.along, edge.n0, edge.n1, 1.0);
    double highest = height(support, edge, 0.0), at = 0.0;
    for (int k = 1; k <= 10000; ++k) {
      const double h = height(support, edge, k / 10000.0);
      if (h <= highest) continue;
      highest = h;
      at = k / 10000.0;
    }
    if (!found.inside) {
      EXPECT_TRUE(at < 2.0 * MeshTolerances::kAtFacet || at > 1.0 - 2.0 * MeshTolerances::kAtFacet)
          << i << ": " << at;
      continue;
    }
    ++num_inside;
    const Vector3& n = found.direction;
    EXPECT_NEAR(n.norm(), 1.0, 1e-14);
    EXPECT_NEAR(n.dot(edge.along), 0.0, 1e-14);
    EXPECT_GE(n.dot(support.support(-n) - edge.a) - support.radius(), highest - 2e-10) << i;
    // The exact normal is that of the search, and its point the lowest along it; round shapes have a chord.
    EXPECT_NEAR((found.normal - n).norm(), 0.0, is_box ? 1e-9 : 1e-5) << i;
    EXPECT_NEAR(found.normal.dot(found.x - edge.a),
                found.normal.dot(support.support(-found.normal) - edge.a) - support.radius(),
                is_box ? 1e-9 : 1e-6)
        << i;
  }
  EXPECT_GT(num_inside, 400);
}

/// A box that stands on an edge of its own across the edge of the surface: the normal is that of both edges.
TEST(BestOnArc, CrossingEdgesHaveTheNormalOfBoth) {
  const double half = std::sqrt(0.5);
  Matrix3 R;  // the box's edge along y is lowest
  R << half, 0, half, 0, 1, 0, -half, 0, half;
  const ConvexSupport box(Box{{0.2, 0.4, 0.2}}, {R, Vector3(0.0, 0.0, 0.1 * std::sqrt(2.0) - 0.01)});
  const Vector3 n0 = Vector3(0.0, -1.0, 1.0).normalized(), n1 = Vector3(0.0, 1.0, 1.0).normalized();
  const ArcOptimum found = best_on_arc(box, Vector3::Zero(), Vector3::UnitX(), n0, n1, 0.3);
  ASSERT_TRUE(found.inside);
  EXPECT_NEAR((found.normal - Vector3::UnitZ()).norm(), 0.0, 1e-15);
  EXPECT_NEAR((found.x - Vector3(0.0, 0.0, -0.01)).norm(), 0.0, 1e-15);
}

/// A face that is flatter on the shape than the arc is wide: the best direction is a facet's.
TEST(BestOnArc, AtAnEndItIsTheFacetThatIsLeft) {
  const ConvexSupport box(Box{{1.0, 1.0, 1.0}}, {Matrix3::Identity(), Vector3(0.0, 0.4, 0.0)});
  const Vector3 n0 = Vector3::UnitZ(), n1 = Vector3(0.0, 0.8, 0.6);
  EXPECT_FALSE(best_on_arc(box, Vector3(0.0, 0.8, 0.4), Vector3::UnitX(), n1, n0, 0.9).inside);
}

}  // namespace
}  // namespace csim
