#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/number_format.h"
#include "geometry/bounds.h"
#include "geometry/load_shape.h"
#include "mesh/load_tet_mesh.h"
#include "model/build_stages.h"
#include "model/make_pressure_geometry.h"

namespace csim {
namespace {

// Surfaces and hulls by file and scale, each loaded once and shared. Failures are kept too, so that every
// geometry that names a bad file reports it.
class ShapeLoader {
 public:
  /// Notes of the loader (parts of a file that were skipped) go to *notes.
  explicit ShapeLoader(std::vector<std::string>* notes) : notes_(notes) {}

  /// The shape, or the error with its key.
  LoadResult<Shape> load(const ShapeSpec& spec, SurfaceUse use, std::string* key) {
    *key = "shape";
    switch (spec.type) {
      case ShapeType::kSphere:
        return {Shape(Sphere{spec.radius}), ""};
      case ShapeType::kBox:
        return {Shape(Box{spec.size}), ""};
      case ShapeType::kCylinder:
        return {Shape(Cylinder{spec.radius, spec.length}), ""};
      case ShapeType::kCapsule:
        return {Shape(Capsule{spec.radius, spec.length}), ""};
      case ShapeType::kEllipsoid:
        return {Shape(Ellipsoid{spec.semi_axes}), ""};
      case ShapeType::kHalfSpace:
        return {Shape(HalfSpace{}), ""};
      case ShapeType::kConvex:
        *key = spec.file.empty() ? "points" : "file";
        return spec.file.empty() ? hull_of_points(spec) : cached(spec, use);
      case ShapeType::kMesh:
      case ShapeType::kTetmesh:
        break;
    }
    *key = "file";
    return cached(spec, use);
  }

 private:
  static LoadResult<Shape> share(LoadResult<ConvexPolytope> hull) {
    if (!hull.ok()) return {std::nullopt, hull.error};
    return {Shape(Convex{std::make_shared<const ConvexPolytope>(std::move(*hull.value))}), ""};
  }

  static LoadResult<Shape> hull_of_points(const ShapeSpec& spec) {
    std::vector<Vector3> points;
    for (const Vector3& point : spec.points) points.push_back(point.cwiseProduct(spec.scale));
    return share(convex_hull(points));
  }

  const LoadResult<Shape>& cached(const ShapeSpec& spec, SurfaceUse use) {
    const Key key(static_cast<int>(spec.type), use, spec.resolved_file, spec.scale.x(), spec.scale.y(),
                  spec.scale.z());
    const auto [entry, inserted] = loaded_.try_emplace(key);
    if (!inserted) return entry->second;
    if (spec.type == ShapeType::kConvex) {
      entry->second = share(load_convex(spec.resolved_file, spec.scale, notes_));
    } else {
      // Everything but pressure fields uses the boundary of a tetrahedral mesh.
      LoadResult<TriangleMesh> mesh = spec.type == ShapeType::kMesh
                                          ? load_triangle_mesh(spec.resolved_file, spec.scale, notes_, use)
                                          : load_boundary_surface(spec.resolved_file, spec.scale);
      entry->second.error = mesh.error;
      if (mesh.ok()) entry->second.value = Mesh{std::make_shared<const TriangleMesh>(std::move(*mesh.value))};
    }
    return entry->second;
  }

  using Key = std::tuple<int, SurfaceUse, std::string, double, double, double>;
  std::map<Key, LoadResult<Shape>> loaded_;
  std::vector<std::string>* notes_;
};

void check_half_space(const GeometrySpec& spec, const Body& body, const std::string& path,
                      Problems* problems) {
  if (spec.shape.type == ShapeType::kHalfSpace && body.tree >= 0) {
    problems->push_back(
        {path + ".shape", "half_space on the moving body '" + body.name +
                              "', expected on fixed bodies, those with motion, and bodies welded to them"});
  }
}

/// Fraction of its largest side below which a shape has no volume, as that of the points of a hull: the depth
/// of what touches it, the inertia and the normals would be rounding.
constexpr double kFlat = 1e-9;

/// What is wrong with a shape that is flat to rounding, and the key of its smallest side; empty for others.
std::string check_volume(const ShapeSpec& spec, std::string* key) {
  double smallest = 1.0, largest = 1.0;
  *key = "radius";
  switch (spec.type) {
    case ShapeType::kBox:
      *key = "size";
      smallest = spec.size.minCoeff();
      largest = spec.size.maxCoeff();
      break;
    case ShapeType::kEllipsoid:
      *key = "semi_axes";
      smallest = spec.semi_axes.minCoeff();
      largest = spec.semi_axes.maxCoeff();
      break;
    case ShapeType::kCylinder:
      if (spec.length < spec.radius) *key = "length";
      smallest = std::min(spec.radius, spec.length);
      largest = std::max(spec.radius, spec.length);
      break;
    case ShapeType::kCapsule:
      smallest = spec.radius;
      largest = std::max(spec.radius, spec.length);
      break;
    default:
      break;
  }
  if (smallest > kFlat * largest) return {};
  return format_text("%.3g m beside %.3g m: flat to rounding, expected at least %.3g m", smallest, largest,
                     kFlat * largest);
}

}  // namespace

std::string geometry_path(const Scene& scene, int body, int index) {
  const std::string& name = scene.bodies[body].geometry[index].name;
  const std::string number = std::to_string(index);
  return "bodies." + scene.bodies[body].name + ".geometry." + (name == "geometry_" + number ? number : name);
}

void build_geometries(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes) {
  ShapeLoader loader(notes);
  PressureGeometryMaker pressure_maker(scene);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    Body& body = model->bodies[b];
    for (std::size_t g = 0; g < scene.bodies[b].geometry.size(); ++g) {
      const GeometrySpec& spec = scene.bodies[b].geometry[g];
      const std::string path = geometry_path(scene, static_cast<int>(b), static_cast<int>(g));
      check_half_space(spec, body, path, problems);
      Geometry geometry;
      geometry.name = body.name + "/" + spec.name;
      geometry.body = static_cast<int>(b);
      geometry.X_BG = RigidTransform(spec.pose.rotation, spec.pose.xyz);
      geometry.kind = spec.contact;
      geometry.material = spec.material;
      std::string key;
      if (const std::string flat = check_volume(spec.shape, &key); !flat.empty())
        problems->push_back({path + "." + key, flat});
      const SurfaceUse use = spec.contact == ContactKind::kNone ? SurfaceUse::kSeen : SurfaceUse::kTouched;
      const LoadResult<Shape> shape = loader.load(spec.shape, use, &key);
      if (shape.ok()) {
        geometry.shape = *shape.value;
        geometry.pressure = pressure_maker.make(spec, geometry.shape, path, problems, notes);
      } else {
        problems->push_back({path + "." + key, shape.error});
      }
      if (shape.ok() && spec.contact != ContactKind::kNone) {
        const Ball ball = bounding_ball(geometry.shape);
        body.radius = std::max(body.radius, (geometry.X_BG * ball.center).norm() + ball.radius);
      }
      model->geometries.push_back(std::move(geometry));
    }
  }
}

}  // namespace csim
