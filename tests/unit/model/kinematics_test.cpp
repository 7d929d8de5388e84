// Poses, Jacobians and position updates against finite differences.
#include "model/kinematics.h"

#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

// The twist that takes X0 to X1 in the time 2 dt, by central differences about the pose between them.
Twist finite_twist(const RigidTransform& X0, const RigidTransform& X1, double dt) {
  const Eigen::AngleAxisd rotation(Matrix3(X1.R * X0.R.transpose()));
  return {rotation.angle() / (2 * dt) * rotation.axis(), (X1.p - X0.p) / (2 * dt)};
}

double distance(const Twist& a, const Twist& b) {
  return (a.w - b.w).norm() + (a.v - b.v).norm();
}

// dt = 1e-5: truncation dt^2 times third derivatives below 10 is 1e-9; rounding 1e-16/dt is 1e-11.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-8;

void expect_twists_match_poses(const Model& model, const VectorX& q, const VectorX& v) {
  Kinematics middle, before, after;
  VectorX q0 = q, q1 = q;
  advance_positions(model, v, -kStep, &q0);
  advance_positions(model, v, kStep, &q1);
  compute_kinematics(model, q, 0, 0, &middle);
  compute_kinematics(model, q0, 0, 0, &before);
  compute_kinematics(model, q1, 0, 0, &after);
  std::vector<Twist> twists;
  compute_twists(model, middle, v, &twists);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    EXPECT_LT(distance(twists[i], finite_twist(before.X_WB[i], after.X_WB[i], kStep)), kTolerance)
        << model.bodies[i].name;
    EXPECT_LT((middle.q_WB[i].toRotationMatrix() - middle.X_WB[i].R).norm(), 1e-15);
    EXPECT_NEAR(middle.q_WB[i].norm(), 1.0, 1e-15);
  }
}

TEST(Kinematics, TwistsAreTheRatesOfThePoses) {
  const Built built = build_valid(all_joints_scene());
  ASSERT_EQ(built.model.nv, 16);
  ASSERT_EQ(built.model.nq, 18);
  expect_twists_match_poses(built.model, built.state.q, built.state.v);
  for (int i = 0; i < built.model.nv; ++i) {
    SCOPED_TRACE(i);
    expect_twists_match_poses(built.model, built.state.q, VectorX::Unit(built.model.nv, i));
  }
}

TEST(Kinematics, TwistsAreJacobiansTimesVelocities) {
  const Built built = build_valid(all_joints_scene());
  const Model& model = built.model;
  Kinematics kinematics;
  compute_kinematics(model, built.state.q, 0, 0, &kinematics);
  std::vector<Twist> twists;
  compute_twists(model, kinematics, built.state.v, &twists);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Eigen::Map<const Matrix6X> J(kinematics.jacobians.data() + kinematics.jacobian_begin[i], 6,
                                       model.nv);
    const Vector6 V = J * built.state.v;
    // Two orders of summation.
    EXPECT_LT(distance(twists[i], {V.head<3>(), V.tail<3>()}), 1e-14);
  }
}

// The table of conventions: where a child stands and how it moves for given coordinates, joint frame and
// parent oblique.
struct Convention {
  JointType type;
  std::vector<double> position, velocity;
  Vector3 p_FB;
  Quaternion q_FB;
  Vector3 w, v;      // of the child in the parent
  bool parent_axes;  // w, v in the parent's axes rather than those of the joint frame
};

class Conventions : public ::testing::TestWithParam<Convention> {};

TEST_P(Conventions, ChildStandsAndMovesAsTheContractSays) {
  const Convention& expected = GetParam();
  Scene scene;
  scene.bodies = {fixed_body("base"), heavy_body("child", 1.0, Vector3::Zero(), {1, 1, 1, 0, 0, 0})};
  scene.bodies[0].pose = pose({0.5, -0.3, 0.2}, {0.4, 0.9, -0.2});
  JointSpec spec = joint("joint", expected.type, 0, 1);
  spec.pose = pose({1, 2, 3}, {-0.7, 0.3, 1.1});
  // The plane of a planar joint is across its axis; the table has that of x and y.
  spec.axis =
      expected.type == JointType::kPlanar ? Vector3(Vector3::UnitZ()) : Vector3(Vector3(2, 3, 6) / 7.0);
  spec.position = expected.position;
  spec.velocity = expected.velocity;
  scene.joints = {spec};
  const Built built = build_valid(scene);
  Kinematics kinematics;
  compute_kinematics(built.model, built.state.q, 0, 0, &kinematics);
  std::vector<Twist> twists;
  compute_twists(built.model, kinematics, built.state.v, &twists);

  const RigidTransform X_WP(scene.bodies[0].pose.rotation, scene.bodies[0].pose.xyz);
  const RigidTransform X_WF = X_WP * RigidTransform(spec.pose.rotation, spec.pose.xyz);
  const RigidTransform X_WB = X_WF * RigidTransform(expected.q_FB, expected.p_FB);
  const Matrix3& R = expected.parent_axes ? X_WP.R : X_WF.R;
  // A handful of roundings of numbers up to 4.
  EXPECT_LT((kinematics.X_WB[1].p - X_WB.p).norm(), 4e-15);
  EXPECT_LT((kinematics.X_WB[1].R - X_WB.R).norm(), 4e-15);
  EXPECT_LT((twists[1].w - R * expected.w).norm(), 4e-15);
  EXPECT_LT((twists[1].v - R * expected.v).norm(), 4e-15);
}

