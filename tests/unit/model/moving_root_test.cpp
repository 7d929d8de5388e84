// Trees on prescribed bodies, in relative coordinates, against the same motion in the inertial frame.
#include <numbers>

#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

// A base that turns and travels, or swings, and a body that hangs on it by `type`.
Scene scene_on_moving_base(const MotionSpec& motion, JointType type) {
  Scene scene;
  BodySpec base = fixed_body("base");
  base.pose = pose({0.4, 0.1, -0.2}, {0.2, -0.5, 0.8});
  base.motion = motion;
  BodySpec bracket = heavy_body("bracket", 0.3, Vector3::Zero(), {0.1, 0.1, 0.1, 0, 0, 0});
  BodySpec rider = heavy_body("rider", 1.4, {0.05, -0.1, 0.2}, {0.02, 0.03, 0.035, 0.001, 0.002, -0.003});
  scene.bodies = {base, bracket, rider};
  JointSpec weld = joint("weld", JointType::kWeld, 0, 1);
  weld.pose = pose({0.1, 0.6, 0.3}, {0.5, 0.1, 0.2});
  JointSpec joint_spec = joint("rides", type, 1, 2);
  joint_spec.pose = pose({0.2, -0.1, 0.4}, {-0.3, 0.7, 0.1});
  scene.joints = {weld, joint_spec};
  return scene;
}

MotionSpec turning() {
  MotionSpec spec;
  spec.type = MotionType::kVelocity;
  spec.velocity = {0.3, -0.2, 0.1};
  spec.angular_velocity = {0.7, -1.0, 0.5};
  return spec;
}

MotionSpec swinging() {
  MotionSpec spec;
  spec.type = MotionType::kSine;
  spec.amplitude = {0.1, 0.05, -0.2};
  spec.frequency = 0.8;
  spec.phase = 0.3;
  return spec;
}

// Largest distance at t = 0.5 s between a rider with a free joint on the moving base and the same body flying
// alone.
double flight_error(const MotionSpec& motion, double h) {
  Scene scene = scene_on_moving_base(motion, JointType::kFree);
  scene.joints[1].velocity = {1.0, 0.5, -0.8, 0.4, -0.3, 0.6};
  Built relative = build_valid(scene);
  EXPECT_FALSE(relative.model.trees[0].single_free_body);
  FreeStepper relative_stepper(relative.model);
  std::vector<Twist> twists;
  const Kinematics start = relative_stepper.observe(relative.state, &twists);

  Scene inertial_scene;
  inertial_scene.bodies = {scene.bodies[2]};
  inertial_scene.bodies[0].pose = {start.X_WB[2].p, start.q_WB[2]};
  inertial_scene.bodies[0].angular_velocity = twists[2].w;
  inertial_scene.bodies[0].linear_velocity = twists[2].v;
  Built inertial = build_valid(inertial_scene);
  FreeStepper inertial_stepper(inertial.model);
  // The reference flies with a step so small that its error does not show.
  for (int i = 0; i < 20000; ++i) inertial_stepper.step(0.5 / 20000, &inertial.state);
  for (int i = 0; i < std::lround(0.5 / h); ++i) relative_stepper.step(h, &relative.state);

  const RigidTransform X = relative_stepper.observe(relative.state, &twists).X_WB[2];
  const Twist V = twists[2];
  const RigidTransform X_ref = inertial_stepper.observe(inertial.state, &twists).X_WB[0];
  return (X.p - X_ref.p).norm() + (X.R - X_ref.R).norm() + (V.v - twists[0].v).norm() +
         (V.w - twists[0].w).norm();
}

TEST(MovingRoot, RiderFliesAsInTheInertialFrame) {
  for (const MotionSpec& motion : {turning(), swinging()}) {
    const double coarse = flight_error(motion, 2e-3), fine = flight_error(motion, 5e-4);
    // First order: a quarter of the step, a quarter of the error; missing terms of order 1 would leave 0.1
    // and no decrease.
    EXPECT_LT(fine, 1e-2);
    EXPECT_NEAR(coarse / fine, 4.0, 0.4);
  }
}

