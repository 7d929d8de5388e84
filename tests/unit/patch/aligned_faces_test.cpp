// Faces of elements in common planes, where rounding would count a polygon twice or not at all: the sums have
// to be those of the limit from poses that are not aligned.
#include <gtest/gtest.h>

#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

/// Areas and forces at the pose and at poses turned and moved by little more than rounding and by more agree
/// up to the change that the motion makes; every face of the aligned pose is there once.
void expect_limit(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                  const RigidTransform& X_WB, double area, const SurfaceOptions& options = {}) {
  std::mt19937 rng(5);
  const Sums aligned = sum(find(a, X_WA, b, X_WB, options));
  EXPECT_NEAR(aligned.area, area, 1e-8 * area);  // or that of a pose turned by 1e-6
  for (double size : {1e-15, 1e-13, 1e-11, 1e-9}) {
    for (int i = 0; i < 20; ++i) {
      const RigidTransform X =
          X_WB * rotated(size, random_vector(&rng, 1.0), 0.1 * size * random_vector(&rng, 1.0));
      const Sums moved = sum(find(a, X_WA, b, X, options));
      // Bodies of 0.2 m and depths of 0.01 m or more: relative changes of 1e3 times the angle at most.
      const double tolerance = 1e-10 + 1e3 * size;
      EXPECT_NEAR(moved.area, aligned.area, tolerance * aligned.area) << size;
      EXPECT_LT((moved.force - aligned.force).norm(), tolerance * aligned.force.norm()) << size;
    }
  }
}

// Where side walls of equal boxes run on in each other, both pressures are the same in a volume, which a pose
// turned by rounding gives to one of them: lateral forces of either sign are right there (the potential, the
// integral of min(p_A, p_B), has a kink). The force across the stack is not concerned: that of each box on a
// plane at half the overlap.
void expect_force_of_stack(const Vector3& size, double overlap, const RigidTransform& X_WA) {
  const double E = 1e6, slope = 2.0 * E / size.minCoeff(), a = size.x(), b = size.y(), d = 0.5 * overlap;
  const double force = slope * (a * b * d - (a + b) * d * d + 4.0 * d * d * d / 3.0);
  const PatchGeometry box = prepare_patch_geometry(soft(Box{size}, E));
  const Vector3 up = X_WA.R.col(2);
  const RigidTransform X_AB(Vector3(0, 0, size.z() - overlap));
  const Sums s = sum(find(box, X_WA, box, X_WA * X_AB, kUncut));
  EXPECT_NEAR(s.force.dot(up), force, 1e-10 * force);
  EXPECT_LT((s.force - s.force.dot(up) * up).norm(), 1e-10 * force);
  std::mt19937 rng(5);
  for (double turn : {1e-16, 1e-12, 1e-10, 1e-8}) {
    // The side walls meet at this angle, so that the faces between them are known to rounding over it; they
    // carry a small part of the force.
    const double rounding = 100.0 * std::numeric_limits<double>::epsilon() * (0.5 + X_WA.p.norm());
    const double tolerance = turn < 1e-15 ? 1e-10 : 1e3 * turn + rounding / (0.1 * turn);
    for (int i = 0; i < 20; ++i) {
      const RigidTransform X =
          X_AB * rotated(turn, random_vector(&rng, 1.0), turn * random_vector(&rng, 0.1));
      const Sums moved = sum(find(box, X_WA, box, X_WA * X, kUncut));
      EXPECT_NEAR(moved.force.dot(up), force, tolerance * force) << turn;
    }
  }
}

TEST(AlignedFaces, StackedBoxes) {
  expect_force_of_stack({0.2, 0.2, 0.2}, 0.01, {});
  expect_force_of_stack({0.2, 0.2, 0.2}, 0.05, {});
  expect_force_of_stack({0.2, 0.3, 0.1}, 0.02, {});
  std::mt19937 rng(6);
  for (int i = 0; i < 20; ++i) expect_force_of_stack({0.2, 0.3, 0.1}, 0.02, random_pose(&rng, 10.0));
}

TEST(AlignedFaces, EqualPressureInThePlaneBetweenTets) {
  // The softer box has its peak, 1e6 Pa, on the rectangle in its middle, a face of tets above and below; the
  // stiffer, wider one has sunk in until it has the same pressure there.
  const PatchGeometry soft_box = prepare_patch_geometry(soft(Box{{0.3, 0.4, 0.1}}, 1e6));
  const PatchGeometry stiff_box = prepare_patch_geometry(soft(Box{{0.6, 0.7, 0.1}}, 3e6));
  const RigidTransform above(Vector3(0, 0, 0.05 - 0.05 / 3.0));
  const double area = sum(find(soft_box, {}, stiff_box, above, kUncut)).area;
  EXPECT_GT(area, 0.2 * 0.3);
  expect_limit(soft_box, {}, stiff_box, above, area, kUncut);
}