const Quaternion kTurn(0.5, -0.5, 0.5, 0.5);
const Quaternion kAboutAxis(Eigen::AngleAxisd(0.8, Vector3(2, 3, 6) / 7.0));
const Quaternion kAboutX(Eigen::AngleAxisd(0.3, Vector3::UnitX()));
const Quaternion kAboutY(Eigen::AngleAxisd(-0.6, Vector3::UnitY()));
const Quaternion kAboutZ(Eigen::AngleAxisd(0.7, Vector3::UnitZ()));
const Quaternion kNone = Quaternion::Identity();
const Vector3 kZero = Vector3::Zero();

INSTANTIATE_TEST_SUITE_P(
    Joints, Conventions,
    ::testing::Values(
        Convention{JointType::kFree,
                   {0.5, -0.5, 0.5, 0.5, 1, 2, 3},
                   {1, 2, 3, 4, 5, 6},
                   {1, 2, 3},
                   kTurn,
                   {1, 2, 3},
                   {4, 5, 6},
                   true},
        Convention{JointType::kWeld, {}, {}, kZero, kNone, kZero, kZero, false},
        Convention{
            JointType::kRevolute, {0.8}, {1.4}, kZero, kAboutAxis, Vector3(0.4, 0.6, 1.2), kZero, false},
        Convention{
            JointType::kPrismatic, {0.7}, {1.4}, {0.2, 0.3, 0.6}, kNone, kZero, {0.4, 0.6, 1.2}, false},
        Convention{JointType::kPlanar,
                   {0.1, 0.2, 0.7},
                   {1, 2, 3},
                   {0.1, 0.2, 0},
                   kAboutZ,
                   {0, 0, 3},
                   {1, 2, 0},
                   false},
        Convention{JointType::kBall, {0.5, -0.5, 0.5, 0.5}, {1, 2, 3}, kZero, kTurn, {1, 2, 3}, kZero, false},
        Convention{JointType::kUniversal,
                   {0.3, -0.6},
                   {2, 3},
                   kZero,
                   kAboutX* kAboutY,
                   Vector3(2, 3 * std::cos(0.3), 3 * std::sin(0.3)),
                   kZero,
                   false},
        // At position zero the child lies on the joint frame.
        Convention{JointType::kUniversal, {0, 0}, {2, 3}, kZero, kNone, {2, 3, 0}, kZero, false},
        Convention{JointType::kRevolute, {0}, {0}, kZero, kNone, kZero, kZero, false},
        Convention{
            JointType::kFree, {1, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, kZero, kNone, kZero, kZero, true}));

// q1 = q0 + dt N v with the quaternion normalised, not the exponential map: a turn of |w| dt advances the
// angle by 2 atan(|w| dt / 2).
TEST(Kinematics, QuaternionsAdvanceLinearly) {
  Scene scene;
  scene.bodies = {heavy_body("top", 1.0, Vector3::Zero(), {1, 1, 1, 0, 0, 0})};
  Built built = build_valid(scene);
  VectorX v = VectorX::Zero(6);
  v << 0, 0, 3, 1, 2, 3;
  advance_positions(built.model, v, 0.1, &built.state.q);
  const double half = std::atan(0.15);
  VectorX expected(7);
  expected << std::cos(half), 0, 0, std::sin(half), 0.1, 0.2, 0.3;
  EXPECT_LT((built.state.q - expected).norm(), 1e-15);
}

// A free joint on the world with a frame of its own is a free body: its block of J is the identity, its
// velocities are the world's.
TEST(Kinematics, FreeJointOnTheWorldIsAFreeBody) {
  Scene scene;
  scene.bodies = {heavy_body("top", 1.0, {0.1, 0.2, 0.3}, {1, 1.1, 1.2, 0, 0, 0})};
  JointSpec free = joint("free", JointType::kFree, -1, 0);
  free.pose = pose({1, 2, 3}, {0.3, -0.8, 0.5});
  free.position = unit_quaternion(1, 2, -1, 0.5);
  free.position.insert(free.position.end(), {0.1, 0.2, -0.4});
  free.velocity = {1, -2, 0.5, 0.3, 0.2, -0.7};
  scene.joints = {free};
  const Built built = build_valid(scene);
  ASSERT_TRUE(built.model.trees[0].single_free_body);
  expect_twists_match_poses(built.model, built.state.q, built.state.v);

  // The same pose and velocity as a body without a joint.
  Kinematics kinematics, plain_kinematics;
  compute_kinematics(built.model, built.state.q, 0, 0, &kinematics);
  Scene plain = scene;
  plain.joints.clear();
  plain.bodies[0].pose = {kinematics.X_WB[0].p, kinematics.q_WB[0]};
  plain.bodies[0].angular_velocity = {1, -2, 0.5};
  plain.bodies[0].linear_velocity = {0.3, 0.2, -0.7};
  const Built same = build_valid(plain);
  compute_kinematics(same.model, same.state.q, 0, 0, &plain_kinematics);
  Dynamics dynamics, plain_dynamics;
  compute_dynamics(built.model, kinematics, built.state, 0, &dynamics);
  compute_dynamics(same.model, plain_kinematics, same.state, 0, &plain_dynamics);
  EXPECT_LT((dynamics.force - plain_dynamics.force).norm(), 1e-14);
  for (int i = 0; i < 36; ++i) EXPECT_NEAR(dynamics.mass[i], plain_dynamics.mass[i], 1e-15);
}

}  // namespace
}  // namespace csim
