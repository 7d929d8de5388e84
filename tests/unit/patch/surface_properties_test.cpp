// Properties of every contact surface: exchange, motion, scale, continuity, memory, and which pairs have
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mesh/field_from_mesh.h"
#include "support/allocation_count.h"
#include "unit/mesh/cube_grid.h"
#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

struct Pair {
  std::string name;
  PatchGeometry a, b;
};

std::vector<Pair> pairs() {
  const PatchGeometry box = prepare_patch_geometry(soft(Box{{0.2, 0.15, 0.1}}, 1e6));
  const PatchGeometry ball = prepare_patch_geometry(soft(Sphere{0.1}, 3e6, chord(0.1, 2)));
  const PatchGeometry dense =
      prepare_patch_geometry(soft(Ellipsoid{{0.1, 0.12, 0.08}}, 1e6, chord(0.12, 2), MeshStrategy::kDense));
  const PatchGeometry rigid = prepare_patch_geometry(make_rigid_surface(Cylinder{0.06, 0.2}, 0.03));
  const PatchGeometry floor = HalfSpace{}, mat = CompliantHalfSpace{1e7, 0.0};
  return {{"box ball", box, ball},       {"ball dense", ball, dense}, {"box rigid", box, rigid},
          {"rigid dense", rigid, dense}, {"ball floor", ball, floor}, {"mat rigid", mat, rigid},
          {"dense mat", dense, mat}};
}

void expect_faces(const ContactSurface& s, const ContactSurface& t, const RigidTransform& X, double sign,
                  double tolerance) {
  ASSERT_EQ(s.num_faces(), t.num_faces());
  for (int i = 0; i < s.num_faces(); ++i) {
    EXPECT_NEAR(s.area[i], t.area[i], tolerance * 1e-2);
    EXPECT_LT((X * s.centroid[i] - t.centroid[i]).norm(), tolerance);
    EXPECT_LT((X.R * s.normal[i] - sign * t.normal[i]).norm(), tolerance);
  }
}

TEST(SurfaceProperties, ExchangeTurnsTheNormals) {
  std::mt19937 rng(2);
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    int faces = 0;
    for (int i = 0; i < 50; ++i) {
      const RigidTransform X_WA = random_pose(&rng, 0.05), X_WB = random_pose(&rng, 0.08);
      const ContactSurface s = find(pair.a, X_WA, pair.b, X_WB), t = find(pair.b, X_WB, pair.a, X_WA);
      ASSERT_EQ(s.num_faces(), t.num_faces());
      faces += s.num_faces();
      // Sorted by the elements of the first geometry: find the face in the other order.
      std::map<std::pair<int, int>, int> row;
      for (int k = 0; k < t.num_faces(); ++k) row[{t.element_b[k], t.element_a[k]}] = k;
      for (int k = 0; k < s.num_faces(); ++k) {
        ASSERT_TRUE(row.contains({s.element_a[k], s.element_b[k]}));
        const int j = row[{s.element_a[k], s.element_b[k]}];
        // The same stage works in the frame of the same geometry, so that not a bit differs.
        EXPECT_EQ(s.area[k], t.area[j]);
        EXPECT_EQ(s.pressure[k], t.pressure[j]);
        EXPECT_EQ(s.centroid[k], t.centroid[j]);
        EXPECT_EQ(s.normal[k], Vector3(-t.normal[j]));
        EXPECT_EQ(s.gradient_a[k], t.gradient_b[j]);
        EXPECT_EQ(s.gradient[k], t.gradient[j]);
      }
    }
    EXPECT_GT(faces, 100);
  }
}

TEST(SurfaceProperties, EqualMeshesExchangeToRounding) {
  const PatchGeometry ball = prepare_patch_geometry(soft(Sphere{0.1}, 3e6, chord(0.1, 2)));
  std::mt19937 rng(3);
  for (int i = 0; i < 50; ++i) {
    const RigidTransform X = random_pose(&rng, 0.08);
    const Sums s = sum(find(ball, {}, ball, X)), t = sum(find(ball, X, ball, {}));
    EXPECT_NEAR(s.area, t.area, 1e-12);
    EXPECT_LT((s.force + t.force).norm(), 1e-9 * (1.0 + s.force.norm()));
    EXPECT_LT((s.moment + t.moment).norm(), 1e-9 * (1.0 + s.force.norm()));
  }
}

TEST(SurfaceProperties, MovesWithTheBodies) {
  std::mt19937 rng(4);
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    for (int i = 0; i < 20; ++i) {
      const RigidTransform X_WA = random_pose(&rng, 0.05), X_WB = random_pose(&rng, 0.08),
                           X = random_pose(&rng, 1.0);
      expect_faces(find(pair.a, X_WA, pair.b, X_WB), find(pair.a, X * X_WA, pair.b, X * X_WB), X, 1.0, 1e-11);
    }
  }
}

