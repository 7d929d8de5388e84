// Facets that unevenness has made of one face are one side again; what is round or sharp stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "geometry/flat_sides.h"
#include "geometry/load_shape.h"

namespace csim::test {
namespace {

ConvexPolytope hull_of(const std::vector<Vector3>& points) {
  LoadResult<ConvexPolytope> hull = convex_hull(points);
  EXPECT_TRUE(hull.ok()) << hull.error;
  return *std::move(hull.value);
}

int num_sides(const ConvexPolytope& polytope) {
  const std::vector<int> side = find_flat_sides(polytope);
  return static_cast<int>(std::set<int>(side.begin(), side.end()).size());
}

int count(const std::vector<char>& marks) {
  return static_cast<int>(std::count(marks.begin(), marks.end(), 1));
}

// A block of 80 by 80 by 40 mm whose upper face is a grid of 5 by 5 points, off by `uneven` (m).
std::vector<Vector3> block(double uneven, std::mt19937_64* random) {
  std::uniform_real_distribution<double> off(-uneven, uneven);
  std::vector<Vector3> points;
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) {
      points.push_back({0.02 * i - 0.04, 0.02 * j - 0.04, 0.02 + (uneven > 0.0 ? off(*random) : 0.0)});
      if (i % 4 == 0 && j % 4 == 0) points.push_back({points.back().x(), points.back().y(), -0.02});
    }
  }
  return points;
}

TEST(FlatSides, AnUnevenBlockHasSixAndEightCorners) {
  std::mt19937_64 random(1);
  for (const double uneven : {0.0, 1e-9, 1e-7, 1e-6, 5e-6}) {
    const ConvexPolytope polytope = hull_of(block(uneven, &random));
    EXPECT_EQ(num_sides(polytope), 6) << uneven;
    EXPECT_EQ(count(polytope.is_corner), 8) << uneven;
    EXPECT_GE(count(polytope.is_crease), 12) << uneven;
    for (std::size_t v = 0; v < polytope.vertices.size(); ++v) {
      const bool is_corner = polytope.vertices[v].head<2>().cwiseAbs().minCoeff() > 0.039;
      EXPECT_EQ(polytope.is_corner[v] != 0, is_corner) << polytope.vertices[v].transpose();
    }
  }
}

// What no corner bounds stands out of the others' hull by a thousandth of the width of its side at most.
TEST(FlatSides, LeaveOutLittle) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  int num_left_out = 0;
  for (int trial = 0; trial < 40; ++trial) {
    // A shallow cap over a disc, from a thousandth of its width to flat, dense enough to have facets within a
    // side.
    const double height = std::pow(10.0, -3.0 - 0.1 * trial);
    std::vector<Vector3> points;
    for (int i = 0; i < 400; ++i) {
      const Vector2 q = Vector2(normal(random), normal(random)).cwiseMax(-2.0).cwiseMin(2.0);
      points.push_back({q.x(), q.y(), -height * q.squaredNorm()});
      points.push_back({q.x(), q.y(), -1.0});
    }
    const ConvexPolytope polytope = hull_of(points);
    std::vector<Vector3> corners;
    for (std::size_t v = 0; v < polytope.vertices.size(); ++v) {
      if (polytope.is_corner[v]) corners.push_back(polytope.vertices[v]);
    }
    num_left_out += static_cast<int>(polytope.vertices.size() - corners.size());
    const ConvexPolytope left = hull_of(corners);
    for (const Vector3& vertex : polytope.vertices) {
      for (std::size_t f = 0; f < left.face_normals.size(); ++f) {
        // 4.0 wide.
        EXPECT_LE(left.face_normals[f].dot(vertex), left.face_offsets[f] + 4e-3) << trial;
      }
    }
  }
  EXPECT_GT(num_left_out, 100);
}

TEST(FlatSides, ARoundBodyHasACornerAtEachVertex) {
  std::vector<Vector3> points;
  constexpr int kPoints = 3000;
  for (int i = 0; i < kPoints; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kPoints, angle = 2.399963229728653 * i;
    const double r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  const ConvexPolytope polytope = hull_of(points);
  EXPECT_EQ(count(polytope.is_corner), kPoints);
}

TEST(FlatSides, ARimOfManyCornersKeepsThem) {
  std::vector<Vector3> points;
  for (int i = 0; i < 500; ++i) {
    for (const double z : {-0.1, 0.1}) {
      const double angle = 2.0 * M_PI * i / 500;
      points.push_back({std::cos(angle), std::sin(angle), z});
    }
  }
  const ConvexPolytope polytope = hull_of(points);
  EXPECT_EQ(num_sides(polytope), 502);
  EXPECT_EQ(count(polytope.is_corner), 1000);
}

}  // namespace
}  // namespace csim::test
