#include "model/quasistatic_model.h"

#include <algorithm>
#include <cmath>

#include "scene/integrator_kinds.h"

namespace csim {
namespace {

constexpr double kParallel = 1e-9;  // of unit vectors, or of speeds over the largest

/// Calls f(direction, is_angular) with the unit directions in which points of a body of a tree move and about
/// which it turns.
template <class F>
void for_each_motion(const Kinematics& kinematics, const Tree& tree, int body, const F& f) {
  if (tree.single_free_body) {
    for (int k = 0; k < 3; ++k) f(Vector3(Vector3::Unit(k)), true);
    return;
  }
  const double* column = kinematics.jacobians.data() + kinematics.jacobian_begin[body];
  for (int k = 0; k < tree.nv; ++k, column += 6) {
    const Vector3 w = Eigen::Map<const Vector3>(column), v = Eigen::Map<const Vector3>(column + 3);
    if (w.norm() > kParallel) f(Vector3(w.normalized()), true);
    if (v.norm() > kParallel) f(Vector3(v.normalized()), false);
  }
}

/// The normal of the plane that holds some motions, and the first line of them; zero: they leave a choice.
struct MotionPlane {
  Vector3 axis = Vector3::Zero(), line = Vector3::Zero(), cross = Vector3::Zero();

  void add(const Vector3& direction, bool is_angular) {
    if (is_angular) {
      if (axis.isZero(0.0)) axis = direction;
    } else if (line.isZero(0.0)) {
      line = direction;
    } else if (cross.isZero(0.0) && line.cross(direction).norm() > kParallel) {
      cross = line.cross(direction).normalized();
    }
  }
  [[nodiscard]] const Vector3& normal() const { return axis.isZero(0.0) ? cross : axis; }
};

const char* name_of(ActuatorType type) {
  switch (type) {
    case ActuatorType::kPosition:
      return "position";
    case ActuatorType::kVelocity:
      return "velocity";
    case ActuatorType::kEffort:
      return "effort";
    case ActuatorType::kCartesian:
      return "cartesian";
  }
  return "";
}

/// What the check of one scene needs in every part.
struct Check {
  const Scene& scene;
  const Model& model;
  const QuasistaticModel quasistatic;
  Problems* problems;
  const std::string under = " under integrator.type: quasistatic";

  void check(const CartesianDrive& drive) const {
    const std::string& first = model.actuators[static_cast<std::size_t>(drive.actuator)].name;
    const std::string path = "actuators." + first.substr(0, first.rfind('.'));
    not_executed(path);
    if (std::all_of(drive.stiffness.begin(), drive.stiffness.end(), [](double k) { return k == 0.0; }))
      problems->push_back({path + ".stiffness", "0, expected a stiffness > 0 (N/m or N m/rad)" + under});
  }

  void actuators() const {
    for (const CartesianDrive& drive : model.cartesian_drives) check(drive);
    std::vector<int> first(model.nv, -1);
    for (std::size_t i = 0; i < model.actuators.size(); ++i) {
      const Actuator& actuator = model.actuators[i];
      const std::string path = "actuators." + actuator.name;
      if (actuator.type == ActuatorType::kCartesian) continue;
      if (actuator.type != ActuatorType::kPosition) {
        problems->push_back(
            {path + ".type", std::string(name_of(actuator.type)) + ", expected position" + under});
      } else if (!(actuator.stiffness > 0.0)) {
        problems->push_back({path + ".stiffness", "0, expected a stiffness > 0 (N/m or N m/rad)" + under});
      }
      int& other = first[actuator.v];
      if (other >= 0) {
        problems->push_back({path + ".joint", "joint '" + scene.joints[actuator.joint].name +
                                                  "' has the actuator '" + model.actuators[other].name +
                                                  "' already, expected one a joint" + under});
      }
      other = static_cast<int>(i);
    }
  }

