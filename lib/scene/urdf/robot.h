// A robot as its file describes it: links as bodies, joints as joints, under the file's own names; indices
// count its own links. What a model's keys change comes later (expand_models.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/urdf/element_reader.h"
#include "scene/urdf/model_spec.h"

namespace csim {

/// A collision or visual of a link.
struct RobotGeometry {
  GeometrySpec geometry;
  Mark mark;
  std::optional<MaterialSpec> material;  // of drake:proximity_properties
};

struct RobotLink {
  BodySpec body;  // without geometries
  std::vector<RobotGeometry> collisions, visuals;
  Mark mark, inertial_mark;
};

struct RobotMimic {
  std::string leader;
  int joint = -1;  // the leader's index
  double multiplier = 1.0, offset = 0.0;
  Mark mark;
};

struct RobotJoint {
  JointSpec joint;  // limits, damping, friction as the file says; position and velocity 0
  bool continuous = false;
  std::optional<double> effort;  // N or N m, > 0: the largest of an actuator
  std::optional<RobotMimic> mimic;
  Mark mark, limit_mark;
};

struct Robot {
  std::string name;  // "": none
  Mark mark;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  int root = -1;  // the link that no joint places
  std::map<std::string, int> link_index, joint_index;
};

/// What reading a robot needs beside its file.
struct RobotOptions {
  std::string folder;                           // absolute, of the file
  std::map<std::string, std::string> packages;  // names to absolute folders
  ModelMesh mesh = ModelMesh::kHull;
  ModelInertia inertia = ModelInertia::kAssembly;
  bool collisions = true;
};

/// Reads a URDF. All that is wrong goes to the file's sink; the robot is complete where nothing is.
[[nodiscard]] Robot read_urdf(RobotFile* file, const RobotOptions& options);

// Its parts.
void read_link_geometries(const ElementReader& link, const RobotOptions& options,
                          const std::map<std::string, Rgba>& colors, RobotLink* robot_link);
[[nodiscard]] std::map<std::string, Rgba> read_robot_colors(const ElementReader& robot);
void read_robot_joints(const ElementReader& robot, Robot* result);
/// Adds the inertias of the transmissions' rotors to the joints.
void read_rotors(const ElementReader& robot, Robot* result);

/// The pairs of links that an SRDF lets pass each other (disable_collisions).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> read_srdf(RobotFile* file, const Robot& robot);

/// The file that a name in a robot means: absolute, relative to the robot's folder, or in a package
/// (package://NAME/.., model://NAME/..). Empty, with *fault: not found.
[[nodiscard]] std::string find_robot_file(const std::string& name, const RobotOptions& options,
                                          std::string* fault);

}  // namespace csim
