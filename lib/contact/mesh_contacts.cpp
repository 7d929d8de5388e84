#include "contact/mesh_contacts.h"

#include <algorithm>
#include <limits>

namespace csim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Contacts whose normals differ by less (rad) support the same face.
constexpr double kSameFace = 1e-2;

/// A frame at p whose z axis is exactly n.
RigidTransform plane_frame(const Vector3& n, const Vector3& p) {
  Matrix3 R;
  R.col(0) = n.unitOrthogonal();
  R.col(1) = n.cross(R.col(0));
  R.col(2) = n;
  return {R, p};
}

}  // namespace

void MeshQuery::add(Kind kind, int i, int j, const Vector3& p_mesh, const Vector3& normal, double phi) {
  if (!(phi < max_phi_)) return;
  ManifoldPoint point;
  point.p_a = p_mesh;
  point.p_b = p_mesh + phi * normal;
  point.normal = normal;
  point.phi = phi;
  point.feature = (std::int64_t{static_cast<int>(kind)} << 58) | (std::int64_t{i} << 29) | std::int64_t{j};
  found_.push_back(point);
}

/// The supporting points of the shape on the plane through p with the outward normal.
void MeshQuery::query_plane(const Shape& shape, const Vector3& normal, const Vector3& p) {
  query_pair(HalfSpace{}, plane_frame(normal, p), shape, X_MS_, max_phi_, &manifold_);
}

/// Corners below max_phi; vertices inside facets or straight edges support nothing that the corners do not.
void MeshQuery::find_half_space() {
  const Vector3 z = X_MS_.R.col(2), abs_z = z.cwiseAbs();
  const auto below = [&](const Aabb& box) {
    return z.dot(box.center() - X_MS_.p) - abs_z.dot(box.half_size()) < max_phi_;
  };
  surface_->tree().query_where(below, [&](int t) {
    for (int i = 0; i < 3; ++i) {
      const int v = surface_->owned_vertex(t, i);
      if (v < 0 || !surface_->is_corner(v)) continue;
      const Vector3& p = surface_->vertex(v);
      add(Kind::kCorner, 0, v, p, -z, z.dot(p - X_MS_.p));
    }
  });
}

/// A shape whose centre is inside a closed surface: the plane at the centre's nearest point pushes all of it.
/// False when the centre is outside.
bool MeshQuery::find_deep(const Shape& shape) {
  if (!surface_->closed() || surface_->tree().bounds().squared_distance(center_) > 0.0) return false;
  const MeshPoint near = surface_->nearest(center_, kInfinity);
  const Vector3 outward = near.p - center_;
  if (!(surface_->pseudonormal(near).dot(outward) > 0.0)) return false;
  const Vector3 normal =
      near.part == SurfacePart::kFace ? surface_->normal(near.triangle) : outward.normalized();
  query_plane(shape, normal, near.p);
  for (int k = 0; k < manifold_.size; ++k) {
    const ManifoldPoint& point = manifold_.points[k];
    add(Kind::kDeep, k, 0, point.p_a, normal, point.phi);
  }
  return true;
}

bool MeshQuery::find(const MeshSurface& surface, const RigidTransform& X_WM, const Shape& shape,
                     const RigidTransform& X_WS, double max_phi, std::vector<ManifoldPoint>* points) {
  points->clear();
  found_.clear();
  degenerate_ = false;
  surface_ = &surface;
  max_phi_ = max_phi;
  X_MS_ = X_WM.inverse() * X_WS;
  if (std::holds_alternative<HalfSpace>(shape)) {
    size_ = surface.tree().bounds().half_size().norm();
    find_half_space();
  } else {
    const Aabb box_S = bounding_box(shape);
    // The centre of a polytope's box may lie outside the polytope.
    center_ =
        std::holds_alternative<Convex>(shape) ? ConvexSupport(shape, X_MS_).center() : X_MS_ * box_S.center();
    size_ = box_S.half_size().norm();
    triangles_.clear();
    // In the shape's frame, too: a wide plate, turned, has a box that holds everything.
    const RigidTransform X_SM = X_MS_.inverse();
    const Aabb near_M = transformed(X_MS_, box_S).inflated(max_phi), near_S = box_S.inflated(max_phi);
    surface.tree().query_where(
        [&](const Aabb& box) { return box.overlaps(near_M) && transformed(X_SM, box).overlaps(near_S); },
        [&](int t) { triangles_.push_back(t); });
    std::sort(triangles_.begin(), triangles_.end());
    const bool deep = find_deep(shape);
    if (!deep && !triangles_.empty()) {
      if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
        find_sphere(sphere->radius);
      } else {
        find_points(shape);
        find_support_points(shape);
        find_corners(shape);
        find_edges(shape);
      }
    }
    reduction_.merge(size_, &found_);
  }
  reduction_.reduce(kSameFace, &found_);
  std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
  for (ManifoldPoint& point : found_) {
    point.p_a = X_WM * point.p_a;
    point.p_b = X_WM * point.p_b;
    point.normal = X_WM.R * point.normal;
  }
  points->assign(found_.begin(), found_.end());
  return degenerate_;
}

}  // namespace csim