// Mirrored bodies make the mirrored surface: no rule prefers a side.
TEST(SurfaceProperties, MirrorsWithTheBodies) {
  const auto mirrored = [](CompliantMesh mesh) {
    for (Vector3& x : mesh.mesh.vertices) x.x() = -x.x();
    for (auto& tet : mesh.mesh.tets) std::swap(tet[0], tet[1]);
    return mesh;
  };
  const CompliantMesh box = soft(Box{{0.2, 0.15, 0.1}}, 1e6),
                      ball = soft(Sphere{0.1}, 3e6, chord(0.1, 2), MeshStrategy::kDense);
  const PatchGeometry a = prepare_patch_geometry(box), b = prepare_patch_geometry(ball),
                      mirror_a = prepare_patch_geometry(mirrored(box)),
                      mirror_b = prepare_patch_geometry(mirrored(ball));
  const Vector3 flip(-1.0, 1.0, 1.0);
  std::mt19937 rng(10);
  int faces = 0;
  for (int i = 0; i < 50; ++i) {
    const RigidTransform X = random_pose(&rng, 0.1);
    const ContactSurface s = find(a, {}, b, X);
    const ContactSurface t =
        find(mirror_a, {}, mirror_b, {flip.asDiagonal() * X.R * flip.asDiagonal(), flip.cwiseProduct(X.p)});
    ASSERT_EQ(s.num_faces(), t.num_faces());
    faces += s.num_faces();
    for (int k = 0; k < s.num_faces(); ++k) {
      EXPECT_EQ(s.element_a[k], t.element_a[k]);
      EXPECT_NEAR(s.area[k], t.area[k], 1e-13);
      EXPECT_LT((flip.cwiseProduct(s.centroid[k]) - t.centroid[k]).norm(), 1e-11);
      EXPECT_LT((flip.cwiseProduct(s.normal[k]) - t.normal[k]).norm(), 1e-11);
      EXPECT_NEAR(s.pressure[k], t.pressure[k], 1e-4);
    }
  }
  EXPECT_GT(faces, 1000);
}

TEST(SurfaceProperties, ScaleOfLengthAndModulus) {
  const auto make = [](double length, double modulus) {
    return std::pair(
        prepare_patch_geometry(soft(Box{length * Vector3(0.2, 0.15, 0.1)}, modulus)),
        prepare_patch_geometry(soft(Sphere{length * 0.1}, 3.0 * modulus, chord(length * 0.1, 2))));
  };
  const auto [a, b] = make(1.0, 1e6);
  const auto [tiny_a, tiny_b] = make(1e-5, 1e6);
  const auto [hard_a, hard_b] = make(1.0, 1e9);
  std::mt19937 rng(5);
  for (int i = 0; i < 50; ++i) {
    const RigidTransform X = random_pose(&rng, 0.1);
    const ContactSurface s = find(a, {}, b, X);
    const ContactSurface tiny = find(tiny_a, {}, tiny_b, {X.R, 1e-5 * X.p});
    const ContactSurface hard = find(hard_a, {}, hard_b, X);
    // Bodies of micrometres are no special case.
    ASSERT_EQ(s.num_faces(), tiny.num_faces());
    ASSERT_EQ(s.num_faces(), hard.num_faces());
    const double force = sum(s).force.norm(), stiffness = sum(s).stiffness;
    EXPECT_LT((sum(tiny).force - 1e-10 * sum(s).force).norm(), 1e-21 * (1.0 + force));
    EXPECT_NEAR(sum(tiny).stiffness, 1e-5 * stiffness, 1e-15 * stiffness);
    EXPECT_LT((sum(hard).force - 1e3 * sum(s).force).norm(), 1e-8 * (1.0 + force));
  }
}

TEST(SurfaceProperties, TrianglesCarryTheForceOfTheirPolygons) {
  SurfaceOptions triangles;
  triangles.triangles = true;
  SurfaceOptions corners;
  corners.vertices = true;
  std::mt19937 rng(6);
  for (const Pair& pair : pairs()) {
    for (int i = 0; i < 20; ++i) {
      const RigidTransform X = random_pose(&rng, 0.1);
      const ContactSurface polygons = find(pair.a, {}, pair.b, X, corners);
      const ContactSurface fans = find(pair.a, {}, pair.b, X, triangles);
      EXPECT_EQ(fans.num_faces(), static_cast<int>(polygons.vertices.size()));
      const double force = sum(polygons).force.norm();
      EXPECT_LT((sum(polygons).force - sum(fans).force).norm(), 1e-11 * (1.0 + force));
      EXPECT_NEAR(sum(polygons).area, sum(fans).area, 1e-14);
    }
  }
}

