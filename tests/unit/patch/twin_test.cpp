// Contact surfaces against brute force in long double, for random poses of every combination.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "support/contact_surface_twin.h"
#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

struct Body {
  std::string name;
  TwinBody twin;
  PatchGeometry prepared;
};

Body compliant_body(const std::string& name, const CompliantMesh& mesh) {
  return {name, mesh, prepare_patch_geometry(mesh)};
}

Body rigid_body(const std::string& name, const TriangleMesh& mesh) {
  return {name, mesh, prepare_patch_geometry(mesh)};
}

/// Every tet with a linear field of its own, in no order and of any shape: not even a mesh.
CompliantMesh random_tets(std::mt19937* rng, int count) {
  CompliantMesh mesh;
  std::uniform_real_distribution<double> pressure(0.0, 1e6);
  for (int t = 0; t < count; ++t) {
    std::array<int, 4> tet;
    for (int i = 0; i < 4; ++i) {
      tet[i] = static_cast<int>(mesh.mesh.vertices.size());
      mesh.mesh.vertices.push_back(random_vector(rng, 0.1));
      mesh.pressure.push_back(pressure(*rng));
    }
    const auto& v = mesh.mesh.vertices;
    if (tet_volume(v[tet[0]], v[tet[1]], v[tet[2]], v[tet[3]]) < 0.0) std::swap(tet[0], tet[1]);
    mesh.mesh.tets.push_back(tet);
  }
  return mesh;
}

std::vector<Body> compliant_bodies() {
  std::mt19937 rng(7);
  return {compliant_body("cube", soft(Box{{0.2, 0.2, 0.2}}, 1e6)),
          compliant_body("slab", soft(Box{{0.3, 0.2, 0.002}}, 1e7)),
          compliant_body("rod", soft(Box{{0.01, 0.012, 0.4}}, 3e5)),
          compliant_body("sphere", soft(Sphere{0.1}, 1e6, chord(0.1, 1))),
          compliant_body("dense sphere", soft(Sphere{0.12}, 2e6, chord(0.12, 1), MeshStrategy::kDense)),
          compliant_body("pancake", soft(Ellipsoid{{0.15, 0.12, 0.01}}, 1e4, chord(0.15, 1))),
          compliant_body("can", soft(Cylinder{0.08, 0.2}, 1e6, 0.08)),
          compliant_body("coin", soft(Cylinder{0.1, 0.01}, 1e9, 0.1)),
          compliant_body("capsule", soft(Capsule{0.06, 0.15}, 1e6, 0.08)),
          compliant_body("margin", soft(Box{{0.2, 0.15, 0.1}}, 1e6, 0.1, MeshStrategy::kSingle, 0.01)),
          compliant_body("tets", random_tets(&rng, 40))};
}

std::vector<Body> rigid_bodies() {
  return {rigid_body("rigid box", make_rigid_surface(Box{{0.15, 0.2, 0.1}}, 0.1)),
          rigid_body("rigid blade", make_rigid_surface(Box{{0.3, 0.2, 0.001}}, 0.1)),
          rigid_body("rigid sphere", make_rigid_surface(Sphere{0.1}, chord(0.1, 2))),
          rigid_body("rigid can", make_rigid_surface(Cylinder{0.05, 0.2}, 0.04))};
}

