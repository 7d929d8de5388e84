// Joints of a result file with their frames.
#pragma once

#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "record/reader.h"

namespace csim {

struct ViewJoint {
  std::string name, type;
  int parent = -1, child = -1;  // rows of /bodies; parent -1: the world
  RigidTransform X_PJ;          // the joint frame in the parent
  Vector3 axis;                 // unit, joint frame: of revolute, prismatic and screw joints
};

/// The rows of /joints; none of a file that is older than its frames.
[[nodiscard]] std::vector<ViewJoint> read_joints(const ResultFile& result);

}  // namespace csim
