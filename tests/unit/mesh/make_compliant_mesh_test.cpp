#include "mesh/make_compliant_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/load_shape.h"
#include "geometry/mass_properties.h"
#include "unit/geometry/shapes_for_tests.h"
#include "unit/mesh/sound_mesh.h"

namespace csim {
namespace {

using std::numbers::pi;
using testing::expect_sound;
using ::testing::HasSubstr;
using testing::pressure_at;

constexpr double kModulus = 3e6;

CompliantMeshOptions with(double resolution, MeshStrategy strategy = MeshStrategy::kSingle,
                          double margin = 0.0) {
  return {resolution, kModulus, margin, strategy};
}

/// 0 on the boundary, positive inside, the modulus at the deepest place: all to the bit.
void expect_pressure_from_zero_to_modulus(const CompliantMesh& compliant) {
  const std::vector<bool> on_boundary = boundary_vertices(compliant.mesh);
  ASSERT_EQ(compliant.pressure.size(), compliant.mesh.vertices.size());
  for (std::size_t v = 0; v < on_boundary.size(); ++v) {
    if (on_boundary[v]) {
      ASSERT_EQ(compliant.pressure[v], 0.0);
    } else {
      ASSERT_GT(compliant.pressure[v], 0.0);
    }
  }
  EXPECT_EQ(*std::max_element(compliant.pressure.begin(), compliant.pressure.end()), kModulus);
}

/// A resolution that gives the level: a little more than the chord of 4 2^level edges along the equator.
double resolution_of_level(double radius, int level) {
  return 2.0 * radius * std::sin(pi / (4 << level)) * 1.0001;
}

TEST(SphereTets, CountsAndVolumesOfEveryLevel) {
  // Volume over that of the ball, for L = 0..6, of either strategy.
  const std::array<double, 7> ratio{0.318310, 0.702544, 0.911416, 0.976798, 0.994130, 0.998528, 0.999632};
  const double radius = 0.3, ball = 4.0 / 3.0 * pi * radius * radius * radius;
  for (int level = 0; level < 7; ++level) {
    for (const auto strategy : {MeshStrategy::kSingle, MeshStrategy::kDense}) {
      const bool dense = strategy == MeshStrategy::kDense;
      if (dense && level > 4) continue;  // the brute-force check would take seconds
      SCOPED_TRACE(::testing::Message() << "level " << level << (dense ? ", dense" : ", single"));
      const CompliantMesh compliant =
          make_compliant_mesh(Sphere{radius}, with(resolution_of_level(radius, level), strategy));
      const std::size_t N = 1u << level, tets = compliant.mesh.tets.size();
      EXPECT_EQ(tets, dense ? N * N * N * 8 : 8 * N * N);
      EXPECT_EQ(compliant.mesh.vertices.size(),
                dense ? (2 * N + 1) * (2 * N * N + 2 * N + 3) / 3 : 4 * N * N + 3);
      EXPECT_NEAR(volume(compliant.mesh) / ball, ratio[level], 5e-7);
      const TriangleMesh surface = boundary_surface(compliant.mesh);
      EXPECT_EQ(surface.triangles.size(), 8 * N * N);
      EXPECT_EQ(surface.vertices.size(), 4 * N * N + 2);
      for (const Vector3& p : surface.vertices) EXPECT_NEAR(p.norm(), radius, 1e-15);
      expect_sound(compliant.mesh);
      expect_pressure_from_zero_to_modulus(compliant);
      for (std::size_t v = 0; v < compliant.pressure.size(); ++v) {
        const double expected = kModulus * (1.0 - compliant.mesh.vertices[v].norm() / radius);
        ASSERT_NEAR(compliant.pressure[v], expected, 1e-14 * kModulus);
      }
    }
  }
}

TEST(SphereTets, LongestChordAlongTheEquatorIsAtMostTheResolution) {
  for (const double resolution : {10.0, 2.0, 1.9, 1.5, 1.0, 0.5, 0.2, 0.1, 0.05}) {
    const CompliantMesh compliant = make_compliant_mesh(Sphere{1.0}, with(resolution));
    double longest = 0.0;
    for (const TetFace& face : boundary_faces(compliant.mesh)) {
      for (int i = 0; i < 3; ++i) {
        const Vector3 p = compliant.mesh.vertices[face.vertices[i]];
        const Vector3 q = compliant.mesh.vertices[face.vertices[(i + 1) % 3]];
        if (p.z() == 0.0 && q.z() == 0.0) longest = std::max(longest, (p - q).norm());
      }
    }
    EXPECT_LE(longest, std::max(resolution, std::sqrt(2.0)) * (1 + 1e-9)) << resolution;
    EXPECT_GT(2.0 * longest, std::min(resolution, std::sqrt(2.0)) * (1 - 1e-9)) << resolution;
  }
}

TEST(SphereTets, AResolutionTooFineIsLimitedAndSaidSo) {
  const CompliantMesh compliant = make_compliant_mesh(Sphere{1.0}, with(1e-9));
  EXPECT_EQ(compliant.mesh.tets.size(), 8u << 16);
  const auto notes = compliant_mesh_notes(Sphere{1.0}, with(1e-9));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("finer than the finest mesh of this shape, which is used: 8 levels"));
  EXPECT_TRUE(compliant_mesh_notes(Sphere{1.0}, with(0.1)).empty());
}

TEST(EllipsoidTets, AreAStretchedBall) {
  const Vector3 axes(0.06, 0.05, 0.006);
  for (const auto strategy : {MeshStrategy::kSingle, MeshStrategy::kDense}) {
    const CompliantMesh compliant = make_compliant_mesh(Ellipsoid{axes}, with(0.02, strategy));
    const CompliantMesh ball = make_compliant_mesh(Sphere{1.0}, with(0.02 / 0.06, strategy));
    EXPECT_EQ(compliant.mesh.tets, ball.mesh.tets);
    EXPECT_NEAR(volume(compliant.mesh), axes.prod() * volume(ball.mesh), 1e-15 * volume(ball.mesh));
    expect_sound(compliant.mesh);
    expect_pressure_from_zero_to_modulus(compliant);
    for (std::size_t v = 0; v < compliant.pressure.size(); ++v) {
      const double extent = 1.0 - compliant.mesh.vertices[v].cwiseQuotient(axes).norm();
      EXPECT_NEAR(compliant.pressure[v], kModulus * extent, 1e-13 * kModulus);
    }
  }
}

TEST(BoxTets, CountsByTheMedialAxis) {
  struct Case {
    Vector3 size;
    std::size_t tets, vertices;
  };
  const double a = 0.1;
  const std::vector<Case> cases{
      {{a, a, a}, 24, 15},              // a point
      {{0.3, 0.1 + 0.2, 0.3}, 24, 15},  // a cube but for the last bit
      {{a, a, 2 * a}, 32, 16},          // a line, along each axis
      {{a, 2 * a, a}, 32, 16},
      {{2 * a, a, a}, 32, 16},
      {{2 * a, 2 * a, a}, 44, 18},  // a rectangle
      {{2 * a, a, 3 * a}, 44, 18},
      {{a, 2 * a, 3 * a}, 44, 18},
      {{a, a * (1 + 1e-12), 3 * a}, 44, 18},  // a needle of a rectangle
      {{1e-7, 2e-7, 3e-7}, 44, 18},           // sizes have no scale
      {{1e4, 2e4, 3e4}, 44, 18},
  };
  for (const auto& [size, tets, vertices] : cases) {
    SCOPED_TRACE(::testing::Message() << size.transpose());
    const CompliantMesh compliant = make_compliant_mesh(Box{size}, with(1.0));
    EXPECT_EQ(compliant.mesh.tets.size(), tets);
    EXPECT_EQ(compliant.mesh.vertices.size(), vertices);
    EXPECT_EQ(boundary_faces(compliant.mesh).size(), 24u);
    expect_sound(compliant.mesh);
    expect_pressure_from_zero_to_modulus(compliant);
    EXPECT_NEAR(volume(compliant.mesh) / size.prod(), 1.0, 1e-13);
  }
}

TEST(BoxTets, FieldIsTheDistanceToTheNearestFaceEverywhere) {
  std::mt19937 rng(3);
  for (const Vector3& size :
       {Vector3(0.1, 0.1, 0.1), Vector3(0.1, 0.3, 0.1), Vector3(0.3, 0.1, 0.2), Vector3(1.0, 0.02, 3.0)}) {
    const CompliantMesh compliant = make_compliant_mesh(Box{size}, with(1.0));
    const Vector3 half = 0.5 * size;
    for (int i = 0; i < 300; ++i) {
      const Vector3 x = testing::random_vector(&rng, 1.0).cwiseProduct(half);
      const double distance = (half - x.cwiseAbs()).minCoeff();
      EXPECT_NEAR(pressure_at(compliant, x), kModulus * distance / half.minCoeff(), 1e-11 * kModulus);
    }
  }
}

TEST(CylinderTets, CountsByTheMedialAxis) {
  const double R = 0.1;
  struct Case {
    double length;
    std::size_t tets_per_sector, vertices_per_sector, more;
  };
  for (const auto& [length, tets, vertices, more] :
       {Case{0.5, 5, 2, 4}, Case{0.2 * (1 + 1e-13), 5, 2, 4}, Case{0.2, 4, 2, 3},
        Case{0.2 * (1 - 1e-13), 9, 3, 3}, Case{0.05, 9, 3, 3}, Case{1e-4, 9, 3, 3}}) {
    for (const std::size_t n : {3, 4, 7, 32, 152}) {
      SCOPED_TRACE(::testing::Message() << "length " << length << ", n = " << n);
      const double resolution = 2 * pi * R / n * 1.0001;
      const CompliantMesh compliant = make_compliant_mesh(Cylinder{R, length}, with(resolution));
      EXPECT_EQ(compliant.mesh.tets.size(), tets * n);
      EXPECT_EQ(compliant.mesh.vertices.size(), vertices * n + more);
      EXPECT_EQ(boundary_faces(compliant.mesh).size(), 4 * n);
      EXPECT_NEAR(volume(compliant.mesh), 0.5 * n * R * R * std::sin(2 * pi / n) * length,
                  1e-12 * R * R * length);
      expect_sound(compliant.mesh);
      expect_pressure_from_zero_to_modulus(compliant);
      EXPECT_EQ(compliant.mesh.vertices[0], Vector3(R, 0, -0.5 * length));
    }
  }
  // The coin of Masterjohn et al.: 152 sectors.
  EXPECT_EQ(make_compliant_mesh(Cylinder{0.01213, 0.00175}, with(0.000503)).mesh.tets.size(), 152u * 9);
}

TEST(CylinderTets, FieldUnderTheEndsIsTheDistance) {
  std::mt19937 rng(4);
  for (const double length : {0.5, 0.2, 0.05}) {
    const double R = 0.1, half = 0.5 * length, H = std::min(R, half);
    const CompliantMesh compliant = make_compliant_mesh(Cylinder{R, length}, with(0.04));
    for (int i = 0; i < 200; ++i) {
      // Within the inscribed cone of an end every plane of equal pressure is parallel to it.
      const Vector3 unit = testing::random_vector(&rng, 1.0);
      const double depth = 0.5 * (unit.z() + 1.0) * H;
      const double radius = 0.9 * (R - depth) * std::abs(unit.x()), angle = pi * unit.y();
      const Vector3 x(radius * std::cos(angle), radius * std::sin(angle), half - depth);
      EXPECT_NEAR(pressure_at(compliant, x), kModulus * depth / H, 1e-11 * kModulus);
    }
  }
}

TEST(CapsuleTets, Counts) {
  for (const std::size_t n : {3, 4, 5, 8, 21, 64}) {
    SCOPED_TRACE(n);
    const double R = 0.1;
    const CompliantMesh compliant = make_compliant_mesh(Capsule{R, 0.3}, with(2 * pi * R / n * 1.0001));
    const std::size_t m = n / 2;
    EXPECT_EQ(compliant.mesh.vertices.size(), 2 * n * m + 4);
    EXPECT_EQ(compliant.mesh.tets.size(), 4 * n * (m - 1) + 5 * n);
    expect_sound(compliant.mesh);
    expect_pressure_from_zero_to_modulus(compliant);
    for (const Vector3& p : boundary_surface(compliant.mesh).vertices) {
      const double to_axis = (p - Vector3(0, 0, std::clamp(p.z(), -0.15, 0.15))).norm();
      EXPECT_NEAR(to_axis, R, 1e-15);
    }
  }
  const double exact = volume(Capsule{0.1, 0.3});
  EXPECT_NEAR(volume(make_compliant_mesh(Capsule{0.1, 0.3}, with(0.004)).mesh), exact, 2e-3 * exact);
  EXPECT_THAT(compliant_mesh_notes(Capsule{0.1, 0.3}, with(1e-6)).at(0), HasSubstr("706 sectors"));
}

TEST(ConvexTets, StarAboutTheCentreOfVolume) {
  std::mt19937 rng(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vector3> points(10 + 3 * trial);
    for (Vector3& p : points) p = testing::random_vector(&rng, 0.2) + Vector3(1, 2, 3);
    const Convex convex = testing::make_convex(points);
    const CompliantMesh compliant = make_compliant_mesh(convex, with(1.0));
    expect_sound(compliant.mesh);
    expect_pressure_from_zero_to_modulus(compliant);
    EXPECT_NEAR(volume(compliant.mesh), volume(convex), 1e-13);
    EXPECT_EQ(compliant.mesh.tets.size(), boundary_faces(compliant.mesh).size());
    EXPECT_EQ(compliant.mesh.vertices.size(), convex.polytope->vertices.size() + 1);
    const Vector3 center = solid_mass_properties(convex, 1.0).com;
    EXPECT_LT((compliant.mesh.vertices.back() - center).norm(), 1e-14);
  }
}

TEST(Margin, KeepsTheZeroOnTheSurface) {
  // Points of the original surface have no pressure, the boundary lies a margin farther out with the pressure
  // that the slope gives there.
  std::mt19937 rng(6);
  const double margin = 0.004;
  const auto expect_zero = [&](const CompliantMesh& compliant, const Vector3& x) {
    EXPECT_NEAR(pressure_at(compliant, x), 0.0, 1e-11 * kModulus) << x.transpose();
  };
  const auto expect_boundary = [&](const CompliantMesh& compliant, double H) {
    expect_sound(compliant.mesh);
    const std::vector<bool> on_boundary = boundary_vertices(compliant.mesh);
    for (std::size_t v = 0; v < on_boundary.size(); ++v) {
      const double expected = on_boundary[v] ? -kModulus * margin / H : kModulus;
      EXPECT_NEAR(compliant.pressure[v], expected, 1e-13 * kModulus);
    }
  };
  for (const Vector3& size : {Vector3(0.1, 0.1, 0.1), Vector3(0.1, 0.3, 0.1), Vector3(0.3, 0.1, 0.2)}) {
    const CompliantMesh compliant = make_compliant_mesh(Box{size}, with(1.0, MeshStrategy::kSingle, margin));
    expect_boundary(compliant, 0.5 * size.minCoeff());
    EXPECT_NEAR(volume(compliant.mesh), (size.array() + 2 * margin).prod(), 1e-15);
    for (int i = 0; i < 100; ++i) {
      Vector3 x = 0.5 * size.cwiseProduct(testing::random_vector(&rng, 1.0));
      const int axis = i % 3;
      x[axis] = std::copysign(0.5 * size[axis], x[axis]);
      expect_zero(compliant, x);
    }
  }
  for (const double length : {0.5, 0.2, 0.05}) {
    const double R = 0.1;
    const CompliantMesh compliant =
        make_compliant_mesh(Cylinder{R, length}, with(0.05, MeshStrategy::kSingle, margin));
    expect_boundary(compliant, std::min(R, 0.5 * length));
    for (int i = 0; i < 20; ++i) {
      const double radius = 0.9 * R * i / 20, angle = 0.3 * i;
      expect_zero(compliant, {radius * std::cos(angle), radius * std::sin(angle), 0.5 * length});
    }
  }
  const CompliantMesh capsule =
      make_compliant_mesh(Capsule{0.1, 0.3}, with(0.05, MeshStrategy::kSingle, margin));
  expect_boundary(capsule, 0.1);
  expect_zero(capsule, {0.1, 0, 0.1});
  expect_zero(capsule, {0, 0, 0.25});
  const CompliantMesh ball = make_compliant_mesh(Sphere{0.1}, with(0.05, MeshStrategy::kSingle, margin));
  expect_boundary(ball, 0.1);
  for (const Vector3& p : boundary_surface(ball.mesh).vertices) expect_zero(ball, 0.1 * p.normalized());
}

TEST(Margin, OfADenseBallIsTheSameFieldOnALargerBall) {
  const double margin = 0.01, R = 0.1;
  const CompliantMesh ball = make_compliant_mesh(Sphere{R}, with(0.05, MeshStrategy::kDense, margin));
  expect_sound(ball.mesh);
  for (std::size_t v = 0; v < ball.pressure.size(); ++v) {
    EXPECT_NEAR(ball.pressure[v], kModulus * (1 - ball.mesh.vertices[v].norm() / R), 1e-13 * kModulus);
  }
  for (const Vector3& p : boundary_surface(ball.mesh).vertices) EXPECT_NEAR(p.norm(), R + margin, 1e-15);
}

TEST(Margin, OfAConvexMovesEveryFaceOut) {
  std::mt19937 rng(7);
  const double margin = 0.01;
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<Vector3> points(8 + trial);
    for (Vector3& p : points) p = testing::random_vector(&rng, 0.2);
    const Convex convex = testing::make_convex(points);
    const ConvexPolytope& polytope = *convex.polytope;
    const CompliantMesh compliant = make_compliant_mesh(convex, with(1.0, MeshStrategy::kSingle, margin));
    expect_sound(compliant.mesh);
    const Vector3 center = compliant.mesh.vertices.back();
    double nearest = 1.0;
    for (std::size_t f = 0; f < polytope.face_offsets.size(); ++f) {
      // The farthest boundary vertex along each face's normal lies on the moved face.
      double farthest = -1.0;
      for (const Vector3& p : compliant.mesh.vertices)
        farthest = std::max(farthest, polytope.face_normals[f].dot(p));
      EXPECT_NEAR(farthest, polytope.face_offsets[f] + margin, 1e-7);  // qhull merges within 1e-7
      nearest = std::min(nearest, polytope.face_offsets[f] - polytope.face_normals[f].dot(center));
    }
    for (std::size_t v = 0; v + 1 < compliant.pressure.size(); ++v) {
      EXPECT_NEAR(compliant.pressure[v], -kModulus * margin / nearest, 1e-12 * kModulus);
    }
  }
}