// A bead on a rod that turns about z at the rate w: r'' = w^2 r without gravity along the rod, so r = r0
// cosh(w t).
TEST(MovingRoot, BeadOnATurningRod) {
  constexpr double kRate = 2.0, kStart = 0.3, kEnd = 1.0;
  const auto radius = [&](double h) {
    Scene scene;
    BodySpec rod = fixed_body("rod");
    rod.motion.type = MotionType::kVelocity;
    rod.motion.angular_velocity = {0, 0, kRate};
    scene.bodies = {rod, heavy_body("bead", 0.7, Vector3::Zero(), {1e-3, 1e-3, 1e-3, 0, 0, 0})};
    JointSpec slide = joint("slide", JointType::kPrismatic, 0, 1);
    slide.axis = Vector3::UnitX();
    slide.position = {kStart};
    scene.joints = {slide};
    Built built = build_valid(scene);
    FreeStepper stepper(built.model);
    for (int i = 0; i < std::lround(kEnd / h); ++i) stepper.step(h, &built.state);
    return built.state.q[0];
  };
  const double exact = kStart * std::cosh(kRate * kEnd);
  const double coarse = radius(1e-3) - exact, fine = radius(5e-4) - exact;
  EXPECT_LT(std::abs(fine), 2e-3);
  EXPECT_NEAR(coarse / fine, 2.0, 0.02);  // first order
}

// A base that jumps from rest to 3 m/s between two steps: a body free to slide stays where it is in the
// world, to rounding.
TEST(MovingRoot, JumpsOfTheRootLeaveFreeBodiesAtRest) {
  Scene scene;
  scene.gravity.setZero();
  BodySpec base = fixed_body("base");
  base.motion.type = MotionType::kKeyframes;
  base.motion.times = {0.1, 0.2, 0.4};
  base.motion.xyz = {{0, 0, 0}, {0.3, 0, 0}, {0.3, -0.5, 0}};
  scene.bodies = {base, heavy_body("puck", 0.7, Vector3::Zero(), {1e-3, 1e-3, 1e-3, 0, 0, 0})};
  scene.joints = {joint("table", JointType::kPlanar, 0, 1)};
  Built built = build_valid(scene);
  FreeStepper stepper(built.model);
  std::vector<Twist> twists;
  for (int i = 0; i < 500; ++i) {
    stepper.step(1e-3, &built.state);
    const Kinematics& kinematics = stepper.observe(built.state, &twists);
    ASSERT_LT(kinematics.X_WB[1].p.norm(), 1e-12) << built.state.time;  // 500 roundings of 0.5
  }
}

// Energy gained is work done, in the limit of small steps, at first order: a chain on a base that swings, and
// on one that turns.
TEST(MovingRoot, EnergyIsTheWorkOfTheRoot) {
  const auto imbalance = [](const MotionSpec& motion, double h, double* exchanged) {
    Scene scene = scene_on_moving_base(motion, JointType::kUniversal);
    scene.bodies.push_back(heavy_body("tip", 0.5, {0.1, 0, 0.2}, {0.01, 0.01, 0.01, 0, 0, 0}));
    scene.joints.push_back(joint("tip", JointType::kPrismatic, 2, 3));
    scene.joints[2].stiffness = {30.0};
    scene.joints[2].armature = {0.4};
    scene.joints[1].velocity = {1.0, -2.0};
    Built built = build_valid(scene);
    State& state = built.state;
    Kinematics kinematics;
    Dynamics dynamics;
    FreeMotion free_motion;
    std::vector<Twist> twists;
    const auto energy = [&] {
      compute_kinematics(built.model, state.q, state.time, state.time, &kinematics);
      compute_twists(built.model, kinematics, state.v, &twists);
      const MechanicalEnergy e = mechanical_energy(built.model, kinematics, twists, state);
      return e.kinetic + e.potential + e.springs;
    };
    const double start = energy();
    double work = 0.0;
    for (int i = 0; i < std::lround(0.5 / h); ++i) {
      compute_kinematics(built.model, state.q, state.time, state.time + h, &kinematics);
      compute_dynamics(built.model, kinematics, state, state.time + h, &dynamics);
      compute_free_motion(built.model, dynamics, state, h, &free_motion);
      work += prescribed_joint_work(built.model, kinematics, dynamics, {}, state.v, free_motion.v_star, h);
      state.v = free_motion.v_star;
      advance_positions(built.model, state.v, h, &state.q);
      state.time += h;
    }
    *exchanged = std::abs(work);
    return energy() - start - work;
  };
  for (const MotionSpec& motion : {turning(), swinging()}) {
    double exchanged = 0.0;
    const double coarse = imbalance(motion, 4e-4, &exchanged), fine = imbalance(motion, 1e-4, &exchanged);
    EXPECT_GT(exchanged, 0.3);
    EXPECT_LT(std::abs(fine), 2e-3 * exchanged);
    EXPECT_NEAR(coarse / fine, 4.0, 0.4);
  }
}

