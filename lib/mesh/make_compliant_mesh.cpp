#include "mesh/make_compliant_mesh.h"

#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "core/require.h"
#include "geometry/bounds.h"
#include "mesh/primitive_tets.h"

namespace csim {

namespace {

std::string found(const char* name, double value, const char* expected) {
  return std::string(name) + ": " + format_number(value) + ", expected " + expected;
}

bool is_positive(double value) {
  return std::isfinite(value) && value > 0.0;
}

/// What limits the depth of a shape: the margin has to be smaller, or the layer is deeper than the body.
struct LeastHalfSize {
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Box& s) const { return 0.5 * s.size.minCoeff(); }
  double operator()(const Cylinder& s) const { return std::min(s.radius, 0.5 * s.length); }
  double operator()(const Capsule& s) const { return s.radius; }
  double operator()(const Ellipsoid& s) const { return s.semi_axes.minCoeff(); }
  double operator()(const Convex& s) const {
    const Aabb box = bounding_box(s);
    return box.half_size().minCoeff();
  }
  double operator()(const HalfSpace&) const { return 0.0; }
  double operator()(const Mesh&) const { return 0.0; }
};

bool has_curvature(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape) ||
         std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Capsule>(shape);
}

struct MakeTets {
  const CompliantMeshOptions& options;
  CompliantMesh operator()(const Sphere& s) const { return make_sphere_tets(s, options); }
  CompliantMesh operator()(const Box& s) const { return make_box_tets(s, options); }
  CompliantMesh operator()(const Cylinder& s) const { return make_cylinder_tets(s, options); }
  CompliantMesh operator()(const Capsule& s) const { return make_capsule_tets(s, options); }
  CompliantMesh operator()(const Ellipsoid& s) const { return make_ellipsoid_tets(s, options); }
  CompliantMesh operator()(const Convex& s) const { return make_convex_tets(s, options); }
  CompliantMesh operator()(const HalfSpace&) const { return {}; }
  CompliantMesh operator()(const Mesh&) const { return {}; }
};

}  // namespace

std::string why_no_compliant_mesh(const Shape& shape, const CompliantMeshOptions& options) {
  if (std::holds_alternative<HalfSpace>(shape)) return "a half space has no mesh, its pressure is a formula";
  if (std::holds_alternative<Mesh>(shape)) {
    return "a surface has no inside to carry a pressure: give a tetrahedral mesh (VTK, VTU, Gmsh), or use "
           "its "
           "convex hull (shape: convex)";
  }
  if (!is_positive(options.modulus)) return found("modulus", options.modulus, "> 0 (Pa)");
  if (has_curvature(shape) && !is_positive(options.resolution)) {
    return found("resolution", options.resolution, "> 0 (m)");
  }
  if (!(std::isfinite(options.margin) && options.margin >= 0.0)) {
    return found("margin", options.margin, ">= 0 (m)");
  }
  const double half = std::visit(LeastHalfSize{}, shape);
  if (options.margin >= half) {
    return found("margin", options.margin,
                 ("less than the shape's least radius or half size, " + format_number(half) + " m").c_str());
  }
  return {};
}

std::vector<std::string> compliant_mesh_notes(const Shape& shape, const CompliantMeshOptions& options) {
  std::vector<std::string> notes;
  const auto limited = [&](const std::string& limit) {
    notes.push_back("resolution " + format_number(options.resolution) +
                    " m is finer than the finest mesh of this shape, which is used: " + limit);
  };
  if (!has_curvature(shape)) notes.push_back("resolution has no effect on flat faces");
  double radius = 0.0;  // of what is refined like a sphere
  if (const auto* s = std::get_if<Sphere>(&shape)) radius = s->radius + options.margin;
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) radius = s->semi_axes.maxCoeff() + options.margin;
  if (radius > 0.0) {
    const int level = sphere_level(radius, options.resolution, options.strategy);
    if (wanted_sphere_level(radius, options.resolution) > level) limited(std::to_string(level) + " levels");
  } else if (options.strategy != MeshStrategy::kSingle) {
    notes.push_back("mesh_strategy has an effect on spheres and ellipsoids only");
  }
  const auto sectors = [&](double r, int limit) {
    if (num_sectors(r + options.margin, options.resolution, limit + 1) > limit) {
      limited(std::to_string(limit) + " sectors");
    }
  };
  if (const auto* s = std::get_if<Cylinder>(&shape)) sectors(s->radius, kMaxCylinderSectors);
  if (const auto* s = std::get_if<Capsule>(&shape)) sectors(s->radius, kMaxSectors);
  return notes;
}

CompliantMesh make_compliant_mesh(const Shape& shape, const CompliantMeshOptions& options) {
  const std::string wrong = why_no_compliant_mesh(shape, options);
  CSIM_REQUIRE(wrong.empty(), wrong);
  return std::visit(MakeTets{options}, shape);
}

TriangleMesh make_rigid_surface(const Shape& shape, double resolution) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return *mesh->mesh;
  CompliantMeshOptions options;
  options.resolution = resolution;
  options.modulus = 1.0;
  return boundary_surface(make_compliant_mesh(shape, options).mesh);
}

}  // namespace csim
