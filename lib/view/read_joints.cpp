#include "view/read_joints.h"

#include "view/read_parts.h"

namespace csim {
std::vector<ViewJoint> read_joints(const ResultFile& result) {
  std::vector<ViewJoint> joints;
  if (!result.has("/joints/type")) return joints;
  const auto names = result.texts("/joints/name"), types = result.texts("/joints/type");
  const auto parent = result.integer("/joints/parent"), child = result.integer("/joints/child");
  const auto position = result.real("/joints/position"), quaternion = result.real("/joints/quaternion"),
             axis = result.real("/joints/axis");
  const std::size_t num_bodies = result.texts("/bodies/name").size();
  for (std::size_t j = 0; j < names.size(); ++j) {
    joints.push_back({names[j], types.at(j), body_at(result, "/joints", parent, j, -1, num_bodies),
                      body_at(result, "/joints", child, j, 0, num_bodies), pose_at(position, quaternion, j),
                      vector_at(axis, j)});
  }
  return joints;
}

}  // namespace csim
