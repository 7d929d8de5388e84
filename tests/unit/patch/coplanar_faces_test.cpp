// Bodies placed on the planes of each other's meshes: a polygon in a face between two tets counts once, for
// every order of the bodies and every turn by a right angle, against the closed form of the boxes' pressure.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

/// A box of compliant material around the origin: the pressure is E/H times the distance to the nearest side,
/// H the smallest half size.
struct SoftBox {
  Vector3 half;
  double modulus;

  [[nodiscard]] double depth() const { return half.minCoeff(); }

  /// What axis-aligned [lower, upper], a rigid box, feels: the integral of p over its sides against their
  /// outward normals. With `rule` the angle rule leaves out the parts of a side where p falls along the
  /// normal, which is where the box's side in that direction is the nearest one.
  [[nodiscard]] Vector3 force_on_rigid(const Vector3& lower, const Vector3& upper, bool rule) const {
    Vector3 force = Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      for (double sign : {-1.0, 1.0}) {
        const double place = sign > 0.0 ? upper[axis] : lower[axis];
        force[axis] -= sign * modulus / depth() * over_side(axis, sign, place, lower, upper, rule);
      }
    }
    return force;
  }

 private:
  /// m^3, the integral of the distance to the nearest side over a rectangle across `axis`.
  [[nodiscard]] double over_side(int axis, double sign, double place, const Vector3& lower,
                                 const Vector3& upper, bool rule) const {
    // Distances to the side ahead of the normal and to the one behind.
    const double ahead = half[axis] - sign * place, behind = half[axis] + sign * place;
    if (ahead <= 0.0 || behind <= 0.0) return 0.0;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const auto length = [&](int i, double t) {
      return std::max(0.0, std::min(upper[i], half[i] - t) - std::max(lower[i], t - half[i]));
    };
    // Area where all sides but the one ahead are farther than t.
    const auto area = [&](double t) { return t < behind ? length(u, t) * length(v, t) : 0.0; };
    const double top = std::min(ahead, behind);
    std::vector<double> breaks{0.0, top};
    for (int i : {u, v}) {
      for (double t :
           {half[i] - upper[i], half[i] + lower[i], half[i], half[i] - lower[i], half[i] + upper[i]}) {
        if (t > 0.0 && t < top) breaks.push_back(t);
      }
    }
    std::sort(breaks.begin(), breaks.end());
    double integral = 0.0;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
      // Quadratic in between: Simpson's rule is exact. Just below the end, where the side behind still
      // counts.
      const double a = breaks[i], b = breaks[i + 1], end = b - 1e-14 * b;
      integral += (b - a) / 6.0 * (area(a) + 4.0 * area(0.5 * (a + b)) + area(end));
    }
    // Where the side ahead is the nearest, p is `ahead` itself.
    return rule ? integral - ahead * area(ahead) : integral;
  }
};

std::vector<RigidTransform> right_angles() {
  std::vector<RigidTransform> turns;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int signs = 0; signs < 4 && j != i; ++signs) {
        Vector3 x = Vector3::Zero(), y = Vector3::Zero();
        x[i] = (signs & 1) != 0 ? -1.0 : 1.0;
        y[j] = (signs & 2) != 0 ? -1.0 : 1.0;
        Matrix3 R;
        R << x, y, x.cross(y);
        turns.emplace_back(R, Vector3::Zero());
      }
    }
  }
  return turns;
}

/// The force on the rigid box, in the frame of the soft one, with the bodies in either order.
void expect_force(const PatchGeometry& soft_box, const RigidTransform& X_WS, const PatchGeometry& rigid_box,
                  const RigidTransform& X_SR, const SurfaceOptions& options, const Vector3& force,
                  double tolerance) {
  const Vector3 on_b = sum(find(soft_box, X_WS, rigid_box, X_WS * X_SR, options)).force;
  EXPECT_LT((X_WS.R.transpose() * on_b - force).norm(), tolerance)
      << (X_WS.R.transpose() * on_b - force).transpose();
  const Vector3 on_a = -sum(find(rigid_box, X_WS * X_SR, soft_box, X_WS, options)).force;
  EXPECT_LT((on_a - on_b).norm(), tolerance);
}

