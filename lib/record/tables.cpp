#include "record/tables.h"

namespace csim {
namespace {

using hdf5::Type;
using Units = std::vector<std::string>;

void append(Units* all, const Units& more) {
  all->insert(all->end(), more.begin(), more.end());
}

struct ActuatorUnits {
  Units command, effort;
};

/// By row; those of a coupler are of its first joint.
struct ConstraintUnits {
  Units violation, force;
};

ActuatorUnits actuator_units(const Scene& scene) {
  ActuatorUnits all;
  for (const ActuatorSpec& actuator : scene.actuators) {
    const JointUnits joint = joint_units(scene.joints[actuator.joint].type);
    append(&all.effort, joint.effort);
    append(&all.command, actuator.type == ActuatorType::kPosition   ? joint.position
                         : actuator.type == ActuatorType::kVelocity ? joint.velocity
                                                                    : joint.effort);
  }
  return all;
}

}  // namespace

JointUnits joint_units(JointType type) {
  switch (type) {
    case JointType::kFree:
      return {{"1", "1", "1", "1", "m", "m", "m"},
              {"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"},
              {"N m", "N m", "N m", "N", "N", "N"}};
    case JointType::kWeld:
      return {};
    case JointType::kRevolute:
      return {{"rad"}, {"rad/s"}, {"N m"}};
    case JointType::kPrismatic:
      return {{"m"}, {"m/s"}, {"N"}};
    case JointType::kPlanar:
      return {{"m", "m", "rad"}, {"m/s", "m/s", "rad/s"}, {"N", "N", "N m"}};
    case JointType::kBall:
      return {{"1", "1", "1", "1"}, {"rad/s", "rad/s", "rad/s"}, {"N m", "N m", "N m"}};
    case JointType::kUniversal:
      return {{"rad", "rad"}, {"rad/s", "rad/s"}, {"N m", "N m"}};
  }
  return {};
}

StateUnits state_units(const Model& model) {
  StateUnits all;
  for (const Body& body : model.bodies) {
    const JointUnits units = joint_units(body.joint.type);
    append(&all.q, units.position);
    append(&all.v, units.velocity);
  }
  return all;
}

std::vector<BoundColumn<FrameSource>> frame_columns(const Scene& scene, const Model& model, bool contacts,
                                                    bool patches) {
  const long bodies = static_cast<long>(model.bodies.size());
  const StateUnits state = state_units(model);
  JointUnits joints;
  for (const JointSpec& joint : scene.joints) {
    const JointUnits units = joint_units(joint.type);
    append(&joints.position, units.position);
    append(&joints.velocity, units.velocity);
    append(&joints.effort, units.effort);
  }
  const long nqj = static_cast<long>(joints.position.size()), nvj = static_cast<long>(joints.velocity.size());

  const ActuatorUnits actuators = actuator_units(scene);
  const long num_actuators = static_cast<long>(scene.actuators.size());

  ConstraintUnits constraints;
  for (const ConstraintSpec& constraint : scene.constraints) {
    const JointUnits joint = joint_units(scene.joints[constraint.joint_a].type);
    append(&constraints.violation, joint.position);
    append(&constraints.force, joint.effort);
  }
  const long num_rows = static_cast<long>(constraints.force.size());

  using F = FrameSource;
  std::vector<BoundColumn<FrameSource>> columns = {
      {{"/trajectory/time", Type::kReal, {}, {"s"}},
       [](const F& f) -> const void* { return &f.frame->time; }},
      {{"/trajectory/position", Type::kReal, {bodies, 3}, {"m"}},
       [](const F& f) -> const void* { return f.frame->position.data(); }},
      {{"/trajectory/quaternion", Type::kReal, {bodies, 4}, {"1"}},
       [](const F& f) -> const void* { return f.quaternion.data(); }},
      {{"/trajectory/velocity", Type::kReal, {bodies, 3}, {"m/s"}},
       [](const F& f) -> const void* { return f.frame->velocity.data(); }},
      {{"/trajectory/angular_velocity", Type::kReal, {bodies, 3}, {"rad/s"}},
       [](const F& f) -> const void* { return f.frame->angular_velocity.data(); }},
      {{"/trajectory/q", Type::kReal, {model.nq}, state.q},
       [](const F& f) -> const void* { return f.frame->q.data(); }},
      {{"/trajectory/v", Type::kReal, {model.nv}, state.v},
       [](const F& f) -> const void* { return f.frame->v.data(); }},
      {{"/energy/kinetic", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.kinetic; }},
      {{"/energy/potential", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.potential; }},
      {{"/energy/elastic", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.elastic; }},
      {{"/energy/total", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.total; }},
      {{"/energy/dissipated", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.dissipated; }},
      {{"/energy/work", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.work; }},
      {{"/energy/balance_error", Type::kReal, {}, {"J"}},
       [](const F& f) -> const void* { return &f.frame->energy.balance_error; }},
      {{"/joint/position", Type::kReal, {nqj}, joints.position},
       [](const F& f) -> const void* { return f.frame->joint_position.data(); }},
      {{"/joint/velocity", Type::kReal, {nvj}, joints.velocity},
       [](const F& f) -> const void* { return f.frame->joint_velocity.data(); }},
      {{"/joint/effort", Type::kReal, {nvj}, joints.effort},
       [](const F& f) -> const void* { return f.frame->joint_effort.data(); }},
      {{"/actuator/command", Type::kReal, {num_actuators}, actuators.command},
       [](const F& f) -> const void* { return f.frame->actuator_command.data(); }},
      {{"/actuator/effort", Type::kReal, {num_actuators}, actuators.effort},
       [](const F& f) -> const void* { return f.frame->actuator_effort.data(); }},
      {{"/constraint/violation", Type::kReal, {num_rows}, constraints.violation},
       [](const F& f) -> const void* { return f.frame->constraint_violation.data(); }},
      {{"/constraint/force", Type::kReal, {num_rows}, constraints.force},
       [](const F& f) -> const void* { return f.frame->constraint_force.data(); }},
  };
  if (contacts) {
    columns.push_back({{"/contact/row_offset", Type::kInt64, {}, {"1"}, true},
                       [](const F& f) -> const void* { return &f.contact_end; }});
  }
  if (patches) {
    columns.push_back({{"/patch/row_offset", Type::kInt64, {}, {"1"}, true},
                       [](const F& f) -> const void* { return &f.patch_end; }});
  }
  return columns;
}

std::vector<BoundColumn<StepSource>> step_columns(bool iterations) {
  using S = StepSource;
  std::vector<BoundColumn<StepSource>> columns = {
      {{"/stats/step/time", Type::kReal, {}, {"s"}}, [](const S& s) -> const void* { return &s.step->time; }},
      {{"/stats/step/iterations", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->iterations; }},
      {{"/stats/step/line_search_iterations", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->line_search_iterations; }},
      {{"/stats/step/factorizations", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->factorizations; }},
      {{"/stats/step/residual", Type::kReal, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->residual; }},
      {{"/stats/step/cost", Type::kReal, {}, {"J"}}, [](const S& s) -> const void* { return &s.step->cost; }},
      {{"/stats/step/condition", Type::kReal, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->condition; }},
      {{"/stats/step/num_contacts", Type::kInt64, {}, {"1"}},
       [](const S& s) -> const void* { return &s.num_contacts; }},
      {{"/stats/step/num_constraints", Type::kInt64, {}, {"1"}},
       [](const S& s) -> const void* { return &s.num_constraints; }},
      {{"/stats/step/num_patches", Type::kInt64, {}, {"1"}},
       [](const S& s) -> const void* { return &s.num_patches; }},
      {{"/stats/step/num_faces", Type::kInt64, {}, {"1"}},
       [](const S& s) -> const void* { return &s.num_faces; }},
      {{"/stats/step/num_islands", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->num_islands; }},
      {{"/stats/step/factor_nonzeros", Type::kInt64, {}, {"1"}},
       [](const S& s) -> const void* { return &s.factor_nonzeros; }},
      {{"/stats/step/num_rejected", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->num_rejected; }},
      {{"/stats/step/num_rounds", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->num_rounds; }},
      {{"/stats/step/num_unforeseen", Type::kInt32, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->num_unforeseen; }},
      {{"/stats/step/status", Type::kInt32, {}, {"1"}}, [](const S& s) -> const void* { return &s.status; }},
      {{"/stats/step/seconds_total", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.total; }},
      {{"/stats/step/seconds_geometry", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.geometry; }},
      {{"/stats/step/seconds_assembly", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.assembly; }},
      {{"/stats/step/seconds_factor", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.factor; }},
      {{"/stats/step/seconds_solve", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.solve; }},
      {{"/stats/step/seconds_line_search", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.line_search; }},
      {{"/stats/step/seconds_record", Type::kReal, {}, {"s"}},
       [](const S& s) -> const void* { return &s.step->seconds.record; }},
      {{"/artefact/gliding_distance", Type::kReal, {}, {"m"}},
       [](const S& s) -> const void* { return &s.step->gliding_distance; }},
      {{"/artefact/stiction_tolerance", Type::kReal, {}, {"m/s"}},
       [](const S& s) -> const void* { return &s.step->stiction_tolerance; }},
      {{"/artefact/momentum_residual", Type::kReal, {}, {"1"}},
       [](const S& s) -> const void* { return &s.step->momentum_residual; }},
  };
  if (iterations) {
    columns.push_back({{"/stats/iteration/row_offset", Type::kInt64, {}, {"1"}, true},
                       [](const S& s) -> const void* { return &s.iteration_end; }});
  }
  return columns;
}

std::vector<BoundColumn<ContactRows>> contact_columns() {
  using C = ContactRows;
  return {
      {{"/contact/geometry_a", Type::kInt32, {}, {"1"}},
       [](const C& c) -> const void* { return c.geometry_a.data(); }},
      {{"/contact/geometry_b", Type::kInt32, {}, {"1"}},
       [](const C& c) -> const void* { return c.geometry_b.data(); }},
      {{"/contact/kind", Type::kInt32, {}, {"1"}}, [](const C& c) -> const void* { return c.kind.data(); }},
      {{"/contact/point", Type::kReal, {3}, {"m"}}, [](const C& c) -> const void* { return c.point.data(); }},
      {{"/contact/normal", Type::kReal, {3}, {"1"}},
       [](const C& c) -> const void* { return c.normal.data(); }},
      {{"/contact/force", Type::kReal, {3}, {"N"}}, [](const C& c) -> const void* { return c.force.data(); }},
      {{"/contact/slip_velocity", Type::kReal, {3}, {"m/s"}},
       [](const C& c) -> const void* { return c.slip_velocity.data(); }},
      {{"/contact/phi", Type::kReal, {}, {"m"}}, [](const C& c) -> const void* { return c.phi.data(); }},
      {{"/contact/stiffness", Type::kReal, {}, {"N/m"}},
       [](const C& c) -> const void* { return c.stiffness.data(); }},
      {{"/contact/area", Type::kReal, {}, {"m^2"}}, [](const C& c) -> const void* { return c.area.data(); }},
      {{"/contact/pressure", Type::kReal, {}, {"Pa"}},
       [](const C& c) -> const void* { return c.pressure.data(); }},
      {{"/contact/normal_force", Type::kReal, {}, {"N"}},
       [](const C& c) -> const void* { return c.normal_force.data(); }},
      {{"/contact/slip_speed", Type::kReal, {}, {"m/s"}},
       [](const C& c) -> const void* { return c.slip_speed.data(); }},
      {{"/contact/mode", Type::kInt32, {}, {"1"}}, [](const C& c) -> const void* { return c.mode.data(); }},
  };
}

std::vector<BoundColumn<StepStatistics>> iteration_columns() {
  using S = StepStatistics;
  return {
      {{"/stats/iteration/cost", Type::kReal, {}, {"J"}},
       [](const S& s) -> const void* { return s.iteration_cost.data(); }},
      {{"/stats/iteration/gradient_norm", Type::kReal, {}, {"J^0.5"}},
       [](const S& s) -> const void* { return s.iteration_gradient_norm.data(); }},
      {{"/stats/iteration/step_length", Type::kReal, {}, {"1"}},
       [](const S& s) -> const void* { return s.iteration_step_length.data(); }},
  };
}

std::vector<BoundColumn<PatchSource>> patch_columns(bool faces) {
  using P = PatchSource;
  std::vector<BoundColumn<PatchSource>> columns = {
      {{"/patch/geometry_a", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->geometry_a.data(); }},
      {{"/patch/geometry_b", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->geometry_b.data(); }},
      {{"/patch/num_faces", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->num_faces.data(); }},
      {{"/patch/num_vertices", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->num_vertices.data(); }},
      {{"/patch/dropped_area", Type::kReal, {}, {"m^2"}},
       [](const P& p) -> const void* { return p.rows->dropped_area.data(); }},
      {{"/patch/dropped_angle", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->dropped_angle.data(); }},
      {{"/patch/constant_force_faces", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->constant_force_faces.data(); }},
      {{"/patch/area", Type::kReal, {}, {"m^2"}},
       [](const P& p) -> const void* { return p.rows->area.data(); }},
      {{"/patch/max_pressure", Type::kReal, {}, {"Pa"}},
       [](const P& p) -> const void* { return p.rows->max_pressure.data(); }},
      {{"/patch/centroid", Type::kReal, {3}, {"m"}},
       [](const P& p) -> const void* { return p.rows->centroid.data(); }},
      {{"/patch/elastic_force", Type::kReal, {3}, {"N"}},
       [](const P& p) -> const void* { return p.rows->elastic_force.data(); }},
      {{"/patch/elastic_moment", Type::kReal, {3}, {"N m"}},
       [](const P& p) -> const void* { return p.rows->elastic_moment.data(); }},
      {{"/patch/force", Type::kReal, {3}, {"N"}},
       [](const P& p) -> const void* { return p.rows->force.data(); }},
      {{"/patch/moment", Type::kReal, {3}, {"N m"}},
       [](const P& p) -> const void* { return p.rows->moment.data(); }},
  };
  if (faces) {
    columns.push_back({{"/patch/face_offset", Type::kInt64, {}, {"1"}, true},
                       [](const P& p) -> const void* { return p.face_end.data(); }});
  }
  return columns;
}

std::vector<BoundColumn<PatchSource>> face_columns() {
  using P = PatchSource;
  return {
      {{"/patch/face/area", Type::kReal, {}, {"m^2"}},
       [](const P& p) -> const void* { return p.rows->face_area.data(); }},
      {{"/patch/face/pressure", Type::kReal, {}, {"Pa"}},
       [](const P& p) -> const void* { return p.rows->face_pressure.data(); }},
      {{"/patch/face/gradient_a", Type::kReal, {}, {"Pa/m"}},
       [](const P& p) -> const void* { return p.rows->face_gradient_a.data(); }},
      {{"/patch/face/gradient_b", Type::kReal, {}, {"Pa/m"}},
       [](const P& p) -> const void* { return p.rows->face_gradient_b.data(); }},
      {{"/patch/face/element_a", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->face_element_a.data(); }},
      {{"/patch/face/element_b", Type::kInt32, {}, {"1"}},
       [](const P& p) -> const void* { return p.rows->face_element_b.data(); }},
      {{"/patch/face/centroid", Type::kReal, {3}, {"m"}},
       [](const P& p) -> const void* { return p.rows->face_centroid.data(); }},
      {{"/patch/face/normal", Type::kReal, {3}, {"1"}},
       [](const P& p) -> const void* { return p.rows->face_normal.data(); }},
      {{"/patch/polygon/vertex_offset", Type::kInt64, {}, {"1"}, true},
       [](const P& p) -> const void* { return p.corner_end.data(); }},
  };
}

std::vector<BoundColumn<PatchSource>> corner_columns() {
  using P = PatchSource;
  return {
      {{"/patch/polygon/vertex", Type::kReal, {3}, {"m"}},
       [](const P& p) -> const void* { return p.rows->vertex.data(); }},
      {{"/patch/polygon/pressure", Type::kReal, {}, {"Pa"}},
       [](const P& p) -> const void* { return p.rows->vertex_pressure.data(); }},
  };
}

std::vector<BoundColumn<EventSource>> event_columns(std::size_t subject_length) {
  using E = EventSource;
  return {
      {{"/event/time", Type::kReal, {}, {"s"}}, [](const E& e) -> const void* { return &e.time; }},
      {{"/event/kind", Type::kText, {}, {""}, false, longest_event_name()},
       [](const E& e) -> const void* { return e.kind.data(); }},
      {{"/event/subject_a", Type::kText, {}, {""}, false, subject_length},
       [](const E& e) -> const void* { return e.subject_a.data(); }},
      {{"/event/subject_b", Type::kText, {}, {""}, false, subject_length},
       [](const E& e) -> const void* { return e.subject_b.data(); }},
      {{"/event/value", Type::kReal, {}, {"1"}}, [](const E& e) -> const void* { return &e.value; }},
  };
}

bool find_table(const std::string& path, TablePlace* place) {
  const std::size_t slash = path.rfind('/');
  const std::string group = path.substr(0, slash), name = path.substr(slash + 1);
  place->is_offset = name == "row_offset" || name == "face_offset" || name == "vertex_offset";
  if (group == "/trajectory" || group == "/energy" || group == "/joint" || path == "/actuator/command" ||
      path == "/actuator/effort" || path == "/constraint/violation" || path == "/constraint/force" ||
      path == "/contact/row_offset" || path == "/patch/row_offset") {
    place->table = Table::kFrames;
  } else if (group == "/stats/step" || group == "/artefact" || path == "/stats/iteration/row_offset") {
    place->table = Table::kSteps;
  } else if (group == "/event") {
    place->table = Table::kEvents;
  } else if (group == "/contact") {
    place->table = Table::kContacts;
  } else if (group == "/stats/iteration") {
    place->table = Table::kIterations;
  } else if (group == "/patch") {
    place->table = Table::kPatches;
  } else if (group == "/patch/face" || path == "/patch/polygon/vertex_offset") {
    place->table = Table::kFaces;
  } else if (group == "/patch/polygon") {
    place->table = Table::kCorners;
  } else {
    return false;
  }
  return true;
}

long table_rows(const RowCounts& rows, Table table) {
  switch (table) {
    case Table::kFrames:
      return rows.frames;
    case Table::kSteps:
      return rows.steps;
    case Table::kContacts:
      return rows.contacts;
    case Table::kIterations:
      return rows.iterations;
    case Table::kPatches:
      return rows.patches;
    case Table::kFaces:
      return rows.faces;
    case Table::kCorners:
      return rows.corners;
    case Table::kEvents:
      break;
  }
  return rows.events;
}

bool is_timing(const std::string& path) {
  return path.starts_with("/stats/step/seconds_");
}

}  // namespace csim
