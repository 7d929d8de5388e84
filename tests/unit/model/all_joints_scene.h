// A branched tree with every type of joint, oblique frames and a moving start:
//
//   world - revolute - [0] - prismatic - [1] - planar - [4] - weld - [5]
//                       |
//                       +--- universal - [2] - ball - [3] - free - [6]
#pragma once

#include "unit/model/test_scenes.h"

namespace csim::test {

inline Pose pose(const Vector3& xyz, const Vector3& rpy) {
  return {xyz, rotation_from_rpy(rpy)};
}

inline std::vector<double> unit_quaternion(double w, double x, double y, double z) {
  const double norm = std::sqrt(w * w + x * x + y * y + z * z);
  return {w / norm, x / norm, y / norm, z / norm};
}

inline Scene all_joints_scene() {
  Scene scene;
  scene.gravity = {0.3, -0.4, -9.7};
  scene.bodies = {heavy_body("b0", 1.2, {0.1, 0.05, -0.2}, {0.03, 0.04, 0.05, 0.002, -0.003, 0.001}),
                  heavy_body("b1", 0.7, {-0.02, 0.1, 0.03}, {0.01, 0.02, 0.015, 0.001, 0.002, -0.001}),
                  heavy_body("b2", 0.9, {0.05, -0.1, 0.15}, {0.02, 0.01, 0.025, 0, 0.001, 0.002}),
                  heavy_body("b3", 0.5, {0.1, 0.1, 0}, {0.008, 0.009, 0.01, 0, 0, 0}),
                  heavy_body("b4", 0.6, {0.03, -0.04, 0.05}, {0.006, 0.007, 0.008, 0.0005, 0, -0.0005}),
                  heavy_body("b5", 0.4, {0, 0.05, 0}, {0.003, 0.004, 0.005, 0, 0.0002, 0}),
                  heavy_body("b6", 0.8, {0.02, 0.06, -0.05}, {0.011, 0.012, 0.013, 0.001, -0.001, 0.0005})};

  JointSpec revolute = joint("revolute", JointType::kRevolute, -1, 0);
  revolute.pose = pose({0.1, 0.2, 0.3}, {0.3, -0.2, 0.5});
  revolute.axis = Vector3(1, 2, 2) / 3.0;
  revolute.position = {0.4};
  revolute.velocity = {1.1};

  JointSpec prismatic = joint("prismatic", JointType::kPrismatic, 0, 1);
  prismatic.pose = pose({0.3, 0, -0.1}, {-0.4, 0.1, 0.2});
  prismatic.axis = Vector3(2, -1, 2) / 3.0;
  prismatic.position = {0.25};
  prismatic.velocity = {-0.4};

  JointSpec universal = joint("universal", JointType::kUniversal, 0, 2);
  universal.pose = pose({-0.2, 0.1, 0.4}, {0.2, 0.6, -0.3});
  universal.position = {0.3, -0.5};
  universal.velocity = {0.7, -0.9};

  JointSpec ball = joint("ball", JointType::kBall, 2, 3);
  ball.pose = pose({0.15, 0.25, -0.05}, {-0.1, 0.3, 0.7});
  ball.position = unit_quaternion(0.8, 0.1, -0.3, 0.4);
  ball.velocity = {0.5, -0.8, 1.2};

  JointSpec planar = joint("planar", JointType::kPlanar, 1, 4);
  planar.pose = pose({0, 0.2, 0.1}, {0.5, -0.5, 0.1});
  planar.position = {0.12, -0.07, 0.6};
  planar.velocity = {0.3, -0.6, 1.4};

  JointSpec weld = joint("weld", JointType::kWeld, 4, 5);
  weld.pose = pose({0.1, -0.1, 0.2}, {0.2, 0.1, -0.4});

  JointSpec free = joint("free", JointType::kFree, 3, 6);
  free.pose = pose({-0.1, 0.3, 0.2}, {0.7, 0.2, -0.6});
  free.position = unit_quaternion(0.5, -0.6, 0.2, 0.3);
  free.position.insert(free.position.end(), {0.3, -0.2, 0.15});
  free.velocity = {0.9, 0.4, -0.7, -0.5, 0.8, 0.2};

  // Out of the order of the bodies on purpose.
  scene.joints = {weld, free, revolute, ball, prismatic, universal, planar};
  return scene;
}

}  // namespace csim::test
