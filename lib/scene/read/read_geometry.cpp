#include "scene/default_resolution.h"
#include "scene/help/other_forms.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

void check_convex(const SectionReader& reader, const ShapeSpec& shape) {
  if (reader.given("file") && reader.given("points")) {
    reader.report("points", "points beside a file, expected one of the two");
  } else if (!reader.given("file") && !reader.given("points")) {
    reader.report_missing("file", "missing, expected the file of a convex shape, or its points");
  }
  if (reader.has("points") && shape.points.size() < 4) {
    reader.report("points",
                  std::to_string(shape.points.size()) + " points, expected at least 4 that span a volume");
  }
}

void check_kind(const SectionReader& reader, const GeometrySpec& geometry) {
  if (!reader.has("shape") || !reader.has("contact")) return;
  if (geometry.shape.type == ShapeType::kTetmesh && geometry.contact == ContactKind::kPoint) {
    reader.report("contact", "'point', expected rigid, compliant or none of a tetmesh");
  }
  if (geometry.shape.type == ShapeType::kMesh && geometry.contact == ContactKind::kCompliant) {
    reader.report("contact", "'compliant', expected point, rigid or none of a mesh, which is a surface (" +
                                 tetrahedra_of(geometry.shape.file) + ")");
  }
  if (geometry.shape.type == ShapeType::kHalfSpace && geometry.contact == ContactKind::kCompliant &&
      !reader.given("slab_thickness")) {
    reader.report_missing("slab_thickness", "missing, expected a number > 0 (m) for a compliant half space");
  }
}

void check_material(const SectionReader& reader, const GeometrySpec& geometry) {
  if (!reader.given("material") && geometry.contact != ContactKind::kNone && !reader.bad("contact"))
    reader.report_missing("material", "missing, expected the name of a material (or contact: none)");
}

}  // namespace

void finish_geometry(const SectionReader& reader, SceneReading* reading, GeometrySpec* geometry) {
  ShapeSpec& shape = geometry->shape;
  if (reader.has("file")) shape.resolved_file = find_file(reader, "file", shape.file, *reading);
  if (reader.has("shape") && shape.type == ShapeType::kConvex) check_convex(reader, shape);
  if (shape.type == ShapeType::kHalfSpace && !reader.given("contact"))
    geometry->contact = ContactKind::kPointOrRigid;
  check_kind(reader, *geometry);
  check_material(reader, *geometry);
  if (!reader.has("resolution")) geometry->resolution = default_resolution(shape);
  reading->groups.insert(geometry->groups.begin(), geometry->groups.end());
  reading->new_geometry_readers.push_back(reader);
}

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

}  // namespace csim
