// Areas and elastic forces of whole surfaces against closed forms and published numbers.
#include <gtest/gtest.h>

#include "mesh/tet_mesh.h"
#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

void expect_relative(double value, double expected, double tolerance) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected));
}

/// The force with which a rigid plane lifts a body sunk by `depth`, whose lowest point is at -height.
Sums press(const CompliantMesh& mesh, double height, double depth, const Matrix3& R = Matrix3::Identity()) {
  SurfaceOptions options;
  options.vertices = true;
  return sum_exactly(
      find(HalfSpace{}, {}, prepare_patch_geometry(mesh), {R, Vector3(0, 0, height - depth)}, options));
}

// F = (E/H) integral of the slice's area over the level sets of depth s (layer cake), and sum of g A = dF/dd.
TEST(SurfaceOracles, BoxFlatOnARigidPlane) {
  const double E = 1e6;
  for (const Vector3& size : {Vector3(0.2, 0.3, 0.1), Vector3(0.1, 0.1, 0.1), Vector3(0.1, 0.2, 0.5)}) {
    const double a = size.x(), b = size.y(), H = 0.5 * size.minCoeff();
    for (double d : {1e-9, 1e-4, 0.1 * H, 0.7 * H}) {
      const Sums s = press(soft(Box{size}, E), 0.5 * size.z(), d);
      // Rounding of the depth, 1e-17 m, is what a depth of 1 nm knows.
      const double tolerance = 1e-12 + 1e-16 / d;
      expect_relative(s.force.z(), E / H * (a * b * d - (a + b) * d * d + 4.0 * d * d * d / 3.0), tolerance);
      expect_relative(s.stiffness, E / H * (a - 2 * d) * (b - 2 * d), 1e-12);
      EXPECT_LT(s.force.head<2>().norm(), 1e-12 * s.force.z());
      EXPECT_LT(s.moment.norm(), 1e-12 * s.force.z());
    }
  }
}

TEST(SurfaceOracles, CylinderUprightOnARigidPlane) {
  const double R = 0.1, E = 1e6, L = 0.3, hint = 0.05;
  const int n = static_cast<int>(std::ceil(2.0 * kPi * R / hint));
  const double area = 0.5 * n * R * R * std::sin(2.0 * kPi / n);
  for (double d : {0.001, 0.02, 0.09}) {
    const Sums s = press(soft(Cylinder{R, L}, E, hint), 0.5 * L, d);
    expect_relative(s.force.z(), area * E / 3.0 * (1.0 - std::pow(1.0 - d / R, 3)), 1e-12);
    expect_relative(s.stiffness, E / R * area * std::pow(1.0 - d / R, 2), 1e-12);
  }
}

TEST(SurfaceOracles, SphereOnARigidPlaneConvergesWithOrderTwo) {
  const double R = 0.1, E = 1e6, d = 0.02;
  const double exact = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
  const std::array<double, 5> ratio{0.285, 0.771, 0.939, 0.984, 0.9961};
  std::array<double, 5> error;
  for (int level = 1; level <= 5; ++level) {
    const Sums s = press(soft(Sphere{R}, E, chord(R, level)), R, d);
    EXPECT_NEAR(s.force.z() / exact, ratio[level - 1], 6e-4) << level;  // digits of the table
    error[level - 1] = 1.0 - s.force.z() / exact;
    EXPECT_GT(error[level - 1], 0.0);  // the mesh is inscribed
  }
  EXPECT_NEAR(std::log2(error[3] / error[4]), 2.0, 0.1);
  // An ellipsoid is an affine image.
  const Vector3 axes(0.05, 0.07, 0.03);
  const double c = axes.z(), s = d / R * c;
  const double flat = kPi * E * axes.x() * axes.y() * (s / c) * (s / c) * (1.0 - 2.0 * s / (3.0 * c));
  EXPECT_NEAR(press(soft(Ellipsoid{axes}, E, chord(0.07, 4)), c, s).force.z() / flat, ratio[3], 6e-4);
}

