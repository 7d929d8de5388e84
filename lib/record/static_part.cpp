#include "record/static_part.h"

#include <variant>

#include "record/tables.h"

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
  file->write_array("/bodies/mass", {n}, std::span<const double>(mass), {"kg"});
  file->write_array("/bodies/com", {n, 3}, std::span<const double>(com), {"m"});
  file->write_array("/bodies/inertia", {n, 6}, std::span<const double>(inertia), {"kg m^2"});
  file->write_array("/bodies/q_offset", {n + 1}, std::span<const std::int32_t>(offsets(nq)), {"1"});
  file->write_array("/bodies/v_offset", {n + 1}, std::span<const std::int32_t>(offsets(nv)), {"1"});
}

/// Name and up to three lengths of a shape, as the scene spells them.
struct ShapeRow {
  std::string name;
  Vector3 size = Vector3::Zero();
};

struct DescribeShape {
  ShapeRow operator()(const Sphere& s) const { return {"sphere", {s.radius, 0, 0}}; }
  ShapeRow operator()(const Box& s) const { return {"box", s.size}; }
  ShapeRow operator()(const Cylinder& s) const { return {"cylinder", {s.radius, s.length, 0}}; }
  ShapeRow operator()(const Capsule& s) const { return {"capsule", {s.radius, s.length, 0}}; }
  ShapeRow operator()(const Ellipsoid& s) const { return {"ellipsoid", s.semi_axes}; }
  ShapeRow operator()(const HalfSpace&) const { return {"half_space", Vector3::Zero()}; }
  ShapeRow operator()(const Convex&) const { return {"convex", Vector3::Zero()}; }
  ShapeRow operator()(const Mesh&) const { return {"mesh", Vector3::Zero()}; }
};

const char* kind_name(ContactKind kind) {
  switch (kind) {
    case ContactKind::kPoint:
      return "point";
    case ContactKind::kRigid:
      return "rigid";
    case ContactKind::kCompliant:
      return "compliant";
    case ContactKind::kNone:
      break;
  }
  return "none";
}

void write_geometries(hdf5::File* file, const Model& model) {
  std::vector<std::string> names, shapes, kinds;
  Integers bodies;
  Reals size, position, quaternion;
  for (const Geometry& geometry : model.geometries) {
    const ShapeRow shape = std::visit(DescribeShape(), geometry.shape);
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
  file->write_array("/geometries/body", {n}, std::span<const std::int32_t>(bodies), {"1"});
  file->write_texts("/geometries/shape", shapes);
  file->write_texts("/geometries/contact", kinds);
  file->write_array("/geometries/size", {n, 3}, std::span<const double>(size), {"m"});
  file->write_array("/geometries/position", {n, 3}, std::span<const double>(position), {"m"});
  file->write_array("/geometries/quaternion", {n, 4}, std::span<const double>(quaternion), {"1"});
}

/// The surface of a mesh or a polytope (its faces as fans); false for other shapes.
bool surface_of(const Shape& shape, std::vector<Vector3>* vertices, Integers* triangles) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    *vertices = mesh->mesh->vertices;
    for (const auto& t : mesh->mesh->triangles) triangles->insert(triangles->end(), t.begin(), t.end());
    return true;
  }
  if (const auto* convex = std::get_if<Convex>(&shape)) {
    const ConvexPolytope& polytope = *convex->polytope;
    *vertices = polytope.vertices;
    for (std::size_t face = 0; face + 1 < polytope.face_begin.size(); ++face) {
      const int begin = polytope.face_begin[face], end = polytope.face_begin[face + 1];
      for (int i = begin + 1; i + 1 < end; ++i) {
        triangles->insert(triangles->end(), {polytope.face_vertices[begin], polytope.face_vertices[i],
                                             polytope.face_vertices[i + 1]});
      }
    }
    return true;
  }
  return false;
}

