#include "record/tables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

#include "scene/integrator_kinds.h"

namespace csim {
namespace {

using hdf5::Type;
using Units = std::vector<std::string>;

static_assert(sizeof(long) == 8 && sizeof(int) == 4 && sizeof(StepStatus) == 4, "the types of the file");

/// A column whose element type and innermost extent are those of the data that `Get` points at; `outer`: the
/// extents of a row before it.
template <typename Get>
ColumnSpec column(const char* path, Units units, Get, std::vector<long> outer = {}) {
  using Value = std::remove_cvref_t<decltype(*std::declval<Get>()(std::declval<const RowSource&>()))>;
  constexpr bool kVector = std::is_same_v<Value, Vector3>;
  constexpr bool kInteger = std::is_integral_v<Value> || std::is_enum_v<Value>;
  static_assert(kVector || std::is_same_v<Value, double> || std::is_same_v<Value, char> ||
                (kInteger && sizeof(Value) >= 4));
  if (kVector) outer.push_back(3);
  constexpr Type kType = kVector || std::is_same_v<Value, double> ? Type::kReal
                         : std::is_same_v<Value, char>            ? Type::kText
                         : sizeof(Value) == 4                     ? Type::kInt32
                                                                  : Type::kInt64;
  return {path, {}, kType, std::move(outer), std::move(units), [](const RowSource& s) -> const void* {
            return Get()(s);
          }};
}

void append(Units* all, const Units& more) {
  all->insert(all->end(), more.begin(), more.end());
}

void append(JointUnits* all, const JointUnits& more) {
  append(&all->position, more.position);
  append(&all->velocity, more.velocity);
  append(&all->effort, more.effort);
}

bool is_wanted(const std::string& path, const OutputSpec& output) {
  if (path.starts_with("/contact/")) return output.contacts;
  if (path.starts_with("/gradient/") || path == "/stats/step/seconds_gradients") return output.gradients;
  if (path.starts_with("/stats/iteration/")) return output.iterations;
  if (path.starts_with("/patch/face") || path.starts_with("/patch/polygon/"))
    return output.patches == PatchOutput::kFull;
  return !path.starts_with("/patch/") || output.patches != PatchOutput::kNone;
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
    case JointType::kScrew:
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

JointUnits state_units(const Model& model) {
  JointUnits all;
  for (const Body& body : model.bodies) append(&all, joint_units(body.joint.type));
  return all;
}

std::vector<ColumnSpec> table_columns(const Scene& scene, const Model& model, const OutputSpec& output,
                                      std::size_t subject_length) {
  using S = RowSource;
  const JointUnits state = state_units(model);
  JointUnits joints;
  for (const JointSpec& joint : scene.joints) append(&joints, joint_units(joint.type));
  Units command, effort;  // of the actuators
  for (const ActuatorSpec& actuator : scene.actuators) {
    if (actuator.type == ActuatorType::kCartesian) {
      append(&command, {"m", "m", "m", "rad", "rad", "rad"});
      append(&effort, {"N", "N", "N", "N m", "N m", "N m"});
      continue;
    }
    const JointUnits joint = joint_units(scene.joints[actuator.joint].type);
    append(&effort, joint.effort);
    append(&command, actuator.type == ActuatorType::kPosition   ? joint.position
                     : actuator.type == ActuatorType::kVelocity ? joint.velocity
                                                                : joint.effort);
  }
  JointUnits constraints;  // by row
  for (const ConstraintSpec& constraint : scene.constraints)
    for (const ConstraintRow& row : constraint_rows(scene, constraint))
      append(&constraints, joint_units(row.is_angle ? JointType::kRevolute : JointType::kPrismatic));
  Units applied;  // of the forces
  for (std::size_t i = 0; i < scene.forces.size(); ++i)
    append(&applied, {"N", "N", "N", "N m", "N m", "N m"});
  const auto count = [](const auto& list) { return static_cast<long>(list.size()); };
  const long bodies = count(model.bodies), nqj = count(joints.position), nvj = count(joints.velocity),
             num_actuators = count(model.actuators), num_rows = count(constraints.effort),
             num_forces = count(scene.forces);

  std::vector<ColumnSpec> columns = {
      column("/trajectory/time", {"s"}, [](const S& s) { return &s.frame->time; }),
      column("/trajectory/position", {"m"}, [](const S& s) { return s.frame->position.data(); }, {bodies}),
      column("/trajectory/quaternion", {"1"}, [](const S& s) { return s.quaternion.data(); }, {bodies, 4}),
      column("/trajectory/velocity", {"m/s"}, [](const S& s) { return s.frame->velocity.data(); }, {bodies}),
      column("/trajectory/angular_velocity", {"rad/s"},
             [](const S& s) { return s.frame->angular_velocity.data(); }, {bodies}),
      column("/trajectory/q", state.position, [](const S& s) { return s.frame->q.data(); }, {model.nq}),
      column("/trajectory/v", state.velocity, [](const S& s) { return s.frame->v.data(); }, {model.nv}),
      column("/energy/kinetic", {"J"}, [](const S& s) { return &s.frame->energy.kinetic; }),
      column("/energy/potential", {"J"}, [](const S& s) { return &s.frame->energy.potential; }),
      column("/energy/elastic", {"J"}, [](const S& s) { return &s.frame->energy.elastic; }),
      column("/energy/total", {"J"}, [](const S& s) { return &s.frame->energy.total; }),
      column("/energy/dissipated", {"J"}, [](const S& s) { return &s.frame->energy.dissipated; }),
      column("/energy/work", {"J"}, [](const S& s) { return &s.frame->energy.work; }),
      column("/energy/balance_error", {"J"}, [](const S& s) { return &s.frame->energy.balance_error; }),
      column("/energy/turned_over", {"J"}, [](const S& s) { return &s.frame->energy.turned_over; }),
      column("/energy/dissipated_normal", {"J"},
             [](const S& s) { return &s.frame->energy.dissipated_normal; }),
      column("/energy/normal_damping", {"J"}, [](const S& s) { return &s.frame->energy.normal_damping; }),
      column("/energy/normal_spring_loss", {"J"},
             [](const S& s) { return &s.frame->energy.normal_spring_loss; }),
      column("/energy/normal_overlap_gain", {"J"},
             [](const S& s) { return &s.frame->energy.normal_overlap_gain; }),
      column("/energy/dissipated_friction", {"J"},
             [](const S& s) { return &s.frame->energy.dissipated_friction; }),
      column("/energy/dissipated_joints", {"J"},
             [](const S& s) { return &s.frame->energy.dissipated_joints; }),
      column("/energy/work_actuators", {"J"}, [](const S& s) { return &s.frame->energy.work_actuators; }),
      column("/energy/work_prescribed", {"J"}, [](const S& s) { return &s.frame->energy.work_prescribed; }),
      column("/energy/work_forces", {"J"}, [](const S& s) { return &s.frame->energy.work_forces; }),
      column("/energy/scheme_gravity", {"J"}, [](const S& s) { return &s.frame->energy.scheme_gravity; }),
      column("/energy/scheme_mass_matrix", {"J"},
             [](const S& s) { return &s.frame->energy.scheme_mass_matrix; }),
      column("/energy/scheme_springs", {"J"}, [](const S& s) { return &s.frame->energy.scheme_springs; }),
      column("/energy/joint_spring_loss", {"J"},
             [](const S& s) { return &s.frame->energy.joint_spring_loss; }),
      column("/joint/position", joints.position, [](const S& s) { return s.frame->joint_position.data(); },
             {nqj}),
      column("/joint/velocity", joints.velocity, [](const S& s) { return s.frame->joint_velocity.data(); },
             {nvj}),
      column("/joint/effort", joints.effort, [](const S& s) { return s.frame->joint_effort.data(); }, {nvj}),
      column("/actuator/command", command, [](const S& s) { return s.frame->actuator_command.data(); },
             {num_actuators}),
      column("/actuator/effort", effort, [](const S& s) { return s.frame->actuator_effort.data(); },
             {num_actuators}),
      column("/constraint/violation", constraints.position,
             [](const S& s) { return s.frame->constraint_violation.data(); }, {num_rows}),
      column("/constraint/force", constraints.effort,
             [](const S& s) { return s.frame->constraint_force.data(); }, {num_rows}),
      column("/sequence/phase", {"1"}, [](const S& s) { return &s.frame->sequence_phase; }),
      column("/force/applied", applied, [](const S& s) { return s.frame->force_applied.data(); },
             {num_forces, 6}),

      column("/gradient/q", {"mixed"}, [](const S& s) { return s.frame->gradients.q.data(); },
             {model.nq, model.nq}),
      column("/gradient/command", {"mixed"}, [](const S& s) { return s.frame->gradients.command.data(); },
             {model.nq, num_actuators}),
      column("/gradient/kinks", {"1"}, [](const S& s) { return &s.frame->gradients.num_kinks; }),

      column("/stats/step/time", {"s"}, [](const S& s) { return &s.step->time; }),
      column("/stats/step/iterations", {"1"}, [](const S& s) { return &s.step->iterations; }),
      column("/stats/step/line_search_iterations", {"1"},
             [](const S& s) { return &s.step->line_search_iterations; }),
      column("/stats/step/factorizations", {"1"}, [](const S& s) { return &s.step->factorizations; }),
      column("/stats/step/residual", {"1"}, [](const S& s) { return &s.step->residual; }),
      column("/stats/step/cost", {"J"}, [](const S& s) { return &s.step->cost; }),
      column("/stats/step/condition", {"1"}, [](const S& s) { return &s.step->condition; }),
      column("/stats/step/num_contacts", {"1"}, [](const S& s) { return &s.step->num_contacts; }),
      column("/stats/step/num_constraints", {"1"}, [](const S& s) { return &s.step->num_constraints; }),
      column("/stats/step/num_patches", {"1"}, [](const S& s) { return &s.step->num_patches; }),
      column("/stats/step/num_faces", {"1"}, [](const S& s) { return &s.step->num_faces; }),
      column("/stats/step/num_islands", {"1"}, [](const S& s) { return &s.step->num_islands; }),
      column("/stats/step/factor_nonzeros", {"1"}, [](const S& s) { return &s.step->factor_nonzeros; }),
      column("/stats/step/num_rejected", {"1"}, [](const S& s) { return &s.step->num_rejected; }),
      column("/stats/step/num_rounds", {"1"}, [](const S& s) { return &s.step->num_rounds; }),
      column("/stats/step/num_unforeseen", {"1"}, [](const S& s) { return &s.step->num_unforeseen; }),
      column("/stats/step/status", {"1"}, [](const S& s) { return &s.step->status; }),
      column("/stats/step/seconds_total", {"s"}, [](const S& s) { return &s.step->seconds.total; }),
      column("/stats/step/seconds_geometry", {"s"}, [](const S& s) { return &s.step->seconds.geometry; }),
      column("/stats/step/seconds_assembly", {"s"}, [](const S& s) { return &s.step->seconds.assembly; }),
      column("/stats/step/seconds_factor", {"s"}, [](const S& s) { return &s.step->seconds.factor; }),
      column("/stats/step/seconds_solve", {"s"}, [](const S& s) { return &s.step->seconds.solve; }),
      column("/stats/step/seconds_line_search", {"s"},
             [](const S& s) { return &s.step->seconds.line_search; }),
      column("/stats/step/seconds_gradients", {"s"}, [](const S& s) { return &s.step->seconds.gradients; }),
      column("/stats/step/seconds_record", {"s"}, [](const S& s) { return &s.step->seconds.record; }),
      column("/artefact/gliding_distance", {"m"}, [](const S& s) { return &s.step->gliding_distance; }),
      column("/artefact/stiction_tolerance", {"m/s"}, [](const S& s) { return &s.step->stiction_tolerance; }),
      column("/artefact/friction_lag", {"1"}, [](const S& s) { return &s.step->friction_lag; }),
      column("/artefact/momentum_residual", {"1"}, [](const S& s) { return &s.step->momentum_residual; }),

      column("/event/time", {"s"}, [](const S& s) { return &s.event_time; }),
      column("/event/kind", {""}, [](const S& s) { return s.event_kind.data(); }),
      column("/event/subject_a", {""}, [](const S& s) { return s.subject_a.data(); }),
      column("/event/subject_b", {""}, [](const S& s) { return s.subject_b.data(); }),
      column("/event/value", {"1"}, [](const S& s) { return &s.event_value; }),

      column("/warning/time", {"s"}, [](const S& s) { return &s.warning_time; }),
      column("/warning/kind", {""}, [](const S& s) { return s.warning_kind.data(); }),
      column("/warning/text", {""}, [](const S& s) { return s.warning_text.data(); }),

      column("/contact/row_offset", {"1"}, [](const S& s) { return &s.rows.contacts; }),
      column("/contact/geometry_a", {"1"}, [](const S& s) { return s.contacts->geometry_a.data(); }),
      column("/contact/geometry_b", {"1"}, [](const S& s) { return s.contacts->geometry_b.data(); }),
      column("/contact/kind", {"1"}, [](const S& s) { return s.contacts->kind.data(); }),
      column("/contact/point", {"m"}, [](const S& s) { return s.contacts->point.data(); }),
      column("/contact/normal", {"1"}, [](const S& s) { return s.contacts->normal.data(); }),
      column("/contact/force", {"N"}, [](const S& s) { return s.contacts->force.data(); }),
      column("/contact/slip_velocity", {"m/s"}, [](const S& s) { return s.contacts->slip_velocity.data(); }),
      column("/contact/phi", {"m"}, [](const S& s) { return s.contacts->phi.data(); }),
      column("/contact/stiffness", {"N/m"}, [](const S& s) { return s.contacts->stiffness.data(); }),
      column("/contact/area", {"m^2"}, [](const S& s) { return s.contacts->area.data(); }),
      column("/contact/pressure", {"Pa"}, [](const S& s) { return s.contacts->pressure.data(); }),
      column("/contact/normal_force", {"N"}, [](const S& s) { return s.contacts->normal_force.data(); }),
      column("/contact/slip_speed", {"m/s"}, [](const S& s) { return s.contacts->slip_speed.data(); }),
      column("/contact/mode", {"1"}, [](const S& s) { return s.contacts->mode.data(); }),

      column("/stats/iteration/row_offset", {"1"}, [](const S& s) { return &s.rows.iterations; }),
      column("/stats/iteration/cost", {"J"}, [](const S& s) { return s.step->iteration_cost.data(); }),
      column("/stats/iteration/gradient_norm", {"J^0.5"},
             [](const S& s) { return s.step->iteration_gradient_norm.data(); }),
      column("/stats/iteration/step_length", {"1"},
             [](const S& s) { return s.step->iteration_step_length.data(); }),

      column("/pair/row_offset", {"1"}, [](const S& s) { return &s.rows.pairs; }),
      column("/pair/body_a", {"1"}, [](const S& s) { return &s.pair->body_a; }),
      column("/pair/body_b", {"1"}, [](const S& s) { return &s.pair->body_b; }),
      column("/pair/impulse", {"N s"}, [](const S& s) { return &s.pair->impulse; }),
      column("/pair/peak_normal_force", {"N"}, [](const S& s) { return &s.pair->peak_normal_force; }),
      column("/pair/contact_time", {"s"}, [](const S& s) { return &s.pair->contact_time; }),

      column("/patch/row_offset", {"1"}, [](const S& s) { return &s.rows.patches; }),
      column("/patch/geometry_a", {"1"}, [](const S& s) { return s.patches->geometry_a.data(); }),
      column("/patch/geometry_b", {"1"}, [](const S& s) { return s.patches->geometry_b.data(); }),
      column("/patch/num_faces", {"1"}, [](const S& s) { return s.patches->num_faces.data(); }),
      column("/patch/num_vertices", {"1"}, [](const S& s) { return s.patches->num_vertices.data(); }),
      column("/patch/dropped_area", {"m^2"}, [](const S& s) { return s.patches->dropped_area.data(); }),
      column("/patch/dropped_angle", {"1"}, [](const S& s) { return s.patches->dropped_angle.data(); }),
      column("/patch/constant_force_faces", {"1"},
             [](const S& s) { return s.patches->constant_force_faces.data(); }),
      column("/patch/area", {"m^2"}, [](const S& s) { return s.patches->area.data(); }),
      column("/patch/max_pressure", {"Pa"}, [](const S& s) { return s.patches->max_pressure.data(); }),
      column("/patch/centroid", {"m"}, [](const S& s) { return s.patches->centroid.data(); }),
      column("/patch/elastic_force", {"N"}, [](const S& s) { return s.patches->elastic_force.data(); }),
      column("/patch/elastic_moment", {"N m"}, [](const S& s) { return s.patches->elastic_moment.data(); }),
      column("/patch/force", {"N"}, [](const S& s) { return s.patches->force.data(); }),
      column("/patch/moment", {"N m"}, [](const S& s) { return s.patches->moment.data(); }),

      column("/patch/face_offset", {"1"}, [](const S& s) { return s.face_end.data(); }),
      column("/patch/face/area", {"m^2"}, [](const S& s) { return s.patches->face_area.data(); }),
      column("/patch/face/pressure", {"Pa"}, [](const S& s) { return s.patches->face_pressure.data(); }),
      column("/patch/face/gradient_a", {"Pa/m"},
             [](const S& s) { return s.patches->face_gradient_a.data(); }),
      column("/patch/face/gradient_b", {"Pa/m"},
             [](const S& s) { return s.patches->face_gradient_b.data(); }),
      column("/patch/face/element_a", {"1"}, [](const S& s) { return s.patches->face_element_a.data(); }),
      column("/patch/face/element_b", {"1"}, [](const S& s) { return s.patches->face_element_b.data(); }),
      column("/patch/face/centroid", {"m"}, [](const S& s) { return s.patches->face_centroid.data(); }),
      column("/patch/face/normal", {"1"}, [](const S& s) { return s.patches->face_normal.data(); }),

      column("/patch/polygon/vertex_offset", {"1"}, [](const S& s) { return s.corner_end.data(); }),
      column("/patch/polygon/vertex", {"m"}, [](const S& s) { return s.patches->vertex.data(); }),
      column("/patch/polygon/pressure", {"Pa"}, [](const S& s) { return s.patches->vertex_pressure.data(); }),
  };
  if (integrator_kind(scene).has_certificate) {
    const ColumnSpec certificate[] = {
        column("/stats/step/stationarity", {"1"},
               [](const S& s) { return &s.step->quasistatic.stationarity; }),
        column("/stats/step/primal", {"m/s"}, [](const S& s) { return &s.step->quasistatic.primal; }),
        column("/stats/step/dual_sign", {"1"}, [](const S& s) { return &s.step->quasistatic.dual_sign; }),
        column("/stats/step/complementarity", {"1"},
               [](const S& s) { return &s.step->quasistatic.complementarity; }),
        column("/stats/step/balance", {"1"}, [](const S& s) { return &s.step->quasistatic.balance; })};
    columns.insert(columns.end(), std::begin(certificate), std::end(certificate));
  }
  if (!model.breaking_loads.empty())
    columns.push_back(column("/constraint/broken", {"1"},
                             [](const S& s) { return s.frame->constraint_broken.data(); },
                             {count(model.constraint_names)}));
  if (scene.integrator.type == IntegratorType::kErrorControlled)
    columns.push_back(column("/stats/step/num_parts", {"1"}, [](const S& s) { return &s.step->num_parts; }));
  if (scene.integrator.sleep_speed) {
    columns.push_back(
        column("/trajectory/asleep", {"1"}, [](const S& s) { return s.frame->asleep.data(); }, {bodies}));
    columns.push_back(
        column("/stats/step/num_asleep", {"1"}, [](const S& s) { return &s.step->num_asleep; }));
  }
  std::erase_if(columns, [&](const ColumnSpec& spec) { return !is_wanted(spec.path, output); });
  for (ColumnSpec& spec : columns) {
    spec.place = find_table(spec.path).value();
    if (spec.type != Type::kText) continue;
    const bool is_kind = spec.path == "/event/kind" || spec.path == "/warning/kind";
    spec.text_length = is_kind                        ? longest_event_name()
                       : spec.path == "/warning/text" ? warning_length(subject_length)
                                                      : subject_length;
  }
  return columns;
}

std::optional<TablePlace> find_table(const std::string& path) {
  constexpr std::pair<const char*, Table> kGroups[] = {
      {"/trajectory", Table::kFrames}, {"/energy", Table::kFrames},     {"/joint", Table::kFrames},
      {"/actuator", Table::kFrames},   {"/constraint", Table::kFrames}, {"/gradient", Table::kFrames},
      {"/stats/step", Table::kSteps},  {"/artefact", Table::kSteps},    {"/event", Table::kEvents},
      {"/warning", Table::kWarnings},  {"/force", Table::kFrames},      {"/sequence", Table::kFrames}};
  // Of the static part, in groups of tables.
  constexpr std::array kStatic{"/actuator/name",      "/constraint/name",    "/constraint/type",
                               "/constraint/body_a",  "/constraint/body_b",  "/constraint/row_offset",
                               "/constraint/point_a", "/constraint/point_b", "/constraint/joint_offset",
                               "/constraint/joint",   "/force/name",         "/force/body",
                               "/force/point",        "/sequence/name"};
  if (std::find(kStatic.begin(), kStatic.end(), path) != kStatic.end()) return {};
  const std::string group = path.substr(0, path.rfind('/'));
  for (const auto& [name, table] : kGroups)
    if (group == name) return TablePlace{table, false};
  for (const RaggedTable& ragged : kRaggedTables)
    if (path == ragged.offsets) return TablePlace{ragged.owner, true};
  for (const RaggedTable& ragged : kRaggedTables)
    if (group == ragged.group) return TablePlace{ragged.table, false};
  return {};
}

long& table_rows(RowCounts* rows, Table table) {
  constexpr long RowCounts::*kCounts[] = {&RowCounts::frames,   &RowCounts::steps,    &RowCounts::events,
                                          &RowCounts::warnings, &RowCounts::contacts, &RowCounts::iterations,
                                          &RowCounts::patches,  &RowCounts::faces,    &RowCounts::corners,
                                          &RowCounts::pairs};
  return rows->*kCounts[static_cast<int>(table)];
}

long table_rows(const RowCounts& rows, Table table) {
  RowCounts copy = rows;
  return table_rows(&copy, table);
}

Table owner_of(Table table) {
  for (const RaggedTable& ragged : kRaggedTables)
    if (ragged.table == table) return owner_of(ragged.owner);
  return table;
}

std::size_t row_bytes(const ColumnSpec& spec) {
  std::size_t bytes = spec.type == Type::kText ? spec.text_length : hdf5::size_of(spec.type);
  for (const long length : spec.row_shape) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

long chunk_rows(const ColumnSpec& spec) {
  constexpr long kRaggedChunkRows = 1024;                      // of the tables with many rows a frame or step
  constexpr std::size_t kLargestChunk = std::size_t{4} << 20;  // bytes
  if (spec.place.table == Table::kWarnings) return 1;
  long rows = owner_of(spec.place.table) == spec.place.table ? kRowsPerFlush : kRaggedChunkRows;
  while (rows > 1 && row_bytes(spec) * static_cast<std::size_t>(rows) > kLargestChunk) rows /= 2;
  return rows;
}

double bytes_of_rows(const std::vector<ColumnSpec>& columns, const RowCounts& rows) {
  double bytes = 0.0;
  for (const ColumnSpec& spec : columns) {
    const long count = table_rows(rows, spec.place.table), length = chunk_rows(spec);
    const std::size_t of_row = row_bytes(spec);
    if (of_row == 0) continue;
    const auto chunks = static_cast<double>((count + length - 1) / length);
    // A node of the index (a B-tree) has 8 chunks, mostly 7 are in it, and 9 keys: size, filter mask and
    // offsets in all dimensions and of the element.
    const double node = 24.0 + 8.0 * 8.0 + 9.0 * (8.0 + 8.0 * static_cast<double>(spec.row_shape.size() + 2));
    bytes += chunks * (static_cast<double>(length) * static_cast<double>(of_row) + node / 6.0);
  }
  return bytes;
}

bool is_timing(const std::string& path) {
  return path.starts_with("/stats/step/seconds_");
}

}  // namespace csim
