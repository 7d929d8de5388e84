// What the parts of the scene reader share while they fill a Scene.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "scene/read/section_reader.h"
#include "scene/scene.h"

namespace csim {

using NameIndex = std::map<std::string, int>;

struct SceneReading {
  Scene scene;
  ProblemSink* sink = nullptr;
  std::filesystem::path folder;         // of the scene file: file names are relative to it
  NameIndex materials, bodies, joints;  // name -> index in the scene
  std::set<std::string> groups;
  std::vector<SectionReader> body_readers;                   // one per body
  std::vector<std::vector<SectionReader>> geometry_readers;  // per body, one per geometry
};

/// Keys of a name index, sorted.
[[nodiscard]] std::vector<std::string> names(const NameIndex& index);

/// "'stel', unknown material, expected steel or rubber (did you mean 'steel'?)".
[[nodiscard]] std::string unknown_name(const std::string& name, const std::string& what,
                                       const std::vector<std::string>& known);

/// The index of the item that the text under `key` names, or -1 after a report ("'stel', unknown material,
/// expected …").
int find_reference(const SectionReader& reader, const std::string& key, const std::string& what,
                   const NameIndex& index);

/// Enters the `name` of an item; a name that is taken is reported.
void enter_name(const SectionReader& reader, const std::string& what, int item, NameIndex* index);

/// A pose from its mapping; more than one rotation, axes of length 0 and quaternions that are not unit are
/// reported.
[[nodiscard]] Pose read_pose(const SectionReader& reader);

/// The quaternion scaled to norm 1, or as it is where its norm is 1 to rounding already, so that reading a
/// written quaternion back changes no bit.
[[nodiscard]] Quaternion unit_quaternion(const Quaternion& q);

/// The same for a direction (any length but 0).
[[nodiscard]] Vector3 unit_vector(const Vector3& v);

/// Rotation by roll, pitch, yaw (rad) about the fixed x, then y, then z axis: Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] Quaternion quaternion_from_rpy(const Vector3& rpy);

/// Largest deviation from 1 of a quaternion's norm that is taken for rounding by its writer.
inline constexpr double kQuaternionSlack = 1e-3;

// The parts, in this order. Each appends to reading->scene and reports to reading->sink.
void read_materials(const SectionReader& root, SceneReading* reading);
void read_bodies(const SectionReader& root, SceneReading* reading);
void read_joints(const SectionReader& root, SceneReading* reading);
void read_actuators(const SectionReader& root, SceneReading* reading);
void read_contact(const SectionReader& root, SceneReading* reading);

/// The geometries of a body.
[[nodiscard]] std::vector<GeometrySpec> read_geometries(const SectionReader& body, SceneReading* reading);

/// Reports times that do not increase.
void check_times(const SectionReader& reader, const std::vector<double>& times);

/// Reports a list under `key` that has not one row a time.
void check_row_count(const SectionReader& reader, const char* key, size_t num_rows, size_t num_times);

/// The prescribed motion of a body.
[[nodiscard]] MotionSpec read_motion(const SectionReader& body);

/// What joints forbid or demand of the bodies (poses, velocities, masses, half spaces), after both are read.
void check_bodies_with_joints(SceneReading* reading);

}  // namespace csim