// Along a straight path the force of the uncut surface has no jumps: the change over a step shrinks with the
// step, faces come and go with no area or no pressure.
TEST(SurfaceProperties, ForceIsContinuous) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.name);
    const auto largest_change = [&](int steps) {
      double change = 0.0;
      Vector3 before = Vector3::Zero();
      for (int i = 0; i <= steps; ++i) {
        const double s = static_cast<double>(i) / steps;
        // From apart into the middle, where it stays clear of being wholly inside.
        const RigidTransform X = rotated(0.3 + s, {1, 2, 3}, {0.3 - 0.25 * s, 0.02 * s, 0.25 - 0.2 * s});
        const Vector3 force = sum(find(pair.a, {}, pair.b, X, kUncut)).force;
        if (i > 0) change = std::max(change, (force - before).norm());
        before = force;
      }
      return change;
    };
    const double coarse = largest_change(200), fine = largest_change(1600);
    EXPECT_GT(coarse, 0.0);
    EXPECT_NEAR(fine / coarse, 1.0 / 8.0, 0.04);
  }
}

TEST(SurfaceProperties, WorkspaceKeepsNothingAndAllocatesNothing) {
  std::mt19937 rng(7);
  SurfaceWorkspace used;
  ContactSurface s;
  SurfaceOptions options;
  options.vertices = true;
  std::vector<std::pair<RigidTransform, RigidTransform>> poses;
  for (int i = 0; i < 30; ++i) poses.emplace_back(random_pose(&rng, 0.05), random_pose(&rng, 0.08));
  const std::vector<Pair> all = pairs();
  for (const Pair& pair : all) {
    for (const auto& [X_WA, X_WB] : poses) {
      find_contact_surface(pair.a, X_WA, pair.b, X_WB, options, &used, &s);
      const ContactSurface fresh = find(pair.a, X_WA, pair.b, X_WB, options);
      EXPECT_EQ(s.area, fresh.area);
      EXPECT_EQ(s.pressure, fresh.pressure);
      EXPECT_EQ(s.element_a, fresh.element_a);
      EXPECT_EQ(s.vertex_begin, fresh.vertex_begin);
    }
  }
  const long before = csim::test::num_allocations();
  for (const Pair& pair : all) {
    for (const auto& [X_WA, X_WB] : poses) {
      find_contact_surface(pair.a, X_WA, pair.b, X_WB, options, &used, &s);
    }
  }
  EXPECT_EQ(csim::test::num_allocations(), before);
}

TEST(SurfaceProperties, MarginIsASurfaceOfNegativePressure) {
  const double E = 1e6, R = 0.1, margin = 1e-3;
  const PatchGeometry ball =
      prepare_patch_geometry(soft(Sphere{R}, E, chord(R, 4), MeshStrategy::kSingle, margin));
  // Half the margin above the plane.
  const ContactSurface s = find(HalfSpace{}, {}, ball, RigidTransform(Vector3(0, 0, R + 0.5 * margin)));
  ASSERT_GT(s.num_faces(), 0);
  for (int i = 0; i < s.num_faces(); ++i) {
    EXPECT_LT(s.pressure[i], 0.0);
    EXPECT_GT(s.gradient[i], 0.0);
  }
  const PatchGeometry box = prepare_patch_geometry(make_rigid_surface(Box{{0.1, 0.1, 0.1}}, 0.1));
  const ContactSurface mat =
      find(CompliantHalfSpace{2e7, margin}, {}, box, RigidTransform(Vector3(0, 0, 0.05 + 0.25 * margin)));
  EXPECT_NEAR(sum(mat).force.z(), -2e7 * 0.25 * margin * 0.01, 1e-8);
}

