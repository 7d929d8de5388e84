// output.gradients against central differences of whole steps, and against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "model/columns.h"
#include "model/kinematics.h"
#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

constexpr double kShift = 1e-6;
// Of the largest entry of a column: rounding of the step's poses and velocities over kShift, and the part of
// `choice` in the result, 1e-6.
constexpr double kTolerance = 2e-5;

std::vector<std::string> with_gradients(std::vector<std::string> overrides) {
  overrides.push_back("output.gradients=true");
  return overrides;
}

/// A step, its gradients, and the same step from elsewhere.
class GradientCase {
 public:
  GradientCase(const std::string& text, const std::vector<std::string>& overrides, int first_steps)
      : s(text, with_gradients(overrides)), columns(make_state_columns(s.model)) {
    if (first_steps > 0) s.step(first_steps);
    start = s.state;
    s.step();
    gradients = s.frame.gradients;
  }

  /// Positions at the end of the step from `state`, in the columns of results; empty where it failed.
  VectorX end(const State& state) {
    const StepOutcome& outcome = s.stepper->attempt(state, std::numeric_limits<double>::infinity());
    VectorX q;
    if (outcome.ok) gather_columns(columns.q, outcome.state.q, &q);
    return q;
  }

  VectorX end_from(int column, double shift) {
    State state = start;
    state.q[columns.q[column]] += shift;
    normalize_quaternions(s.model, &state.q);
    return end(state);
  }

  VectorX end_with(int actuator, double shift) {
    Command& command = s.model.actuators[actuator].command;
    const Command before = command;
    command.spec.value += shift;
    for (double& value : command.spec.values) value += shift;
    VectorX q = end(start);
    command = before;
    return q;
  }

  /// All columns against central differences of the steps of `twin` from the same start.
  void expect_differences_of(GradientCase* twin, double shift) {
    for (int k = 0; k < s.model.nq; ++k) expect_difference_of(twin, k, shift);
    for (std::size_t i = 0; i < s.model.actuators.size(); ++i) {
      SCOPED_TRACE("command " + std::to_string(i));
      const int k = static_cast<int>(i);
      expect_column(gradients.command.col(k), twin->end_with(k, shift), twin->end_with(k, -shift), shift);
    }
  }

  /// A column of q alone.
  void expect_difference_of(GradientCase* twin, int column, double shift) {
    SCOPED_TRACE("column " + std::to_string(column) + " of q");
    twin->start = start;
    expect_column(gradients.q.col(column), twin->end_from(column, shift), twin->end_from(column, -shift),
                  shift);
  }

  Simulation s;
  StateColumns columns;
  State start;
  GradientRows gradients;
  double tolerance = kTolerance;

 private:
  void expect_column(const VectorX& column, const VectorX& above, const VectorX& below, double shift) const {
    ASSERT_EQ(above.size(), column.size());
    ASSERT_EQ(below.size(), column.size());
    const VectorX expected = (above - below) / (2.0 * shift);
    const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
    EXPECT_LE((column - expected).cwiseAbs().maxCoeff(), tolerance * scale) << column.transpose() << "\n"
                                                                            << expected.transpose();
    EXPECT_FALSE(column.hasNaN());
  }
};

void expect_differences(const std::string& text, const std::vector<std::string>& overrides, int first_steps) {
  SCOPED_TRACE("after " + std::to_string(first_steps) + " steps");
  GradientCase one(text, overrides, first_steps);
  EXPECT_EQ(one.gradients.num_kinks, 0);
  one.expect_differences_of(&one, kShift);
}

// ---- Closed forms ----

TEST(QuasistaticGradients, AFreeFingerGoesWhereItIsTold) {
  const GradientCase one(kSlider, {}, 0);
  EXPECT_NEAR(one.gradients.q(0, 0), 0.0, 1e-9);
  EXPECT_NEAR(one.gradients.command(0, 0), 1.0, 1e-12);
}

