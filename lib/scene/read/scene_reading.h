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
  // Readers of what is checked again when all is read.
  std::vector<SectionReader> body_readers, joint_readers;    // one per body, per joint
  std::vector<SectionReader> new_geometry_readers;           // of the body that is being read
  std::vector<std::vector<SectionReader>> geometry_readers;  // per body, one per geometry
  NameIndex actuators, constraints, forces, phases;
  NameIndex actuator_coordinates;  // actuator_coordinates.h
  int num_actuator_coordinates = 0;
  std::map<std::string, double> efforts;  // by joint of a model: the default effort_limit of its actuators
};

/// Keys of a name index, sorted.
[[nodiscard]] std::vector<std::string> names(const NameIndex& index);

/// "'stel', unknown material, expected steel or rubber (did you mean 'steel'?)".
[[nodiscard]] std::string unknown_name(const std::string& name, const std::string& what,
                                       const std::vector<std::string>& known);

/// The index of the item that the text under `key` names, or -1: for the name `none`, and after a report
/// ("'stel', unknown material, expected …"), after many problems without the nearest name.
int find_reference(const SectionReader& reader, const std::string& key, const std::string& what,
                   const NameIndex& index, const std::string& none = "");

/// Whether the list of such items ("material", "body", ..) has not been read, because it is none, which is
/// told at its place: what it names is not known.
[[nodiscard]] bool is_list_faulty(const SectionReader& reader, std::string_view what);

/// "joint 'hinge'", by its place where it has no name: "joint 3".
[[nodiscard]] std::string joint_text(const Scene& scene, const JointSpec& joint);

/// Whether the joint is revolute, prismatic or a screw, or of a type that was not read, which is reported at
/// its place.
[[nodiscard]] bool may_have_one_coordinate(const SceneReading& reading, int joint);

/// Reports a joint, given under `key`, that is not revolute, prismatic or a screw; its index becomes -1.
void check_single_joint(const SectionReader& reader, const char* key, const SceneReading& reading,
                        int* joint);

/// Enters the `name` of an item; a name that is taken is reported.
void enter_name(const SectionReader& reader, const std::string& what, int item, NameIndex* index);

/// The quaternion scaled to norm 1, or as it is where its norm is 1 to rounding already, so that reading a
/// written quaternion back changes no bit.
[[nodiscard]] Quaternion unit_quaternion(const Quaternion& q);

/// The same for a direction (any length but 0).
[[nodiscard]] Vector3 unit_vector(const Vector3& v);

/// Rotation by roll, pitch, yaw (rad) about the fixed x, then y, then z axis: Rz(yaw) Ry(pitch) Rx(roll).
[[nodiscard]] Quaternion quaternion_from_rpy(const Vector3& rpy);

/// Largest deviation from 1 of a quaternion's norm that is taken for rounding by its writer.
inline constexpr double kQuaternionSlack = 1e-3;

/// A list of `count` numbers under `key`, or a number where one is enough (a single coordinate, or it
/// `stands_for_all`); no value without the key, or after a report.
[[nodiscard]] std::optional<std::vector<double>> read_coordinates(const SectionReader& reader,
                                                                  const std::string& key, int count,
                                                                  bool stands_for_all);

/// The absolute name of the file that stands under `key`, relative to the scene's folder; reports one that is
/// not there.
[[nodiscard]] std::string find_file(const SectionReader& reader, const char* key, const std::string& file,
                                    const SceneReading& reading);

/// A body, geometry, material or group.
[[nodiscard]] Selector read_selector(const SectionReader& reader, const std::string& key,
                                     const SceneReading& reading);

/// Reports times that do not increase.
void check_times(const SectionReader& reader, const std::vector<double>& times);

/// Reports what is missing of a table of times and values, or does not fit.
void check_table(const SectionReader& reader, const CommandSpec& command);

/// Reports a list under `key` that has not one row a time.
void check_row_count(const SectionReader& reader, const char* key, size_t num_rows, size_t num_times);

// What single rows cannot read, and what takes more than one key.
void read_materials(const SectionReader& root, SceneReading* reading, Scene* scene);
void read_rotation(const SectionReader& reader, SceneReading* reading, Pose* pose);
void finish_geometry(const SectionReader& reader, SceneReading* reading, GeometrySpec* geometry);
void finish_motion(const SectionReader& reader, SceneReading* reading, MotionSpec* motion);
void finish_body(const SectionReader& reader, SceneReading* reading, BodySpec* body);
void read_child(const SectionReader& reader, SceneReading* reading, JointSpec* joint);
void read_position(const SectionReader& reader, SceneReading* reading, JointSpec* joint);
void read_velocity(const SectionReader& reader, SceneReading* reading, JointSpec* joint);
void finish_joint(const SectionReader& reader, SceneReading* reading, JointSpec* joint);
void finish_command(const SectionReader& reader, SceneReading* reading, CommandSpec* command);
void read_command(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator);
void read_stiffness(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator);
void read_damping(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator);
void finish_actuator(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator);
void finish_vector_command(const SectionReader& reader, SceneReading* reading, VectorCommandSpec* command);
void finish_force(const SectionReader& reader, SceneReading* reading, ForceSpec* force);
void read_phase_commands(const SectionReader& reader, SceneReading* reading, PhaseSpec* phase);
void finish_condition(const SectionReader& reader, SceneReading* reading, ConditionSpec* condition);
void finish_phase(const SectionReader& reader, SceneReading* reading, PhaseSpec* phase);
void finish_contact(const SectionReader& reader, SceneReading* reading, ContactSpec* contact);
void check_method(const SectionReader& reader, SceneReading* reading, SolverSpec* solver);
void finish_scene(const SectionReader& root, SceneReading* reading, Scene* scene);

/// What joints forbid or demand of each other and of the bodies (trees, poses, velocities, masses, half
/// spaces), after both are read.
void check_joints(SceneReading* reading);
void check_bodies_with_joints(SceneReading* reading);

}  // namespace csim