  /// A tree has all its joints actuated or none, or the scene says that it need not.
  void trees() const {
    if (scene.integrator.passive_joints) return;
    for (const Tree& tree : model.trees) {
      const auto actuator = quasistatic.actuator.begin() + tree.v_begin;
      const auto with = std::find_if(actuator, actuator + tree.nv, [](int i) { return i >= 0; });
      if (with == actuator + tree.nv) continue;
      for (const int index : bodies_of(model, tree)) {
        const Joint& joint = model.bodies[index].joint;
        if (joint.nv == 0 || quasistatic.actuator[joint.v_begin] >= 0) continue;
        const std::string path = joint.scene_joint >= 0 ? "joints." + scene.joints[joint.scene_joint].name
                                                        : "bodies." + model.bodies[index].name;
        problems->push_back({path, "no actuator, beside the actuator '" + model.actuators[*with].name +
                                       "' of the same tree; expected an actuator of type position on all its "
                                       "joints or on none, or integrator.passive_joints: true" +
                                       under});
      }
    }
  }

  void bodies() const {
    for (const BodySpec& body : scene.bodies) {
      if (body.motion.type != MotionType::kNone)
        problems->push_back(
            {"bodies." + body.name + ".motion",
             "a prescribed motion is not possible" + under + "; expected a joint with an actuator"});
      if (!body.surface_velocity.isZero(0.0))
        problems->push_back({"bodies." + body.name + ".surface_velocity", "a belt is not possible" + under});
    }
  }

  /// Where commands are executed nothing yields: rows that hold would contradict them.
  void not_executed(const std::string& path) const {
    if (scene.integrator.problem == QuasistaticKind::kPlanningLcp)
      problems->push_back(
          {path,
           "not possible under integrator.problem: planning_lcp, whose commands are executed; "
           "expected lcp, qp, socp or another problem"});
  }

  void constraints() const {
    for (const ConstraintSpec& spec : scene.constraints) not_executed("constraints." + spec.name);
  }

  void patches() const {
    for (std::size_t g = 0; g < model.geometries.size(); ++g) {
      for (std::size_t k = g + 1; k < model.geometries.size(); ++k) {
        const Geometry &a = model.geometries[g], &b = model.geometries[k];
        if (a.pair_class < 0 || b.pair_class < 0) continue;
        const Body &body_a = model.bodies[a.body], &body_b = model.bodies[b.body];
        const PairRule& rule = model.pairs.rule(a.pair_class, b.pair_class);
        if (!rule.collide || !rule.patch || body_a.weld_group == body_b.weld_group) continue;
        if (body_a.tree < 0 && body_b.tree < 0) continue;
        problems->push_back(
            {"bodies." + body_a.name, "the pair " + a.name + " and " + b.name +
                                          " meets by pressure fields, expected contact: point" + under});
        return;
      }
    }
  }

  void gradients() const {
    if (!scene.output.gradients) return;
    if (scene.integrator.type != IntegratorType::kQuasistatic) {
      problems->push_back(
          {"output.gradients", "true, expected false but under integrator.type: quasistatic"});
    } else if (is_complementarity_problem(scene.integrator)) {
      problems->push_back(
          {"output.gradients",
           "true, but Coulomb's law itself has no optimum to differentiate; expected false, or "
           "integrator.problem: qp, socp, log_barrier, log_barrier_socp or near_rigid"});
    }
  }

  void integrator(const Kinematics& kinematics) const {
    const IntegratorSpec& spec = scene.integrator;
    if (spec.rays_per_contact % 2 != 0 && !has_friction_cones(spec))
      problems->push_back({"integrator.rays_per_contact",
                           std::to_string(spec.rays_per_contact) + ", expected an even number"});
    if (spec.rays_per_contact == 2 && !has_friction_cones(spec) &&
        !find_plane_of_motion(model, quasistatic, kinematics))
      problems->push_back(
          {"integrator.rays_per_contact",
           "2, but the passive bodies do not move in one plane; expected 4 or more, or planar, "
           "prismatic and revolute joints in one plane"});
    const bool all_actuated = std::all_of(quasistatic.actuator.begin(), quasistatic.actuator.end(),
                                          [](int actuator) { return actuator >= 0; });
    if (has_barrier(spec) && spec.mass == QuasistaticMass::kNone && !all_actuated)
      problems->push_back(
          {"integrator.mass", "none, with which a barrier has no minimum; expected full or scaled"});
    if (spec.mass == QuasistaticMass::kScaled && !quasistatic.has_actuators)
      problems->push_back({"integrator.mass",
                           "scaled, by the smallest stiffness of the actuators, but there is no "
                           "actuator; expected none or full"});
  }
};

void note(const char* what, const std::string& name, const char* key, std::vector<std::string>* notes) {
  notes->push_back(std::string(what) + "." + name + "." + key +
                   " has no effect under integrator.type: quasistatic");
}

bool any(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x != 0.0; });
}

