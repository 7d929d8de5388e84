// Rows between two bodies against differences of what they measure, and forces against their power.
#include "model/body_pair.h"

#include "model/force.h"
#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

/// The branched tree, a free body b7 and a prescribed one b8; a constraint with stiffness, so that the start
/// may violate it.
Scene scene_with(const ConstraintSpec& constraint) {
  Scene scene = all_joints_scene();
  BodySpec flying = heavy_body("b7", 1.1, {0.05, 0, -0.02}, {0.01, 0.012, 0.014, 0, 0, 0.001});
  flying.pose = pose({0.6, 0.4, 0.9}, {0.3, -0.8, 0.4});
  flying.linear_velocity = {0.5, -1.0, 0.3};
  flying.angular_velocity = {1.0, 0.7, -2.0};
  BodySpec driven = fixed_body("b8", {-0.3, 0.2, 0.5});
  driven.motion.type = MotionType::kVelocity;
  driven.motion.velocity = {0.2, 0.1, -0.4};
  driven.motion.angular_velocity = {0.5, 1.5, -0.6};
  scene.bodies.push_back(flying);
  scene.bodies.push_back(driven);
  scene.constraints = {constraint};
  scene.constraints[0].stiffness = 100.0;
  return scene;
}

ConstraintSpec between(ConstraintType type, int a, int b) {
  ConstraintSpec constraint;
  constraint.name = "tie";
  constraint.type = type;
  constraint.a = a;
  constraint.b = b;
  constraint.point_a = {0.1, -0.2, 0.05};
  constraint.point_b = {-0.03, 0.08, 0.1};
  constraint.pose_a = pose(constraint.point_a, {0.4, 0.1, -0.2});
  constraint.pose_b = pose(constraint.point_b, {0.1, 0.5, 0.3});
  constraint.length = 0.3;
  return constraint;
}

/// What the rows measure when the state goes on with its velocities for the time dt.
PairMeasure measure_after(const Model& model, const State& state, double dt) {
  VectorX q = state.q;
  advance_positions(model, state.v, dt, &q);
  Kinematics kinematics;
  compute_kinematics(model, q, state.time + dt, state.time + dt, &kinematics);
  PairMeasure measure;
  measure_pair(model.body_pairs[0], kinematics, &measure);
  return measure;
}

/// Of each row, at the start's velocities.
std::vector<double> row_velocities(const Model& model, const State& state, const PairMeasure& measure) {
  const BodyPair& pair = model.body_pairs[0];
  Kinematics kinematics;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  std::vector<double> velocities;
  for (std::size_t i = 0; i < pair.rows.size(); ++i) {
    std::vector<RowTerm> terms;
    append_terms(model, kinematics, pair, measure.point, measure.rows[i], &terms);
    EXPECT_FALSE(terms.empty());
    velocities.push_back(prescribed_velocity(kinematics, pair, measure.point, measure.rows[i]));
    for (const RowTerm& term : terms) velocities.back() += term.coefficient * state.v[term.v];
  }
  return velocities;
}

// Free with tree, with the world, with a prescribed body; two bodies of one tree, one of them its ancestor.
constexpr std::pair<int, int> kBodies[] = {{7, 6}, {-1, 7}, {8, 7}, {5, 3}, {0, 4}, {3, -1}, {4, 8}};

// A vector's rows need not be its rate: the power of a spring, x . v, is the change of x^2/2, and of a
// distance the row is the rate itself. Central differences of 1e-5 s leave 1e-9.
TEST(BodyPair, RowsFollowWhatTheyMeasure) {
  for (const ConstraintType type :
       {ConstraintType::kDistance, ConstraintType::kBall, ConstraintType::kWeld}) {
    for (const auto& [a, b] : kBodies) {
      const Built built = build_valid(scene_with(between(type, a, b)));
      constexpr double kTime = 1e-5;
      const PairMeasure now = measure_after(built.model, built.state, 0.0),
                        before = measure_after(built.model, built.state, -kTime),
                        after = measure_after(built.model, built.state, kTime);
      const std::vector<double> v = row_velocities(built.model, built.state, now);
      for (std::size_t first = 0; first < v.size(); first += 3) {
        double power = 0.0, change = 0.0, size = 0.0;
        for (std::size_t i = first; i < std::min(first + 3, v.size()); ++i) {
          power += now.rows[i].x * v[i];
          change += 0.25 / kTime * (after.rows[i].x * after.rows[i].x - before.rows[i].x * before.rows[i].x);
          size += std::abs(now.rows[i].x);
        }
        EXPECT_GT(size, 1e-2);
        EXPECT_NEAR(power, change, 1e-7) << static_cast<int>(type) << ": " << a << ", " << b;
      }
    }
  }
}

