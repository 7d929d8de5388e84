// The polygon of two tets taken at random, by its definition: all of it lies in both, at equal pressures, and
// its area is the part of the plane of equal pressures that random points find in both.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

/// A tet of random corners and pressures, in a frame of its own.
struct RandomTet {
  CompliantMesh mesh;
  RigidTransform X_WT;

  explicit RandomTet(std::mt19937* rng) : X_WT(random_pose(rng, 0.3)) {
    std::uniform_real_distribution<double> pressure(0.0, 1e6);
    for (int i = 0; i < 4; ++i) {
      mesh.mesh.vertices.push_back(random_vector(rng, 1.0));
      mesh.pressure.push_back(pressure(*rng));
    }
    mesh.mesh.tets.push_back({0, 1, 2, 3});
    if (tet_volume(mesh.mesh, 0) < 0.0) std::swap(mesh.mesh.tets[0][0], mesh.mesh.tets[0][1]);
  }

  /// Barycentric coordinates of a point of the world, by one linear system.
  [[nodiscard]] Eigen::Vector4d coordinates(const Vector3& p_W) const {
    Eigen::Matrix4d corners;
    for (int i = 0; i < 4; ++i) corners.col(i) << X_WT * mesh.mesh.vertices[mesh.mesh.tets[0][i]], 1.0;
    return corners.fullPivLu().solve(Eigen::Vector4d(p_W.x(), p_W.y(), p_W.z(), 1.0));
  }
  [[nodiscard]] double pressure(const Vector3& p_W) const {
    const Eigen::Vector4d b = coordinates(p_W);
    double p = 0.0;
    for (int i = 0; i < 4; ++i) p += b[i] * mesh.pressure[mesh.mesh.tets[0][i]];
    return p;
  }
  [[nodiscard]] bool holds(const Vector3& p_W) const { return coordinates(p_W).minCoeff() >= 0.0; }
};

TEST(RandomTets, PolygonLiesInBothAndHoldsTheAreaThatRandomPointsFind) {
  SurfaceOptions options = kUncut;
  options.vertices = true;
  std::mt19937 rng(11);
  int num_polygons = 0, most_corners = 0;
  double sum_of_squares = 0.0;
  while (num_polygons < 60) {
    const RandomTet a(&rng), b(&rng);
    // Tets nearly flat would ask for looser tolerances.
    if (std::min(tet_volume(a.mesh.mesh, 0), tet_volume(b.mesh.mesh, 0)) < 0.03) continue;
    const ContactSurface s =
        find(prepare_patch_geometry(a.mesh), a.X_WT, prepare_patch_geometry(b.mesh), b.X_WT, options);
    if (s.num_faces() == 0 || s.area[0] < 0.02) continue;
    ASSERT_EQ(s.num_faces(), 1);
    ++num_polygons;
    const int count = static_cast<int>(s.vertices.size());
    most_corners = std::max(most_corners, count);
    ASSERT_LE(count, 8);
    // Lengths are of order 1 m and pressures of 1e6 Pa, their gradients up to 1e8 Pa/m.
    Vector3 mean = Vector3::Zero();
    for (int k = 0; k < count; ++k) {
      const Vector3& x = s.vertices[k];
      EXPECT_GT(a.coordinates(x).minCoeff(), -1e-11);
      EXPECT_GT(b.coordinates(x).minCoeff(), -1e-11);
      EXPECT_NEAR(a.pressure(x), b.pressure(x), 1e-4);
      EXPECT_NEAR(s.vertex_pressures[k], a.pressure(x), 1e-4);
      EXPECT_NEAR((x - s.centroid[0]).dot(s.normal[0]), 0.0, 1e-11);
      mean += x / count;
    }
    // Random points of a disc of the plane that holds all of the polygon and what may lie beside it.
    double radius = 0.0;
    for (const Vector3& x : s.vertices) radius = std::max(radius, (x - mean).norm());
    radius *= 1.5;
    const Vector3 u = s.normal[0].unitOrthogonal(), v = s.normal[0].cross(u);
    constexpr int kPoints = 4000;
    std::uniform_real_distribution<double> uniform;
    int hits = 0;
    for (int i = 0; i < kPoints; ++i) {
      const double r = radius * std::sqrt(uniform(rng)), phi = 2.0 * kPi * uniform(rng);
      const Vector3 x = mean + r * (std::cos(phi) * u + std::sin(phi) * v);
      hits += a.holds(x) && b.holds(x) ? 1 : 0;
    }
    // The hits are binomial.
    const double share = s.area[0] / (kPi * radius * radius);
    const double deviation = (hits - kPoints * share) / std::sqrt(kPoints * share * (1.0 - share));
    EXPECT_LT(std::abs(deviation), 4.0);
    sum_of_squares += deviation * deviation;
  }
  EXPECT_GE(most_corners, 6);
  // Chi squared of 60 degrees of freedom: mean 60, standard deviation 11.
  EXPECT_NEAR(sum_of_squares, 60.0, 44.0);
}

}  // namespace
}  // namespace csim::testing