TEST(SurfaceOracles, CylinderOnItsSide) {
  // (E/R) ((L - 2R)(R w - s^2 ln((R + w)/s)) + (4/3) w^3), s = R - d, w^2 = R^2 - s^2: 3404.37 N; the mesh of
  // 256 sectors 3401.95 N.
  const Matrix3 lying = Eigen::AngleAxisd(0.5 * kPi, Vector3::UnitX()).toRotationMatrix();
  const double R = 0.1, hint = 2.0 * kPi * R / 255.9;
  EXPECT_NEAR(press(soft(Cylinder{R, 0.6}, 1e6, hint), R, 0.01, lying).force.z(), 3401.95, 0.01);
}

// Errors of the force on a rigid plane fall with the square of the resolution, and the inscribed meshes press
// too little. L E [w - (s^2/R) asinh(w/s)] is what the length of a lying capsule adds to its two half balls.
TEST(SurfaceOracles, OrderTwoOfEveryRoundShape) {
  const double E = 1e6, R = 0.1, d = 0.02, L = 0.3;
  const double s = R - d, w = std::sqrt(R * R - s * s);
  const Matrix3 lying = Eigen::AngleAxisd(0.5 * kPi, Vector3::UnitX()).toRotationMatrix();
  const double ball = kPi * E * d * d * (1.0 - 2.0 * d / (3.0 * R));
  const Vector3 axes(0.1, 0.06, 0.08);
  struct Row {
    const char* name;
    Shape shape;
    Matrix3 turn;
    double height, depth, exact;
  };
  const double c = axes.z(), e = d / c;
  for (const Row& row :
       {Row{"ellipsoid", Ellipsoid{axes}, Matrix3::Identity(), c, d,
            kPi * E * axes.x() * axes.y() * e * e * (1.0 - 2.0 * e / 3.0)},
        Row{"cylinder on its side", Cylinder{R, L}, lying, R, d,
            E / R * ((L - 2.0 * R) * (R * w - s * s * std::log((R + w) / s)) + 4.0 / 3.0 * w * w * w)},
        Row{"capsule on its side", Capsule{R, L}, lying, R, d,
            ball + L * E * (w - s * s / R * std::asinh(w / s))},
        Row{"capsule on its end", Capsule{R, L}, Matrix3::Identity(), R + 0.5 * L, d, ball}}) {
    SCOPED_TRACE(row.name);
    double error[3];
    for (int i = 0; i < 3; ++i) {
      // 16, 32, 64 sectors; the ellipsoid's longest section in as many chords.
      const double hint = 2.0 * kPi * R / ((16 << i) - 0.5);
      const Sums sums = press(soft(row.shape, E, hint), row.height, row.depth, row.turn);
      error[i] = 1.0 - sums.force.z() / row.exact;
      EXPECT_GT(error[i], 0.0);
    }
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(std::log2(error[i] / error[i + 1]), 2.0, 0.25);
    EXPECT_LT(error[2], 0.03);
  }
}

// Pure spin on a ball's patch: friction's torque mu * sum of f r, 8/15 of mu N rho for small depths; R .05
// and d .002 have 0.532300, from quadrature, and meshes of levels 3 to 6 those of an independent prototype.
TEST(SurfaceOracles, TorsionOfABall) {
  const double R = 0.05, d = 0.002, rho = std::sqrt(2.0 * R * d - d * d);
  const std::array<double, 4> mesh{0.483, 0.521, 0.5297, 0.5317};
  double error[4];
  for (int level = 3; level <= 6; ++level) {
    const ContactSurface s =
        find(HalfSpace{}, {}, prepare_patch_geometry(soft(Sphere{R}, 1e6, chord(R, level))),
             RigidTransform(Vector3(0, 0, R - d)));
    double force = 0.0, torque = 0.0;
    for (int i = 0; i < s.num_faces(); ++i) {
      force += s.area[i] * s.pressure[i];
      torque += s.area[i] * s.pressure[i] * s.centroid[i].head<2>().norm();
    }
    EXPECT_NEAR(torque / (force * rho), mesh[level - 3], 6e-4) << level;  // digits of the table
    error[level - 3] = 0.532300 - torque / (force * rho);
  }
  EXPECT_NEAR(std::log2(error[2] / error[3]), 2.0, 0.2);
}