TEST(CoplanarFaces, RigidBoxStandsInTheMiddlePlane) {
  const double E = 1e6;
  const PatchGeometry soft_box = prepare_patch_geometry(soft(Box{{0.3, 0.2, 0.1}}, E));
  const Vector3 size(0.05, 0.04, 0.12);
  const PatchGeometry rigid_box = prepare_patch_geometry(make_rigid_surface(Box{size}, 0.5));
  for (double side : {1.0, -1.0}) {
    // 1e-12 m outward p is less by 1e-12/0.05. Past the middle plane p falls along the normal, and the angle
    // rule takes over; without it nothing changes there either.
    for (double beyond : {0.0, 1e-12}) {
      const RigidTransform X(Vector3(0, 0, side * (0.06 + beyond)));
      expect_force(soft_box, {}, rigid_box, X, {}, Vector3(0, 0, side * E * 0.05 * 0.04), 1e-6);
      expect_force(soft_box, {}, rigid_box, X, kUncut, Vector3(0, 0, side * E * 0.05 * 0.04), 1e-6);
    }
    const RigidTransform X(Vector3(0, 0, side * (0.06 - 1e-12)));
    expect_force(soft_box, {}, rigid_box, X, kUncut, Vector3(0, 0, side * E * 0.05 * 0.04), 1e-6);
  }
}

TEST(CoplanarFaces, RigidBoxesOnThePlanesOfASoftBox) {
  std::mt19937 rng(3);
  const std::vector<RigidTransform> turns = right_angles();
  const auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng); };
  for (const Vector3& half : {Vector3(0.15, 0.1, 0.05), Vector3(0.1, 0.1, 0.1), Vector3(0.1, 0.2, 0.1)}) {
    const SoftBox closed_form{half, 1e6};
    const PatchGeometry soft_box = prepare_patch_geometry(soft(Box{2.0 * half}, closed_form.modulus));
    for (int i = 0; i < 400; ++i) {
      // Sides of the rigid box in planes through the vertices of the mesh, or anywhere.
      Vector3 lower, upper;
      for (int k = 0; k < 3; ++k) {
        const double ridge = half[k] - closed_form.depth();
        const std::vector<double> planes{-half[k],      -ridge,        0.0,
                                         ridge,         half[k],       random_vector(&rng, half[k]).x(),
                                         2.0 * half[k], -2.0 * half[k]};
        do {
          lower[k] = planes[pick(planes.size())];
          upper[k] = planes[pick(planes.size())];
        } while (!(upper[k] > lower[k] + 1e-3));
      }
      const RigidTransform turn = turns[pick(turns.size())];
      const Vector3 size = (turn.R.transpose() * (upper - lower)).cwiseAbs();
      const PatchGeometry rigid_box = prepare_patch_geometry(make_rigid_surface(Box{size}, 0.5));
      const RigidTransform X_SR(Quaternion(turn.R), 0.5 * (lower + upper));
      const RigidTransform X_WS = i % 2 == 0 ? turns[pick(turns.size())] : random_pose(&rng, 1.0);
      SCOPED_TRACE(::testing::Message() << "half " << half.transpose() << " from " << lower.transpose()
                                        << " to " << upper.transpose());
      // p is known to 1e-15 m of 1e7 Pa/m or more, over less than 1 m^2.
      const double tolerance = 1e-7;
      expect_force(soft_box, X_WS, rigid_box, X_SR, kUncut, closed_form.force_on_rigid(lower, upper, false),
                   tolerance);
      expect_force(soft_box, X_WS, rigid_box, X_SR, {}, closed_form.force_on_rigid(lower, upper, true),
                   tolerance);
    }
  }
}

/// Least and greatest force on B, of each component, at poses moved and turned by about `size`.
struct Range {
  Vector3 least = Vector3::Constant(std::numeric_limits<double>::infinity()), most = -least;
  void add(const Vector3& force) {
    least = least.cwiseMin(force);
    most = most.cwiseMax(force);
  }
};

Range forces_around(const PatchGeometry& a, const PatchGeometry& b, const RigidTransform& X_AB, double size,
                    const SurfaceOptions& options, std::mt19937* rng) {
  Range range;
  for (int i = 0; i < 30; ++i) {
    const RigidTransform X =
        X_AB * rotated(size, random_vector(rng, 1.0), 0.1 * size * random_vector(rng, 1.0));
    range.add(sum(find(a, {}, b, X, options)).force);
  }
  return range;
}

