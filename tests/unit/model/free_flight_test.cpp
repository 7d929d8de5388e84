// Free motion over time: invariants, convergence, allocation.
#include <gtest/gtest.h>

#include "support/allocation_count.h"
#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

double energy_of(const Model& model, FreeStepper* stepper, const State& state) {
  std::vector<Twist> twists;
  const Kinematics& kinematics = stepper->observe(state, &twists);
  const MechanicalEnergy energy = mechanical_energy(model, kinematics, twists, state);
  return energy.kinetic + energy.potential + energy.springs;
}

// An undamped chain with every joint type keeps its energy as the step goes to zero, at first order.
TEST(FreeFlight, EnergyOfAChainIsConservedInTheLimit) {
  const auto drift = [](double h) {
    Scene scene = all_joints_scene();
    scene.joints[2].stiffness = {4.0};
    scene.joints[4].stiffness = {60.0};
    scene.joints[4].armature = {0.2};
    Built built = build_valid(scene);
    FreeStepper stepper(built.model);
    const double start = energy_of(built.model, &stepper, built.state);
    for (int i = 0; i < std::lround(0.3 / h); ++i) stepper.step(h, &built.state);
    return energy_of(built.model, &stepper, built.state) - start;
  };
  const double coarse = drift(1e-4), fine = drift(2.5e-5);
  EXPECT_LT(std::abs(fine), 5e-3);  // J, of some 30 that are exchanged
  EXPECT_NEAR(coarse / fine, 4.0, 0.3);
}

// A torque-free symmetric top: the axis precesses about the constant angular momentum L at |L|/I1, and the
// body spins about it at (1/I3 - 1/I1) L . axis.
TEST(FreeFlight, SymmetricTopPrecesses) {
  constexpr double kI1 = 0.02, kI3 = 0.035, kEnd = 1.0;
  const auto error = [&](double h) {
    Scene scene;
    scene.gravity.setZero();
    BodySpec top = heavy_body("top", 1.3, Vector3::Zero(), {kI1, kI1, kI3, 0, 0, 0});
    top.angular_velocity = {0.8, 0.0, 3.0};
    scene.bodies = {top};
    Built built = build_valid(scene);
    FreeStepper stepper(built.model);
    for (int i = 0; i < std::lround(kEnd / h); ++i) stepper.step(h, &built.state);
    const Vector3 L(kI1 * 0.8, 0.0, kI3 * 3.0);
    const Quaternion precession(Eigen::AngleAxisd(L.norm() / kI1 * kEnd, L.normalized()));
    const Quaternion spin(Eigen::AngleAxisd((1 / kI3 - 1 / kI1) * L.z() * kEnd, Vector3::UnitZ()));
    std::vector<Twist> twists;
    const Matrix3 R = stepper.observe(built.state, &twists).X_WB[0].R;
    const Vector3 L_end = R * (Vector3(kI1, kI1, kI3).asDiagonal() * (R.transpose() * twists[0].w));
    EXPECT_LT((L_end - L).norm(), 40 * h * L.norm());
    return (R - (precession * spin).toRotationMatrix()).norm();
  };
  const double coarse = error(4e-4), fine = error(1e-4);
  EXPECT_LT(fine, 0.01);
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);  // first order
}

// Free fall of a body at rest: symplectic Euler to the last bits, z = z0 - g h^2 n (n + 1)/2.
TEST(FreeFlight, FreeFallIsSymplecticEuler) {
  Scene scene;
  BodySpec ball = heavy_body("ball", 0.37, Vector3::Zero(), {0.01, 0.01, 0.01, 0, 0, 0});
  ball.pose.xyz = {0.3, -0.2, 1.0};
  ball.linear_velocity = {1.5, 0, 0};
  scene.bodies = {ball};
  Built built = build_valid(scene);
  FreeStepper stepper(built.model);
  for (int i = 0; i < 100; ++i) stepper.step(1e-3, &built.state);
  EXPECT_NEAR(built.state.q[6], 1.0 - 9.81e-6 * 5050, 1e-14);
  EXPECT_NEAR(built.state.q[4], 0.45, 1e-14);
  EXPECT_EQ(built.state.q[5], -0.2);
  EXPECT_EQ(built.state.v.head<3>(), Vector3::Zero());
  EXPECT_EQ(built.state.v[3], 1.5);
}

#ifdef CSIM_COUNTS_ALLOCATIONS
TEST(FreeFlight, NothingIsAllocatedAfterTheFirstStep) {
  Scene scene = all_joints_scene();
  for (int i = 0; i < 5; ++i) {
    scene.bodies.push_back(heavy_body("free" + std::to_string(i), 1.0, {0.1, 0, 0}, {1, 1, 1, 0, 0, 0}));
  }
  BodySpec belt = fixed_body("belt");
  belt.motion.type = MotionType::kSine;
  belt.motion.amplitude = {1, 0, 0};
  belt.motion.frequency = 1;
  scene.bodies.push_back(belt);
  Built built = build_valid(scene);
  FreeStepper stepper(built.model);
  std::vector<Twist> twists;
  stepper.step(1e-3, &built.state);
  stepper.observe(built.state, &twists);
  const long before = num_allocations();
  for (int i = 0; i < 10; ++i) {
    stepper.step(1e-3, &built.state);
    const Kinematics& kinematics = stepper.observe(built.state, &twists);
    (void)mechanical_energy(built.model, kinematics, twists, built.state);
  }
  EXPECT_EQ(num_allocations(), before);
  // The counter counts.
  const std::vector<double> some(100);
  EXPECT_GT(num_allocations(), before);
}
#endif

}  // namespace
}  // namespace csim
