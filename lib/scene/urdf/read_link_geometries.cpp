#include <algorithm>
#include <set>

#include "core/number_format.h"
#include "core/rigid_transform.h"
#include "scene/default_resolution.h"
#include "scene/urdf/robot.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

/// A length that must be there and be positive.
double read_length(const ElementReader& shape, const char* name) {
  const std::optional<double> value = shape.required_number(name);
  if (value && !(*value > 0.0))
    shape.report(std::string(name) + " " + format_number(*value) + ", expected a number > 0 (m)");
  return value.value_or(0.0);
}

/// A file's name and scale; false after a report, and where `is_visual` after a note.
bool read_mesh(const ElementReader& element, const RobotOptions& options, bool is_visual, ShapeSpec* shape) {
  shape->type = ShapeType::kMesh;
  const bool hull = options.mesh == ModelMesh::kHull || element.only("drake:declare_convex");
  if (hull && !is_visual) shape->type = ShapeType::kConvex;
  shape->file = element.text("filename");
  shape->scale = element.vector("scale").value_or(Vector3::Ones());
  std::string fault;
  if (shape->file.empty()) {
    fault = "missing, expected the attribute filename";
  } else if ((shape->scale.array() == 0.0).any()) {
    fault = "a scale of 0, expected numbers other than 0";
  } else {
    shape->resolved_file = find_robot_file(shape->file, options, &fault);
    if (!fault.empty()) fault = "'" + shape->file + "', " + fault;
  }
  if (fault.empty()) return true;
  if (is_visual) {
    element.note(shape->file, "a visual that cannot be read is not seen");
  } else {
    element.report(fault);
  }
  return false;
}

/// The half space z < 0 turned to a plane's normal.
void read_plane(const ElementReader& plane, GeometrySpec* geometry) {
  geometry->shape.type = ShapeType::kHalfSpace;
  const Vector3 normal = plane.vector("normal").value_or(Vector3::UnitZ());
  if (normal.isZero(0.0)) {
    plane.report("a normal of length 0, expected a direction");
    return;
  }
  geometry->pose.rotation = geometry->pose.rotation * rotation_of_z_to(normal.normalized());
}

/// The shape in `geometry`; false: there is none.
bool read_shape(const ElementReader& element, const RobotOptions& options, bool is_visual,
                GeometrySpec* result) {
  const ElementReader geometry = element.only("geometry");
  if (!geometry) {
    element.report("missing, expected an element geometry");
    return false;
  }
  ShapeSpec& shape = result->shape;
  for (const ElementReader& kind : geometry.all()) {
    const std::string_view tag = kind.tag();
    if (tag == "sphere") {
      shape.type = ShapeType::kSphere;
      shape.radius = read_length(kind, "radius");
    } else if (tag == "box") {
      shape.type = ShapeType::kBox;
      if (!kind.has("size")) kind.report("missing, expected the attribute size, 3 numbers (m)");
      shape.size = kind.vector("size").value_or(Vector3::Ones());
      if (!(shape.size.array() > 0.0).all())
        kind.report("size '" + kind.text("size") + "', expected numbers > 0 (m)");
    } else if (tag == "cylinder" || tag == "capsule" || tag == "drake:capsule") {
      shape.type = tag == "cylinder" ? ShapeType::kCylinder : ShapeType::kCapsule;
      shape.radius = read_length(kind, "radius");
      shape.length = read_length(kind, "length");
    } else if (tag == "drake:ellipsoid") {
      shape.type = ShapeType::kEllipsoid;
      shape.semi_axes = {read_length(kind, "a"), read_length(kind, "b"), read_length(kind, "c")};
    } else if (tag == "plane") {
      read_plane(kind, result);
    } else if (tag == "mesh") {
      return read_mesh(kind, options, is_visual, &shape);
    } else {
      continue;
    }
    return true;
  }
  geometry.report("no shape that is known, expected sphere, box, cylinder, capsule or mesh");
  return false;
}

/// The value of a property `drake:NAME`, >= 0.
std::optional<double> read_property(const ElementReader& properties, const char* name) {
  const ElementReader element = properties.only(name);
  if (!element) return std::nullopt;
  const std::optional<double> value = element.required_number("value");
  if (value && *value < 0.0) element.report(format_number(*value) + ", expected a number >= 0");
  return value;
}