/// Vertices in the body frame, so that a viewer needs the body's pose alone.
void write_meshes(hdf5::File* file, const Model& model) {
  file->create_group("/meshes");
  for (const Geometry& geometry : model.geometries) {
    std::vector<Vector3> vertices;
    Integers triangles;
    if (!surface_of(geometry.shape, &vertices, &triangles)) continue;
    Reals points;
    for (const Vector3& p_G : vertices) push(&points, geometry.X_BG * p_G);
    const std::string path = "/meshes/" + geometry.name;  // body/geometry
    file->write_array(path + "/vertices", {static_cast<long>(vertices.size()), 3},
                      std::span<const double>(points), {"m"});
    file->write_array(path + "/triangles", {static_cast<long>(triangles.size() / 3), 3},
                      std::span<const std::int32_t>(triangles), {"1"});
  }
}

void write_joints(hdf5::File* file, const Scene& scene) {
  std::vector<std::string> names;
  Integers nq, nv;
  for (const JointSpec& joint : scene.joints) {
    const JointUnits units = joint_units(joint.type);
    names.push_back(joint.name);
    nq.push_back(static_cast<std::int32_t>(units.position.size()));
    nv.push_back(static_cast<std::int32_t>(units.velocity.size()));
  }
  const long n = static_cast<long>(names.size());
  file->write_texts("/joints/name", names);
  file->write_array("/joints/q_offset", {n + 1}, std::span<const std::int32_t>(offsets(nq)), {"1"});
  file->write_array("/joints/v_offset", {n + 1}, std::span<const std::int32_t>(offsets(nv)), {"1"});
}

}  // namespace

void write_static_part(hdf5::File* file, const Scene& scene, const Model& model, const SceneText& text) {
  file->write_text("/scene/source", text.source);
  file->write_text("/scene/resolved", text.resolved);
  write_bodies(file, model);
  write_geometries(file, model);
  write_joints(file, scene);
  write_meshes(file, model);
  std::vector<std::string> actuators;
  for (const ActuatorSpec& actuator : scene.actuators) actuators.push_back(actuator.name);
  file->write_texts("/actuator/name", actuators);
}

void write_provenance(hdf5::File* file, const std::string& group, const Provenance& provenance) {
  std::vector<std::string> inputs;  // as sha256sum prints them
  for (const InputFile& input : provenance.inputs) inputs.push_back(input.sha256 + "  " + input.path);
  file->create_group(group);
  file->set_attribute(group, "version", provenance.version);
  file->set_attribute(group, "revision", provenance.revision);
  file->set_attribute(group, "compiler", provenance.compiler);
  file->set_attribute(group, "libraries", provenance.libraries);
  file->set_attribute(group, "blas", provenance.blas);
  file->set_attribute(group, "host", provenance.host);
  file->set_attribute(group, "cpu", provenance.cpu);
  file->set_attribute(group, "threads", std::int64_t{provenance.threads});
  file->set_attribute(group, "argv", provenance.argv);
  file->set_attribute(group, "inputs", inputs);
  file->set_attribute(group, "start", provenance.start);
  file->set_attribute(group, "end", provenance.end);
}

Provenance read_provenance(const hdf5::File& file, const std::string& group) {
  const auto text = [&](const char* name) { return file.text_attribute(group, name).at(0); };
  Provenance provenance;
  provenance.version = text("version");
  provenance.revision = text("revision");
  provenance.compiler = text("compiler");
  provenance.libraries = file.text_attribute(group, "libraries");
  provenance.blas = text("blas");
  provenance.host = text("host");
  provenance.cpu = text("cpu");
  provenance.threads = static_cast<int>(file.integer_attribute(group, "threads"));
  provenance.argv = file.text_attribute(group, "argv");
  for (const std::string& line : file.text_attribute(group, "inputs")) {
    const std::size_t gap = line.find("  ");
    provenance.inputs.push_back({line.substr(gap + 2), line.substr(0, gap)});
  }
  provenance.start = text("start");
  provenance.end = text("end");
  return provenance;
}

}  // namespace csim
