// An element of `models:`, a robot from a file: its keys as the scene says them.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/yaml/yaml_document.h"

namespace csim {

enum class ModelGeometry { kCollision, kNone };
enum class ModelMesh { kHull, kSurface };
/// What is judged physical: groups of welded links together, or each link; or inertias from the collisions.
enum class ModelInertia { kAssembly, kStrict, kGeometry };

struct ModelSpec {
  std::string file, resolved_file;             // the URDF as written, and absolute
  std::string name;                            // "": the robot's own
  std::string base = "world";                  // world, free, a body of the scene or another model's link
  Pose pose;                                   // of the root link in the base
  Vector3 linear_velocity = Vector3::Zero();   // m/s, of the root link's origin, world axes: base free
  Vector3 angular_velocity = Vector3::Zero();  // rad/s, world axes: base free
  YamlNode positions, velocities;              // joint names of the file to numbers or lists
  ModelGeometry geometry = ModelGeometry::kCollision;
  ModelMesh mesh = ModelMesh::kHull;
  std::string material;  // "": one with all defaults
  YamlNode packages;     // names to folders
  ModelInertia inertia = ModelInertia::kAssembly;
  bool self_collision = true;
  YamlNode exclude;                 // list of pairs of link names
  std::string srdf, resolved_srdf;  // "": none
  bool limits = true, friction = true, damping = true;
  bool gravity_compensation = false;
};

}  // namespace csim
