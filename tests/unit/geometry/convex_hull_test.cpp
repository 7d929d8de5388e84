#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/mass_properties.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using testing::make_convex;
using testing::random_pose;
using testing::random_vector;

/// Everything shape.h promises about a polytope.
void expect_valid(const ConvexPolytope& p, const std::vector<Vector3>& points, double tolerance) {
  const std::size_t V = p.vertices.size(), F = p.face_normals.size(), E = p.edges.size();
  ASSERT_EQ(p.face_begin.size(), F + 1);
  ASSERT_EQ(p.face_offsets.size(), F);
  ASSERT_EQ(V + F, E + 2);  // Euler
  EXPECT_EQ(p.face_vertices.size(), 2 * E);
  EXPECT_EQ(p.neighbors.size(), 2 * E);
  for (std::size_t f = 0; f < F; ++f) {
    const Vector3& n = p.face_normals[f];
    EXPECT_NEAR(n.norm(), 1.0, 1e-15);
    for (const Vector3& x : points) EXPECT_LE(n.dot(x), p.face_offsets[f] + tolerance);
    const int begin = p.face_begin[f], size = p.face_begin[f + 1] - begin;
    ASSERT_GE(size, 3);
    for (int i = 0; i < size; ++i) {
      const auto vertex = [&](int k) { return p.vertices[p.face_vertices[begin + (i + k) % size]]; };
      EXPECT_NEAR(n.dot(vertex(0)), p.face_offsets[f], tolerance);
      // Counterclockwise and strictly convex corner.
      EXPECT_GT(n.dot((vertex(1) - vertex(0)).cross(vertex(2) - vertex(1))), 0.0);
    }
  }
  const auto face_has_directed_edge = [&](int f, int v, int w) {
    const int begin = p.face_begin[f], size = p.face_begin[f + 1] - begin;
    for (int i = 0; i < size; ++i) {
      if (p.face_vertices[begin + i] == v && p.face_vertices[begin + (i + 1) % size] == w) return true;
    }
    return false;
  };
  for (const auto& [v, w, f, g] : p.edges) {
    EXPECT_TRUE(face_has_directed_edge(f, v, w));
    EXPECT_TRUE(face_has_directed_edge(g, w, v));
    const auto begin = p.neighbors.begin();
    EXPECT_THAT(std::vector<int>(begin + p.neighbor_begin[v], begin + p.neighbor_begin[v + 1]),
                ::testing::Contains(w));
  }
}

TEST(ConvexHull, BoxHasSixQuadrilaterals) {
  std::mt19937 rng(1);
  for (int trial = 0; trial < 20; ++trial) {
    const RigidTransform X = random_pose(&rng, 1.0);
    std::vector<Vector3> points;
    // Corners, and points inside, on faces and on edges that are no vertices.
    for (const Vector3& v : box_mesh(Vector3(0.2, 0.3, 0.5)).vertices) points.push_back(X * v);
    for (const Vector3& v :
         {Vector3(0, 0, 0), Vector3(0.1, 0, 0), Vector3(0.1, 0.15, 0), Vector3(0.1, 0.15, 0.2)}) {
      points.push_back(X * v);
    }
    const LoadResult<ConvexPolytope> hull = convex_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error;
    EXPECT_EQ(hull.value->vertices.size(), 8u);
    EXPECT_EQ(hull.value->face_normals.size(), 6u);
    expect_valid(*hull.value, points, 1e-14);
  }
}

TEST(ConvexHull, NoiseOfSinglePrecisionMergesFaces) {
  // A prism of twelve sides, turned, rounded to float: two caps of twelve vertices and twelve rectangles.
  std::mt19937 rng(2);
  const RigidTransform X = random_pose(&rng, 0.0);
  std::vector<Vector3> points;
  for (int i = 0; i < 24; ++i) {
    const double angle = 2 * std::numbers::pi * (i % 12) / 12;
    const Vector3 p = X * Vector3(0.1 * std::cos(angle), 0.1 * std::sin(angle), i < 12 ? -0.05 : 0.05);
    points.push_back(p.cast<float>().cast<double>());
  }
  const LoadResult<ConvexPolytope> hull = convex_hull(points);
  ASSERT_TRUE(hull.ok()) << hull.error;
  EXPECT_EQ(hull.value->vertices.size(), 24u);
  EXPECT_EQ(hull.value->face_normals.size(), 14u);
  expect_valid(*hull.value, points, 2e-8);  // float rounding of coordinates of 0.1 m
}

