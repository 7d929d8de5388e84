#include "model/make_pressure_geometry.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "mesh/load_tet_mesh.h"
#include "mesh/make_compliant_mesh.h"
#include "scene/default_resolution.h"

namespace csim {
namespace {

/// Lengths that tell shapes of one type apart, and the address of a shared surface.
struct DescribeSize {
  using Size = std::pair<Vector3, const void*>;
  Size operator()(const Sphere& s) const { return {{s.radius, 0, 0}, nullptr}; }
  Size operator()(const Box& s) const { return {s.size, nullptr}; }
  Size operator()(const Cylinder& s) const { return {{s.radius, s.length, 0}, nullptr}; }
  Size operator()(const Capsule& s) const { return {{s.radius, s.length, 0}, nullptr}; }
  Size operator()(const Ellipsoid& s) const { return {s.semi_axes, nullptr}; }
  Size operator()(const HalfSpace&) const { return {Vector3::Zero(), nullptr}; }
  Size operator()(const Convex& s) const { return {Vector3::Zero(), s.polytope.get()}; }
  Size operator()(const Mesh& s) const { return {Vector3::Zero(), s.mesh.get()}; }
};

CompliantMeshOptions mesh_options(const GeometrySpec& spec, double modulus) {
  CompliantMeshOptions options;
  options.resolution = spec.resolution;
  options.modulus = modulus;
  options.margin = spec.margin;
  options.strategy =
      spec.mesh_strategy == MeshStrategyType::kDense ? MeshStrategy::kDense : MeshStrategy::kSingle;
  return options;
}

/// The field of a tetrahedral mesh file; none on errors, which are reported.
PressureGeometry load_field(const GeometrySpec& spec, double modulus, const std::string& path,
                            Problems* problems, std::vector<std::string>* notes) {
  CompliantFileOptions options;
  options.scale = spec.shape.scale;
  options.modulus = modulus;
  options.margin = spec.margin;
  LoadResult<CompliantFile> file = load_compliant_mesh(spec.shape.resolved_file, options);
  if (!file.ok()) {
    problems->push_back({path + ".file", file.error});
    return {};
  }
  for (const std::string& note : file.value->notes) notes->push_back(path + ": " + note);
  return std::make_shared<const CompliantMesh>(std::move(file.value->compliant));
}

/// Whether pressures over lengths are numbers.
bool has_finite_gradients(const PressureGeometry& geometry) {
  if (const auto* half_space = std::get_if<CompliantHalfSpace>(&geometry))
    return std::isfinite(half_space->slope);
  const auto* solid = std::get_if<std::shared_ptr<const CompliantMesh>>(&geometry);
  if (solid == nullptr || *solid == nullptr) return true;
  const std::vector<LinearField> fields = linear_fields(**solid);
  return std::all_of(fields.begin(), fields.end(),
                     [](const LinearField& field) { return std::isfinite(field.gradient.norm()); });
}

PressureGeometry checked(PressureGeometry geometry, const std::string& path, Problems* problems) {
  if (has_finite_gradients(geometry)) return geometry;
  problems->push_back(
      {path,
       "its pressure grows too fast for numbers; expected a smaller hydroelastic_modulus, or a "
       "thicker shape"});
  return {};
}

void note_keys_without_effect(const GeometrySpec& spec, const Shape& shape, const std::string& path,
                              std::vector<std::string>* notes) {
  const auto note = [&](const char* key, const char* why) {
    notes->push_back(path + "." + key + " has no effect: " + why);
  };
  const bool compliant = spec.contact == ContactKind::kCompliant;
  if (!compliant && spec.margin > 0.0) note("margin", "only compliant geometries have a margin");
  if (!compliant && spec.slab_thickness > 0.0) {
    note("slab_thickness", "only compliant half spaces have a layer");
  }
  if (!compliant && spec.mesh_strategy == MeshStrategyType::kDense) {
    note("mesh_strategy", "only compliant geometries have tetrahedra");
  }
  const bool made = (compliant || spec.contact == ContactKind::kRigid) &&
                    !std::holds_alternative<HalfSpace>(shape) && !std::holds_alternative<Mesh>(shape);
  if (!made) {
    // The default stands in every resolved scene, so it is no request.
    if (spec.resolution == 0.0 || spec.resolution == default_resolution(spec.shape)) return;
    note("resolution", spec.shape.type == ShapeType::kTetmesh || spec.shape.type == ShapeType::kMesh
                           ? "a file brings its own mesh"
                           : "only pressure-field geometries of curved shapes are meshed");
    return;
  }
  CompliantMeshOptions options = mesh_options(spec, 1.0);
  if (!compliant) options.strategy = MeshStrategy::kSingle;
  for (const std::string& text : compliant_mesh_notes(shape, options)) {
    if (spec.resolution > 0.0 || !text.starts_with("resolution")) notes->push_back(path + ": " + text);
  }
}

}  // namespace

PressureGeometryMaker::Key PressureGeometryMaker::key_of(const Shape& shape, const GeometrySpec& spec,
                                                         double modulus) {
  const auto [size, surface] = std::visit(DescribeSize(), shape);
  const bool compliant = spec.contact == ContactKind::kCompliant;
  return {shape.index(),
          size.x(),
          size.y(),
          size.z(),
          surface,
          spec.resolution,
          compliant ? modulus : 0.0,
          compliant ? spec.margin : 0.0,
          static_cast<int>(spec.mesh_strategy),
          compliant};
}

PressureGeometry PressureGeometryMaker::make(const GeometrySpec& spec, const Shape& shape,
                                             const std::string& path, Problems* problems,
                                             std::vector<std::string>* notes) {
  note_keys_without_effect(spec, shape, path, notes);
  const bool compliant = spec.contact == ContactKind::kCompliant;
  if (spec.contact == ContactKind::kPoint || spec.contact == ContactKind::kNone) return {};
  const double modulus = scene_.materials[spec.material].hydroelastic_modulus;
  if (std::holds_alternative<HalfSpace>(shape)) {
    if (compliant)
      return checked(CompliantHalfSpace{modulus / spec.slab_thickness, spec.margin}, path, problems);
    return HalfSpace{};
  }
  const bool from_file = spec.shape.type == ShapeType::kTetmesh;
  const CompliantMeshOptions options = mesh_options(spec, modulus);
  const std::string why_not = compliant && !from_file ? why_no_compliant_mesh(shape, options) : "";
  if (!why_not.empty()) {
    // "margin: 0.2, expected ...", for scenes its key and the rest.
    constexpr std::string_view kMargin = "margin: ";
    const bool of_margin = why_not.starts_with(kMargin);
    problems->push_back(
        {path + (of_margin ? ".margin" : ""), why_not.substr(of_margin ? kMargin.size() : 0)});
    return {};
  }
  const auto [entry, inserted] = made_.try_emplace(key_of(shape, spec, modulus));
  if (!inserted) return entry->second;
  if (compliant && from_file) {
    entry->second = load_field(spec, modulus, path, problems, notes);
  } else if (compliant) {
    entry->second = std::make_shared<const CompliantMesh>(make_compliant_mesh(shape, options));
  } else if (const Mesh* mesh = std::get_if<Mesh>(&shape)) {
    entry->second = mesh->mesh;
  } else {
    entry->second = std::make_shared<const TriangleMesh>(make_rigid_surface(shape, spec.resolution));
  }
  return entry->second = checked(entry->second, path, problems);
}

}  // namespace csim
