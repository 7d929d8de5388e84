// How pulls turn with their arms, against second differences of the energy of a force that stays.
#include "problem/drive_turning.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "model/build_model.h"
#include "model/cartesian_drive.h"
#include "scene/read_scene.h"

namespace csim {
namespace {

/// A drive between the tool and `base`, far from its command.
struct Arm {
  explicit Arm(const std::string& base) {
    const SceneReadResult read = read_scene_text(R"(
csim: 1
time: {end: 1}
integrator: {type: quasistatic}
bodies:
  - {name: trunk, mass: 1, inertia: [1, 1, 1]}
  - {name: branch, mass: 1, inertia: [1, 1, 1]}
  - {name: upper, mass: 1, inertia: [1, 1, 1]}
  - {name: fore, mass: 1, inertia: [1, 1, 1]}
  - {name: slide, mass: 1, inertia: [1, 1, 1]}
  - {name: nut, mass: 1, inertia: [1, 1, 1]}
  - {name: tool, mass: 1, inertia: [1, 1, 1]}
  - {name: loose, mass: 1, inertia: [1, 1, 1], pose: {xyz: [0.2, 0.1, 0.4], rpy: [0.3, 0.5, 0.1]}}
joints:
  - {name: j0, type: revolute, parent: world, child: trunk, axis: [1, 2, 3], position: 0.4}
  - {name: j1, type: revolute, parent: trunk, child: branch, pose: {xyz: [0, 0.3, 0]}, axis: [2, 1, -1], position: -0.3}
  - {name: j2, type: universal, parent: trunk, child: upper, pose: {xyz: [0.1, 0, 0.2], rpy: [0.2, 0.1, 0.5]}, position: [0.5, -0.4]}
  - {name: j3, type: planar, parent: upper, child: fore, pose: {xyz: [0.3, 0, 0]}, axis: [1, 0, 1], position: [0.1, 0.2, 0.6]}
  - {name: j4, type: prismatic, parent: fore, child: slide, axis: [1, 1, 0], position: 0.2}
  - {name: j5, type: screw, parent: slide, child: nut, axis: [0, 1, 1], pitch: 0.5, position: 0.7}
  - {name: j6, type: ball, parent: nut, child: tool, pose: {xyz: [0, 0.1, 0]}, position: [0.8, 0.6, 0, 0]}
actuators:
  - {name: pull, type: cartesian, body: tool, pose: {xyz: [0.2, 0.1, 0.3]}, base: )" +
                                                     base + R"(, stiffness: [800, 700, 900, 5, 6, 7],
     command: {xyz: [2, -1, 1], rpy: [0.5, 1, -0.5]}}
)",
                                                 "scene.yaml");
    if (!read.ok()) throw std::runtime_error(format_diagnostics(read.diagnostics));
    Problems problems;
    std::vector<std::string> notes;
    build_model(read.scene, &model, &state, &problems, &notes);
    if (!problems.empty()) throw std::runtime_error(format_diagnostics(read.source.locate(problems)));
    command.resize(static_cast<Eigen::Index>(model.actuators.size()));
    command << 2, -1, 1, 0.5, 1, -0.5;
  }

  /// The frame's position less the command's, axes of the base, after the coordinates moved by dq [nv].
  Vector3 deviation(const VectorX& dq) {
    VectorX q = state.q;
    advance_positions(model, dq, 1.0, &q);
    compute_kinematics(model, q, 0.0, 0.0, &kinematics);
    CartesianMeasure measure;
    measure_cartesian_at(model.cartesian_drives[0], kinematics, command, &measure);
    return {measure.rows[0].x, measure.rows[1].x, measure.rows[2].x};
  }

  Model model;
  State state;
  Kinematics kinematics;
  VectorX command;
};

/// Second differences of K x0 . x over the coordinates of an arm; exact to 1e-8 of the drive's stiffness.
MatrixX second_differences(const TurningArm& arm, Arm* scene) {
  constexpr double kShift = 1e-4;
  const auto n = static_cast<Eigen::Index>(arm.coordinates.size());
  VectorX dq = VectorX::Zero(scene->model.nv);
  const Vector3 f = Vector3(800, 700, 900).cwiseProduct(scene->deviation(dq));
  MatrixX G(n, n);
  const auto energy = [&](Eigen::Index j, Eigen::Index k, double shift_j, double shift_k) {
    dq.setZero();
    dq[arm.coordinates[static_cast<std::size_t>(j)].v] += shift_j;
    dq[arm.coordinates[static_cast<std::size_t>(k)].v] += shift_k;
    return f.dot(scene->deviation(dq));
  };
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index k = 0; k < n; ++k)
      G(j, k) = (energy(j, k, kShift, kShift) - energy(j, k, kShift, -kShift) -
                 energy(j, k, -kShift, kShift) + energy(j, k, -kShift, -kShift)) /
                (4.0 * kShift * kShift);
  return G;
}

void expect_positive_part(const std::string& base, std::size_t num_arms, Eigen::Index num_coordinates) {
  Arm scene(base);
  const QuasistaticModel quasistatic = make_quasistatic_model(scene.model);
  DriveTurning turning(scene.model, quasistatic);
  Kinematics kinematics;
  compute_kinematics(scene.model, scene.state.q, 0.0, 0.0, &kinematics);
  turning.find(kinematics, scene.command);
  ASSERT_EQ(turning.arms().size(), num_arms) << base;
  Eigen::Index sum = 0;
  for (const TurningArm& arm : turning.arms()) {
    sum += static_cast<Eigen::Index>(arm.coordinates.size());
    const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(second_differences(arm, &scene));
    EXPECT_GT(eigen.eigenvalues().maxCoeff(), 100.0) << base;
    const MatrixX positive = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                             eigen.eigenvectors().transpose();
    const MatrixX found = arm.stiffness * arm.J.transpose() * arm.J;
    EXPECT_LT((found - positive).cwiseAbs().maxCoeff(), 1e-4) << base << "\n" << found << "\n\n" << positive;
  }
  EXPECT_EQ(sum, num_coordinates) << base;
}

TEST(DriveTurning, IsThePositivePartOfTheCurvatureOfThePull) {
  expect_positive_part("world", 1, 11);
  expect_positive_part("branch", 1, 11);  // the trunk moves neither against the other
  expect_positive_part("loose", 1, 11);   // nothing turns with a body without joints
}

TEST(DriveTurning, LooksAtAngles) {
  Arm scene("world");
  const QuasistaticModel quasistatic = make_quasistatic_model(scene.model);
  DriveTurning turning(scene.model, quasistatic);
  Kinematics kinematics;
  compute_kinematics(scene.model, scene.state.q, 0.0, 0.0, &kinematics);
  turning.find(kinematics, scene.command);
  const auto v_of = [&](const char* name) {
    for (const Body& body : scene.model.bodies)
      if (body.name == name) return body.joint.v_begin;
    throw std::runtime_error(name);
  };
  VectorX v = VectorX::Zero(scene.model.nv);
  v[v_of("slide")] = 9.0;   // a length
  v[v_of("fore")] = 8.0;    // x of the plane
  v[v_of("branch")] = 7.0;  // not of the arm
  v[v_of("upper") + 1] = -3.0;
  EXPECT_EQ(turning.largest_turn(0, v, 0.5), 1.5);
  EXPECT_EQ(turning.largest_turn(1, v, 0.5), 0.0);
}

}  // namespace
}  // namespace csim