// Of hulls that bulge by little, whose merged faces have straight and reentrant outlines, too: a climb from
// neighbour to neighbour ends at the highest vertex, wherever it starts, to what merged faces are off by.
TEST(ConvexHull, AClimbEndsAtTheHighestVertex) {
  std::mt19937 rng(3);
  for (const double bulge : {1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 1e-2}) {
    std::vector<Vector3> points;
    for (int i = 0; i <= 12; ++i) {
      for (int j = 0; j <= 12; ++j) {
        const double x = 0.1 * i - 0.6, y = 0.1 * j - 0.6;
        points.emplace_back(x, y, -bulge * (x * x + y * y));
        points.emplace_back(x, y, -0.1);
      }
    }
    const LoadResult<ConvexPolytope> hull = convex_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error;
    const ConvexPolytope& p = *hull.value;
    for (int trial = 0; trial < 300; ++trial) {
      Vector3 d = random_vector(&rng, 1.0);
      if (trial % 3 == 0) d.z() = 0.0;
      if (trial % 3 == 1) d.z() = 1e4 * std::abs(d.z());
      d.normalize();
      double highest = -1.0;
      for (const Vector3& v : p.vertices) highest = std::max(highest, d.dot(v));
      for (int start = 0; start < static_cast<int>(p.vertices.size()); ++start) {
        int best = start;
        for (int from = -1; from != best;) {
          from = best;
          for (int k = p.neighbor_begin[from]; k < p.neighbor_begin[from + 1]; ++k)
            if (d.dot(p.vertices[p.neighbors[k]]) > d.dot(p.vertices[best])) best = p.neighbors[k];
        }
        ASSERT_GT(d.dot(p.vertices[best]), highest - 1e-6) << bulge << " " << d.transpose();
      }
    }
  }
}

TEST(ConvexHull, SphereCloudIsComplete) {
  // A Fibonacci spiral: evenly spread, no four points in a plane.
  std::vector<Vector3> points;
  for (int i = 0; i < 2000; ++i) {
    const double z = 1 - (2 * i + 1) / 2000.0, angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    points.emplace_back(std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z);
  }
  const LoadResult<ConvexPolytope> hull = convex_hull(points);
  ASSERT_TRUE(hull.ok()) << hull.error;
  EXPECT_EQ(hull.value->vertices.size(), points.size());
  EXPECT_EQ(hull.value->face_normals.size(), 2 * points.size() - 4);
  // Inscribed: below the ball by about pi/V relative, summed curvature deficits.
  const double ball = 4.0 / 3.0 * std::numbers::pi;
  const double v = volume(Convex{std::make_shared<const ConvexPolytope>(*hull.value)});
  EXPECT_LT(v, ball);
  EXPECT_GT(v, 0.99 * ball);
}

TEST(ConvexHull, SamePointsGiveSameBits) {
  std::mt19937 rng(4);
  std::vector<Vector3> points;
  for (int i = 0; i < 60; ++i) points.push_back(random_vector(&rng, 1.0));
  const ConvexPolytope first = *convex_hull(points).value, second = *convex_hull(points).value;
  EXPECT_EQ(first.face_vertices, second.face_vertices);
  EXPECT_EQ(first.face_offsets, second.face_offsets);
  EXPECT_EQ(first.edges, second.edges);
}

TEST(ConvexHull, SaysWhatIsWrong) {
  EXPECT_THAT(convex_hull({Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY()}).error,
              ::testing::HasSubstr("at least 4"));
  EXPECT_THAT(convex_hull({Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3(1, 1, 0),
                           Vector3(2, 1, 1e-12)})
                  .error,
              ::testing::HasSubstr("in a plane"));
  EXPECT_THAT(convex_hull(std::vector<Vector3>(5, Vector3::Ones())).error,
              ::testing::HasSubstr("in a plane"));
  EXPECT_THAT(
      convex_hull({Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), Vector3(0, 0, std::nan(""))}).error,
      ::testing::HasSubstr("point 3 is not finite"));
}

}  // namespace
}  // namespace csim