void read_proximity_properties(const ElementReader& collision, RobotGeometry* result) {
  const ElementReader properties = collision.only("drake:proximity_properties");
  if (!properties) return;
  MaterialSpec& material = result->material.emplace();
  GeometrySpec& geometry = result->geometry;
  const std::optional<double> mu_dynamic = read_property(properties, "drake:mu_dynamic"),
                              mu_static = read_property(properties, "drake:mu_static");
  material.friction = mu_dynamic.value_or(mu_static.value_or(material.friction));
  if (mu_dynamic && mu_static && *mu_dynamic != *mu_static)
    properties.note("drake:mu_static", "other than drake:mu_dynamic, which counts");
  if (const auto k = read_property(properties, "drake:point_contact_stiffness")) material.stiffness = *k;
  if (const auto d = read_property(properties, "drake:hunt_crossley_dissipation"))
    material.hunt_crossley_dissipation = *d;
  if (const auto tau = read_property(properties, "drake:relaxation_time")) material.relaxation_time = *tau;
  if (const auto modulus = read_property(properties, "drake:hydroelastic_modulus")) {
    if (*modulus > 0.0) {
      material.hydroelastic_modulus = *modulus;
    } else {
      properties.only("drake:hydroelastic_modulus").report("0, expected a number > 0 (Pa)");
    }
  }
  const bool rigid = static_cast<bool>(properties.only("drake:rigid_hydroelastic"));
  const bool compliant =
      properties.only("drake:compliant_hydroelastic") || properties.only("drake:soft_hydroelastic");
  if (rigid && compliant) properties.report("rigid and compliant, expected one of the two");
  if (rigid || compliant) geometry.contact = compliant ? ContactKind::kCompliant : ContactKind::kRigid;
  geometry.resolution = default_resolution(geometry.shape);
  if (const auto hint = read_property(properties, "drake:mesh_resolution_hint"); hint && *hint > 0.0)
    geometry.resolution = *hint;
  if (const auto margin = read_property(properties, "drake:margin")) geometry.margin = *margin;
}

std::optional<Rgba> read_rgba(const ElementReader& material) {
  const ElementReader color = material.only("color");
  if (!color) return std::nullopt;
  std::optional<Rgba> rgba = color.numbers("rgba", 4);
  if (!rgba) return std::nullopt;
  for (double& c : *rgba) c = std::clamp(c, 0.0, 1.0);
  return rgba;
}

/// Names of the file where they are names of the scene and alone in the link; else by number.
void name_geometries(const std::vector<ElementReader>& elements, const char* word,
                     std::set<std::string>* taken, std::vector<RobotGeometry>* geometries,
                     const std::vector<std::size_t>& element_of) {
  for (std::size_t i = 0; i < geometries->size(); ++i) {
    std::string name = elements[element_of[i]].text("name");
    if (!is_name(name) || taken->count(name) > 0) name = word + std::to_string(i);
    while (!taken->insert(name).second) name += "_";
    (*geometries)[i].geometry.name = name;
  }
}

}  // namespace

std::map<std::string, Rgba> read_robot_colors(const ElementReader& robot) {
  std::map<std::string, Rgba> colors;
  for (const ElementReader& material : robot.all("material")) {
    if (const std::optional<Rgba> rgba = read_rgba(material)) colors.emplace(material.text("name"), *rgba);
  }
  return colors;
}

void read_link_geometries(const ElementReader& link, const RobotOptions& options,
                          const std::map<std::string, Rgba>& colors, RobotLink* robot_link) {
  std::set<std::string> taken;
  for (const bool is_visual : {false, true}) {
    if (!is_visual && !options.collisions) continue;
    const std::vector<ElementReader> elements = link.all(is_visual ? "visual" : "collision");
    std::vector<RobotGeometry>& geometries = is_visual ? robot_link->visuals : robot_link->collisions;
    std::vector<std::size_t> element_of;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      RobotGeometry result;
      result.mark = elements[i].mark();
      result.geometry.pose = elements[i].origin();
      if (!read_shape(elements[i], options, is_visual, &result.geometry)) continue;
      if (is_visual) {
        result.geometry.contact = ContactKind::kNone;
        const ElementReader material = elements[i].only("material");
        const auto color = colors.find(material ? material.text("name") : "");
        if (color != colors.end()) result.geometry.color = color->second;
        if (const auto rgba = material ? read_rgba(material) : std::nullopt) result.geometry.color = *rgba;
      } else {
        result.geometry.resolution = default_resolution(result.geometry.shape);
        if (result.geometry.shape.type == ShapeType::kHalfSpace)
          result.geometry.contact = ContactKind::kPointOrRigid;
        read_proximity_properties(elements[i], &result);
      }
      geometries.push_back(std::move(result));
      element_of.push_back(i);
    }
    name_geometries(elements, is_visual ? "visual_" : "geometry_", &taken, &geometries, element_of);
  }
}

}  // namespace csim
