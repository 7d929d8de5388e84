#include "run/joint_list.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/number_format.h"
#include "scene/format/field_rows.h"

namespace csim {
namespace {

std::string list_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + format_text("%.6g", value);
  return values.size() == 1 ? text : "[" + text + "]";
}

/// ", damping 0.1"; "" where all are 0.
std::string column_text(const char* name, const std::vector<double>& values) {
  const bool any = std::any_of(values.begin(), values.end(), [](double value) { return value != 0.0; });
  const bool same =
      any && std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  if (!any) return "";
  return ", " + std::string(name) + " " + (same ? format_text("%.6g", values[0]) : list_text(values));
}

}  // namespace

std::vector<JointRow> list_joints(const Scene& scene, const Model& model) {
  const auto name_of = [&](int body) { return body < 0 ? std::string("world") : scene.bodies[body].name; };
  const Field& types = *joint_section().find("type");
  std::vector<JointRow> rows;
  for (const JointSpec& joint : scene.joints) {
    JointRow& row = rows.emplace_back();
    row.name = joint.name;
    row.type = types.choices[static_cast<std::size_t>(joint.type)].name;
    row.parent = name_of(joint.parent);
    row.child = name_of(joint.child);
    row.position = joint.position;
    row.limits = joint.limits;
    row.damping = joint.damping;
    row.friction = joint.friction;
    row.armature = joint.armature;
    const MassProperties& mass = model.bodies[joint.child].mass;
    row.mass = mass.mass;
    row.com = mass.com;
    row.moments = Eigen::SelfAdjointEigenSolver<Matrix3>(mass.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  }
  return rows;
}

std::string joint_text(const JointRow& row) {
  std::string text = row.name + ": " + row.type + ", " + row.parent + " to " + row.child +
                     format_text(" (%.6g kg)", row.mass);
  if (!row.position.empty()) text += ", at " + list_text(row.position);
  if (!row.limits.empty()) text += " in " + list_text(row.limits) + (row.type == "prismatic" ? " m" : " rad");
  return text + column_text("damping", row.damping) + column_text("friction", row.friction) +
         column_text("armature", row.armature);
}

}  // namespace csim