TEST(QuasistaticGradients, AFingerOnAWallStays) {
  const GradientCase one(kSlider, {}, 8);
  ASSERT_GT(normal_force(one.s, "wall", "slider"), 1.0);
  EXPECT_NEAR(one.gradients.q(0, 0), 0.0, 1e-9);
  EXPECT_NEAR(one.gradients.command(0, 0), 0.0, 1e-12);
}

TEST(QuasistaticGradients, APushedMassIsADrag) {
  // Together v = h K (command - q)/(M + h^2 K), the gap at the start closed on the way.
  const double K = 500.0, h = 0.05, M = 1.0, share = h * h * K / (M + h * h * K);
  const GradientCase one(two_spheres(), {"integrator.mass=full"}, 20);
  ASSERT_GT(normal_force(one.s, "object", "pusher"), 0.1);
  EXPECT_NEAR(one.gradients.command(0, 0), share, 1e-9);
  EXPECT_NEAR(one.gradients.command(1, 0), share, 1e-9);
  // dq_u alone opens the gap: M v_u + h^2 K v_a = h K Dq, v_u = v_a - dq_u/h.
  EXPECT_NEAR(one.gradients.q(0, 0), 1.0 - share, 1e-8);
  EXPECT_NEAR(one.gradients.q(1, 0), 1.0 - share, 1e-8);
}

// ---- Central differences ----

TEST(QuasistaticGradients, OfAPlanarGrasp) {
  for (const char* problem : {"qp", "socp", "near_rigid"}) {
    SCOPED_TRACE(problem);
    for (const int step : {1, 5, 8, 15, 20, 22})
      expect_differences(planar_grasp(), {std::string("integrator.problem=") + problem}, step);
  }
}

TEST(QuasistaticGradients, OfBarriers) {
  for (const char* problem : {"log_barrier", "log_barrier_socp"}) {
    SCOPED_TRACE(problem);
    for (const int step : {1, 8, 20})
      expect_differences(planar_grasp(),
                         {std::string("integrator.problem=") + problem, "integrator.mass=full"}, step);
  }
}

TEST(QuasistaticGradients, OfAPushWithoutGravity) {
  // Nothing but `choice` says where the object goes.
  for (const char* problem : {"qp", "socp"})
    expect_differences(two_spheres(), {std::string("integrator.problem=") + problem}, 20);
}

TEST(QuasistaticGradients, OfAPushedBlock) {
  for (const double height : {0.0, -0.05}) expect_differences(pushed_block(height), {}, 5);
}

TEST(QuasistaticGradients, OfATripod) {
  for (const char* problem : {"qp", "socp"})
    expect_differences(tripod(0.03, 4), {std::string("integrator.problem=") + problem}, 0);
}

TEST(QuasistaticGradients, OfAPushedSphere) {
  for (const char* problem : {"qp", "socp"})
    expect_differences(pushed_sphere(4), {std::string("integrator.problem=") + problem}, 3);
}

TEST(QuasistaticGradients, OfAJointAtItsLimit) {
  const std::vector<std::string> limit = {"joints.x.limits=[-1, 0.07]"};
  expect_differences(kSlider, limit, 2);
  expect_differences(kSlider, limit, 5);
}

/// A free box, 0.1 m wide, pushed off its middle by a finger on the drives x and y; its mass times `light`.
std::string pushed_box(const std::string& integrator, double light = 1.0) {
  std::ostringstream text;
  text.precision(17);
  text
      << R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.02, end: 1}
materials: {m: {friction: 0.3}, floor: {friction: 0.2}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: floor}]}
  - {name: box, mass: )"
      << light << ", inertia: [" << 0.003 * light << ", " << 0.002 * light << ", " << 0.001 * light
      << R"(], pose: {xyz: [0, 0, 0.05], axis: [0, 0, 1], angle_deg: 10}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: carrier, mass: 0.1, inertia: [1, 1, 1]}
  - {name: finger, mass: 0.1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.01, material: m}]}
joints:
  - {name: x, type: prismatic, parent: world, child: carrier, axis: [1, 0, 0], pose: {xyz: [-0.07, 0.02, 0.06]}}
  - {name: y, type: prismatic, parent: carrier, child: finger, axis: [0, 1, 0]}