TEST(SurfaceOracles, RigidPlaneAsMeshOrHalfSpace) {
  const CompliantMesh ball = soft(Sphere{0.1}, 1e6, chord(0.1, 2));
  const PatchGeometry body = prepare_patch_geometry(ball);
  const RigidTransform X = rotated(0.7, {1, 2, 3}, {0.02, -0.01, 0.07});
  const Sums plane = sum(find(HalfSpace{}, {}, body, X));
  const Sums box = sum(find(prepare_patch_geometry(make_rigid_surface(Box{{2, 2, 2}}, 1.0)),
                            RigidTransform(Vector3(0, 0, -1)), body, X, kUncut));
  expect_relative(box.area, plane.area, 1e-12);
  EXPECT_LT((box.force - plane.force).norm(), 1e-12 * plane.force.norm());
  EXPECT_NEAR(box.stiffness, plane.stiffness, 1e-12 * plane.stiffness);
}

/// Volume and its first moment below z = 0 of a closed surface: signed prisms under its clipped triangles.
std::pair<double, Vector3> submerged(const TriangleMesh& surface, const RigidTransform& X) {
  double volume = 0.0;
  Vector3 moment = Vector3::Zero();
  for (const auto& [i, j, k] : surface.triangles) {
    std::vector<Vector3> ring{X * surface.vertices[i], X * surface.vertices[j], X * surface.vertices[k]}, low;
    for (int e = 0; e < 3; ++e) {
      const Vector3 &a = ring[e], &b = ring[(e + 1) % 3];
      if (a.z() <= 0.0) low.push_back(a);
      if ((a.z() <= 0.0) != (b.z() <= 0.0)) low.push_back(a + a.z() / (a.z() - b.z()) * (b - a));
    }
    // Tets from the origin, which lies in the plane, so that the lid adds nothing.
    for (std::size_t m = 1; m + 1 < low.size(); ++m) {
      const double v = low[0].dot(low[m].cross(low[m + 1])) / 6.0;
      volume += v;
      moment += v * (low[0] + low[m] + low[m + 1]) / 4.0;
    }
  }
  return {volume, moment};
}

// Archimedes: with a uniform gradient the force is kappa times the submerged volume, through its centroid.
TEST(SurfaceOracles, RigidBodiesFloatInACompliantHalfSpace) {
  const CompliantHalfSpace bath{2e6, 0.0};
  SurfaceOptions options = kUncut;
  options.vertices = true;
  std::mt19937 rng(11);
  for (const Shape& shape : std::vector<Shape>{Box{{0.2, 0.1, 0.15}}, Sphere{0.1}, Cylinder{0.05, 0.2}}) {
    const TriangleMesh surface = make_rigid_surface(shape, 0.05);
    for (int i = 0; i < 50; ++i) {
      const RigidTransform X = random_pose(&rng, 0.15);
      const auto [volume, moment] = submerged(surface, X);
      const ContactSurface s = find(bath, {}, prepare_patch_geometry(surface), X, options);
      const Sums found = sum_exactly(s);
      const Vector3 up(0, 0, bath.slope * volume);
      const double scale = bath.slope * 1e-3;  // N; rounding of forces that cancel
      EXPECT_LT((found.force - up).norm(), 1e-12 * scale);
      EXPECT_LT((found.moment - bath.slope * moment.cross(Vector3::UnitZ())).norm(), 1e-12 * scale);
    }
  }
}

TEST(SurfaceOracles, TwoEqualSpheresAreEachAPlaneForTheOther) {
  const double R = 0.1, d = 0.02, E = 1e6;
  const CompliantMesh ball = soft(Sphere{R}, E, chord(R, 4));
  const PatchGeometry body = prepare_patch_geometry(ball);
  const Sums s = sum(find(body, {}, body, RigidTransform(Vector3(0, 0, 2 * R - d))));
  expect_relative(s.force.z(), press(ball, R, 0.5 * d).force.z(), 1e-12);
  expect_relative(s.force.z(), kPi * E * 0.25 * d * d * (1.0 - d / (3.0 * R)), 0.04);  // of the mesh
}

