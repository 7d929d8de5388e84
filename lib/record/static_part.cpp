#include "record/static_part.h"

#include <limits>
#include <utility>
#include <variant>

#include "core/require.h"
#include "record/tables.h"
#include "scene/type_names.h"

namespace csim {
namespace {

using Integers = std::vector<std::int32_t>;
using Reals = std::vector<double>;

void push(Reals* values, const Vector3& v) {
  values->insert(values->end(), {v.x(), v.y(), v.z()});
}

/// Offsets of runs of `lengths`: one more entry than there are runs.
Integers offsets(const Integers& lengths) {
  Integers all = {0};
  for (const std::int32_t length : lengths) all.push_back(all.back() + length);
  return all;
}

void write_bodies(hdf5::File* file, const Model& model) {
  std::vector<std::string> names;
  Reals mass, com, inertia;
  Integers nq, nv;
  for (const Body& body : model.bodies) {
    names.push_back(body.name);
    mass.push_back(body.mass.mass);
    push(&com, body.mass.com);
    const Matrix3& I = body.mass.inertia;
    inertia.insert(inertia.end(), {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
    nq.push_back(body.joint.nq);
    nv.push_back(body.joint.nv);
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/bodies/name", names);
  file->write_array("/bodies/mass", {n}, mass, {"kg"});
  file->write_array("/bodies/com", {n, 3}, com, {"m"});
  file->write_array("/bodies/inertia", {n, 6}, inertia, {"kg m^2"});
  file->write_array("/bodies/q_offset", {n + 1}, offsets(nq), {"1"});
  file->write_array("/bodies/v_offset", {n + 1}, offsets(nv), {"1"});
}

/// Name and up to three lengths of a shape, as the scene spells them.
struct ShapeRow {
  std::string name;
  Vector3 size = Vector3::Zero();
};

/// The tets of a tetmesh stand in /meshes where it is compliant; to the model it is its boundary.
struct DescribeShape {
  ShapeType type;  // as the scene has it

  ShapeRow operator()(const Sphere& s) const { return {"sphere", {s.radius, 0, 0}}; }
  ShapeRow operator()(const Box& s) const { return {"box", s.size}; }
  ShapeRow operator()(const Cylinder& s) const { return {"cylinder", {s.radius, s.length, 0}}; }
  ShapeRow operator()(const Capsule& s) const { return {"capsule", {s.radius, s.length, 0}}; }
  ShapeRow operator()(const Ellipsoid& s) const { return {"ellipsoid", s.semi_axes}; }
  ShapeRow operator()(const HalfSpace&) const { return {"half_space", Vector3::Zero()}; }
  ShapeRow operator()(const Convex&) const { return {"convex", Vector3::Zero()}; }
  ShapeRow operator()(const Mesh&) const {
    return {type == ShapeType::kTetmesh ? "tetmesh" : "mesh", Vector3::Zero()};
  }
};

const char* kind_name(ContactKind kind) {
  return kind == ContactKind::kRigid       ? "rigid"
         : kind == ContactKind::kCompliant ? "compliant"
         : kind == ContactKind::kNone      ? "none"
                                      : "point";  // kPointOrRigid too: as the scene has it, without the key
}

/// Red, green, blue, opacity; NaN without a colour.
void push_color(Reals* values, const Rgba& color) {
  for (std::size_t k = 0; k < 4; ++k)
    values->push_back(k < color.size() ? color[k]
                      : color.empty()  ? std::numeric_limits<double>::quiet_NaN()
                                       : 1.0);
}

void write_geometries(hdf5::File* file, const Scene& scene, const Model& model) {
  std::vector<ShapeType> types;  // the model has the geometries in the scene's order
  Reals color;
  for (const BodySpec& body : scene.bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      types.push_back(geometry.shape.type);
      push_color(&color, geometry.color.empty() ? body.color : geometry.color);
    }
  }
  CSIM_REQUIRE(types.size() == model.geometries.size());
  std::vector<std::string> names, shapes, kinds;
  Integers bodies;
  Reals size, position, quaternion;
  for (const Geometry& geometry : model.geometries) {
    const ShapeRow shape = std::visit(DescribeShape{types[names.size()]}, geometry.shape);
    const Quaternion q(geometry.X_BG.R);
    names.push_back(geometry.name);
    bodies.push_back(geometry.body);
    shapes.push_back(shape.name);
    kinds.push_back(kind_name(geometry.kind));
    push(&size, shape.size);
    push(&position, geometry.X_BG.p);
    quaternion.insert(quaternion.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/geometries/name", names);
  file->write_array("/geometries/body", {n}, bodies, {"1"});
  file->write_texts("/geometries/shape", shapes);
  file->write_texts("/geometries/contact", kinds);
  file->write_array("/geometries/size", {n, 3}, size, {"m"});
  file->write_array("/geometries/position", {n, 3}, position, {"m"});
  file->write_array("/geometries/quaternion", {n, 4}, quaternion, {"1"});
  file->write_array("/geometries/color", {n, 4}, color, {"1"});
}

/// What /meshes holds of a geometry: a surface, of a compliant one the tets and pressures too.
struct MeshRows {
  std::vector<Vector3> vertices;
  Integers triangles, tets;
  Reals pressure;
};

void push_triangles(const std::vector<std::array<int, 3>>& triangles, Integers* out) {
  out->reserve(out->size() + 3 * triangles.size());
  for (const auto& t : triangles) out->insert(out->end(), t.begin(), t.end());
}

MeshRows rows_of(const TriangleMesh& mesh) {
  MeshRows rows;
  rows.vertices = mesh.vertices;
  push_triangles(mesh.triangles, &rows.triangles);
  return rows;
}

/// The faces of a polytope as fans.
MeshRows rows_of(const ConvexPolytope& polytope) {
  MeshRows rows;
  rows.vertices = polytope.vertices;
  for (std::size_t face = 0; face + 1 < polytope.face_begin.size(); ++face) {
    const int begin = polytope.face_begin[face], end = polytope.face_begin[face + 1];
    for (int i = begin + 1; i + 1 < end; ++i) {
      rows.triangles.insert(rows.triangles.end(), {polytope.face_vertices[begin], polytope.face_vertices[i],
                                                   polytope.face_vertices[i + 1]});
    }
  }
  return rows;
}

MeshRows rows_of(const CompliantMesh& compliant) {
  MeshRows rows;
  rows.vertices = compliant.mesh.vertices;
  for (const TetFace& face : boundary_faces(compliant.mesh))
    rows.triangles.insert(rows.triangles.end(), face.vertices.begin(), face.vertices.end());
  for (const auto& tet : compliant.mesh.tets) rows.tets.insert(rows.tets.end(), tet.begin(), tet.end());
  rows.pressure = compliant.pressure;
  return rows;
}

/// What contact sees: the pressure field or the rigid surface, else the surface of a mesh or a polytope.
/// Nothing for primitives that meet as points.
MeshRows mesh_rows(const Geometry& geometry) {
  if (const auto* field = std::get_if<std::shared_ptr<const CompliantMesh>>(&geometry.pressure))
    return rows_of(**field);
  if (const auto* surface = std::get_if<std::shared_ptr<const TriangleMesh>>(&geometry.pressure))
    return rows_of(**surface);
  if (const auto* mesh = std::get_if<Mesh>(&geometry.shape)) return rows_of(*mesh->mesh);
  if (const auto* convex = std::get_if<Convex>(&geometry.shape)) return rows_of(*convex->polytope);
  return {};
}

/// Vertices in the body frame, so that a viewer needs the body's pose alone.
void write_meshes(hdf5::File* file, const Model& model) {
  file->create_group("/meshes");
  for (const Geometry& geometry : model.geometries) {
    const MeshRows rows = mesh_rows(geometry);
    if (rows.vertices.empty()) continue;
    Reals points;
    points.reserve(3 * rows.vertices.size());
    for (const Vector3& p_G : rows.vertices) push(&points, geometry.X_BG * p_G);
    const std::string path = "/meshes/" + geometry.name;  // body/geometry
    const long num_vertices = static_cast<long>(rows.vertices.size());
    file->write_array(path + "/vertices", {num_vertices, 3}, points, {"m"});
    file->write_array(path + "/triangles", {static_cast<long>(rows.triangles.size() / 3), 3}, rows.triangles,
                      {"1"});
    if (rows.tets.empty()) continue;
    file->write_array(path + "/tets", {static_cast<long>(rows.tets.size() / 4), 4}, rows.tets, {"1"});
    file->write_array(path + "/pressure", {num_vertices}, rows.pressure, {"Pa"});
  }
}

void write_joints(hdf5::File* file, const Scene& scene) {
  std::vector<std::string> names, types;
  Integers nq, nv, parent, child;
  Reals position, quaternion, axis;
  for (const JointSpec& joint : scene.joints) {
    const JointUnits units = joint_units(joint.type);
    const Quaternion& q = joint.pose.rotation;
    names.push_back(joint.name);
    types.emplace_back(type_name(joint.type));
    parent.push_back(joint.parent);
    child.push_back(joint.child);
    push(&position, joint.pose.xyz);
    quaternion.insert(quaternion.end(), {q.w(), q.x(), q.y(), q.z()});
    push(&axis, joint.axis);
    nq.push_back(static_cast<std::int32_t>(units.position.size()));
    nv.push_back(static_cast<std::int32_t>(units.velocity.size()));
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/joints/name", names);
  file->write_texts("/joints/type", types);
  file->write_array("/joints/parent", {n}, parent, {"1"});
  file->write_array("/joints/child", {n}, child, {"1"});
  file->write_array("/joints/position", {n, 3}, position, {"m"});
  file->write_array("/joints/quaternion", {n, 4}, quaternion, {"1"});
  file->write_array("/joints/axis", {n, 3}, axis, {"1"});
  file->write_array("/joints/q_offset", {n + 1}, offsets(nq), {"1"});
  file->write_array("/joints/v_offset", {n + 1}, offsets(nv), {"1"});
}

void write_constraints(hdf5::File* file, const Scene& scene) {
  std::vector<std::string> names, types;
  Integers num_rows, body_a, body_b, num_joints, joints;
  Reals point_a, point_b;
  for (const ConstraintSpec& constraint : scene.constraints) {
    const bool is_weld = constraint.type == ConstraintType::kWeld;
    names.push_back(constraint.name);
    types.emplace_back(type_name(constraint.type));
    const std::vector<ConstraintRow> rows = constraint_rows(scene, constraint);
    num_rows.push_back(static_cast<std::int32_t>(rows.size()));
    num_joints.push_back(static_cast<std::int32_t>(rows.front().terms.size()));
    for (const ConstraintRow::Term& term : rows.front().terms) joints.push_back(term.joint);
    body_a.push_back(constraint.a);
    body_b.push_back(constraint.b);
    push(&point_a, is_weld ? constraint.pose_a.xyz : constraint.point_a);
    push(&point_b, is_weld ? constraint.pose_b.xyz : constraint.point_b);
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/constraint/name", names);
  file->write_texts("/constraint/type", types);
  file->write_array("/constraint/row_offset", {n + 1}, offsets(num_rows), {"1"});
  file->write_array("/constraint/body_a", {n}, body_a, {"1"});
  file->write_array("/constraint/body_b", {n}, body_b, {"1"});
  file->write_array("/constraint/point_a", {n, 3}, point_a, {"m"});
  file->write_array("/constraint/point_b", {n, 3}, point_b, {"m"});
  file->write_array("/constraint/joint_offset", {n + 1}, offsets(num_joints), {"1"});
  file->write_array("/constraint/joint", {static_cast<long>(joints.size())}, joints, {"1"});
}

void write_forces(hdf5::File* file, const Scene& scene, const Model& model) {
  std::vector<std::string> names;
  Integers body;
  Reals point;
  for (const ForceSpec& force : scene.forces) {
    names.push_back(force.name);
    body.push_back(force.body);
    push(&point, force.point.value_or(model.bodies[static_cast<std::size_t>(force.body)].mass.com));
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/force/name", names);
  file->write_array("/force/body", {n}, body, {"1"});
  file->write_array("/force/point", {n, 3}, point, {"m"});
}

/// The attributes of /provenance that are one text each.
constexpr std::pair<const char*, std::string Provenance::*> kOriginTexts[] = {
    {"version", &Provenance::version},   {"revision", &Provenance::revision},
    {"compiler", &Provenance::compiler}, {"blas", &Provenance::blas},
    {"host", &Provenance::host},         {"cpu", &Provenance::cpu},
    {"start", &Provenance::start},       {"end", &Provenance::end}};

}  // namespace

void write_static_part(hdf5::File* file, const Scene& scene, const Model& model, const SceneText& text) {
  file->write_text("/scene/source", text.source);
  file->write_text("/scene/resolved", text.resolved);
  Reals gravity;
  push(&gravity, scene.gravity);
  file->write_array("/scene/gravity", {3}, gravity, {"m/s^2"});
  write_bodies(file, model);
  write_geometries(file, scene, model);
  write_joints(file, scene);
  write_meshes(file, model);
  std::vector<std::string> actuators;
  for (const Actuator& actuator : model.actuators) actuators.push_back(actuator.name);
  file->write_texts("/actuator/name", actuators);
  write_constraints(file, scene);
  write_forces(file, scene, model);
  std::vector<std::string> phases;
  for (const PhaseSpec& phase : scene.sequence) phases.push_back(phase.name);
  file->write_texts("/sequence/name", phases);
}

void write_provenance(hdf5::File* file, const std::string& group, const Provenance& provenance) {
  std::vector<std::string> inputs;  // as sha256sum prints them
  for (const InputFile& input : provenance.inputs) inputs.push_back(input.sha256 + "  " + input.path);
  file->create_group(group);
  for (const auto& [name, member] : kOriginTexts) file->set_attribute(group, name, provenance.*member);
  file->set_attribute(group, "libraries", provenance.libraries);
  file->set_attribute(group, "threads", std::int64_t{provenance.threads});
  file->set_attribute(group, "argv", provenance.argv);
  file->set_attribute(group, "inputs", inputs);
}

Provenance read_provenance(const hdf5::File& file, const std::string& group) {
  Provenance provenance;
  for (const auto& [name, member] : kOriginTexts) provenance.*member = file.text_attribute(group, name).at(0);
  provenance.libraries = file.text_attribute(group, "libraries");
  provenance.threads = static_cast<int>(file.integer_attribute(group, "threads"));
  provenance.argv = file.text_attribute(group, "argv");
  for (const std::string& line : file.text_attribute(group, "inputs")) {
    const std::size_t gap = line.find("  ");
    provenance.inputs.push_back({line.substr(gap + 2), line.substr(0, gap)});
  }
  return provenance;
}

}  // namespace csim