// What stands on a moving body moves with it, and contacts see the mean velocity of the step.
TEST(MovingRoot, WeldedBodiesFollowAndVelocitiesAreThoseOfTheStep) {
  const Built built = build_valid(scene_on_moving_base(swinging(), JointType::kRevolute));
  ASSERT_EQ(built.model.bodies[1].tree, -1);
  EXPECT_EQ(built.model.bodies[0].weld_group, built.model.bodies[1].weld_group);
  EXPECT_NE(built.model.bodies[0].weld_group, 0);
  Kinematics kinematics;
  compute_kinematics(built.model, built.state.q, 0.2, 0.25, &kinematics);
  const MotionState start = evaluate_motion(built.model.motions[0], 0.2),
                    end = evaluate_motion(built.model.motions[0], 0.25);
  EXPECT_EQ(kinematics.X_WB[0].p, start.position);
  const Vector3 mean = (end.position - start.position) / (0.25 - 0.2);
  EXPECT_EQ(kinematics.bias_twist[0].v, mean);
  EXPECT_LT((kinematics.bias_twist[1].v - mean).norm(), 1e-15);
  EXPECT_LT((kinematics.bias_twist[2].v - mean).norm(), 1e-15);
  std::vector<Twist> twists;
  compute_twists(built.model, kinematics, built.state.v, &twists);
  EXPECT_LT((twists[2].v - mean).norm(), 1e-15);
}

// The mean twist and the chord of a point give where the motion takes the point, for turns about any axis and
// for bodies that stand on a turning one; after more than half a turn there is no chord.
TEST(MovingRoot, TwistAndChordTakeMaterialPointsToTheirPlaces) {
  for (const double h : {1e-7, 1e-3, 0.05, 0.4}) {
    const Built built = build_valid(scene_on_moving_base(turning(), JointType::kRevolute));
    Kinematics kinematics;
    compute_kinematics(built.model, built.state.q, 0.2, 0.2 + h, &kinematics);
    const MotionState start = evaluate_motion(built.model.motions[0], 0.2),
                      end = evaluate_motion(built.model.motions[0], 0.2 + h);
    const RigidTransform X0(start.rotation, start.position), X1(end.rotation, end.position);
    const Vector3 p(0.3, -0.7, 1.1);
    const double step = (0.2 + h) - 0.2;
    for (int body = 0; body < 3; ++body) {
      const Vector3 v =
          kinematics.bias_twist[body].at(p - kinematics.X_WB[body].p) + chord_velocity(kinematics, body, p);
      // Positions are rounded to 1e-16 m.
      EXPECT_LT((p + step * v - X1 * (X0.inverse() * p)).norm(), 2e-15) << h << " " << body;
    }
  }
  Scene scene;
  BodySpec wheel = fixed_body("wheel");
  wheel.motion.type = MotionType::kVelocity;
  wheel.motion.angular_velocity = {0, 0, 400};
  scene.bodies = {wheel};
  const Built built = build_valid(scene);
  Kinematics kinematics;
  compute_kinematics(built.model, built.state.q, 0.0, 0.01, &kinematics);
  EXPECT_EQ(kinematics.bias_twist[0].w, wheel.motion.angular_velocity);
  EXPECT_EQ(chord_velocity(kinematics, 0, {1, 2, 3}), Vector3::Zero());
}

}  // namespace
}  // namespace csim