TEST(RigidSurface, IsTheBoundaryOfTheTets) {
  const TriangleMesh box = make_rigid_surface(Box{{1, 2, 3}}, 0.02);
  EXPECT_EQ(box.triangles.size(), 24u);
  EXPECT_EQ(box.vertices.size(), 14u);
  EXPECT_NEAR(testing::enclosed_volume(box), 6.0, 1e-14);
  testing::expect_sphere_topology(box);
  const double R = 0.1;
  const TriangleMesh ball = make_rigid_surface(Sphere{R}, 0.05);
  EXPECT_EQ(ball.triangles.size(), 128u);
  testing::expect_sphere_topology(ball);
  const TriangleMesh cylinder = make_rigid_surface(Cylinder{R, 0.5}, 0.05);
  EXPECT_EQ(cylinder.triangles.size(), 4u * 13);
  testing::expect_sphere_topology(cylinder);
  const Mesh file = testing::make_mesh(testing::box_mesh({1, 1, 1}));
  EXPECT_EQ(make_rigid_surface(file, 1.0).triangles, file.mesh->triangles);
}

TEST(CompliantMesh, WrongNumbersAreNamed) {
  const auto why = [](const Shape& shape, const CompliantMeshOptions& options) {
    return why_no_compliant_mesh(shape, options);
  };
  const Shape ball = Sphere{0.1}, box = Box{{0.1, 0.2, 0.3}};
  EXPECT_EQ(why(ball, {}), "");
  EXPECT_EQ(why(ball, {0.02, 0.0, 0.0}), "modulus: 0, expected > 0 (Pa)");
  EXPECT_EQ(why(ball, {0.02, NAN, 0.0}), "modulus: .nan, expected > 0 (Pa)");
  EXPECT_EQ(why(ball, {-0.1, 1e7, 0.0}), "resolution: -0.1, expected > 0 (m)");
  EXPECT_EQ(why(box, {-0.1, 1e7, 0.0}), "");
  EXPECT_EQ(why(ball, {0.02, 1e7, -1e-3}), "margin: -0.001, expected >= 0 (m)");
  EXPECT_EQ(why(box, {0.02, 1e7, 0.05}),
            "margin: 0.05, expected less than the shape's least radius or half size, 0.05 m");
  EXPECT_THAT(why(HalfSpace{}, {}), HasSubstr("half space has no mesh"));
  EXPECT_THAT(why(testing::make_mesh(testing::box_mesh({1, 1, 1})), {}),
              HasSubstr("give a tetrahedral mesh"));
  EXPECT_THAT(compliant_mesh_notes(box, {}).at(0), HasSubstr("no effect on flat faces"));
}

}  // namespace
}  // namespace csim
