#include "contact/mesh/mesh_contacts.h"
#include "contact/convex/disc_view.h"

#include <algorithm>
#include <limits>

#include "contact/convex/point_distance.h"
#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

namespace {

/// A frame at p whose z axis is exactly n.
RigidTransform plane_frame(const Vector3& n, const Vector3& p) {
  Matrix3 R;
  R.col(0) = n.unitOrthogonal();
  R.col(1) = n.cross(R.col(0));
  R.col(2) = n;
  return {R, p};
}

/// Signed distance (m, at most 0) of a point of the surface from the shape once it is moved by `way`.
double distance_after(const Vector3& p, const Vector3& way, const ConvexSupport& support) {
  return std::min(point_distance(p + way, support, 0.0).phi, 0.0);
}

}  // namespace

void MeshQuery::add(Kind kind, int i, int j, const Vector3& p_mesh, const Vector3& normal, double phi) {
  if (!(phi < max_phi_)) return;
  found_.push_back(mesh_point(MeshFeature::id(static_cast<int>(kind), i, j), p_mesh, normal, phi));
}

/// The supporting points of the shape on the plane through p with the outward normal, below `max_phi` (m).
void MeshQuery::query_plane(const Shape& shape, const Vector3& normal, const Vector3& p, double max_phi) {
  query_pair(HalfSpace{}, plane_frame(normal, p), shape, X_MS_, max_phi, &manifold_);
}

/// Corners below max_phi; vertices inside facets or straight edges support nothing that the corners do not.
void MeshQuery::find_half_space() {
  const Vector3 z = X_MS_.R.col(2), abs_z = z.cwiseAbs();
  const auto below = [&](const Aabb& box) {
    return z.dot(box.center() - X_MS_.p) - abs_z.dot(box.half_size()) < max_phi_;
  };
  const auto find_corners = [&](int t) {
    for (int i = 0; i < 3; ++i) {
      const int v = surface_->owned_vertex(t, i);
      if (v < 0 || !surface_->is_corner(v)) continue;
      const Vector3& p = surface_->vertex(v);
      add(Kind::kCorner, 0, v, p, -z, z.dot(p - X_MS_.p));
    }
  };
  if (surface_->search() == nullptr) return surface_->tree().query_where(below, find_corners);
  // All of the mesh that is below, as a box in the plane's frame.
  Aabb box_S = transformed(X_MS_.inverse(), surface_->tree().bounds());
  box_S.upper.z() = std::min(box_S.upper.z(), max_phi_);
  if (box_S.empty()) return;
  surface_->search()->find_near(X_MS_, box_S, &triangles_);
  for (const int t : triangles_) find_corners(t);
}

/// A shape whose centre is inside a closed surface: the plane at the centre's nearest point pushes all of it.
/// False when the centre is outside.
bool MeshQuery::find_deep(const Shape& shape) {
  if (!surface_->closed() || surface_->tree().bounds().squared_distance(center_) > 0.0) return false;
  const MeshPoint near = surface_->nearest(center_, kInfinity);
  const Vector3 outward = near.p - center_;
  if (!(surface_->pseudonormal(near).dot(outward) > 0.0)) return false;
  deep_at_facet_ = near.part == SurfacePart::kFace;
  const Vector3 normal = deep_at_facet_ ? surface_->normal(near.triangle) : outward.normalized();
  query_plane(shape, normal, near.p, max_phi_);
  for (int k = 0; k < manifold_.size; ++k) {
    const ManifoldPoint& point = manifold_.points[k];
    add(Kind::kDeep, k, 0, point.p_a, normal, point.phi);
  }
  return true;
}

/// Sine by which the surface next to a contact may rise above the contact's plane.
double MeshQuery::rise_beside(const ManifoldPoint& c) const {
  const int id = MeshFeature::j(c.feature);
  switch (static_cast<Kind>(MeshFeature::kind(c.feature))) {
    case Kind::kCorner:
      return surface_->cone_violation(id, c.normal);
    case Kind::kEdge: {
      const SurfaceEdge& edge = surface_->edge(id);
      const Vector3 along =
          (surface_->vertex(edge.vertex[1]) - surface_->vertex(edge.vertex[0])).normalized();
      return std::max(
          {c.normal.dot(edge.into[0]), c.normal.dot(edge.into[1]), std::abs(c.normal.dot(along))});
    }
    case Kind::kDeep:
      return deep_at_facet_ ? 0.0 : 1.0;
    default:
      return 0.0;
  }
}