// F = 2 pi integral of p(rho) rho drho for fields with a common axis, from quadrature, and meshes of levels 2
// to 5 of an independent prototype.
TEST(SurfaceOracles, CoaxialSpheres) {
  struct Row {
    double R_a, E_a, R_b, E_b, distance, exact;
    std::array<double, 4> mesh;
  };
  for (const Row& row : {Row{.1, 1e6, .06, 3e6, .15, 93.975853, {35.04, 75.77, 89.07, 92.74}},
                         Row{.1, 1e6, .06, 1e6, .15, 70.133329, {26.32, 56.56, 66.48, 69.21}},
                         Row{.05, 1e5, .05, 1e7, .095, 3.756850, {.936, 2.852, 3.517, 3.696}}}) {
    std::array<double, 4> force;
    for (int level = 2; level <= 5; ++level) {
      const Sums s =
          sum(find(prepare_patch_geometry(soft(Sphere{row.R_a}, row.E_a, chord(row.R_a, level))), {},
                   prepare_patch_geometry(soft(Sphere{row.R_b}, row.E_b, chord(row.R_b, level))),
                   RigidTransform(Vector3(0, 0, row.distance)), kUncut));
      force[level - 2] = s.force.z();
      // The prototype's spheres were turned in some way, which changes the error of the mesh by a part of it.
      EXPECT_NEAR(s.force.z(), row.mesh[level - 2], 0.1 * (row.exact - row.mesh[level - 2]));
    }
    EXPECT_NEAR(std::log2((row.exact - force[2]) / (row.exact - force[3])), 2.0, 0.15);
  }
}

TEST(SurfaceOracles, SphereOnACompliantHalfSpace) {
  const double R = 0.05, E = 1e6, overlap = 0.005;
  struct Row {
    double slope, exact;
    std::array<double, 5> mesh;
  };
  for (const Row& row : {Row{2.5e6, 8.403437, {4.488, 7.291, 8.116, 8.331, 8.385}},
                         Row{2.5e7, 41.370767, {22.41, 36.03, 39.99, 41.02, 41.28}}}) {
    for (int level = 2; level <= 6; ++level) {
      const PatchGeometry ball = prepare_patch_geometry(soft(Sphere{R}, E, chord(R, level)));
      const Sums s =
          sum(find(CompliantHalfSpace{row.slope, 0.0}, {}, ball, RigidTransform(Vector3(0, 0, R - overlap))));
      EXPECT_NEAR(s.force.z(), row.mesh[level - 2], 6e-4 * row.mesh[level - 2]);
      EXPECT_LT(s.force.z(), row.exact);
    }
  }
}

TEST(SurfaceOracles, CubeOnAWiderBox) {
  const PatchGeometry cube = prepare_patch_geometry(soft(Box{{.1, .1, .1}}, 1e6));
  const PatchGeometry floor = prepare_patch_geometry(soft(Box{{.4, .4, .2}}, 2e6));
  for (const auto& [d, force] : {std::pair(1e-3, 99.003333), {5e-3, 475.416667}, {1e-2, 903.333333}}) {
    const RigidTransform X(Vector3(0, 0, 0.15 - d));
    const Sums s = sum(find(floor, {}, cube, X)), swapped = sum(find(cube, X, floor, {}));
    EXPECT_NEAR(s.force.z(), force, 1e-6);
    EXPECT_LT(s.force.head<2>().norm(), 1e-10);
    EXPECT_LT((s.force + swapped.force).norm(), 1e-12 * force);
    EXPECT_LT((s.moment + swapped.moment).norm(), 1e-12 * force);
  }
}

