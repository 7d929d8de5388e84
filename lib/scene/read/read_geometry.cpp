#include <system_error>

#include "core/missing_path.h"
#include "scene/default_resolution.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

void read_file_name(const SectionReader& reader, const fs::path& folder, ShapeSpec* shape) {
  shape->file = reader.text("file");
  const fs::path file = folder / shape->file;  // an absolute name stands for itself
  shape->resolved_file = fs::absolute(file).lexically_normal().string();
  std::error_code error;
  if (fs::is_regular_file(file, error)) return;
  const std::string found = fs::is_directory(file, error)
                                ? "', a folder, expected a file"
                                : "', no such file, expected one relative to the scene file";
  reader.report("file", "'" + shape->file + found + missing_file_hint(shape->file, folder));
}

void read_convex(const SectionReader& reader, ShapeSpec* shape) {
  if (reader.given("file") && reader.given("points")) {
    reader.report("points", "points beside a file, expected one of the two");
  } else if (!reader.given("file") && !reader.given("points")) {
    reader.report_missing("file", "missing, expected the file of a convex shape, or its points");
  }
  shape->points = reader.points("points");
  if (reader.has("points") && shape->points.size() < 4) {
    reader.report("points",
                  std::to_string(shape->points.size()) + " points, expected at least 4 that span a volume");
  }
}

ShapeSpec read_shape(const SectionReader& reader, const fs::path& folder) {
  ShapeSpec shape;
  shape.type = reader.choice<ShapeType>("shape");
  shape.radius = reader.number("radius");
  shape.length = reader.number("length");
  shape.size = reader.vector3("size");
  shape.semi_axes = reader.vector3("semi_axes");
  shape.scale = reader.vector3("scale");
  if (reader.has("file")) read_file_name(reader, folder, &shape);
  if (reader.has("shape") && shape.type == ShapeType::kConvex) read_convex(reader, &shape);
  return shape;
}

void check_kind(const SectionReader& reader, const GeometrySpec& geometry) {
  if (!reader.has("shape") || !reader.has("contact")) return;
  if (geometry.shape.type == ShapeType::kTetmesh && geometry.contact == ContactKind::kPoint) {
    reader.report("contact", "'point', expected rigid, compliant or none of a tetmesh");
  }
  if (geometry.shape.type == ShapeType::kMesh && geometry.contact == ContactKind::kCompliant) {
    reader.report(
        "contact",
        "'compliant', expected point, rigid or none of a mesh, a surface (a tetmesh has an inside)");
  }
  if (geometry.shape.type == ShapeType::kHalfSpace && geometry.contact == ContactKind::kCompliant &&
      !reader.given("slab_thickness")) {
    reader.report_missing("slab_thickness", "missing, expected a number > 0 (m) for a compliant half space");
  }
}

void read_pressure_field(const SectionReader& reader, GeometrySpec* geometry) {
  geometry->contact = reader.choice<ContactKind>("contact");
  if (geometry->shape.type == ShapeType::kHalfSpace && !reader.given("contact"))
    geometry->contact = ContactKind::kPointOrRigid;
  check_kind(reader, *geometry);
  geometry->resolution =
      reader.has("resolution") ? reader.number("resolution") : default_resolution(geometry->shape);
  geometry->margin = reader.number("margin");
  geometry->slab_thickness = reader.number("slab_thickness");
  geometry->mesh_strategy = reader.choice<MeshStrategyType>("mesh_strategy");
}

void read_material(const SectionReader& reader, const SceneReading& reading, GeometrySpec* geometry) {
  if (reader.given("material")) {
    geometry->material = find_reference(reader, "material", "material", reading.materials);
  } else if (geometry->contact != ContactKind::kNone && !reader.bad("contact")) {
    reader.report_missing("material", "missing, expected the name of a material (or contact: none)");
  }
}

GeometrySpec read_geometry(const SectionReader& reader, SceneReading* reading) {
  GeometrySpec geometry;
  geometry.shape = read_shape(reader, reading->folder);
  geometry.pose = read_pose(reader.section("pose"));
  read_pressure_field(reader, &geometry);
  geometry.group = reader.text("group");
  if (!geometry.group.empty()) reading->groups.insert(geometry.group);
  read_material(reader, *reading, &geometry);
  return geometry;
}

}  // namespace

double default_resolution(const ShapeSpec& shape) {
  switch (shape.type) {
    case ShapeType::kSphere:
    case ShapeType::kCylinder:
    case ShapeType::kCapsule:
      return 0.25 * shape.radius;
    case ShapeType::kEllipsoid:
      return 0.25 * shape.semi_axes.maxCoeff();
    default:
      return 0.0;
  }
}

std::vector<GeometrySpec> read_geometries(const SectionReader& body, SceneReading* reading) {
  std::vector<GeometrySpec> geometries;
  std::vector<SectionReader>& readers = reading->geometry_readers.emplace_back();
  const YamlNode* list = body.node("geometry");
  if (list == nullptr) return geometries;
  for (size_t i = 0; i < list->items.size(); ++i) {
    readers.push_back(body.element("geometry", i));
    geometries.push_back(read_geometry(readers.back(), reading));
    geometries.back().name =
        readers.back().has("name") ? readers.back().text("name") : "geometry_" + std::to_string(i);
  }
  // A given name may clash with another or with a default name.
  NameIndex taken;
  for (size_t i = 0; i < geometries.size(); ++i) {
    const auto [first, fresh] = taken.emplace(geometries[i].name, static_cast<int>(i));
    if (fresh) continue;
    const SectionReader& named =
        readers[i].has("name") ? readers[i] : readers[static_cast<size_t>(first->second)];
    named.report("name", "'" + geometries[i].name +
                             "', the name of another geometry of the body, expected a unique name");
  }
  return geometries;
}

}  // namespace csim
