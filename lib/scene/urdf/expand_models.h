// The `models:` of a scene: each robot's links, joints, followers, materials and excluded pairs become
// elements of the scene's own lists, under names MODEL::ITEM, before these are read. A robot's items are then
// read, checked, overridden (--set) and written like all others, with the robot's file as their place.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scene/read/section_reader.h"

namespace csim {

struct ModelExpansion {
  std::vector<std::string> files;         // absolute: the robots' own, SRDFs included, meshes not
  std::map<std::string, double> efforts;  // by joint: the default effort_limit of its actuators, N or N m
};

/// Puts the items of all models into source->root. `folder`: that of the scene file. All that is wrong goes
/// to *sink; then the tree is not to be read.
[[nodiscard]] ModelExpansion expand_models(const std::filesystem::path& folder, SceneSource* source,
                                           ProblemSink* sink);

}  // namespace csim
