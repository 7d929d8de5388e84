#include "scene/resolve.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/require.h"
#include "scene/format/field_rows.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

/// A mapping whose keys are rows of a section.
class Writer {
 public:
  explicit Writer(const Section& section) : section_(section) { node_.kind = YamlNode::Kind::kMapping; }

  void add(const std::string& key, YamlNode value) {
    CSIM_REQUIRE(section_.find(key) != nullptr, section_.name, key);
    add_entry(&node_, key, std::move(value));
  }
  void add(const std::string& key, double value) { add(key, yaml_number(value)); }
  void add(const std::string& key, bool value) { add(key, yaml_word(value ? "true" : "false")); }
  void add(const std::string& key, const Vector3& value) { add(key, yaml_vector(value)); }
  void add(const std::string& key, const std::string& text) { add(key, yaml_text(text)); }
  /// The name of an enumerator: its row lists the choices in the enumeration's order.
  template <typename Enum>
  void choice(const std::string& key, Enum value) {
    const auto index = static_cast<size_t>(value);
    const Field* field = section_.find(key);
    CSIM_REQUIRE(field != nullptr && index < field->choices.size(), key, index);
    add(key, yaml_word(field->choices[index].name));
  }
  /// A number per coordinate: one alone without brackets.
  void coordinates(const std::string& key, const std::vector<double>& values) {
    add(key, values.size() == 1 ? yaml_number(values[0]) : yaml_numbers(values));
  }
  /// Whether a kind (the value of the discriminator) knows the key.
  bool knows(const std::string& key, const std::string& kind) const {
    const std::vector<std::string>& kinds = section_.find(key)->only_for;
    return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
  std::string word(const std::string& key) const { return node_.find(key)->text; }
  YamlNode take() { return std::move(node_); }

 private:
  const Section& section_;
  YamlNode node_;
};

const Section& section_of(const Section& parent, const char* key) {
  return *parent.find(key)->section;
}

YamlNode write_pose(const Pose& pose) {
  Writer writer(pose_section());
  writer.add("xyz", pose.xyz);
  const Quaternion& q = pose.rotation;
  writer.add("quaternion_wxyz", yaml_numbers({q.w(), q.x(), q.y(), q.z()}));
  return writer.take();
}

YamlNode write_points(const std::vector<Vector3>& points) {
  YamlNode list = yaml_list();
  for (const Vector3& point : points) list.items.push_back(yaml_vector(point));
  return list;
}

YamlNode write_geometry(const GeometrySpec& geometry, const Scene& scene) {
  Writer writer(section_of(body_section(), "geometry"));
  const ShapeSpec& shape = geometry.shape;
  writer.add("name", geometry.name);
  writer.choice("shape", shape.type);
  const std::string kind = writer.word("shape");
  if (writer.knows("radius", kind)) writer.add("radius", shape.radius);
  if (writer.knows("length", kind)) writer.add("length", shape.length);
  if (writer.knows("size", kind)) writer.add("size", shape.size);
  if (writer.knows("semi_axes", kind)) writer.add("semi_axes", shape.semi_axes);
  if (!shape.resolved_file.empty()) writer.add("file", shape.resolved_file);
  if (!shape.points.empty()) writer.add("points", write_points(shape.points));
  if (writer.knows("scale", kind)) writer.add("scale", shape.scale);
  writer.add("pose", write_pose(geometry.pose));
  if (geometry.material >= 0)
    writer.add("material", scene.materials[static_cast<size_t>(geometry.material)].name);
  if (geometry.contact != ContactKind::kPointOrRigid) writer.choice("contact", geometry.contact);
  if (!geometry.group.empty()) writer.add("group", geometry.group);
  if (geometry.resolution > 0.0) writer.add("resolution", geometry.resolution);
  writer.add("margin", geometry.margin);
  if (geometry.slab_thickness > 0.0) writer.add("slab_thickness", geometry.slab_thickness);
  writer.choice("mesh_strategy", geometry.mesh_strategy);
  return writer.take();
}

YamlNode write_motion(const MotionSpec& motion) {
  const Section& section = section_of(body_section(), "motion");
  Writer writer(section);
  switch (motion.type) {
    case MotionType::kNone:
      break;
    case MotionType::kKeyframes:
      writer.add("times", yaml_numbers(motion.times));
      if (!motion.xyz.empty()) writer.add("xyz", write_points(motion.xyz));
      if (!motion.rpy.empty()) writer.add("rpy", write_points(motion.rpy));
      writer.choice("interpolation", motion.interpolation);
      break;
    case MotionType::kVelocity:
      writer.add("velocity", motion.velocity);
      writer.add("angular_velocity", motion.angular_velocity);
      break;
    case MotionType::kSine: {
      Writer sine(section_of(section, "sine"));
      sine.add("amplitude", motion.amplitude);
      sine.add("frequency", motion.frequency);
      sine.add("phase", motion.phase);
      writer.add("sine", sine.take());
      break;
    }
  }
  return writer.take();
}

void write_mass(const BodySpec& body, Writer* writer) {
  switch (body.mass_source) {
    case MassSource::kNone:
      break;
    case MassSource::kDensity:
      writer->add("density", body.density);
      break;
    case MassSource::kSolid:
      writer->add("mass", body.mass);
      writer->add("inertia", yaml_word("solid"));
      break;
    case MassSource::kExplicit:
      writer->add("mass", body.mass);
      writer->add("inertia", yaml_numbers({body.inertia.begin(), body.inertia.end()}));
      writer->add("com", body.com);
      break;
  }
}

YamlNode write_body(const BodySpec& body, bool jointed, const Scene& scene) {
  Writer writer(body_section());
  writer.add("name", body.name);
  writer.add("fixed", body.fixed);
  write_mass(body, &writer);
  if (!jointed && body.motion.type != MotionType::kKeyframes) writer.add("pose", write_pose(body.pose));
  if (!jointed && !body.fixed) {
    Writer velocity(section_of(body_section(), "velocity"));
    velocity.add("linear", body.linear_velocity);
    velocity.add("angular", body.angular_velocity);
    writer.add("velocity", velocity.take());
  }
  YamlNode geometries = yaml_list();
  for (const GeometrySpec& geometry : body.geometry)
    geometries.items.push_back(write_geometry(geometry, scene));
  writer.add("geometry", std::move(geometries));
  if (body.motion.type != MotionType::kNone) writer.add("motion", write_motion(body.motion));
  if (!body.surface_velocity.isZero(0.0)) writer.add("surface_velocity", body.surface_velocity);
  return writer.take();
}

YamlNode write_joint(const JointSpec& joint, const Scene& scene) {
  Writer writer(joint_section());
  const auto name = [&](int body) {
    return body < 0 ? std::string("world") : scene.bodies[static_cast<size_t>(body)].name;
  };
  writer.add("name", joint.name);
  writer.choice("type", joint.type);
  writer.add("parent", name(joint.parent));
  writer.add("child", name(joint.child));
  writer.add("pose", write_pose(joint.pose));
  const std::string type = writer.word("type");
  if (writer.knows("axis", type)) writer.add("axis", joint.axis);
  const auto coordinates = [&](const char* key, const std::vector<double>& values) {
    if (writer.knows(key, type)) writer.coordinates(key, values);
  };
  coordinates("position", joint.position);
  coordinates("velocity", joint.velocity);
  coordinates("damping", joint.damping);
  coordinates("friction", joint.friction);
  coordinates("armature", joint.armature);
  coordinates("stiffness", joint.stiffness);
  coordinates("rest_position", joint.rest_position);
  writer.add("collide", joint.collide);
  return writer.take();
}

YamlNode write_command(const CommandSpec& command) {
  const Section& section = section_of(actuator_section(), "command");
  Writer writer(section);
  switch (command.type) {
    case CommandType::kConstant:
      return yaml_number(command.value);
    case CommandType::kTable:
      writer.add("times", yaml_numbers(command.times));
      writer.add("values", yaml_numbers(command.values));
      writer.choice("interpolation", command.interpolation);
      break;
    case CommandType::kSquare: {
      Writer square(section_of(section, "square"));
      square.add("low", command.low);
      square.add("high", command.high);
      square.add("period", command.period);
      square.add("duty", command.duty);
      square.add("phase", command.phase);
      writer.add("square", square.take());
      break;
    }
    case CommandType::kSine: {
      Writer sine(section_of(section, "sine"));
      sine.add("mean", command.mean);
      sine.add("amplitude", command.amplitude);
      sine.add("frequency", command.frequency);
      sine.add("phase", command.phase);
      writer.add("sine", sine.take());
      break;
    }
  }
  return writer.take();
}

YamlNode write_actuator(const ActuatorSpec& actuator, const Scene& scene) {
  Writer writer(actuator_section());
  writer.add("name", actuator.name);
  writer.add("joint", scene.joints[static_cast<size_t>(actuator.joint)].name);
  writer.choice("type", actuator.type);
  const std::string type = writer.word("type");
  if (writer.knows("stiffness", type)) writer.add("stiffness", actuator.stiffness);
  if (writer.knows("damping", type)) writer.add("damping", actuator.damping);
  if (actuator.effort_limit) writer.add("effort_limit", *actuator.effort_limit);
  if (writer.knows("feed_forward_velocity", type))
    writer.add("feed_forward_velocity", actuator.feed_forward_velocity);
  writer.add("command", write_command(actuator.command));
  return writer.take();
}

YamlNode write_material(const MaterialSpec& material) {
  Writer writer(material_section());
  writer.add("friction", material.friction);
  writer.add("stiffness",
             std::isinf(material.stiffness) ? yaml_word("rigid") : yaml_number(material.stiffness));
  writer.add("hunt_crossley_dissipation", material.hunt_crossley_dissipation);
  writer.add("relaxation_time", material.relaxation_time);
  writer.add("hydroelastic_modulus", material.hydroelastic_modulus);
  if (material.hertz_stiffness) writer.add("hertz_stiffness", *material.hertz_stiffness);
  return writer.take();
}

YamlNode write_pair(const PairSpec& pair) {
  Writer writer(section_of(contact_section(), "pairs"));
  writer.add("a", pair.a.text);
  writer.add("b", pair.b.text);
  if (pair.friction) writer.add("friction", *pair.friction);
  if (pair.stiffness) writer.add("stiffness", *pair.stiffness);
  if (pair.hunt_crossley_dissipation)
    writer.add("hunt_crossley_dissipation", *pair.hunt_crossley_dissipation);
  if (pair.relaxation_time) writer.add("relaxation_time", *pair.relaxation_time);
  return writer.take();
}

YamlNode write_patch(const PatchSpec& patch) {
  Writer writer(section_of(contact_section(), "patch"));
  writer.choice("representation", patch.representation);
  writer.choice("quadrature", patch.quadrature);
  if (patch.max_face_size) writer.add("max_face_size", *patch.max_face_size);
  writer.add("cull_angle_deg", patch.cull_angle_deg ? yaml_number(*patch.cull_angle_deg) : yaml_word("none"));
  writer.choice("gradient_filter", patch.gradient_filter);
  return writer.take();
}

YamlNode write_contact(const ContactSpec& contact) {
  Writer writer(contact_section());
  writer.choice("model", contact.model);
  writer.choice("normal", contact.normal);
  if (contact.barrier_stiffness > 0.0) {
    Writer barrier(section_of(contact_section(), "barrier"));
    barrier.add("stiffness", contact.barrier_stiffness);
    barrier.add("thickness", contact.barrier_thickness);
    writer.add("barrier", barrier.take());
  }
  writer.add("stiction_tolerance", contact.stiction_tolerance);
  writer.add("sigma", contact.sigma);
  writer.add("regularise_stiction", contact.regularise_stiction);
  writer.add("near_rigid", contact.near_rigid);
  writer.add("margin", contact.margin ? yaml_number(*contact.margin) : yaml_word("auto"));
  writer.add("fallback", yaml_word(contact.fallback_error ? "error" : "point"));
  writer.add("patch", write_patch(contact.patch));
  YamlNode pairs = yaml_list(), exclude = yaml_list();
  for (const PairSpec& pair : contact.pairs) pairs.items.push_back(write_pair(pair));
  for (const ExcludeSpec& pair : contact.exclude) {
    Writer entry(section_of(contact_section(), "exclude"));
    entry.add("a", pair.a.text);
    entry.add("b", pair.b.text);
    exclude.items.push_back(entry.take());
  }
  writer.add("pairs", std::move(pairs));
  writer.add("exclude", std::move(exclude));
  return writer.take();
}

YamlNode write_solver(const SolverSpec& solver) {
  Writer writer(solver_section());
  writer.choice("method", solver.method);
  writer.add("tolerance", solver.tolerance);
  writer.add("absolute_tolerance", solver.absolute_tolerance);
  writer.add("max_iterations", static_cast<double>(solver.max_iterations));
  writer.choice("line_search", solver.line_search);
  writer.choice("hessian", solver.hessian);
  writer.choice("linear_solver", solver.linear_solver);
  writer.choice("on_nonconvergence", solver.on_nonconvergence);
  writer.choice("condition_number", solver.condition_number);
  return writer.take();
}

YamlNode write_integrator(const IntegratorSpec& integrator) {
  Writer writer(integrator_section());
  writer.choice("type", integrator.type);
  if (integrator.type == IntegratorType::kContinuous) {
    writer.add("accuracy", integrator.accuracy);
    if (integrator.max_step) writer.add("max_step", *integrator.max_step);
  }
  return writer.take();
}

YamlNode write_output(const OutputSpec& output) {
  Writer writer(section_of(scene_section(), "output"));
  writer.add("period", output.period);
  writer.add("contacts", output.contacts);
  writer.choice("patches", output.patches);
  writer.add("iterations", output.iterations);
  writer.add("checkpoint", output.checkpoint ? yaml_number(*output.checkpoint) : yaml_word("none"));
  return writer.take();
}

}  // namespace

