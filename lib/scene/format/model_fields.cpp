// The table's rows for models, robots from files.
#include "scene/format/field_rows.h"
#include "scene/urdf/model_spec.h"
#include "scene/yaml/strict_values.h"

namespace csim {

using namespace field_rows;

namespace {

const SectionOf<ModelSpec>& root_velocity_section() {
  static const SectionOf<ModelSpec> section{
      "root_velocity",
      "a velocity",
      "Initial velocity of a model's root link.",
      "",
      {
          vector3("linear", &ModelSpec::linear_velocity, "m/s", "Velocity of the link's origin, world axes.",
                  "[1, 0, 0]"),
          vector3("angular", &ModelSpec::angular_velocity, "rad/s", "Angular velocity, world axes.",
                  "[0, 0, 10]"),
      }};
  return section;
}

template <YamlNode ModelSpec::*member, YamlNode::Kind kind>
void read_node(const SectionReader& reader, const char* key, ModelSpec* model) {
  const YamlNode* node = reader.node(key);
  if (node == nullptr) return;
  if (node->kind == kind) {
    model->*member = *node;
  } else {
    reader.report(key, describe(*node) + ", expected " + reader.rows().find(key)->expected());
  }
}

/// Rows whose names the robot's file decides.
void read_named(const SectionReader& reader, ModelSpec* model) {
  read_node<&ModelSpec::positions, YamlNode::Kind::kMapping>(reader, "positions", model);
  read_node<&ModelSpec::velocities, YamlNode::Kind::kMapping>(reader, "velocities", model);
  read_node<&ModelSpec::packages, YamlNode::Kind::kMapping>(reader, "packages", model);
  read_node<&ModelSpec::exclude, YamlNode::Kind::kSequence>(reader, "exclude", model);
}

void finish_model(const SectionReader& reader, SceneReading* reading, ModelSpec* model) {
  read_named(reader, model);
  if (reader.has("file")) model->resolved_file = find_file(reader, "file", model->file, *reading);
  if (reader.has("srdf")) model->resolved_srdf = find_file(reader, "srdf", model->srdf, *reading);
}

}  // namespace

const SectionOf<ModelSpec>& model_section() {
  static const SectionOf<ModelSpec> section{
      "model",
      "a model",
      "A robot from a URDF file. Each link is a body, each joint a joint under the file's name, MODEL::NAME, "
      "in "
      "the file's order.",
      "",
      {
          text("file", &ModelSpec::file, "the name of a URDF file",
               "URDF file, relative to the scene file; its meshes: OBJ, STL, PLY, DAE, glTF or 3MF.",
               "arm.urdf")
              .required(),
          name("name", &ModelSpec::name, "Name of the model; the robot's own by default.", "arm"),
          text("base", &ModelSpec::base, "world, free, the name of a body or MODEL::LINK",
               "What the root link is welded to; `free`: nothing.", "free"),
          mapping("pose", &ModelSpec::pose, pose_section(), "Pose of the root link in the base.",
                  "{xyz: [0, 0, 0.5]}"),
          mapping("velocity", root_velocity_section(), "Initial velocity of the root link, with base: free.",
                  "{linear: [1, 0, 0]}"),
          any("positions", "a mapping from joints of the file to numbers or lists",
              "Initial positions by the file's joint names; 0 by default, or the nearest limit where 0 lies "
              "outside. Followers (mimic) follow.",
              "{shoulder: 0.5, elbow: -1}"),
          any("velocities", "a mapping from joints of the file to numbers or lists",
              "Initial velocities by the file's joint names; 0 by default.", "{shoulder: 1}"),
          choice("geometry", &ModelSpec::geometry, "collision none",
                 "What makes contact: the links' collision elements, or nothing. Visual elements are only "
                 "drawn.",
                 "none"),
          choice("mesh", &ModelSpec::mesh, "hull surface",
                 "Meshes of collisions: their convex hull, or the surface itself.", "surface"),
          text("material", &ModelSpec::material, "the name of a material",
               "Of every collision without drake:proximity_properties; one with all defaults by default.",
               "steel")
              .no_default(),
          any("packages", "a mapping from names of packages to folders",
              "Folders that package://NAME/.. means, relative to the scene file. Others are looked for on "
              "the "
              "way up from the robot's file: a folder NAME, a package.xml of that name, or a folder with "
              "one.",
              "{arm_description: ../arm}"),
          choice(
              "inertia", &ModelSpec::inertia, "assembly strict geometry",
              "Which inertias have to be physical: those of links welded together, as one body, or of each "
              "link; or computed from the collision elements, as uniform solids of the file's masses.",
              "strict"),
          boolean("self_collision", &ModelSpec::self_collision, "Whether links of the model collide.",
                  "false"),
          any("exclude", "a list of pairs of links", "Pairs of the file's links that do not collide.",
              "[[hand, forearm]]"),
          text("srdf", &ModelSpec::srdf, "the name of an SRDF file",
               "SRDF file, relative to the scene file: its disable_collisions are excluded, too.", "arm.srdf")
              .no_default(),
          boolean("limits", &ModelSpec::limits,
                  "Whether the file's limits of positions and efforts are used.", "false"),
          boolean("friction", &ModelSpec::friction, "Whether the file's friction of joints is used.",
                  "false"),
          boolean("damping", &ModelSpec::damping, "Whether the file's damping of joints is used.", "false"),
          boolean("gravity_compensation", &ModelSpec::gravity_compensation,
                  "Gravity does not act on the links.", "true"),
      },
      finish_model};
  return section;
}

}  // namespace csim
