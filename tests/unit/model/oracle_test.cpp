// Motions that Drake and Pinocchio compute for the same scheme: see the origin at each test.
#include "unit/model/test_scenes.h"

namespace csim {
namespace {

using namespace test;

// A physical pendulum with armature and implicit joint damping, h = 1 ms. Values: Drake 1.51.1's discrete
// step and Pinocchio 4.1's symplectic Euler, which agree to 1e-15.
TEST(Oracle, PendulumWithArmatureAndDamping) {
  Scene scene;
  scene.bodies = {fixed_body("base", {0, 0, 1}),
                  heavy_body("bob", 0.9, {0, 0.05, -0.35}, {0.012, 0.015, 0.008, 0, 0, 0})};
  JointSpec hinge = joint("hinge", JointType::kRevolute, 0, 1);
  hinge.pose = {{0.1, 0, 0}, rotation_from_rpy({0, 0, 30.0 * EIGEN_PI / 180.0})};
  hinge.axis = Vector3::UnitY();
  hinge.damping = {0.08};
  hinge.armature = {0.03};
  hinge.position = {0.7};
  scene.joints = {hinge};
  Built built = build_valid(scene);
  FreeStepper stepper(built.model);

  const std::vector<int> steps{100, 200, 400, 600, 800};
  const std::vector<double> angle{0.6371813509623294, 0.4638052396104184, -0.0635904040918846,
                                  -0.49516337290139545, -0.547595967082375};
  const std::vector<double> rate{-1.217544701039799, -2.183188225249937, -2.7340671625067943,
                                 -1.3366362905275238, 0.7949295048311569};
  const std::vector<Vector4> quaternion{
      {0.9173183152371397, -0.08106949296463636, 0.30255546668787064, 0.2457947017700696},
      {0.9400688403870551, -0.05948428453155968, 0.22199837212366422, 0.25189068661137337},
      {0.9654376233682614, 0.008227817370933406, -0.030706632463721264, 0.258688231524148},
      {0.936472708060614, 0.06342622212613287, -0.23670988350687722, 0.250927105858628},
      {0.9299459645434899, 0.06998205317021118, -0.2611765780492148, 0.24917827020400957}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    while (built.state.step < steps[i]) stepper.step(1e-3, &built.state);
    // 800 steps of the same scheme: rounding grows to some 1e-13.
    EXPECT_NEAR(built.state.q[0], angle[i], 1e-12);
    EXPECT_NEAR(built.state.v[0], rate[i], 1e-12);
    std::vector<Twist> twists;
    const Kinematics& kinematics = stepper.observe(built.state, &twists);
    const Quaternion& q = kinematics.q_WB[1];
    EXPECT_LT((Vector4(q.w(), q.x(), q.y(), q.z()) - quaternion[i]).norm(), 1e-12);
    EXPECT_LT((kinematics.X_WB[1].p - Vector3(0.1, 0, 1)).norm(), 1e-15);
    EXPECT_LT(twists[1].v.norm(), 1e-15);
    EXPECT_LT((twists[1].w - rate[i] * Vector3(-0.5, std::sqrt(0.75), 0)).norm(), 1e-12);
  }
}

// A thrown body whose centre of mass is away from its origin. Values: Drake's and Pinocchio's equations of
// motion integrated to 1e-11; tolerances: three times the error of a first-order scheme at this step.
TEST(Oracle, ThrownBodyWithOffsetCentreOfMass) {
  Scene scene;
  BodySpec hammer = heavy_body("hammer", 2.0, {0, 0.15, 0.05}, {0.02, 0.02, 0.02, 0, 0, 0});
  hammer.pose = {{0.2, 0, 1}, rotation_from_rpy({0, EIGEN_PI / 2, 0})};
  hammer.linear_velocity = {-0.5, 1.0, 2.0};
  hammer.angular_velocity = {1.0, -2.0, 1.5};
  scene.bodies = {hammer};
  Built built = build_valid(scene);
  FreeStepper stepper(built.model);

  const std::vector<Vector3> position{{0.15277315089704008, 0.10301009248571562, 1.1531146893829276},
                                      {0.10981312591287865, 0.2121833322221609, 1.213502359020962},
                                      {0.06899118474818326, 0.32739914047030244, 1.182421397461614},
                                      {0.028024510294937563, 0.44810149264695953, 1.0606523166659871}};
  const std::vector<Vector4> quaternion{
      {0.771205565561975, -0.017624316610332844, 0.6302110326793091, 0.08812158305166587},
      {0.8213473490666559, -0.03492967467931985, 0.5419099516320907, 0.17464837339660308},
      {0.8566246837420457, -0.05160288806251233, 0.443801579241943, 0.2580144403125635},
      {0.8763991330768904, -0.06734221094261261, 0.33766144553598687, 0.33671105471306284}};
  const std::vector<Vector3> velocity{{-0.4475945175063725, 1.0607450369645477, 1.0650563942903097},
                                      {-0.41517971637753986, 1.1225173298483275, 0.14480958404945932},
                                      {-0.4050915056119213, 1.1808653796636317, -0.7651184900405368},
                                      {-0.41805687230203686, 1.2315844487773746, -1.6698494867621474}};
  for (std::size_t i = 0; i < position.size(); ++i) {
    while (built.state.step < 1000 * static_cast<long>(i + 1)) stepper.step(1e-4, &built.state);
    std::vector<Twist> twists;
    const Kinematics& kinematics = stepper.observe(built.state, &twists);
    const Quaternion& q = kinematics.q_WB[0];
    EXPECT_LT((kinematics.X_WB[0].p - position[i]).cwiseAbs().maxCoeff(), 5.66e-4);
    EXPECT_LT((Vector4(q.w(), q.x(), q.y(), q.z()) - quaternion[i]).cwiseAbs().maxCoeff(), 2e-6);
    EXPECT_LT((twists[0].v - velocity[i]).cwiseAbs().maxCoeff(), 2.19e-3);
    EXPECT_LT((twists[0].w - Vector3(1.0, -2.0, 1.5)).cwiseAbs().maxCoeff(), 6e-5);
  }
}

}  // namespace
}  // namespace csim