/// The deepest point of the shape, and on a facet the shape's other supporting points over it.
void MeshQuery::add_exit(const Shape& shape, const MeshExit& exit, const Vector3& p_mesh) {
  const int part = static_cast<int>(exit.part);
  if (exit.part == SurfacePart::kFace) {
    query_plane(shape, exit.normal, p_mesh, max_phi_);
    for (int k = 0; k < manifold_.size; ++k) {
      const ManifoldPoint& point = manifold_.points[k];
      if (!(point.phi < 0.0) || (point.p_b - exit.p_shape).norm() <= MeshTolerances::kGoesOn * size_)
        continue;
      if (surface_->nearest(point.p_a, MeshTolerances::kGoesOn * size_).triangle < 0) continue;
      add(Kind::kExit, part + 4 * (k + 1), exit.id, point.p_a, exit.normal, point.phi);
    }
  }
  add(Kind::kExit, part, exit.id, p_mesh, exit.normal, exit.phi);
}

/// Whether each hidden corner is outside the shape once the shape has moved out along one of the contacts;
/// kShorter of the corner's depth may remain.
bool MeshQuery::holds_all(const ConvexSupport& support) const {
  std::size_t first = 0;  // the contact that freed the last corner, which often frees the next one
  return std::all_of(hidden_.begin(), hidden_.end(), [&](const HiddenCorner& corner) {
    const double left = MeshTolerances::kShorter * corner.phi;
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const std::size_t i = (first + k) % found_.size();
      const ManifoldPoint& c = found_[i];
      // Moving by a length changes a distance by no more than that.
      if (!(c.phi < 0.0) || corner.phi - c.phi < left) continue;
      if (distance_after(corner.p, c.phi * c.normal, support) < left) continue;
      first = i;
      return true;
    }
    return false;
  });
}

/// Corners and edges of an open surface that are in the shape may find a way out that leads along the surface
/// and is as long as the shape is wide. Contacts deeper than a way out of all that is crossed go; where none
/// is left that is as deep, this way is a contact.
void MeshQuery::hold_sheet(const Shape& shape) {
  directions_.clear();
  double deepest = 0.0;
  for (const ManifoldPoint& c : found_) {
    if (!(c.phi < 0.0)) continue;
    deepest = std::min(deepest, c.phi);
    directions_.push_back(c.normal);
  }
  if (!(deepest < -MeshTolerances::kDeepOverlap * bounding_box(shape).half_size().minCoeff())) return;
  const MeshExit exit = exit_query_.find_sheet(*surface_, triangles_, shape, X_MS_, size_, directions_);
  if (exit.id < 0 || exit.phi < (1.0 - MeshTolerances::kShorter) * deepest) return;
  const double shorter = MeshTolerances::kShorter * exit.phi;
  std::erase_if(found_, [&](const ManifoldPoint& c) { return c.phi < exit.phi + shorter; });
  const bool held =
      std::any_of(found_.begin(), found_.end(), [&](const auto& c) { return c.phi < exit.phi - shorter; });
  if (!held) {
    add(Kind::kExit, static_cast<int>(exit.part), exit.id, exit.p_shape - exit.phi * exit.normal, exit.normal,
        exit.phi);
  }
}