TEST(AlignedFaces, RigidFaceInThePlaneBetweenTets) {
  // The face z = 0 of the rigid box is the middle plane of the compliant one, where its medial rectangle
  // lies: p = E there. Of the two tets at each place the one above the face has it. Counted once, the area is
  // the whole cross section, with the walls' part.
  const double E = 1e6;
  const PatchGeometry soft_box = prepare_patch_geometry(soft(Box{{0.3, 0.4, 0.1}}, E));
  const PatchGeometry rigid_box = prepare_patch_geometry(make_rigid_surface(Box{{1.0, 1.0, 1.0}}, 0.5));
  const RigidTransform below(Vector3(0, 0, -0.5));
  const ContactSurface s = find(rigid_box, below, soft_box, {}, kUncut);
  EXPECT_NEAR(sum(s).area, 0.3 * 0.4, 1e-13);
  // E over the rectangle of 0.2 x 0.3, falling to 0 over the rim of 0.05 m: the frustum's volume.
  const double frustum = (0.3 * 0.4 + 0.2 * 0.3 + 4 * 0.25 * 0.35) / 6.0;
  EXPECT_NEAR(sum(s).force.z(), E * frustum, 1e-9 * E);
  EXPECT_LT(sum(s).force.head<2>().norm(), 1e-9 * E);
  expect_limit(rigid_box, below, soft_box, {}, 0.3 * 0.4, kUncut);
}

TEST(AlignedFaces, SpheresOnACommonAxis) {
  const PatchGeometry a = prepare_patch_geometry(soft(Sphere{0.1}, 1e6, chord(0.1, 3)));
  const PatchGeometry b = prepare_patch_geometry(soft(Sphere{0.06}, 3e6, chord(0.06, 3)));
  const RigidTransform X(Vector3(0, 0, 0.14));
  expect_limit(a, {}, b, X, sum(find(a, {}, b, rotated(1e-6, {1, 2, 3}, X.p))).area);
}

TEST(AlignedFaces, TouchingARigidPlaneWithoutDepthKeepsItsFaces) {
  // Exactly flush: pressure 0, but stiff: what stops the next step from sinking in.
  const PatchGeometry box = prepare_patch_geometry(soft(Box{{0.2, 0.2, 0.2}}, 1e6));
  const PatchGeometry table = prepare_patch_geometry(make_rigid_surface(Box{{1, 1, 1}}, 1.0));
  for (const ContactSurface& s :
       {find(HalfSpace{}, {}, box, RigidTransform(Vector3(0, 0, 0.1))),
        find(table, RigidTransform(Vector3(0, 0, -0.5)), box, RigidTransform(Vector3(0, 0, 0.1)))}) {
    EXPECT_NEAR(sum(s).area, 0.04, 1e-15);
    EXPECT_NEAR(sum(s).stiffness, 0.04 * 1e7, 1e-6);
    EXPECT_LT(sum(s).force.norm(), 1e-10);  // E times the area times rounding
  }
}

TEST(AlignedFaces, EqualGradientsMakeNoFace) {
  // The same box twice: each tet has the field of its twin, and no plane; the others have faces of the walls.
  const PatchGeometry box = prepare_patch_geometry(soft(Box{{0.2, 0.3, 0.4}}, 1e6));
  const ContactSurface s = find(box, {}, box, {});
  for (int i = 0; i < s.num_faces(); ++i) EXPECT_NE(s.element_a[i], s.element_b[i]);
  EXPECT_LT(sum(s).force.norm(), 1e-6);
}

TEST(AlignedFaces, NothingDependsOnThePlaceInTheWorld) {
  const PatchGeometry a = prepare_patch_geometry(soft(Box{{0.2, 0.2, 0.1}}, 1e6));
  const PatchGeometry b = prepare_patch_geometry(soft(Sphere{0.1}, 1e6, chord(0.1, 2)));
  std::mt19937 rng(8);
  for (int i = 0; i < 200; ++i) {
    const RigidTransform X_AB = random_pose(&rng, 0.1), X_WA = random_pose(&rng, 10.0);
    const ContactSurface here = find(a, {}, b, X_AB), there = find(a, X_WA, b, X_WA * X_AB);
    const Sums s = sum(here), t = sum(there);
    // Places 10 m away are known to 2e-15 m, over depths of some millimetres.
    EXPECT_NEAR(s.area, t.area, 1e-10 * (s.area + 1e-4));
    EXPECT_LT((X_WA.R * s.force - t.force).norm(), 1e-10 * (s.force.norm() + 1.0));
    EXPECT_LT((X_WA.R * s.moment + X_WA.p.cross(t.force) - t.moment).norm(), 1e-9 * (s.force.norm() + 1.0));
  }
}

}  // namespace
}  // namespace csim::testing