// The wrench is the gradient of U = integral of min(p_A, p_B): forces from a grid of 260^3 cells, those of
// the surface from an independent prototype.
TEST(SurfaceOracles, TwoBoxes) {
  const PatchGeometry a = prepare_patch_geometry(soft(Box{{.2, .2, .1}}, 1e6));
  const PatchGeometry b = prepare_patch_geometry(soft(Box{{.15, .1, .12}}, 3e6));
  const Matrix3 R = (Eigen::AngleAxisd(.12, Vector3::UnitY()) * Eigen::AngleAxisd(.4, Vector3::UnitZ()) *
                     Eigen::AngleAxisd(-.07, Vector3::UnitX()))
                        .toRotationMatrix();
  SurfaceOptions options = kUncut;
  options.vertices = true;
  const RigidTransform X(R, {.01, -.02, .095});
  ContactSurface s = find(a, {}, b, X, options);
  EXPECT_LT((sum(s).force + Vector3(-0.502, 0.071, -3083.238)).norm(), 1e-3);
  EXPECT_LT((sum(s).force + Vector3(-0.551, 0.055, -3083.232)).norm(), 0.06);
  EXPECT_LT((sum_exactly(s).moment + Vector3(53.9042, 49.6147, -0.0215)).norm(), 2e-4);
  options.least_cosine = SurfaceOptions().least_cosine;
  s = find(a, {}, b, X, options);
  EXPECT_LT((sum(s).force + Vector3(-5.617, -2.977, -3082.311)).norm(), 1e-3);
  EXPECT_LT((sum_exactly(s).moment + Vector3(53.9755, 49.3516, -0.5143)).norm(), 2e-4);
  s = find(a, {}, b, {R, {.1, .1, .09}}, options);
  EXPECT_LT((sum(s).force + Vector3(-122.197, -153.927, -845.646)).norm(), 1e-3);
}

/// Work done against the forces on b along a way of poses X(s), s from 0 to 1: the wrench about b's origin
/// over finite motions, by the midpoint rule.
template <typename Way>
double work_along(const PatchGeometry& a, const PatchGeometry& b, const Way& way, int steps) {
  SurfaceOptions options = kUncut;
  options.vertices = true;
  double work = 0.0;
  for (int i = 0; i < steps; ++i) {
    const RigidTransform from = way(static_cast<double>(i) / steps), to = way((i + 1.0) / steps),
                         X = way((i + 0.5) / steps);
    const Sums s = sum_exactly(find(a, {}, b, X, options));
    const Eigen::AngleAxisd turn(to.R * from.R.transpose());
    work -= s.force.dot(to.p - from.p) + (s.moment - X.p.cross(s.force)).dot(turn.angle() * turn.axis());
  }
  return work;
}

// Without the rule of angles the wrench is the gradient of U = integral of min(p_A, p_B): the work from apart
// to the pose of TwoBoxes is U = 25.364 J (a grid of 260^3 cells), on any way, and none on a way that ends
// where it began.
TEST(SurfaceOracles, WorkIsThePotential) {
  const PatchGeometry a = prepare_patch_geometry(soft(Box{{.2, .2, .1}}, 1e6));
  const PatchGeometry b = prepare_patch_geometry(soft(Box{{.15, .1, .12}}, 3e6));
  const auto turned = [](double share) {
    return (Eigen::AngleAxisd(.12 * share, Vector3::UnitY()) *
            Eigen::AngleAxisd(.4 * share, Vector3::UnitZ()) *
            Eigen::AngleAxisd(-.07 * share, Vector3::UnitX()))
        .toRotationMatrix();
  };
  const Vector3 end(.01, -.02, .095);
  const double down = work_along(
      a, b, [&](double s) { return RigidTransform(turned(1.0), end + Vector3(0, 0, 0.045 * (1.0 - s))); },
      200);
  const double turning = work_along(
      a, b,
      [&](double s) {
        return RigidTransform(turned(1.5 * s - 0.5 * s * s), end + (1.0 - s) * Vector3(0.03, 0.02, 0.05));
      },
      200);
  // The grid's digits, and (1/200)^2 of the way.
  EXPECT_NEAR(down, 25.364, 1e-3);
  EXPECT_NEAR(turning, 25.364, 1e-3);
  const double round = work_along(
      a, b,
      [&](double s) {
        const double c = std::cos(2.0 * kPi * s), t = std::sin(2.0 * kPi * s);
        return RigidTransform(turned(c), end + Vector3(0.01 * t, 0.02 * (c - 1.0), 0.005 * t));
      },
      200);
  EXPECT_NEAR(round, 0.0, 1e-3);
}

