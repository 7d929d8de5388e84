// A robot's file becomes bodies, joints, followers, materials and excluded pairs of the scene.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/read_scene.h"
#include "scene/resolve.h"
#include "support/source_folder.h"

namespace csim {
namespace {

const std::string kRobots = test::source_folder() + std::string("/tests/robots/");

SceneReadResult read(const std::string& model, const std::vector<std::string>& overrides = {},
                     const std::string& rest = "") {
  const std::string text =
      "csim: 1\ntime: {end: 1}\nmaterials: {steel: {friction: 0.3}}\nbodies:\n"
      "  - {name: table, fixed: true}\nmodels:\n  - {file: arm_description/urdf/arm.urdf" +
      model + "}\n" + rest;
  return read_scene_text(text, kRobots + "scene.yaml", overrides);
}

Scene good(const std::string& model, const std::vector<std::string>& overrides = {},
           const std::string& rest = "") {
  SceneReadResult result = read(model, overrides, rest);
  EXPECT_EQ(format_diagnostics(result.diagnostics), "");
  return result.scene;
}

/// What is wrong, without its places.
std::string wrong(const std::string& model, const std::vector<std::string>& overrides = {}) {
  std::string text;
  for (const Diagnostic& d : read(model, overrides).diagnostics) text += d.path + ": " + d.message + "\n";
  return text;
}

const BodySpec& body(const Scene& scene, const std::string& name) {
  for (const BodySpec& body : scene.bodies) {
    if (body.name == name) return body;
  }
  ADD_FAILURE() << "no body " << name;
  return scene.bodies.front();
}

const JointSpec& joint(const Scene& scene, const std::string& name) {
  for (const JointSpec& joint : scene.joints) {
    if (joint.name == name) return joint;
  }
  ADD_FAILURE() << "no joint " << name;
  return scene.joints.front();
}

TEST(Models, LinksAndJointsStandBehindThoseOfTheSceneInFileOrder) {
  const Scene scene = good("");
  std::vector<std::string> bodies, joints;
  for (const BodySpec& body : scene.bodies) bodies.push_back(body.name);
  for (const JointSpec& joint : scene.joints) joints.push_back(joint.name);
  EXPECT_EQ(bodies, (std::vector<std::string>{"table", "arm::base", "arm::upper arm", "arm::elbow.block",
                                              "arm::forearm", "arm::finger"}));
  EXPECT_EQ(joints, (std::vector<std::string>{"arm::shoulder", "arm::bolt", "arm::elbow", "arm::grip"}));
  EXPECT_EQ(joint(scene, "arm::bolt").type, JointType::kWeld);
  EXPECT_TRUE(body(scene, "arm::base").fixed);
  EXPECT_EQ(read("").model_files.size(), 1u);
}

TEST(Models, AnInertiaIsTurnedIntoTheAxesOfItsLink) {
  // A quarter turn about z: x of the inertial's frame is y of the link.
  const Scene scene = good("");
  const BodySpec& arm = body(scene, "arm::upper arm");
  EXPECT_EQ(arm.mass, 2.0);
  EXPECT_EQ(arm.com, Vector3(0, 0, 0.2));
  const std::array<double, 6> expected{0.02, 0.028, 0.01, -0.001, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(arm.inertia[i], expected[i], 1e-17);
  EXPECT_EQ(body(scene, "arm::base").mass, 0.0);
  EXPECT_EQ(body(scene, "arm::elbow.block").mass, 0.5);  // and no tensor: the assembly has one
}

TEST(Models, AJointTakesFrameAxisLimitsDynamicsAndRotor) {
  const Scene scene = good("");
  const JointSpec& shoulder = joint(scene, "arm::shoulder");
  EXPECT_EQ(shoulder.type, JointType::kRevolute);
  EXPECT_EQ(shoulder.axis, Vector3::UnitY());
  EXPECT_EQ(shoulder.pose.xyz, Vector3(0, 0, 0.5));
  // Rz(yaw) Ry(pitch) Rx(roll)
  const Matrix3 R = (Eigen::AngleAxisd(0.3, Vector3::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3::UnitY()) *
                     Eigen::AngleAxisd(0.1, Vector3::UnitX()))
                        .toRotationMatrix();
  EXPECT_LT((shoulder.pose.rotation.toRotationMatrix() - R).norm(), 1e-15);
  EXPECT_EQ(shoulder.limits, (std::vector<double>{0.25, 2.0}));
  EXPECT_EQ(shoulder.damping[0], 0.5);
  EXPECT_EQ(shoulder.friction[0], 0.1);
  EXPECT_DOUBLE_EQ(shoulder.armature[0], 1e-4 * 50 * 50);
  EXPECT_EQ(shoulder.position[0], 0.25);  // the limit nearest to 0
  const JointSpec& elbow = joint(scene, "arm::elbow");
  EXPECT_TRUE(elbow.limits.empty());
  EXPECT_EQ(elbow.axis, Vector3::UnitX());
}

TEST(Models, KeysSwitchWhatTheFileSays) {
  const Scene scene = good(", limits: false, damping: false, friction: false, gravity_compensation: true");
  const JointSpec& shoulder = joint(scene, "arm::shoulder");
  EXPECT_TRUE(shoulder.limits.empty());
  EXPECT_EQ(shoulder.damping[0], 0.0);
  EXPECT_EQ(shoulder.friction[0], 0.0);
  EXPECT_EQ(shoulder.position[0], 0.0);
  EXPECT_TRUE(body(scene, "arm::finger").gravity_compensation);
  EXPECT_FALSE(scene.bodies[0].gravity_compensation);
}

TEST(Models, AFollowerIsACouplerAndStartsWithItsLeader) {
  const Scene scene = good(", positions: {elbow: 0.4}, velocities: {elbow: 2}");
  ASSERT_EQ(scene.constraints.size(), 1u);
  const ConstraintSpec& follower = scene.constraints[0];
  EXPECT_EQ(follower.name, "arm::grip");
  EXPECT_EQ(scene.joints[follower.joint_a].name, "arm::grip");
  EXPECT_EQ(scene.joints[follower.joint_b].name, "arm::elbow");
  EXPECT_EQ(follower.ratio, -0.05);
  EXPECT_EQ(follower.offset, 0.01);
  EXPECT_DOUBLE_EQ(joint(scene, "arm::grip").position[0], -0.05 * 0.4 + 0.01);
  EXPECT_DOUBLE_EQ(joint(scene, "arm::grip").velocity[0], -0.05 * 2);
}

TEST(Models, CollisionsTouchAndVisualsAreSeen) {
  const Scene scene = good("");
  const BodySpec& arm = body(scene, "arm::upper arm");
  ASSERT_EQ(arm.geometry.size(), 3u);
  EXPECT_EQ(arm.geometry[0].name, "tube");
  EXPECT_EQ(arm.geometry[0].shape.type, ShapeType::kCylinder);
  EXPECT_EQ(scene.materials[arm.geometry[0].material].name, "arm::default");
  EXPECT_EQ(arm.geometry[1].name, "geometry_1");
  EXPECT_EQ(arm.geometry[1].shape.type, ShapeType::kConvex);
  EXPECT_EQ(arm.geometry[1].shape.scale, Vector3::Constant(0.5));
  EXPECT_EQ(arm.geometry[2].contact, ContactKind::kNone);
  EXPECT_EQ(arm.geometry[2].color, (Rgba{0.1, 0.2, 0.9, 1.0}));
  // The same box twice: one geometry, in the visual's colour, of Drake's properties.
  const BodySpec& forearm = body(scene, "arm::forearm");
  ASSERT_EQ(forearm.geometry.size(), 1u);
  EXPECT_EQ(forearm.geometry[0].contact, ContactKind::kCompliant);
  EXPECT_EQ(forearm.geometry[0].resolution, 0.02);
  EXPECT_EQ(forearm.geometry[0].color, (Rgba{0.1, 0.2, 0.9, 1.0}));
  const MaterialSpec& material = scene.materials[forearm.geometry[0].material];
  EXPECT_EQ(material.friction, 0.7);
  EXPECT_EQ(material.hydroelastic_modulus, 5e6);

  const Scene surface = good(", mesh: surface, material: steel");
  EXPECT_EQ(body(surface, "arm::upper arm").geometry[1].shape.type, ShapeType::kMesh);
  EXPECT_EQ(surface.materials[body(surface, "arm::upper arm").geometry[0].material].name, "steel");

  const Scene none = good(", geometry: none");
  for (const BodySpec& body : none.bodies) {
    for (const GeometrySpec& geometry : body.geometry) EXPECT_EQ(geometry.contact, ContactKind::kNone);
  }
}

TEST(Models, TheBaseIsTheWorldFreeOrABody) {
  const std::string place = ", pose: {xyz: [1, 2, 3]}";
  EXPECT_EQ(body(good(place), "arm::base").pose.xyz, Vector3(1, 2, 3));
  const Scene free = good(place + ", base: free, velocity: {linear: [1, 0, 0], angular: [0, 0, 2]}");
  EXPECT_FALSE(body(free, "arm::base").fixed);
  EXPECT_EQ(body(free, "arm::base").angular_velocity, Vector3(0, 0, 2));
  const Scene table = good(place + ", base: table");
  const JointSpec& weld = joint(table, "arm::base_weld");
  EXPECT_EQ(weld.type, JointType::kWeld);
  EXPECT_EQ(table.bodies[weld.parent].name, "table");
  EXPECT_EQ(weld.pose.xyz, Vector3(1, 2, 3));
  const std::string on_the_other =
      "  - {file: arm_description/urdf/arm.urdf, name: second, base: \"arm::finger\"}\n";
  const Scene two = good("", {}, on_the_other);
  EXPECT_EQ(two.bodies[joint(two, "second::base_weld").parent].name, "arm::finger");
  const auto problems = read(", positions: {knee: 1}", {}, on_the_other).diagnostics;
  ASSERT_EQ(problems.size(), 1u);  // the links of a model with a mistake are known all the same
  EXPECT_EQ(problems[0].path, "models.0.positions.knee");
}

TEST(Models, PairsAreExcludedByKeysAndBySrdf) {
  EXPECT_TRUE(good("").contact.exclude.empty());
  const Scene pair = good(", exclude: [[upper arm, forearm]]");
  ASSERT_EQ(pair.contact.exclude.size(), 1u);
  EXPECT_EQ(pair.bodies[pair.contact.exclude[0].a.body].name, "arm::upper arm");
  const Scene srdf = good(", srdf: arm_description/arm.srdf");
  ASSERT_EQ(srdf.contact.exclude.size(), 1u);
  EXPECT_EQ(read(", srdf: arm_description/arm.srdf").model_files.size(), 2u);
  const Scene all = good(", self_collision: false");
  ASSERT_EQ(all.contact.exclude.size(), 1u);
  EXPECT_EQ(all.contact.exclude[0].a.type, SelectorType::kGroup);
  EXPECT_EQ(body(all, "arm::forearm").geometry[0].groups.at(0), all.contact.exclude[0].a.group);
}

TEST(Models, ItemsAreNamedByTheRestOfTheSceneAndOnTheCommandLine) {
  const Scene scene = good(
      "",
      {"bodies.arm::elbow.block.mass=0.75", "joints.arm::shoulder.damping=2", "models.0.positions.elbow=1"},
      "actuators:\n"
      "  - {name: a, joint: \"arm::shoulder\", type: effort, command: 1}\n"
      "  - {name: b, joint: \"arm::elbow\", type: effort, command: 1}\n"
      "contact: {pairs: [{a: \"arm::upper arm/tube\", b: \"arm::forearm\", friction: 0.1}]}\n");
  EXPECT_EQ(body(scene, "arm::elbow.block").mass, 0.75);
  EXPECT_EQ(joint(scene, "arm::shoulder").damping[0], 2.0);
  EXPECT_EQ(scene.actuators[0].effort_limit, 40.0);
  EXPECT_FALSE(scene.actuators[1].effort_limit.has_value());  // the file's 0 means none
  EXPECT_EQ(scene.bodies[scene.contact.pairs[0].a.body].name, "arm::upper arm");
}

TEST(Models, TheResolvedSceneIsTheSame) {
  const Scene scene = good(", positions: {elbow: 0.123456789012345}", {},
                           "actuators: [{name: a, joint: \"arm::shoulder\", type: effort, command: 1}]\n");
  const std::string text = resolved_yaml(scene);
  SceneReadResult again = read_scene_text(text, "/tmp/resolved.yaml");
  EXPECT_EQ(format_diagnostics(again.diagnostics), "");
  EXPECT_EQ(resolved_yaml(again.scene), text);
}

TEST(Models, NotesSayWhatIsReadAndHasNoEffect) {
  std::string text;
  for (const Diagnostic& note : read(", srdf: arm_description/arm.srdf").notes)
    text += std::to_string(note.line) + ": " + note.path + ": " + note.message + "\n";
  EXPECT_EQ(
      text,
      "13: robot/link[upper arm]/visual/geometry/mesh: a visual that cannot be read is not seen: "
      "package://arm_description/meshes/none.obj\n"
      "21: robot/joint[shoulder]/limit: a velocity limit, which is read and not enforced: shoulder, elbow\n"
      "21: robot/joint[shoulder]/limit: 0 lies outside the limits, starts at the nearest one: shoulder\n"
      "29: robot/joint[bolt]/mimic: on a fixed joint, which follows nothing: bolt\n"
      "35: robot/link[forearm]/collision/drake:proximity_properties: other than drake:mu_dynamic, which "
      "counts: drake:mu_static\n"
      "44: robot/joint[elbow]/limit: a range of a continuous joint, which has none: elbow\n"
      "49: robot/joint[grip]: without limits: grip\n"
      "58: robot/xacro:gripper: instructions of xacro, which are ignored: it expands them to a URDF: "
      "xacro:gripper\n"
      "3: robot/disable_collisions: collisions disabled of links that the robot has not: camera\n");
}

TEST(Models, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(wrong(", base: chair"), "models.0.base: 'chair', unknown body, expected world, free or table\n");
  EXPECT_EQ(wrong(", positions: {grip: 1}"),
            "models.0.positions.grip: which follows 'elbow' (mimic), expected that joint alone\n");
  EXPECT_EQ(wrong(", positions: {bolt: 1}"),
            "models.0.positions.bolt: a fixed joint, which has no coordinate\n");
  EXPECT_EQ(wrong("", {"bodies.arm::forearm.mass=-1"}),
            "bodies.arm::forearm.mass: -1, expected a number >= 0 (kg)\n");
  EXPECT_EQ(wrong(", velocity: {linear: [0, 0, 1]}"),
            "models.0.velocity: a velocity of a root that is welded, expected it with base: free\n");
}

}  // namespace
}  // namespace csim