actuators:
  - {name: ax, joint: x, type: position, stiffness: 1000, command: {times: [0, 1], values: [0, 0.3]}}
  - {name: ay, joint: y, type: position, stiffness: 800, command: {times: [0, 1], values: [0, 0.05]}}
contact: {exclude: [{a: ground, b: finger}]}
integrator: {type: quasistatic, contact_threshold: 0.03, )"
      << integrator << "}\n";
  return text.str();
}

const std::vector<std::string> kFloating = {"gravity=[0, 0, 0]",
                                            "contact.exclude=[{a: ground, b: finger}, {a: ground, b: box}]"};

TEST(QuasistaticGradients, OfAFreeBodyWithBothRotations) {
  for (const char* rotation : {"linear", "exponential"}) {
    SCOPED_TRACE(rotation);
    const std::string key = std::string("rotation: ") + rotation;
    expect_differences(pushed_box(key + ", mass: full"), {}, 6);
    expect_differences(pushed_box(key + ", mass: full"), kFloating, 6);
  }
}

TEST(QuasistaticGradients, OfAFloatingBodyThatOnlyChoiceHolds) {
  // `choice` is the limit of small masses. The velocities that it finds have an error of 1e-8 of their size,
  // too much for differences: those of a body with 1e-7 of the mass stand in, with 1e-9, over a longer way.
  for (const char* problem : {"qp", "socp"}) {
    SCOPED_TRACE(problem);
    const std::string key = std::string("problem: ") + problem;
    GradientCase one(pushed_box(key), kFloating, 6),
        light(pushed_box(key + ", mass: full", 1e-7), kFloating, 0);
    EXPECT_EQ(one.gradients.num_kinks, 0);
    one.expect_differences_of(&light, 100.0 * kShift);
  }
}

TEST(QuasistaticGradients, OfABoxThatSlidesOnFrictionCones) {
  for (const char* mass : {"none", "full"})
    expect_differences(pushed_box(std::string("problem: socp, mass: ") + mass), {}, 6);
}

TEST(QuasistaticGradients, OfARollingBall) {
  // A plate on drives rolls a ball on the floor: its load is fixed, how fast it spins is left to `choice`.
  const char* text = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: carrier, mass: 0.1, inertia: [1, 1, 1]}
  - {name: plate, mass: 0.1, inertia: [1, 1, 1], geometry: [{shape: box, size: [1, 1, 0.02], material: m}]}
joints:
  - {name: x, type: prismatic, parent: world, child: carrier, axis: [1, 0, 0], pose: {xyz: [0, 0, 0.21]}}
  - {name: z, type: prismatic, parent: carrier, child: plate, axis: [0, 0, 1]}
actuators:
  - {name: ax, joint: x, type: position, stiffness: 1000, command: {times: [0, 1], values: [0, 0.2]}}
  - {name: az, joint: z, type: position, stiffness: 1000, command: -0.002}
contact: {exclude: [{a: ground, b: plate}]}
integrator: {type: quasistatic, contact_threshold: 0.02}
)";
  for (const char* problem : {"qp", "socp"})
    expect_differences(text, {std::string("integrator.problem=") + problem}, 3);
}

TEST(QuasistaticGradients, OfAnArmThatStacksCubes) {
  // 69 degrees of freedom, tens of redundant contacts, all of which stick.
  const std::string text = read_file(test::source_folder() + "/scenes/cube_stacking/scene.yaml");
  for (const char* problem : {"qp", "socp"})
    expect_differences(text, {std::string("integrator.problem=") + problem}, 3);
}

TEST(QuasistaticGradients, OfAGripThatHoldsABodyTwiceAreThoseOfNearRigidContacts) {
  // Eight points stick to the cube: it can only turn in the grip where they give in to each other.
  const std::string text = read_file(test::source_folder() + "/scenes/cube_stacking/scene.yaml");
  GradientCase one(text, {"integrator.problem=socp"}, 22),
      near_rigid(text, {"integrator.problem=near_rigid"}, 0);
  EXPECT_GT(one.gradients.num_kinks, 0);
  one.tolerance = 1e-3;  // near-rigid contacts are not rigid: 1e-4 of the velocities
  for (int k = 0; k < one.s.model.nq; ++k)
    if (k < 7 || k >= 63) one.expect_difference_of(&near_rigid, k, kShift);  // the cube; arm and hand
}