void note_contact_keys(const Scene& scene, std::vector<std::string>* notes) {
  const ContactSpec standard, &contact = scene.contact;
  const auto note_one = [&](bool differs, const std::string& key) {
    if (differs) notes->push_back(key + " has no effect under integrator.type: quasistatic");
  };
  note_one(contact.normal != facts_of(contact.model).default_normal, "contact.normal");
  note_one(contact.barrier_stiffness != 0.0, "contact.barrier");
  note_one(contact.margin.has_value(), "contact.margin");
  note_one(contact.stiction_tolerance != standard.stiction_tolerance, "contact.stiction_tolerance");
  note_one(contact.sigma != standard.sigma, "contact.sigma");
  note_one(contact.regularise_stiction != standard.regularise_stiction, "contact.regularise_stiction");
  const MaterialSpec common;
  for (const MaterialSpec& material : scene.materials) {
    const std::string path = "materials." + material.name + ".";
    note_one(material.stiffness != common.stiffness, path + "stiffness");
    note_one(material.hertz_stiffness.has_value(), path + "hertz_stiffness");
    note_one(material.hunt_crossley_dissipation != common.hunt_crossley_dissipation,
             path + "hunt_crossley_dissipation");
    note_one(material.relaxation_time != common.relaxation_time, path + "relaxation_time");
  }
  for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
    const PairSpec& pair = contact.pairs[i];
    const std::string path = "contact.pairs." + std::to_string(i) + ".";
    note_one(pair.stiffness.has_value(), path + "stiffness");
    note_one(pair.hunt_crossley_dissipation.has_value(), path + "hunt_crossley_dissipation");
    note_one(pair.relaxation_time.has_value(), path + "relaxation_time");
  }
}

/// Keys of the integrator that the others leave without effect, and of the output.
void note_own_keys(const Scene& scene, std::vector<std::string>* notes) {
  const IntegratorSpec standard, &spec = scene.integrator;
  const auto note_one = [&](bool is_vain, const char* key, const char* why) {
    if (is_vain) notes->push_back(std::string(key) + " has no effect " + why);
  };
  note_one(spec.on_ambiguous != standard.on_ambiguous && spec.problem != QuasistaticKind::kPlanningLcp,
           "integrator.on_ambiguous", "but with integrator.problem: planning_lcp");
  note_one(spec.rays_per_contact != standard.rays_per_contact && has_friction_cones(spec),
           "integrator.rays_per_contact",
           "with cones of friction, which socp, log_barrier_socp and near_rigid have");
  note_one(spec.mass_scale != standard.mass_scale && spec.mass != QuasistaticMass::kScaled,
           "integrator.mass_scale", "but with integrator.mass: scaled");
  note_one(spec.regularization != standard.regularization && spec.mass != QuasistaticMass::kNone,
           "integrator.regularization", "but with integrator.mass: none");
  note_one(spec.barrier_weight != standard.barrier_weight && !has_barrier(spec), "integrator.barrier_weight",
           "but with integrator.problem: log_barrier or log_barrier_socp");
  note_one(scene.output.iterations, "output.iterations", "under integrator.type: quasistatic");
  note_one(scene.output.patches == PatchOutput::kFull, "output.patches",
           "under integrator.type: quasistatic, whose contacts are points");
  if (scene.output.gradients && scene.output.period > scene.time.step)
    notes->push_back(
        "output.gradients are those of the steps that are recorded: output.period is longer than time.step");
}