// Boxes one on the other, anyhow: no corner of a polygon has a pressure that its bodies do not have, from
// -E margin/H on the outside of a margin; without one, from 0.
TEST(SurfaceProperties, PressureIsNegativeInMarginsAlone) {
  const double E = 1e9, H = 0.04;
  SurfaceOptions options;
  options.vertices = true;
  std::mt19937 rng(9);
  for (const double margin : {0.0, 1e-4, 5e-3}) {
    const PatchGeometry box =
        prepare_patch_geometry(soft(Box{{0.2, 0.15, 2.0 * H}}, E, 0.1, MeshStrategy::kSingle, margin));
    double least = 0.0;
    for (int i = 0; i < 100; ++i) {
      const Vector3 turn = random_vector(&rng, i < 50 ? 0.01 : 1.0), p = random_vector(&rng, 0.02);
      const RigidTransform X = rotated(turn.norm(), turn, {p.x(), p.y(), 2.0 * H - 1e-5 + 0.01 * p.z()});
      const ContactSurface s = find(box, {}, box, X, options);
      for (const double pressure : s.vertex_pressures) {
        least = std::min(least, pressure);
        EXPECT_LE(pressure, E * (1.0 + 1e-12));
      }
    }
    // Corners are known to 1e-16 m over the least angle between planes, gradients are 2.5e10 Pa/m.
    EXPECT_GE(least, -E * margin / H - 1e-9 * E);
    if (margin > 0.0) {
      EXPECT_LT(least, -0.9 * E * margin / H);
    }
  }
}

// A mesh with tets that have all their corners on its boundary, where nothing presses: they make no faces, so
// that the surface does not depend on which of two such bodies is the first, and every column is a number.
TEST(SurfaceProperties, TetsWithoutPressureMakeNoFaces) {
  const LoadResult<CompliantMesh> cube = field_from_distance(cube_grid(2), {}, 1e6, 0.0);
  ASSERT_TRUE(cube.ok()) << cube.error;
  std::vector<bool> idle;
  for (const auto& tet : cube.value->mesh.tets) {
    idle.push_back(
        std::all_of(tet.begin(), tet.end(), [&](int i) { return cube.value->pressure[i] == 0.0; }));
  }
  ASSERT_GT(std::count(idle.begin(), idle.end(), true), 0);
  const PatchGeometry body = prepare_patch_geometry(*cube.value), floor = HalfSpace{},
                      mat = CompliantHalfSpace{1e6, 0.0},
                      box = prepare_patch_geometry(make_rigid_surface(Box{{1, 1, 1}}, 1.0));
  std::mt19937 rng(8);
  const auto expect_pressure = [&](const ContactSurface& s, bool b_is_body) {
    for (int i = 0; i < s.num_faces(); ++i) {
      EXPECT_FALSE(idle[s.element_a[i]]);
      EXPECT_FALSE(b_is_body && idle[s.element_b[i]]);
      EXPECT_TRUE(std::isfinite(s.storage[i]) && std::isfinite(s.softness[i]));
    }
  };
  for (int i = 0; i < 50; ++i) {
    RigidTransform X = random_pose(&rng, 0.3);
    X.p += Vector3(1.0, 0.6, 0.2);
    const ContactSurface s = find(body, {}, body, X), t = find(body, X, body, {});
    expect_pressure(s, true);
    EXPECT_NEAR(sum(s).area, sum(t).area, 1e-11);
    EXPECT_LT((sum(s).force + sum(t).force).norm(), 1e-9 * (1.0 + sum(s).force.norm()));
    expect_pressure(find(body, {}, floor, X), false);
    expect_pressure(find(body, {}, mat, X), false);
    expect_pressure(find(body, {}, box, X), false);
  }
}

TEST(SurfaceProperties, PairsThatHaveNoSurface) {
  const PatchGeometry soft_mesh = prepare_patch_geometry(soft(Box{{1, 1, 1}}, 1e6)),
                      rigid_mesh = prepare_patch_geometry(make_rigid_surface(Box{{1, 1, 1}}, 1.0)),
                      soft_plane = CompliantHalfSpace{1e6, 0.0}, rigid_plane = HalfSpace{};
  const std::string planes = "two half spaces have no bounded contact surface",
                    rigid = "both are rigid, and one has to be compliant";
  EXPECT_EQ(why_no_contact_surface(soft_mesh, soft_mesh), "");
  EXPECT_EQ(why_no_contact_surface(soft_mesh, rigid_mesh), "");
  EXPECT_EQ(why_no_contact_surface(soft_mesh, soft_plane), "");
  EXPECT_EQ(why_no_contact_surface(soft_mesh, rigid_plane), "");
  EXPECT_EQ(why_no_contact_surface(rigid_mesh, rigid_mesh), rigid);
  EXPECT_EQ(why_no_contact_surface(rigid_mesh, soft_plane), "");
  EXPECT_EQ(why_no_contact_surface(rigid_mesh, rigid_plane), rigid);
  EXPECT_EQ(why_no_contact_surface(soft_plane, soft_plane), planes);
  EXPECT_EQ(why_no_contact_surface(soft_plane, rigid_plane), planes);
  EXPECT_EQ(why_no_contact_surface(rigid_plane, rigid_plane), planes);
  EXPECT_EQ(why_no_contact_surface(rigid_plane, rigid_mesh), rigid);
}

}  // namespace
}  // namespace csim::testing
