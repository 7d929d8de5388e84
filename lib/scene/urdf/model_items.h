// A model's items as elements of the scene's lists.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/urdf/robot.h"

namespace csim {

using LinkPair = std::pair<std::string, std::string>;

struct ModelItems {
  std::vector<YamlNode> bodies, joints, constraints, exclude;
  std::vector<YamlEntry> materials;
};

/// Sets the joints' positions and velocities: what the model says of them, 0 or the nearest limit, and for
/// followers what their leaders give. Limits, friction and damping that do not count go. Reports names that
/// the robot has not and followers.
void set_start(const SectionReader& reader, const ModelSpec& spec, RobotFile* file, Robot* robot);

/// The items, each with its place in the robot's file. `excluded`: pairs of links.
[[nodiscard]] ModelItems model_items(const SectionReader& reader, const ModelSpec& spec, const Robot& robot,
                                     const std::vector<LinkPair>& excluded);

}  // namespace csim
