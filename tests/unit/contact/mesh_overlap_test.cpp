// Overlaps of any depth of a closed surface (a box) with convex shapes, compared with the box as a primitive.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "contact/mesh/mesh_contacts.h"
#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::ball_mesh;
using testing::box_mesh;
using testing::make_convex;
using testing::make_surface;
using testing::random_pose;
using testing::random_vector;
using testing::subdivided;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Vector3 kBlock(0.3, 0.3, 0.2);

/// Slivers and large triangles next to each other: every triangle cut at a random point of its inside, twice.
TriangleMesh oddly_cut(TriangleMesh mesh, std::mt19937* rng) {
  std::uniform_real_distribution<double> uniform(0.05, 1.0);
  for (int times = 0; times < 2; ++times) {
    std::vector<std::array<int, 3>> fine;
    for (const auto& [a, b, c] : mesh.triangles) {
      const double u = uniform(*rng), v = uniform(*rng), w = uniform(*rng);
      const int m = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back((u * mesh.vertices[a] + v * mesh.vertices[b] + w * mesh.vertices[c]) /
                              (u + v + w));
      fine.insert(fine.end(), {{a, b, m}, {b, c, m}, {c, a, m}});
    }
    mesh.triangles = fine;
  }
  return mesh;
}

struct Case {
  const char* name;
  Shape shape;
};

std::vector<Case> convex_shapes() {
  std::mt19937 rng(41);
  std::vector<Vector3> points;
  for (int i = 0; i < 20; ++i) points.push_back(0.06 * random_vector(&rng, 1.0).normalized());
  return {{"tetrahedron", make_convex({{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}})},
          {"polytope", make_convex(points)},
          {"box", Box{Vector3(0.1, 0.06, 0.08)}},
          {"plate", Box{Vector3(0.2, 0.2, 0.01)}},
          {"cylinder", Cylinder{0.04, 0.1}},
          {"disc", Cylinder{0.08, 0.01}},
          {"rod", Cylinder{0.01, 0.2}},
          {"capsule", Capsule{0.03, 0.1}},
          {"ellipsoid", Ellipsoid{Vector3(0.06, 0.04, 0.03)}},
          {"needle", Ellipsoid{Vector3(0.1, 0.01, 0.01)}},
          {"lens", Ellipsoid{Vector3(0.1, 0.08, 0.01)}},
          {"sphere", Sphere{0.04}}};
}

template <typename Points>
double deepest(const Points& points) {
  double phi = kInfinity;
  for (const ManifoldPoint& c : points) phi = std::min(phi, c.phi);
  return phi;
}

const ManifoldPoint& deepest_point(const Manifold& manifold) {
  return *std::min_element(manifold.begin(), manifold.end(),
                           [](const auto& x, const auto& y) { return x.phi < y.phi; });
}

std::array<MeshSurface, 3> blocks() {
  std::mt19937 cut(7);
  return {make_surface(box_mesh(kBlock)), make_surface(subdivided(box_mesh(kBlock), 3)),
          make_surface(oddly_cut(box_mesh(kBlock), &cut))};
}

/// m, 30 % of the smaller thickness.
double depth_limit(const Shape& shape) {
  return 0.6 * bounding_box(shape).half_size().minCoeff();
}

struct TouchingPose {
  RigidTransform X;
  Vector3 normal;  // from the block to the shape
};

/// A pose about the block at which the shape touches it, up to the choice of the way out.
TouchingPose touching_pose(const Shape& shape, std::mt19937* rng) {
  RigidTransform X = random_pose(rng, 1.0);
  X.p = X.p.cwiseProduct(Vector3(0.2, 0.2, 0.15));
  Manifold twin;
  query_pair(Box{kBlock}, {}, shape, X, 1.0, &twin);
  EXPECT_GT(twin.size, 0);
  const ManifoldPoint c = deepest_point(twin);
  X.p -= c.phi * c.normal;
  return {X, c.normal};
}

class MeshOverlap : public ::testing::TestWithParam<int> {};

/// However the block is cut, where the box overlaps the mesh has a contact, as deep as the box's: none is
/// shallower than the least way out by more than the 1 % for which another one is not worth having, and where
/// the shape is far enough in for its own search to stop at a near minimum none is deeper by more than 10 %.
TEST_P(MeshOverlap, IsAsDeepAsTheBox) {
  const auto [name, shape] = convex_shapes()[GetParam()];
  const double limit = depth_limit(shape);
  int overlaps = 0, missed = 0, differ = 0;
  for (const MeshSurface& surface : blocks()) {
    std::mt19937 rng(42);
    std::uniform_real_distribution<double> depth(0.0, limit);
    MeshQuery mesh_query;
    std::vector<ManifoldPoint> points;
    for (int k = 0; k < 600; ++k) {
      auto [X, normal] = touching_pose(shape, &rng);
      X.p -= depth(rng) * normal;
      Manifold twin;
      query_pair(Box{kBlock}, {}, shape, X, 1e-6, &twin);
      const double expected = deepest(twin);
      if (!(expected < -1e-7 && expected > -limit)) continue;
      ++overlaps;
      mesh_query.find(surface, {}, shape, X, 1e-6, &points);
      const double found = deepest(points);
      missed += !(found < 0.0);
      differ += std::abs(found / expected - 1.0) > 1e-3;
      EXPECT_LT(found, 0.99 * expected) << name << " " << k;
      EXPECT_GT(found, 1.1 * expected) << name << " " << k;
    }
  }
  EXPECT_GT(overlaps, 1000) << name;
  EXPECT_EQ(missed, 0) << name;
  EXPECT_LE(differ, overlaps / 50) << name;
}