/// Sees to it that an overlap with a solid is held.
void MeshQuery::hold(const Shape& shape) {
  if (!surface_->closed()) return hold_sheet(shape);
  const ConvexSupport support(shape, X_MS_);
  const auto way_out = [&](const ManifoldPoint& c) {
    return c.normal.dot(support.support(-c.normal) - c.p_a) - support.radius();
  };
  double deepest = 0.0;
  for (const ManifoldPoint& c : found_) deepest = std::min(deepest, c.phi);
  const bool deep = deepest < -MeshTolerances::kDeepOverlap * width_;
  // The least of the ways out that a contact is; places on a rim need not be its deepest, and where a facet
  // is uneven the others over it may be deeper along the normal of its triangle.
  const Cylinder* cylinder = std::get_if<Cylinder>(&shape);
  const double rounding = MeshTolerances::kRounding * size_;
  const auto missed = [&](const ManifoldPoint& c) {
    if (MeshFeature::kind(c.feature) != static_cast<int>(Kind::kPointFacet)) return rounding;
    const double rim = cylinder != nullptr ? kFixedRimMiss * cylinder->radius : 0.0;
    return std::max(rounding, rim + 2.0 * size_ * surface_->unevenness(MeshFeature::j(c.feature)));
  };
  const ManifoldPoint* holder = nullptr;
  double least = -kInfinity;
  for (const ManifoldPoint& c : found_) {
    if (!(c.phi < 0.0) || c.phi <= least ||
        rise_beside(c) > (deep ? MeshTolerances::kStrict : MeshTolerances::kLoose))
      continue;
    // Of contacts with one normal the deepest stands for all.
    const auto deeper = [&](const ManifoldPoint& other) {
      return other.phi < c.phi && (other.normal - c.normal).norm() < MeshTolerances::kSameNormal;
    };
    if (std::any_of(found_.begin(), found_.end(), deeper)) continue;
    const double out = way_out(c);
    if (c.phi > (1.0 - MeshTolerances::kShorter) * out + missed(c)) continue;
    holder = &c;
    least = c.phi;
  }
  const bool all_held = holder != nullptr && holds_all(support);
  ManifoldPoint held;
  if (holder != nullptr) held = *holder;
  if (!all_held || deep) {
    const MeshExit exit = exit_query_.find(*surface_, triangles_, shape, X_MS_, size_);
    const bool wanted = deepest == 0.0 ||
                        (exit.clean && (!all_held || exit.phi > (1.0 - MeshTolerances::kShorter) * held.phi));
    if (exit.id >= 0 && wanted) {
      held.normal = exit.normal;
      held.p_a = exit.p_shape - exit.phi * exit.normal;
      held.phi = exit.phi;
      // Along an edge or a face that is nearly parallel to the plane the lowest point may be far from where
      // the two meet.
      if (surface_->nearest(held.p_a, MeshTolerances::kBesideSurface * size_).triangle < 0) {
        const Vector3 q = exit_query_.deepest_crossing(shape);
        held.p_a = q + exit.normal.dot(held.p_a - q) * exit.normal;
      }
      add_exit(shape, exit, held.p_a);
      holder = &held;
    }
  }
  if (holder != nullptr) drop_cleared(support, held.normal, held.p_a, held.phi);
  unheld_ = !holds_all(support);
}

/// Drops contacts deeper than phi where the surface ends below the plane at p: a shape that leaves along its
/// normal leaves them, too. What faces almost the same way is deeper because the two are tilted, and stays.
/// In the corner of a room the surface goes on above, and so it does where the shape holds a point of it even
/// then.
void MeshQuery::drop_cleared(const ConvexSupport& support, const Vector3& normal, const Vector3& p,
                             double phi) {
  const auto still_held = [&](const ManifoldPoint& c) {
    return distance_after(c.p_a, phi * normal, support) < MeshTolerances::kLeft * c.phi;
  };
  std::erase_if(found_, [&](const ManifoldPoint& c) {
    if (c.phi >= phi - MeshTolerances::kRounding * size_ ||
        (c.normal - normal).norm() < MeshTolerances::kSameFace)
      return false;
    const double below = normal.dot(p - c.p_a);
    const Vector3 up = normal - normal.dot(c.normal) * c.normal;
    const double rise = up.squaredNorm();
    if (!(rise > 0.0) || still_held(c)) return false;
    const double margin = MeshTolerances::kGoesOn * size_;
    const Vector3 above = below < -margin ? c.p_a : Vector3(c.p_a + (below + margin) / rise * up);
    return surface_->nearest(above, 0.1 * margin).triangle < 0;
  });
}

bool MeshQuery::find(const MeshSurface& surface, const RigidTransform& X_WM, const Shape& shape,
                     const RigidTransform& X_WS, double max_phi, std::vector<ManifoldPoint>* points) {
  points->clear();
  found_.clear();
  hidden_.clear();
  degenerate_ = unheld_ = false;
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
    width_ = std::min(box_S.half_size().minCoeff(), surface.tree().bounds().half_size().minCoeff());
    surface.find_near(X_MS_, box_S.inflated(max_phi), &triangles_);
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
    merger_.merge(size_, &found_);
    if (!std::holds_alternative<Sphere>(shape)) hold(shape);
  }
  std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
  for (const ManifoldPoint& point : found_) points->push_back(transformed(X_WM, point));
  return degenerate_;
}

}  // namespace csim