void note_keys(const Scene& scene, std::vector<std::string>* notes) {
  for (const BodySpec& body : scene.bodies) {
    const bool moves = !body.linear_velocity.isZero(0.0) || !body.angular_velocity.isZero(0.0);
    if (moves) note("bodies", body.name, "velocity", notes);
  }
  for (const JointSpec& joint : scene.joints) {
    if (any(joint.damping)) note("joints", joint.name, "damping", notes);
    if (any(joint.friction)) note("joints", joint.name, "friction", notes);
    if (any(joint.armature)) note("joints", joint.name, "armature", notes);
    if (any(joint.stiffness)) {
      note("joints", joint.name, "stiffness", notes);
      notes->back() += "; a constraint of type tendon with this stiffness is such a spring";
    }
    if (any(joint.velocity)) note("joints", joint.name, "velocity", notes);
  }
  for (const ConstraintSpec& constraint : scene.constraints)
    if (constraint.relaxation_time != 0.0) note("constraints", constraint.name, "relaxation_time", notes);
  for (const ActuatorSpec& actuator : scene.actuators) {
    const Gains& gains = actuator.cartesian.damping;
    if (actuator.damping != 0.0 || !gains.linear.isZero(0.0) || !gains.angular.isZero(0.0))
      note("actuators", actuator.name, "damping", notes);
    if (actuator.effort_limit) note("actuators", actuator.name, "effort_limit", notes);
    if (actuator.feed_forward_velocity) note("actuators", actuator.name, "feed_forward_velocity", notes);
  }
}

}  // namespace

QuasistaticModel make_quasistatic_model(const Model& model) {
  QuasistaticModel quasistatic;
  quasistatic.actuator.assign(model.nv, -1);
  const auto add_stiffness = [&](double k) {
    const double least = quasistatic.smallest_stiffness;
    quasistatic.smallest_stiffness = quasistatic.has_actuators ? std::min(least, k) : k;
    quasistatic.has_actuators = true;
  };
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (actuator.v < 0) continue;
    quasistatic.actuator[actuator.v] = static_cast<int>(i);
    add_stiffness(actuator.stiffness);
  }
  for (const CartesianDrive& drive : model.cartesian_drives)
    for (const double k : drive.stiffness)
      if (k > 0.0) add_stiffness(k);
  quasistatic.is_carried.resize(model.bodies.size());
  for (const int index : model.topological_order) {
    const Joint& joint = model.bodies[index].joint;
    const auto actuator = quasistatic.actuator.begin() + joint.v_begin;
    const bool is_driven = std::all_of(actuator, actuator + joint.nv, [](int i) { return i >= 0; });
    const bool parent_is = joint.parent < 0 || quasistatic.is_carried[joint.parent] != 0;
    quasistatic.is_carried[index] = is_driven && parent_is ? 1 : 0;
  }
  return quasistatic;
}

std::optional<Vector3> find_plane_of_motion(const Model& model, const QuasistaticModel& quasistatic,
                                            const Kinematics& kinematics) {
  MotionPlane passive, all;
  const auto for_each_moving = [&](bool is_passive, const auto& f) {
    for (const Tree& tree : model.trees)
      for (const int body : bodies_of(model, tree))
        if (!is_passive || quasistatic.is_carried[body] == 0) for_each_motion(kinematics, tree, body, f);
  };
  const auto holds_passive = [&](const Vector3& normal) {
    bool holds = true;
    for_each_moving(true, [&](const Vector3& direction, bool is_angular) {
      holds = holds && (is_angular ? direction.cross(normal).norm() < kParallel
                                   : std::abs(direction.dot(normal)) < kParallel);
    });
    return holds;
  };
  for_each_moving(true,
                  [&](const Vector3& direction, bool is_angular) { passive.add(direction, is_angular); });
  for_each_moving(false, [&](const Vector3& direction, bool is_angular) { all.add(direction, is_angular); });
  Vector3 normal = passive.normal().isZero(0.0) ? all.normal() : passive.normal();
  if (!holds_passive(normal) || normal.isZero(0.0)) {
    // One direction, or a plane of the carried bodies that does not hold it.
    if (passive.line.isZero(0.0)) return std::nullopt;
    normal = passive.line.cross(model.gravity);
    if (normal.norm() <= kParallel * model.gravity.norm()) normal = passive.line.unitOrthogonal();
    normal.normalize();
  }
  return holds_passive(normal) ? std::optional(normal) : std::nullopt;
}

void check_quasistatic(const Scene& scene, const Model& model, const State& state, Problems* problems,
                       std::vector<std::string>* notes) {
  const Check check{scene, model, make_quasistatic_model(model), problems};
  check.gradients();
  if (scene.integrator.type != IntegratorType::kQuasistatic) return;
  Kinematics kinematics;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  check.actuators();
  check.trees();
  check.bodies();
  check.constraints();
  check.patches();
  check.integrator(kinematics);
  note_own_keys(scene, notes);
  note_keys(scene, notes);
  note_contact_keys(scene, notes);
}

}  // namespace csim