/// Faces above a least size agree in number and in every column. The twin has no rule of angles, so that the
/// rule is checked here too, except within rounding of its limit.
void expect_equal(const Body& a, const RigidTransform& X_WA, const Body& b, const RigidTransform& X_WB,
                  long* num_faces) {
  const SurfaceOptions options;
  const bool rigid_half_space =
      std::holds_alternative<HalfSpace>(a.prepared) || std::holds_alternative<HalfSpace>(b.prepared);
  const ContactSurface found = find(a.prepared, X_WA, b.prepared, X_WB, options);
  const std::vector<TwinFace> twin = twin_surface(a.twin, X_WA, b.twin, X_WB);
  double largest = 0.0;
  for (const TwinFace& face : twin) largest = std::max(largest, face.area);
  // Below this either side may drop a face: widths of the order of rounding.
  const double small = 1e-9 * largest;

  std::map<std::pair<int, int>, int> row;
  for (int i = 0; i < found.num_faces(); ++i) {
    ASSERT_TRUE(row.emplace(std::pair(found.element_a[i], found.element_b[i]), i).second) << "a face twice";
    if (i > 0) {
      ASSERT_LT(std::pair(found.element_a[i - 1], found.element_b[i - 1]),
                std::pair(found.element_a[i], found.element_b[i]));
    }
  }
  int expected = 0;
  for (const TwinFace& face : twin) {
    if (face.area <= small || std::abs(face.least_cosine - options.least_cosine) < 1e-9) continue;
    const auto it = row.find({face.element_a, face.element_b});
    if (!rigid_half_space && face.least_cosine < options.least_cosine) {
      EXPECT_EQ(it, row.end());
      continue;
    }
    ++expected;
    ASSERT_NE(it, row.end()) << face.element_a << " " << face.element_b << " area " << face.area << " of "
                             << largest << " cosine " << face.least_cosine;
    const int i = it->second;
    // Corners lie where planes meet, known to 1e-16 m over the angle between them. The least angle is that of
    // the coin's face and the equal pressure of coin and pancake, 1e4/0.01 over 1e9/0.005 Pa/m: 5e-6.
    const double length = 1e-10, steep = std::abs(found.gradient_a[i]) < std::abs(found.gradient_b[i])
                                             ? found.gradient_a[i]
                                             : found.gradient_b[i];
    EXPECT_NEAR(found.area[i], face.area, 4.0 * length * std::sqrt(largest));
    EXPECT_LT((found.centroid[i] - face.centroid).norm(), length * std::sqrt(largest / face.area));
    EXPECT_LT((found.normal[i] - face.normal).norm(), 1e-10);
    if (std::isfinite(face.gradient_a)) {
      EXPECT_NEAR(found.gradient_a[i], face.gradient_a,
                  1e-9 * std::abs(face.gradient_a) + 1e-6 * std::abs(steep));
    } else {
      EXPECT_EQ(found.gradient_a[i], face.gradient_a);
    }
    EXPECT_NEAR(found.pressure[i], face.pressure, 1e-8 * 1e6 + 1e-8 * std::abs(face.pressure));
  }
  int large = 0;
  for (int i = 0; i < found.num_faces(); ++i) large += found.area[i] > small ? 1 : 0;
  EXPECT_EQ(large, expected) << "faces without a twin";
  *num_faces += large;
}

void sweep(const std::vector<Body>& bodies_a, const std::vector<Body>& bodies_b, int poses,
           long least_faces) {
  std::mt19937 rng(1);
  long num_faces = 0;
  for (const Body& a : bodies_a) {
    for (const Body& b : bodies_b) {
      for (int i = 0; i < poses; ++i) {
        SCOPED_TRACE(a.name + " and " + b.name + ", pose " + std::to_string(i));
        const RigidTransform X_WA = random_pose(&rng, 0.2);
        RigidTransform X_WB = random_pose(&rng, 0.1);
        X_WB.p += X_WA.p;
        expect_equal(a, X_WA, b, X_WB, &num_faces);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(num_faces, least_faces);
}

TEST(ContactSurfaceTwin, CompliantMeshes) {
  sweep(compliant_bodies(), compliant_bodies(), 8, 10000);
}

TEST(ContactSurfaceTwin, RigidSurfaceOnCompliantMesh) {
  sweep(compliant_bodies(), rigid_bodies(), 8, 4000);
  sweep(rigid_bodies(), compliant_bodies(), 4, 2000);
}

TEST(ContactSurfaceTwin, HalfSpaces) {
  const std::vector<Body> rigid{{"rigid half space", HalfSpace{}, HalfSpace{}}};
  const CompliantHalfSpace plain{1e7, 0.0}, grown{1e6, 0.01};
  const std::vector<Body> soft_ones{{"compliant half space", plain, plain},
                                    {"half space with a margin", grown, grown}};
  sweep(compliant_bodies(), rigid, 20, 1000);
  sweep(rigid, compliant_bodies(), 20, 1000);
  sweep(soft_ones, compliant_bodies(), 20, 1000);
  sweep(compliant_bodies(), soft_ones, 20, 1000);
  sweep(soft_ones, rigid_bodies(), 20, 1000);
  sweep(rigid_bodies(), soft_ones, 20, 1000);
}

}  // namespace
}  // namespace csim::testing