TEST(QuasistaticGradients, OfARelaxedStep) {
  // The ball is squeezed between two walls by 1 mm at each: the near-rigid problem is solved.
  const char* text = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: left, fixed: true, pose: {xyz: [-0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: right, fixed: true, pose: {xyz: [0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0.0003, 0, 0]}, geometry: [{shape: sphere, radius: 0.101, material: m}]}
integrator: {type: quasistatic, mass: full, on_infeasible: relax}
)";
  GradientCase one(text, {}, 0);
  EXPECT_EQ(one.s.stepper->statistics().status, StepStatus::kRelaxed);
  one.expect_differences_of(&one, kShift);
}

/// A crank on a drive and a rocker that a coupler moves, with weights: a loop of two pins.
constexpr const char* kFourBar = R"(
csim: 1
time: {step: 0.01, end: 1}
bodies:
  - {name: crank, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - {name: coupler, mass: 2, inertia: [0.01, 0.01, 0.01], com: [0.15, 0, 0]}
  - {name: rocker, mass: 1.5, inertia: [0.01, 0.01, 0.01], com: [0.1, 0, 0]}
joints:
  - {name: motor, type: revolute, parent: world, child: crank, axis: [0, -1, 0], position: 1.2}
  - {name: floating, type: planar, parent: world, child: coupler, axis: [0, -1, 0], position: [0.03624, 0.0932, 0.363]}
  - {name: pivot, type: revolute, parent: world, child: rocker, pose: {xyz: [0.3, 0, 0]}, axis: [0, -1, 0], position: 1.4864}
actuators: [{name: drive, joint: motor, type: position, stiffness: 40, command: {times: [0, 1], values: [1.2, 1.8]}}]
constraints:
  - {name: knee, type: ball, a: crank, b: coupler, point_a: [0.1, 0, 0]}
  - {name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0]}
integrator: {type: quasistatic}
)";

TEST(QuasistaticGradients, OfALoopOfPins) {
  for (const char* problem : {"qp", "socp", "near_rigid"})
    for (const int step : {0, 20})
      expect_differences(kFourBar, {std::string("integrator.problem=") + problem}, step);
  expect_differences(kFourBar, {"constraints.loop.stiffness=3000"}, 5);
  expect_differences(kFourBar, {"integrator.problem=log_barrier", "integrator.mass=full"}, 5);
}

/// A finger of two passive joints on a driven slide presses a box to a wall; a tendon over the three trees of
/// finger, reel and counterweight bends it, springs stretch it.
constexpr const char* kTendonFinger = R"(
csim: 1
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.4}}
bodies:
  - {name: wall, fixed: true, pose: {xyz: [0.3, 0, 0]}, geometry: [{shape: box, size: [0.1, 1, 1], material: m}]}
  - {name: palm, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - {name: near, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], com: [0, 0, 0.05]}
  - {name: far, mass: 0.05, inertia: [1.0e-4, 1.0e-4, 1.0e-4], com: [0, 0, 0.03], geometry: [{shape: sphere, radius: 0.01, pose: {xyz: [0, 0, 0.08]}, material: m}]}
  - {name: reel, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4]}
  - {name: counterweight, mass: 0.3, inertia: [1.0e-4, 1.0e-4, 1.0e-4]}
joints:
  - {name: slide, type: prismatic, parent: world, child: palm, axis: [1, 0, 0], position: 0.1}
  - {name: root, type: revolute, parent: palm, child: near, axis: [0, 1, 0], position: 0.3}
  - {name: knuckle, type: revolute, parent: near, child: far, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.1]}, position: 0.2}
  - {name: turn, type: revolute, parent: world, child: reel, axis: [0, 1, 0]}
  - {name: height, type: prismatic, parent: world, child: counterweight}