/// Pushed in along the normal the depth grows by no more than the way made, and is never lost. The least
/// translation that separates does so by the triangle inequality; the mesh adds the 1 % of its choices.
TEST_P(MeshOverlap, DepthFollowsAPush) {
  const auto [name, shape] = convex_shapes()[GetParam()];
  const double limit = depth_limit(shape), step = limit / 40;
  for (const MeshSurface& surface : blocks()) {
    std::mt19937 rng(43);
    MeshQuery mesh_query;
    std::vector<ManifoldPoint> points;
    for (int k = 0; k < 20; ++k) {
      auto [X, normal] = touching_pose(shape, &rng);
      Manifold twin;
      double before = 0.0;
      for (int i = 1; i <= 40; ++i) {
        X.p -= step * normal;
        mesh_query.find(surface, {}, shape, X, 1e-6, &points);
        query_pair(Box{kBlock}, {}, shape, X, 1e-6, &twin);
        const double phi = deepest(points);
        if (deepest(twin) < 0.0) {
          ASSERT_LT(phi, 0.0) << name << " " << k << " step " << i;
        }
        if (phi == kInfinity) continue;
        EXPECT_LT(std::abs(phi - before), step + 0.02 * std::abs(phi) + 1e-6) << name << " " << k << " " << i;
        before = phi;
      }
    }
  }
}

/// Two spikes of one mesh in the two slopes of a roof, one below its ridge: moving out of one slope does not
/// part the other, however little it takes. Each is as deep as it is.
TEST(MeshOverlaps, ShorterWayOutElsewhereHidesNothing) {
  const double slope = std::tan(0.5);
  std::vector<Vector3> points;
  for (const double y : {-0.2, 0.2}) {
    for (const double z : {0.0, -0.3}) points.emplace_back(-0.2, y, z);
    points.emplace_back(0.0, y, 0.0);
    for (const double z : {-0.2 * slope, -0.3}) points.emplace_back(0.2, y, z);
  }
  const Shape roof = make_convex(points);
  const Vector3 up(0, 0, 1), aslope(std::sin(0.5), 0, std::cos(0.5));
  const double flat_depth = 1e-5, slope_depth = 5e-5;
  const std::array<Vector3, 2> tips{Vector3(-0.1, 0, 0) - flat_depth * up,
                                    Vector3(3e-4, 0, -3e-4 * slope) - slope_depth * aslope};
  TriangleMesh spikes;
  spikes.closed = true;
  for (const Vector3& tip : tips) {
    const int v = static_cast<int>(spikes.vertices.size());
    for (const Vector3& p :
         {Vector3(0, 0, 0), Vector3(-0.01, -0.01, 0.1), Vector3(0.02, -0.01, 0.1), Vector3(-0.01, 0.02, 0.1)})
      spikes.vertices.push_back(tip + p);
    for (const auto& [i, j, k] : {std::array{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}})
      spikes.triangles.push_back({v + i, v + j, v + k});
  }
  MeshQuery mesh_query;
  std::vector<ManifoldPoint> found;
  mesh_query.find(make_surface(spikes), {}, roof, {}, 1e-6, &found);
  ASSERT_EQ(found.size(), 2);
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.phi > y.phi; });
  EXPECT_NEAR(found[0].phi, -flat_depth, 1e-12);
  EXPECT_LT((found[0].normal + up).norm(), 1e-12);
  EXPECT_NEAR(found[1].phi, -slope_depth, 1e-12);
  EXPECT_LT((found[1].normal + aslope).norm(), 1e-12);
}

/// A rod sunk a little into a ball of 80 facets, nearly parallel to one of them or not: it is held where the
/// two meet, not at its end (up to 0.22 m beside the ball before its place was looked for).
TEST(MeshOverlaps, AreHeldWhereTheTwoMeet) {
  const MeshSurface ball = make_surface(ball_mesh(0.06, 1));
  const Shape rod = Box{Vector3(0.3, 0.01, 0.01)};
  const double size = bounding_box(rod).half_size().norm();
  std::mt19937 rng(49);
  std::uniform_real_distribution<double> depth(1e-4, 1e-3), along(-0.12, 0.12);
  MeshQuery mesh_query;
  std::vector<ManifoldPoint> found;
  int overlaps = 0;
  double farthest = 0.0;
  for (int k = 0; k < 2000; ++k) {
    RigidTransform X = random_pose(&rng, 1.0);
    const Vector3 axis = X.R.col(0), beside = axis.cross(random_vector(&rng, 1.0)).normalized();
    X.p = along(rng) * axis + 0.1 * beside;
    mesh_query.find(ball, {}, rod, X, 1.0, &found);
    X.p -= (deepest(found) + depth(rng)) * beside;
    mesh_query.find(ball, {}, rod, X, 0.0, &found);
    overlaps += !found.empty();
    for (const ManifoldPoint& c : found)
      farthest = std::max(farthest, (ball.nearest(c.p_a, kInfinity).p - c.p_a).norm());
  }
  EXPECT_GT(overlaps, 1000);
  EXPECT_LT(farthest, 0.02 * size);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MeshOverlap, ::testing::Range(0, 12),
                         [](const auto& info) { return std::string(convex_shapes()[info.param].name); });

}  // namespace
}  // namespace csim
