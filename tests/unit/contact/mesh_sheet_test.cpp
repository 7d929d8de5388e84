// Open surfaces in shapes: two-sided and thin.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "contact/convex/convex_support.h"
#include "contact/mesh/mesh_contacts.h"
#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::make_surface;
using testing::random_pose;
using testing::random_vector;

TriangleMesh triangle(const Vector3& a, const Vector3& b, const Vector3& c) {
  TriangleMesh mesh;
  mesh.vertices = {a, b, c};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

/// A tip just inside the top of a wide table leaves upwards, as deep as it is in: nothing leads it along its
/// plane to a side of the table.
TEST(MeshSheet, ATipLeavesTheWayItCameIn) {
  const MeshSurface tip = make_surface(triangle({0, 0, 0}, {0.03, 0, 0.02}, {0.01, 0, 0.03}));
  const Box table{Vector3(1, 1, 0.2)};
  std::mt19937 rng(61);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  MeshQuery query;
  std::vector<ManifoldPoint> points;
  for (int k = 0; k < 500; ++k) {
    RigidTransform X_WM(Quaternion(Eigen::AngleAxisd(3.0 * unit(rng), Vector3::UnitZ()) *
                                   Eigen::AngleAxisd(0.2 * unit(rng), Vector3::UnitX()) *
                                   Eigen::AngleAxisd(0.2 * unit(rng), Vector3::UnitY())),
                        Vector3(0.4 * unit(rng), 0.4 * unit(rng), 0.0));
    const double depth = 1e-5 + 4e-3 * std::abs(unit(rng));
    X_WM.p.z() = -depth;
    query.find(tip, X_WM, table, {Matrix3::Identity(), Vector3(0, 0, -0.1)}, 1e-4, &points);
    double deepest = 0.0;
    for (const ManifoldPoint& c : points) deepest = std::min(deepest, c.phi);
    EXPECT_NEAR(deepest, -depth, 1e-12) << k;
  }
}

/// No contact of a sheet with a shape is deeper than the shortest of many ways along which the two part,
/// found without the query: a direction, and the depth in the shape, along it, of points all over the sheet.
TEST(MeshSheet, NoContactIsDeeperThanAWayOut) {
  std::mt19937 rng(62);
  const Box box{Vector3(0.5, 0.4, 0.1)};
  MeshQuery query;
  std::vector<ManifoldPoint> points;
  int num_deep = 0;
  for (int k = 0; k < 400; ++k) {
    const MeshSurface sheet = make_surface(
        triangle(random_vector(&rng, 0.05), random_vector(&rng, 0.05), random_vector(&rng, 0.05)));
    RigidTransform X_WM = random_pose(&rng, 0.0);
    X_WM.p = Vector3(0.2, 0.15, 0.05).cwiseProduct(random_vector(&rng, 1.0)) + Vector3(0, 0, 0.04);
    query.find(sheet, X_WM, box, {}, 1e-5, &points);
    double deepest = 0.0;
    for (const ManifoldPoint& c : points) deepest = std::min(deepest, c.phi);
    if (deepest > -1e-3) continue;
    ++num_deep;
    // Straight up or down the sheet leaves the box, whatever of it is inside.
    double up = 0.0, down = 0.0;
    for (int i = 0; i <= 40; ++i) {
      for (int j = 0; i + j <= 40; ++j) {
        const Vector3 p =
            X_WM * Vector3((i * sheet.vertex(0) + j * sheet.vertex(1) + (40 - i - j) * sheet.vertex(2)) / 40);
        if ((p.cwiseAbs() - 0.5 * box.size).maxCoeff() > 0.0) continue;
        up = std::max(up, 0.05 - p.z());
        down = std::max(down, p.z() + 0.05);
      }
    }
    EXPECT_LT(-deepest, 1.05 * std::min(up, down) + 2e-3) << k;
  }
  EXPECT_GT(num_deep, 50);
}

}  // namespace
}  // namespace csim
