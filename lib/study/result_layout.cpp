#include "study/result_layout.h"

#include "record/tables.h"

namespace csim {
namespace {

/// Owners of one column each.
std::vector<std::int64_t> unit_offsets(std::size_t count, std::int64_t width = 1) {
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i <= count; ++i) offsets.push_back(static_cast<std::int64_t>(i) * width);
  return offsets;
}

void append(ColumnOwners* owners, const std::string& name, std::size_t num_columns) {
  if (owners->offsets.empty()) owners->offsets.push_back(0);
  owners->names.push_back(name);
  owners->offsets.push_back(owners->offsets.back() + static_cast<std::int64_t>(num_columns));
}

}  // namespace

std::optional<ColumnOwners> ResultLayout::owners(const std::string& path) const {
  if (path == "/trajectory/q") return body_q;
  if (path == "/trajectory/v") return body_v;
  if (path == "/joint/position") return joint_q;
  if (path.starts_with("/joint/")) return joint_v;
  if (path.starts_with("/actuator/")) return actuators;
  if (path.starts_with("/constraint/")) return constraints;
  if (path.starts_with("/force/")) return forces;
  const auto column = columns.find(path);
  const bool of_bodies =
      path.starts_with("/trajectory/") && column != columns.end() && column->second.row_shape.size() == 2;
  if (!of_bodies) return std::nullopt;
  return ColumnOwners{body_q.names, unit_offsets(body_q.names.size(), column->second.row_shape[1])};
}

ResultLayout layout_of(const ResultFile& result) {
  ResultLayout layout;
  const std::vector<std::string> bodies = result.texts("/bodies/name"), joints = result.texts("/joints/name");
  layout.body_q = {bodies, result.integer("/bodies/q_offset")};
  layout.body_v = {bodies, result.integer("/bodies/v_offset")};
  layout.joint_q = {joints, result.integer("/joints/q_offset")};
  layout.joint_v = {joints, result.integer("/joints/v_offset")};
  const std::vector<std::string> actuators = result.texts("/actuator/name");
  layout.actuators = {actuators, unit_offsets(actuators.size())};
  std::vector<std::string> forces;
  if (result.has("/force/name")) forces = result.texts("/force/name");  // not in an older file
  layout.forces = {forces, unit_offsets(forces.size(), 6)};
  layout.constraints = {result.texts("/constraint/name"), result.integer("/constraint/row_offset")};
  layout.geometries = result.texts("/geometries/name");
  layout.geometry_body = result.index("/geometries/body", bodies.size());
  for (const hdf5::ObjectInfo& dataset : result.datasets()) {
    const std::optional<TablePlace> place = find_table(dataset.path);
    if (!place || place->is_offset || dataset.shape.empty()) continue;
    layout.columns[dataset.path] = {place->table,
                                    {dataset.shape.begin() + 1, dataset.shape.end()},
                                    result.units(dataset.path),
                                    dataset.type == hdf5::Type::kText};
  }
  return layout;
}

ResultLayout layout_of(const Scene& scene, const Model& model) {
  ResultLayout layout;
  for (ColumnOwners* owners : {&layout.body_q, &layout.body_v, &layout.joint_q, &layout.joint_v,
                               &layout.actuators, &layout.constraints, &layout.forces})
    owners->offsets.push_back(0);
  for (const Body& body : model.bodies) {
    append(&layout.body_q, body.name, static_cast<std::size_t>(body.joint.nq));
    append(&layout.body_v, body.name, static_cast<std::size_t>(body.joint.nv));
  }
  for (const JointSpec& joint : scene.joints) {
    const JointUnits units = joint_units(joint.type);
    append(&layout.joint_q, joint.name, units.position.size());
    append(&layout.joint_v, joint.name, units.velocity.size());
  }
  for (const Actuator& actuator : model.actuators) append(&layout.actuators, actuator.name, 1);
  for (const ConstraintSpec& constraint : scene.constraints)
    append(&layout.constraints, constraint.name, constraint_rows(scene, constraint).size());
  for (const ForceSpec& force : scene.forces) append(&layout.forces, force.name, 6);
  for (const Geometry& geometry : model.geometries) {
    layout.geometries.push_back(geometry.name);
    layout.geometry_body.push_back(geometry.body);
  }
  for (const ColumnSpec& spec : table_columns(scene, model, scene.output, 1)) {
    if (spec.place.is_offset) continue;
    layout.columns[spec.path] = {spec.place.table, spec.row_shape, spec.units,
                                 spec.type == hdf5::Type::kText};
  }
  return layout;
}

}  // namespace csim