// Where it is held the rows are the rates of what they measure.
TEST(BodyPair, RowsOfWhatCoincidesAreItsRates) {
  for (const auto& [a, b] : kBodies) {
    Scene scene = scene_with(between(ConstraintType::kWeld, a, b));
    const Built loose = build_valid(scene);
    Kinematics kinematics;
    compute_kinematics(loose.model, loose.state.q, 0.0, 0.0, &kinematics);
    // Frame b onto frame a.
    const auto pose_of = [&](int body) { return body < 0 ? RigidTransform() : kinematics.X_WB[body]; };
    const BodyPair& pair = loose.model.body_pairs[0];
    const RigidTransform X = pose_of(b).inverse() * (pose_of(a) * pair.X_A);
    scene.constraints[0].pose_b = {X.p, Quaternion(X.R)};
    const Built built = build_valid(scene);
    constexpr double kTime = 1e-5;
    const PairMeasure now = measure_after(built.model, built.state, 0.0),
                      before = measure_after(built.model, built.state, -kTime),
                      after = measure_after(built.model, built.state, kTime);
    const std::vector<double> v = row_velocities(built.model, built.state, now);
    for (std::size_t i = 0; i < v.size(); ++i) {
      EXPECT_NEAR(now.rows[i].x, 0.0, 1e-12);
      EXPECT_NEAR(v[i], (after.rows[i].x - before.rows[i].x) / (2.0 * kTime), 1e-7)
          << i << ": " << a << ", " << b;
    }
  }
}

std::array<double, 6> bias_accelerations_at_start(const Built& built) {
  const Model& model = built.model;
  Kinematics kinematics;
  Dynamics dynamics;
  std::vector<Twist> twists;
  compute_kinematics(model, built.state.q, 0.0, 0.0, &kinematics);
  compute_twists(model, kinematics, built.state.v, &twists);
  compute_dynamics(model, kinematics, built.state, 0.0, &dynamics);
  std::array<double, 6> accelerations{};
  bias_accelerations(model.body_pairs[0], kinematics, {twists, dynamics.acceleration}, &accelerations);
  return accelerations;
}

// Second differences of what the rows measure, with velocities of coordinates that stay: 1e-4 s leaves 1e-6.
TEST(BodyPair, BiasAccelerationsAreThoseOfSteadyCoordinates) {
  for (const ConstraintType type : {ConstraintType::kDistance, ConstraintType::kBall}) {
    for (const auto& [a, b] : kBodies) {
      const Built built = build_valid(scene_with(between(type, a, b)));
      const Model& model = built.model;
      constexpr double kTime = 1e-4;
      const PairMeasure now = measure_after(model, built.state, 0.0),
                        before = measure_after(model, built.state, -kTime),
                        after = measure_after(model, built.state, kTime);
      const std::array<double, 6> accelerations = bias_accelerations_at_start(built);
      double size = 0.0;
      for (std::size_t i = 0; i < model.body_pairs[0].rows.size(); ++i) {
        const double second = (before.rows[i].x - 2.0 * now.rows[i].x + after.rows[i].x) / (kTime * kTime);
        EXPECT_NEAR(accelerations[i], second, 1e-6 * (1.0 + std::abs(second))) << i << ": " << a << ", " << b;
        size += std::abs(second);
      }
      EXPECT_GT(size, 1e-2);
    }
  }
}

// The same of a weld that holds: angles, too. The twist of a frame against another is of first order in the
// deviation, so that a weld that holds has equal angular velocities.
TEST(BodyPair, BiasAccelerationsOfAWeld) {
  for (const auto& [a, b] : kBodies) {
    const Built built = build_valid(scene_with(between(ConstraintType::kWeld, a, b)));
    const Model& model = built.model;
    const std::array<double, 6> accelerations = bias_accelerations_at_start(built);
    // Differences of the angular velocities, with velocities of coordinates that stay.
    constexpr double kTime = 1e-5;
    const auto turning = [&](double dt) {
      VectorX q = built.state.q;
      advance_positions(model, built.state.v, dt, &q);
      Kinematics moved;
      compute_kinematics(model, q, dt, dt, &moved);
      std::vector<Twist> V;
      compute_twists(model, moved, built.state.v, &V);
      return Vector3((b < 0 ? Vector3::Zero().eval() : V[b].w) - (a < 0 ? Vector3::Zero().eval() : V[a].w));
    };
    const Vector3 rate = (turning(kTime) - turning(-kTime)) / (2.0 * kTime);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(accelerations[i], rate[i], 1e-7 * (1.0 + std::abs(rate[i]))) << a << ", " << b;
  }
}

// J^T of a force and a torque do the power of the body's own motion, less what its prescribed root does.
TEST(Force, GeneralizedForcesHaveTheirPower) {
  Scene scene = scene_with(between(ConstraintType::kBall, 7, 8));
  for (const int body : {0, 4, 5, 6, 7}) {
    for (const bool is_torque : {false, true}) {
      ForceSpec force;
      force.name = "push";
      force.body = body;
      force.is_torque = is_torque;
      force.point = Vector3(0.2, -0.1, 0.3);
      force.value.value = {1.0, -2.0, 0.7};
      force.frame = ForceFrame::kBody;
      scene.forces = {force};
      const Built built = build_valid(scene);
      Kinematics kinematics;
      std::vector<Twist> twists;
      compute_kinematics(built.model, built.state.q, 0.0, 0.0, &kinematics);
      compute_twists(built.model, kinematics, built.state.v, &twists);
      VectorX generalized = VectorX::Zero(built.model.nv);
      add_forces(built.model, kinematics, 0.0, &generalized);
      const Matrix3& R = kinematics.X_WB[body].R;
      const Vector3 value = R * force.value.value;
      const double power =
          is_torque ? value.dot(twists[body].w) : value.dot(twists[body].at(R * Vector3(0.2, -0.1, 0.3)));
      EXPECT_NEAR(generalized.dot(built.state.v), power, 1e-12);
    }
  }
}

}  // namespace
}  // namespace csim