YamlNode resolved_tree(const Scene& scene) {
  Writer writer(scene_section());
  writer.add("csim", 1.0);
  writer.add("name", scene.name);
  writer.add("gravity", scene.gravity);
  Writer time(section_of(scene_section(), "time"));
  time.add("step", scene.time.step);
  time.add("end", scene.time.end);
  writer.add("time", time.take());

  YamlNode materials;
  materials.kind = YamlNode::Kind::kMapping;
  for (const MaterialSpec& material : scene.materials)
    add_entry(&materials, material.name, write_material(material));
  writer.add("materials", std::move(materials));

  std::set<int> children;
  for (const JointSpec& joint : scene.joints) children.insert(joint.child);
  YamlNode bodies = yaml_list(), joints = yaml_list();
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    bodies.items.push_back(write_body(scene.bodies[i], children.count(static_cast<int>(i)) > 0, scene));
  }
  for (const JointSpec& joint : scene.joints) joints.items.push_back(write_joint(joint, scene));
  writer.add("bodies", std::move(bodies));
  writer.add("joints", std::move(joints));
  writer.add("models", yaml_list());
  YamlNode actuators = yaml_list();
  for (const ActuatorSpec& actuator : scene.actuators)
    actuators.items.push_back(write_actuator(actuator, scene));
  writer.add("actuators", std::move(actuators));

  writer.add("contact", write_contact(scene.contact));
  writer.add("solver", write_solver(scene.solver));
  writer.add("integrator", write_integrator(scene.integrator));
  writer.add("output", write_output(scene.output));
  return writer.take();
}

std::string resolved_yaml(const Scene& scene) {
  return write_yaml(resolved_tree(scene));
}

}  // namespace csim