actuators:
  - {name: go, joint: slide, type: position, stiffness: 900, command: {times: [0, 1], values: [0.1, 0.3]}}
  - {name: wind, joint: turn, type: position, stiffness: 3, command: {times: [0, 1], values: [0, 0.5]}}
constraints:
  - {name: cord, type: tendon, joints: {root: 0.02, knuckle: 0.015, turn: 0.03, height: -1}, length: 0.009}
  - {name: stretch_root, type: tendon, joints: {root: 1}, length: 0, stiffness: 0.5}
  - {name: stretch_knuckle, type: tendon, joints: {knuckle: 1}, length: 0, stiffness: 0.3}
integrator: {type: quasistatic, passive_joints: true}
)";

TEST(QuasistaticGradients, OfATreeOfDrivenAndPassiveJointsAndATendonOfThree) {
  for (const char* problem : {"qp", "socp", "near_rigid"})
    for (const int step : {0, 30})
      expect_differences(kTendonFinger, {std::string("integrator.problem=") + problem}, step);
  expect_differences(kTendonFinger, {"integrator.mass=full"}, 20);
  expect_differences(kTendonFinger, {"integrator.problem=log_barrier", "integrator.mass=full"}, 20);
}

/// A hand on a Cartesian drive pushes a box on the floor, which a tie holds.
std::string held_box(const std::string& tie) {
  return R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.02, end: 1}