/// The bodies in planes of each other's meshes: what two tets share a face for is neither lost nor doubled,
/// so that the force is one of those of the poses around, whatever the angle rule makes of it on either side.
void expect_force_among_neighbours(const PatchGeometry& a, const PatchGeometry& b, const RigidTransform& X_AB,
                                   const SurfaceOptions& options, double modulus, std::mt19937* rng) {
  const Vector3 force = sum(find(a, {}, b, X_AB, options)).force;
  const Vector3 swapped = -sum(find(b, X_AB, a, {}, options)).force;
  const double size = 1e-8;
  const Range around = forces_around(a, b, X_AB, size, options, rng);
  // Forces of less than E times 1 m^2 change by less than 1e2 of that a radian; faces that meet at the angle
  // of the turn are known to 1e-16 m over it.
  const double tolerance = 1e-6 * modulus;
  for (int k = 0; k < 3; ++k) {
    EXPECT_GE(force[k], around.least[k] - tolerance);
    EXPECT_LE(force[k], around.most[k] + tolerance);
    EXPECT_GE(swapped[k], around.least[k] - tolerance);
    EXPECT_LE(swapped[k], around.most[k] + tolerance);
  }
}

/// Planes of a box's mesh across an axis, and between them.
double plane_of_box(const Vector3& half, int axis, std::mt19937* rng) {
  const double ridge = half[axis] - half.minCoeff();
  const double planes[] = {-half[axis], -ridge, 0.0, ridge, half[axis]};
  return planes[std::uniform_int_distribution<int>(0, 4)(*rng)];
}

TEST(CoplanarFaces, SoftBoxesOnThePlanesOfEachOther) {
  std::mt19937 rng(4);
  const std::vector<RigidTransform> turns = right_angles();
  const std::vector<Vector3> halves{{0.15, 0.1, 0.05}, {0.1, 0.1, 0.1}, {0.1, 0.2, 0.1}, {0.05, 0.05, 0.1}};
  const auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(rng); };
  for (int i = 0; i < 600; ++i) {
    const Vector3 half_a = halves[pick(4)], half_b = halves[pick(4)];
    // Equal moduli make pressures equal in the planes in the middle between parallel ones.
    const double E = 1e6, E_b = i % 3 == 0 ? 3e6 : E;
    const PatchGeometry a = prepare_patch_geometry(soft(Box{2.0 * half_a}, E));
    const PatchGeometry b = prepare_patch_geometry(soft(Box{2.0 * half_b}, E_b));
    const RigidTransform turn = turns[pick(turns.size())];
    const Vector3 placed_b = (turn.R * half_b).cwiseAbs();
    Vector3 p;
    for (int k = 0; k < 3; ++k) {
      p[k] = i % 5 == 0 ? random_vector(&rng, 0.5 * (half_a[k] + placed_b[k])).x()
                        : plane_of_box(half_a, k, &rng) - plane_of_box(placed_b, k, &rng);
    }
    SCOPED_TRACE(::testing::Message() << "half " << half_a.transpose() << " and " << half_b.transpose()
                                      << " at " << p.transpose() << " turned\n"
                                      << turn.R);
    expect_force_among_neighbours(a, b, {turn.R, p}, kUncut, E_b, &rng);
    expect_force_among_neighbours(a, b, {turn.R, p}, {}, E_b, &rng);
  }
}

TEST(CoplanarFaces, HalfSpacesInThePlanesOfASoftBox) {
  std::mt19937 rng(5);
  const Vector3 half(0.15, 0.1, 0.05);
  const double E = 1e6;
  const PatchGeometry box = prepare_patch_geometry(soft(Box{2.0 * half}, E));
  const std::vector<RigidTransform> turns = right_angles();
  std::vector<Matrix3> planes;
  for (const RigidTransform& turn : turns) {
    planes.push_back(turn.R);
    planes.push_back(turn.R * rotated(0.25 * kPi, Vector3::UnitX()).R);  // between two sides
  }
  for (const Matrix3& R : planes) {
    for (double place : {-0.1, -0.05, 0.0, 0.05, 0.1, 0.02}) {
      const RigidTransform X(R, place * R.col(2));
      SCOPED_TRACE(::testing::Message() << place << " along " << R.col(2).transpose());
      for (const PatchGeometry& plane :
           {PatchGeometry(HalfSpace{}), PatchGeometry(CompliantHalfSpace{2.5e7, 0.0}),
            PatchGeometry(CompliantHalfSpace{3e6, 0.01})}) {
        expect_force_among_neighbours(box, plane, X, kUncut, E, &rng);
        expect_force_among_neighbours(box, plane, X, {}, E, &rng);
      }
    }
  }
}

}  // namespace
}  // namespace csim::testing
