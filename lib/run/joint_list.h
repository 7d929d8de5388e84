// The joints of a scene in words: what connects what, with which limits, and the masses that they carry.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace csim {

struct JointRow {
  std::string name, type, parent, child;  // bodies, or world
  std::vector<double> position;           // m or rad
  std::vector<double> limits;             // lower and upper; empty: none
  std::vector<double> damping, friction, armature;
  double mass = 0.0;                  // kg, of the child alone
  Vector3 com = Vector3::Zero();      // m, in the child
  Vector3 moments = Vector3::Zero();  // kg m^2, principal, ascending
};

/// In the scene's order.
[[nodiscard]] std::vector<JointRow> list_joints(const Scene& scene, const Model& model);

/// "hinge: revolute, world to arm (2 kg), at 0.5 in [-1, 1] rad, damping 0.1".
[[nodiscard]] std::string joint_text(const JointRow& row);

}  // namespace csim
