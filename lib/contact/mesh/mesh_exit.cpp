#include "contact/mesh/mesh_exit.h"
#include "contact/mesh/mesh_tolerances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/convex/gjk.h"
#include "contact/convex/separation.h"
#include "contact/convex/shape_faces.h"
#include "contact/mesh/arc_optimum.h"

namespace csim {

namespace {

Vector3 lowest(const ConvexSupport& support, const Vector3& n) {
  return support.support(-n) - support.radius() * n;
}

/// Whether the triangle comes nearer to the shape than `tolerance` (m).
bool meets(const ConvexSupport& triangle, const ConvexSupport& support, double tolerance) {
  const double reach = support.radius() + tolerance;
  const GjkResult found =
      gjk(triangle, support, support.center() - triangle.center(), reach, MeshTolerances::kSearch);
  return found.status == GjkResult::Status::kOverlapping ||
         (found.status == GjkResult::Status::kSeparated && found.separation <= reach);
}

/// A convex polygon cut by planes: each adds one corner at most.
struct Polygon {
  std::array<Vector3, 9> points;
  int size = 0;

  /// Keeps what lies at x[axis] * sign <= limit.
  void clip(int axis, double sign, double limit) {
    std::array<Vector3, 9> kept;
    int count = 0;
    for (int i = 0; i < size; ++i) {
      const Vector3 &p = points[i], &q = points[(i + 1) % size];
      const double f = sign * p[axis] - limit, g = sign * q[axis] - limit;
      if (f <= 0.0 && count < 9) kept[count++] = p;
      if (f * g < 0.0 && count < 9) kept[count++] = p + f / (f - g) * (q - p);
    }
    points = kept;
    size = count;
  }
};

template <typename Visit>
void visit_face_normals(const Shape& shape, const Visit& visit) {
  if (std::holds_alternative<Box>(shape)) {
    for (int i = 0; i < 3; ++i) {
      visit(Vector3(Vector3::Unit(i)));
      visit(Vector3(-Vector3::Unit(i)));
    }
  } else if (std::holds_alternative<Cylinder>(shape)) {
    visit(Vector3(Vector3::UnitZ()));
    visit(Vector3(-Vector3::UnitZ()));
  } else if (const Convex* convex = std::get_if<Convex>(&shape)) {
    for (const Vector3& n : convex->polytope->face_normals) visit(n);
  }
}

}  // namespace

/// m. Features with the same normal have the same clear depth to rounding, and the highest of them is the
/// clean one: differences below this do not decide between them.
double MeshExitQuery::tie() const {
  return MeshTolerances::kRounding * size_;
}

/// m, < 0: the clear depth that a clean way out must exceed to replace the best one.
double MeshExitQuery::least_clear() const {
  return best_.clean ? best_clear_ : best_clear_ - tie();
}

void MeshExitQuery::offer(SurfacePart part, int id, const Vector3& normal, const Vector3& on,
                          const Vector3& p_shape) {
  const double phi = normal.dot(p_shape - on);
  if (phi <= least_clear()) return;
  double above = 0.0;
  for (const Vector3& p : region_) above = std::max(above, normal.dot(p - on));
  const bool clean = above <= MeshSurface::kFlatAngle * size_;
  if (phi - above <= (clean ? least_clear() : best_clear_ + tie()) || (only_clean_ && !clean)) return;
  best_clear_ = phi - above;
  best_ = {part, id, normal, p_shape, phi, clean};
}

/// The triangles that the shape crosses or touches from outside, and their parts within its box.
void MeshExitQuery::find_crossed(const std::vector<int>& triangles, const Shape& shape,
                                 const ConvexSupport& support) {
  crossed_.clear();
  region_.clear();
  const RigidTransform X_SM = X_MS_.inverse();
  const Aabb box = bounding_box(shape);
  for (int t : triangles) {
    const Vector3 &n = surface_->normal(t), &p = surface_->corner(t, 0);
    if (n.dot(lowest(support, n) - p) > MeshTolerances::kRounding * size_) continue;
    if (n.dot(lowest(support, -n) - p) <= MeshTolerances::kRounding * size_) continue;
    const ConvexSupport triangle = ConvexSupport::triangle(p, surface_->corner(t, 1), surface_->corner(t, 2));
    if (!meets(triangle, support, MeshTolerances::kRounding * size_)) continue;
    crossed_.push_back(t);
    Polygon part;
    part.size = 3;
    for (int i = 0; i < 3; ++i) part.points[i] = X_SM * surface_->corner(t, i);
    for (int axis = 0; axis < 3; ++axis) {
      part.clip(axis, 1.0, box.upper[axis]);
      part.clip(axis, -1.0, -box.lower[axis]);
    }
    for (int i = 0; i < part.size; ++i) region_.push_back(X_MS_ * part.points[i]);
  }
}

void MeshExitQuery::try_facet(int t, const ConvexSupport& support) {
  const Vector3& n = surface_->normal(t);
  offer(SurfacePart::kFace, surface_->facet(t), n, surface_->corner(t, 0), lowest(support, n));
}

/// Of the two points that support the shape at the ends of the arc none is higher anywhere on it than at one
/// of its ends, while both are below.
void MeshExitQuery::try_edge(int e, const ConvexSupport& support) {
  const SurfaceEdge& edge = surface_->edge(e);
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  const Vector3 &n0 = surface_->normal(edge.triangle[0]), &n1 = surface_->normal(edge.triangle[1]);
  if (n0.cross(n1).norm() < MeshTolerances::kFolded) return;
  const Vector3 x0 = lowest(support, n0) - a, x1 = lowest(support, n1) - a;
  const double bound = std::min(std::max(n0.dot(x0), n1.dot(x0)), std::max(n0.dot(x1), n1.dot(x1)));
  if (bound <= least_clear()) return;
  const ArcOptimum arc = best_on_arc(support, a, (b - a).normalized(), n0, n1, size_);
  if (!arc.inside) return;
  // Along an edge of the shape every point is as low: the one where the two edges cross is theirs.
  offer(SurfacePart::kEdge, e, arc.normal, a, arc.x);
}

/// Normals of the shape's faces, and where it is round the maximum next to the middle of the cone.
void MeshExitQuery::try_corner(int v, const Shape& shape, const ConvexSupport& support) {
  const Vector3& p = surface_->vertex(v);
  const Vector3 middle =
      surface_->pseudonormal({p, *surface_->triangles_begin(v), SurfacePart::kVertex, v}).normalized();
  const Vector3 x = lowest(support, middle) - p;
  double bound = -std::numeric_limits<double>::infinity();
  for (const int* t = surface_->triangles_begin(v); t != surface_->triangles_end(v); ++t) {
    bound = std::max(bound, surface_->normal(*t).dot(x));
  }
  if (bound <= least_clear()) return;
  const auto attempt = [&](const Vector3& n, const Vector3& p_shape) {
    if (n.dot(middle) <= 0.0 || surface_->cone_violation(v, n) > MeshTolerances::kStrict) return;
    offer(SurfacePart::kVertex, v, n, p, p_shape);
  };
  // Every point of a face is as low: the one over the corner is theirs.
  visit_face_normals(shape, [&](const Vector3& n_S) {
    const Vector3 n = -(X_MS_.R * n_S);
    const std::optional<ShapeFace> face = face_towards(shape, X_MS_, -n);
    const bool is_over = face && clip_to_face(shape, X_MS_, *face, p, p);
    attempt(n, is_over ? Vector3(p + n.dot(face->point - p) * n) : lowest(support, n));
  });
  if (!std::holds_alternative<Box>(shape) && !std::holds_alternative<Convex>(shape)) {
    const Separation best = maximize_separation(ConvexSupport::triangle(p, p, p), support, middle);
    attempt(best.normal, best.p_b - support.radius() * best.normal);
  }
}

void MeshExitQuery::try_features(const std::vector<int>& triangles, const Shape& shape,
                                 const ConvexSupport& support) {
  for (int t : triangles) try_facet(t, support);
  if (best_clear_ >= -MeshTolerances::kRounding * size_) return;  // it touches
  const auto for_each = [&](int (MeshSurface::*part_of)(int, int) const, const auto& visit) {
    ++pass_;
    for (int t : triangles)
      for (int i = 0; i < 3; ++i) {
        const int id = (surface_->*part_of)(t, i);
        if (std::exchange(visited_[id], pass_) != pass_) visit(id);
      }
  };
  for_each(&MeshSurface::edge_of, [&](int e) {
    if (surface_->edge(e).kind == EdgeKind::kConvex) try_edge(e, support);
  });
  for_each(&MeshSurface::vertex_of, [&](int v) {
    if (surface_->is_corner(v)) try_corner(v, shape, support);
  });
}

MeshExit MeshExitQuery::find(const MeshSurface& surface, const std::vector<int>& triangles,
                             const Shape& shape, const RigidTransform& X_MS, double size) {
  surface_ = &surface;
  X_MS_ = X_MS;
  size_ = size;
  best_ = {};
  best_clear_ = -std::numeric_limits<double>::infinity();
  only_clean_ = false;
  const auto num_features = static_cast<std::size_t>(std::max(surface.num_edges(), surface.num_vertices()));
  if (visited_.size() < num_features) visited_.resize(num_features, 0);
  const ConvexSupport support(shape, X_MS);
  find_crossed(triangles, shape, support);
  if (crossed_.empty()) return {};
  try_features(crossed_, shape, support);
  if (best_clear_ >= -MeshTolerances::kRounding * size) return {};
  // Where the shape is thinner than the way is long the feature to be left at may be past it.
  only_clean_ = true;
  surface.find_near(X_MS, bounding_box(shape).inflated(std::min(-best_.phi, size)), &near_);
  try_features(near_, shape, support);
  return best_clear_ < -MeshTolerances::kRounding * size ? best_ : MeshExit();
}

MeshExit MeshExitQuery::find_sheet(const MeshSurface& surface, const std::vector<int>& triangles,
                                   const Shape& shape, const RigidTransform& X_MS, double size,
                                   const std::vector<Vector3>& directions) {
  surface_ = &surface;
  X_MS_ = X_MS;
  size_ = size;
  best_ = {};
  best_.phi = -std::numeric_limits<double>::infinity();
  const ConvexSupport support(shape, X_MS);
  find_crossed(triangles, shape, support);
  if (region_.empty()) return {};
  const auto attempt = [&](const Vector3& n, int id) {
    const double low = n.dot(lowest(support, n));
    const Vector3* top = &region_.front();
    for (const Vector3& p : region_)
      if (n.dot(p) > n.dot(*top)) top = &p;
    const double phi = low - n.dot(*top);
    if (phi <= best_.phi + tie()) return;
    best_ = {SurfacePart::kFace, id, n, *top + phi * n, phi, true};
  };
  for (std::size_t k = 0; k < directions.size(); ++k) attempt(directions[k], surface.facet(crossed_[0]));
  visit_face_normals(shape,
                     [&](const Vector3& n_S) { attempt(-(X_MS.R * n_S), surface.facet(crossed_[0])); });
  for (const int t : crossed_) {
    attempt(surface.normal(t), surface.facet(t));
    attempt(-surface.normal(t), surface.facet(t));
  }
  return best_.phi < 0.0 ? best_ : MeshExit();
}

Vector3 MeshExitQuery::deepest_crossing(const Shape& shape) const {
  const ConvexSupport support(shape, X_MS_);
  Vector3 deepest = Vector3::Zero();
  double phi = std::numeric_limits<double>::infinity();
  for (int t : crossed_) {
    const ConvexSupport triangle =
        ConvexSupport::triangle(surface_->corner(t, 0), surface_->corner(t, 1), surface_->corner(t, 2));
    const SignedDistance d = signed_distance(triangle, support, MeshTolerances::kRounding * size_);
    if (d.phi >= phi) continue;
    phi = d.phi;
    deepest = d.p_a;
  }
  return deepest;
}

}  // namespace csim