materials: {m: {friction: 0.3}, floor: {friction: 0.2}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: floor}]}
  - {name: box, mass: 1, inertia: [0.003, 0.002, 0.001], pose: {xyz: [0, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: hand, mass: 0.2, inertia: [0.001, 0.002, 0.001], com: [0.01, 0.02, 0], pose: {xyz: [-0.07, 0.02, 0.06]}, geometry: [{shape: sphere, radius: 0.01, material: m}]}
actuators:
  - {name: arm, type: cartesian, body: hand, pose: {xyz: [0.01, 0, 0.02]}, stiffness: [800, 700, 900, 5, 6, 7],
     command: {times: [0, 1], xyz: [[-0.07, 0.02, 0.06], [0.3, 0.05, 0.06]], rpy: [[0, 0, 0], [0.3, 0.5, 0.7]]}}
contact: {exclude: [{a: ground, b: hand}]}
constraints: [{name: tie, )" +
         tie + "}]\nintegrator: {type: quasistatic}\n";
}

TEST(QuasistaticGradients, OfACartesianDriveAndConstraintsOfEachKind) {
  const auto expect = [](const char* tie, const char* mass) {
    SCOPED_TRACE(tie);
    for (const char* problem : {"qp", "socp"})
      expect_differences(
          held_box(tie),
          {std::string("integrator.problem=") + problem, std::string("integrator.mass=") + mass}, 6);
  };
  for (const char* mass : {"none", "full"}) {
    expect("type: distance, a: world, b: box, point_a: [-0.4, 0.1, 0.05], max: 0.41231056", mass);
    expect("type: weld, a: world, b: box, pose_a: {xyz: [0, 0, 0.05]}, stiffness: 50", mass);
    expect("type: ball, a: world, b: box, point_a: [0.05, -0.05, 0.05], point_b: [0.05, -0.05, 0]", mass);
  }
  // How this one turns the box is left to `choice`: differences of its steps are too rough.
  expect("type: distance, a: world, b: box, point_a: [0.4, 0.1, 0.05], length: 0.4, stiffness: 60", "full");
}

/// An arm on a cartesian drive that turns it far.
const char* const kFarArm = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
bodies:
  - {name: upper, mass: 0.02, inertia: [1.0e-4, 1.0e-4, 1.0e-4], com: [0.1, 0, 0]}
  - {name: middle, mass: 0.02, inertia: [1.0e-4, 1.0e-4, 1.0e-4], com: [0.1, 0, 0]}
  - {name: tool, mass: 0.01, inertia: [1.0e-4, 1.0e-4, 1.0e-4]}
joints:
  - {name: j0, type: revolute, parent: world, child: upper, axis: [0, 0, 1], position: 0.5}
  - {name: j1, type: revolute, parent: upper, child: middle, axis: [0, -1, 0], pose: {xyz: [0.3, 0, 0]}, position: 0.6}
  - {name: j2, type: revolute, parent: middle, child: tool, axis: [0, -1, 0], pose: {xyz: [0.3, 0, 0]}, position: -0.4}
actuators: [{name: pull, type: cartesian, body: tool, pose: {xyz: [0.3, 0, 0.05]}, stiffness: [20, 30, 25, 0.1, 0.2, 0.1], command: {xyz: [-1.5, 1, 0.8], rpy: [0.1, 0.2, 0.3]}}]
integrator: {type: quasistatic}
)";

TEST(QuasistaticGradients, OfAnArmThatADragHoldsBack) {
  for (const int step : {0, 1, 2, 12}) {
    expect_differences(kFarArm, {}, step);
    expect_differences(kFarArm, {"integrator.mass=full"}, step);
  }
  GradientCase one(kFarArm, {}, 0);
  const auto is_drag = [](const Event& event) { return event.kind == EventKind::kHeldBack; };
  const std::vector<Event>& events =
      one.s.stepper->attempt(one.start, std::numeric_limits<double>::infinity()).events;
  EXPECT_EQ(std::count_if(events.begin(), events.end(), is_drag), 1);
}

TEST(QuasistaticGradients, OfATiedPairThatOnlyChoiceHolds) {
  // Two bodies without weight on a line, tied by a near-rigid rod; a finger pushes the first.
  for (const char* stiffness : {"", ", stiffness: 100"}) {
    const std::string text = two_spheres() + R"(
constraints: [{name: rod, type: distance, a: world, b: object, point_a: [0.5, 2, 0], length: 2)" +
                             stiffness + "}]\n";
    for (const char* problem : {"qp", "socp"})
      expect_differences(text, {std::string("integrator.problem=") + problem}, 20);
  }
}

TEST(QuasistaticGradients, WhereNothingBalancesAreNaN) {
  // A pendulum that hangs straight, and a finger beside it. At any other angle the step has no answer.
  const char* text = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 0.1}
bodies:
  - {name: pendulum, mass: 1, inertia: [0.1, 0.1, 0.1], com: [0, 0, -1]}
  - {name: finger, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: hinge, type: revolute, parent: world, child: pendulum, axis: [0, 1, 0]}
  - {name: x, type: prismatic, parent: world, child: finger, axis: [1, 0, 0]}
actuators: [{name: a, joint: x, type: position, stiffness: 400, command: 0.1}]
integrator: {type: quasistatic}
)";
  GradientCase one(text, {}, 0);
  EXPECT_TRUE(one.gradients.q.col(0).array().isNaN().all());
  EXPECT_EQ(one.end_from(0, kShift).size(), 0);
  const Vector2 still = one.gradients.q.col(1), told = one.gradients.command.col(0);
  EXPECT_LT((still - Vector2(0.0, 0.0)).norm(), 1e-9);
  EXPECT_LT((told - Vector2(0.0, 1.0)).norm(), 1e-9);
}

TEST(QuasistaticGradients, AtAKinkAreOfOneSideAndSaySo) {
  // The finger that comes to its limit exactly at the end of the step: further on it is held.
  GradientCase one(kSlider, {"joints.x.limits=[-1, 0.06]"}, 2);
  EXPECT_EQ(one.gradients.num_kinks, 1);
  const double slope = one.gradients.command(0, 0);
  EXPECT_TRUE(std::abs(slope) < 1e-9 || std::abs(slope - 1.0) < 1e-9) << slope;
}

TEST(QuasistaticGradients, RowZeroHasNone) {
  Simulation s(planar_grasp(), {"output.gradients=true"});
  Frame frame;
  s.stepper->fill_frame(s.state, false, &frame);
  EXPECT_EQ(frame.gradients.q.rows(), 5);
  EXPECT_TRUE(frame.gradients.q.array().isNaN().all());
  EXPECT_TRUE(frame.gradients.command.array().isNaN().all());
}

}  // namespace
}  // namespace csim