// The sum of g A over a surface on a rigid plane is dF/dd exactly, also of a coarse mesh: the pressure
// vanishes on the rim.
TEST(SurfaceOracles, StiffnessOnAPlaneIsTheDerivative) {
  for (const Shape& shape :
       std::vector<Shape>{Sphere{0.1}, Ellipsoid{{0.1, 0.06, 0.1}}, Capsule{0.1, 0.05}}) {
    const CompliantMesh mesh = soft(shape, 1e6, 0.05);
    const double height = std::holds_alternative<Capsule>(shape) ? 0.125 : 0.1;
    const Matrix3 R = rotated(0.3, {1, 2, 0}).R;
    for (const double d : {0.01, 0.03}) {
      const double h = 1e-7;
      const double slope =
          (press(mesh, height, d + h, R).force.z() - press(mesh, height, d - h, R).force.z()) / (2.0 * h);
      // Differences: rounding 1e-16 F/h, and h^2 of the second derivative, which jumps at corners.
      expect_relative(press(mesh, height, d, R).stiffness, slope, 1e-7);
    }
  }
}

// dF_A/du of a translation u of B is -integral of (grad p_A)(grad p_B)^T / |grad p_A - grad p_B|; finite
// differences of the uncut force have to give it.
TEST(SurfaceOracles, DerivativeOfTheForce) {
  const CompliantMesh mesh_a = soft(Box{{.2, .2, .1}}, 1e6), mesh_b = soft(Box{{.15, .1, .12}}, 3e6);
  const PatchGeometry a = prepare_patch_geometry(mesh_a), b = prepare_patch_geometry(mesh_b);
  const RigidTransform X = rotated(0.35, {0.1, 0.2, 1.0}, {.01, -.02, .095});
  const auto fields_a = linear_fields(mesh_a), fields_b = linear_fields(mesh_b);
  const ContactSurface s = find(a, {}, b, X, kUncut);
  Matrix3 exact = Matrix3::Zero();
  for (int i = 0; i < s.num_faces(); ++i) {
    const Vector3 ga = fields_a[s.element_a[i]].gradient, gb = X.R * fields_b[s.element_b[i]].gradient;
    exact -= s.area[i] / (ga - gb).norm() * ga * gb.transpose();
  }
  Matrix3 differences;
  const double h = 1e-6;
  for (int i = 0; i < 3; ++i) {
    const Vector3 step = h * Vector3::Unit(i);
    const Sums plus = sum(find(a, {}, b, {X.R, X.p + step}, kUncut)),
               minus = sum(find(a, {}, b, {X.R, X.p - step}, kUncut));
    differences.col(i) = (minus.force - plus.force) / (2.0 * h);  // on A
  }
  EXPECT_LT((differences - exact).norm(), 1e-6 * exact.norm());
  EXPECT_LT((exact - exact.transpose()).norm(), 1e-9 * exact.norm());  // there is a potential
}

/// The ellipsoid and the sphere of Drake's benchmark.
struct Benchmark {
  static constexpr double kRadius = 3.0;
  const Vector3 axes{3.01, 3.5, 4.0};
  [[nodiscard]] PatchGeometry ellipsoid(double hint) const {
    return prepare_patch_geometry(soft(Ellipsoid{axes}, 1e5, hint, MeshStrategy::kDense));
  }
  [[nodiscard]] static RigidTransform pose(double t, int rotation) {
    return rotated(rotation * kPi / 12.0, {1, 1, 1}, Vector3::Constant(t));
  }
};

TEST(SurfaceOracles, PublishedAreasOfRigidOnCompliant) {
  const Benchmark benchmark;
  constexpr std::array<double, 4> kHints{4.0, 3.0, 2.0, 1.0}, kPlaces{4.0, 3.5, 1.2, 0.0};
  struct Row {
    int resolution, overlap, rotation;
    double area;
    int faces;
  };
  for (const Row& row : {Row{0, 4, 0, 93.76, 128}, Row{1, 4, 0, 93.76, 448}, Row{2, 4, 0, 107.59, 784},
                         Row{3, 4, 0, 111.67, 3864}, Row{2, 2, 0, 1.50, 18}, Row{2, 3, 0, 48.21, 602},
                         Row{2, 4, 1, 106.41, 1026}, Row{2, 4, 2, 106.89, 1038}, Row{2, 4, 3, 107.44, 1046},
                         Row{2, 3, 1, 48.26, 592}, Row{2, 2, 2, 1.52, 20}}) {
    SCOPED_TRACE(::testing::Message() << row.resolution << "/" << row.overlap << "/" << row.rotation);
    const double hint = kHints[row.resolution];
    const ContactSurface s =
        find(benchmark.ellipsoid(hint), {},
             prepare_patch_geometry(make_rigid_surface(Sphere{Benchmark::kRadius}, hint)),
             Benchmark::pose(kPlaces[row.overlap - 1], row.rotation), kUncut);
    EXPECT_NEAR(sum(s).area, row.area, 0.006);  // Drake's table has two decimals
    // The tets of a dense mesh, and with them the polygons, depend on how ties of its refinement break.
    EXPECT_NEAR(s.num_faces(), row.faces, 0.05 * row.faces + 2);
  }
  // With the rule of angles nothing is left of a surface all inside.
  EXPECT_EQ(find(benchmark.ellipsoid(2.0), {}, prepare_patch_geometry(make_rigid_surface(Sphere{3.0}, 2.0)),
                 Benchmark::pose(0.0, 0))
                .num_faces(),
            0);
}

TEST(SurfaceOracles, BenchmarkOfCompliantOnCompliant) {
  const Benchmark benchmark;
  struct Row {
    int level_a, level_b;
    double t, area, force, uncut_area, uncut_force;
  };
  for (const Row& row :
       {Row{1, 1, 1.2, 24.5462, 486784, 26.195997, 494919.57},
        Row{2, 1, 1.2, 25.5507, 564610, 26.831090, 571057.66},
        Row{2, 2, 1.2, 28.4846, 711727, 28.601931, 712642.18},
        Row{3, 3, 1.2, 29.4695, 778176, 29.488918, 778353.09},
        Row{2, 2, 3.5, 1.4764, 1141.18, 1.4764, 1141.18}, Row{3, 3, 3.5, 3.4572, 9333.9, 3.4572, 9333.9}}) {
    const PatchGeometry a = benchmark.ellipsoid(chord(4.0, row.level_a));
    const PatchGeometry b =
        prepare_patch_geometry(soft(Sphere{3.0}, 1e5, chord(3.0, row.level_b), MeshStrategy::kDense));
    // Ties of the refinement: 0.4 % of area, 0.6 % of force (the tables of two implementations differ so).
    const Sums cut = sum(find(a, {}, b, Benchmark::pose(row.t, 0)));
    expect_relative(cut.area, row.area, 4e-3);
    expect_relative(cut.force.norm(), row.force, 6e-3);
    const Sums uncut = sum(find(a, {}, b, Benchmark::pose(row.t, 0), kUncut));
    expect_relative(uncut.area, row.uncut_area, 4e-3);
    expect_relative(uncut.force.norm(), row.uncut_force, 6e-3);
  }
}

// Meshes with one inner vertex leave nothing to ties: Drake 1.51.1's numbers.
TEST(SurfaceOracles, BenchmarkWithOneInnerVertex) {
  const Benchmark benchmark;
  struct Row {
    int level_a, level_b;
    double t;
    int faces;
    double area, force;
  };
  for (const Row& row : {Row{1, 1, 1.2, 63, 23.7965, 585911}, Row{2, 1, 1.2, 133, 24.9712, 634638},
                         Row{2, 2, 1.2, 266, 28.1722, 742724}, Row{2, 2, 3.5, 13, 1.4763, 1091.18},
                         Row{3, 3, 1.2, 1036, 29.3833, 786208}, Row{3, 3, 3.5, 64, 3.4582, 9156.80}}) {
    const ContactSurface s = find(
        prepare_patch_geometry(soft(Ellipsoid{benchmark.axes}, 1e5, chord(4.0, row.level_a))), {},
        prepare_patch_geometry(soft(Sphere{3.0}, 1e5, chord(3.0, row.level_b))), Benchmark::pose(row.t, 0));
    EXPECT_EQ(s.num_faces(), row.faces);
    EXPECT_NEAR(sum(s).area, row.area, 6e-5);
    expect_relative(sum(s).force.norm(), row.force, 1e-5);
  }
}

}  // namespace
}  // namespace csim::testing
