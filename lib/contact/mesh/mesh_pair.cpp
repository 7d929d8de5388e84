#include "contact/mesh/mesh_pair.h"

#include <algorithm>
#include <limits>

#include "contact/mesh/mesh_reduce.h"

namespace csim {

namespace {

/// Overlaps deeper than this fraction of the thickness of the two are looked at for shorter ways out.
/// Shallower ones have more contacts than it takes to part them, and rest on them.
constexpr double kDeepOverlap = 0.01;

}  // namespace

/// Returns the contact, which counts when it is below max_phi.
ManifoldPoint MeshPairQuery::add(Kind kind, int i, int j, const Vector3& p_a, const Vector3& normal,
                                 double phi) {
  const ManifoldPoint contact = mesh_point(MeshFeature::id(static_cast<int>(kind), i, j), p_a, normal, phi);
  if (phi < max_phi_) found_.push_back(contact);
  return contact;
}

/// A contact of the point c of view.from, phi above the other surface along its outward direction `out` (both
/// in the frame of view.onto). i is a feature of a, j one of b.
ManifoldPoint MeshPairQuery::add_corner(const View& view, Kind kind, int i, int j, const Vector3& c,
                                        const Vector3& out, double phi) {
  return view.from_a ? add(kind, i, j, X_AB_ * c, -(X_AB_.R * out), phi)
                     : add(kind, i, j, c - phi * out, out, phi);
}

/// Pairs of triangles that neither their boxes in one of the frames nor their planes show to be farther apart
/// than max_phi.
void MeshPairQuery::find_candidates() {
  pairs_.clear();
  const double reach = std::max(max_phi_, 0.0);
  using Triangle = std::array<Vector3, 3>;
  const auto beside_plane = [reach](const Vector3& n, const Vector3& on, const Triangle& points) {
    const double x = n.dot(points[0] - on), y = n.dot(points[1] - on), z = n.dot(points[2] - on);
    return std::min({x, y, z}) > reach || std::max({x, y, z}) < -reach;
  };
  const auto boxes_apart = [reach](const Triangle& p, const Triangle& q) {
    Aabb box_p, box_q;
    for (const Vector3& x : p) box_p.add(x);
    for (const Vector3& x : q) box_q.add(x);
    return !box_p.overlaps(box_q.inflated(reach));
  };
  int placed = -1;  // the tree visits the triangles near j one after the other
  Triangle q;
  Vector3 normal;
  const auto compare = [&](int i, int j) {
    if (j != placed) {
      for (int k = 0; k < 3; ++k) q[k] = X_AB_ * b_->corner(j, k);
      normal = X_AB_.R * b_->normal(j);
      placed = j;
    }
    const Triangle p{a_->corner(i, 0), a_->corner(i, 1), a_->corner(i, 2)};
    if (beside_plane(a_->normal(i), p[0], q) || beside_plane(normal, q[0], p) || boxes_apart(p, q)) return;
    const Triangle p_B{X_BA_ * p[0], X_BA_ * p[1], X_BA_ * p[2]};
    if (!boxes_apart(p_B, {b_->corner(j, 0), b_->corner(j, 1), b_->corner(j, 2)})) pairs_.push_back({i, j});
  };
  if (a_->search() == nullptr) return a_->tree().query_tree(b_->tree(), X_AB_, reach, compare);
  a_->search()->find_pairs(*b_->search(), X_AB_, reach, &near_pairs_);
  for (const auto& [i, j] : near_pairs_) compare(i, j);
}

/// A surface with no triangle near one of the other's may lie wholly inside its solid: it is pushed out at
/// the point nearest to its centre.
void MeshPairQuery::find_whole(const View& view) {
  if (!view.onto->closed()) return;
  const Vector3 c = view.X_OF * view.from->corner(0, 0);
  if (!(view.onto->tree().bounds().squared_distance(c) <= 0.0) || !holds(*view.onto, c, 0.0)) return;
  const MeshPoint near = view.onto->nearest(view.center, std::numeric_limits<double>::infinity());
  const Vector3 out = view.onto->pseudonormal(near).normalized();
  int lowest = 0;
  double phi = std::numeric_limits<double>::infinity();
  for (int v = 0; v < view.from->num_vertices(); ++v) {
    const double height = out.dot(view.X_OF * view.from->vertex(v) - near.p);
    if (height >= phi) continue;
    phi = height;
    lowest = v;
  }
  add_corner(view, view.from_a ? Kind::kDeepCorner : Kind::kDeepFacet, view.from_a ? lowest : 0,
             view.from_a ? 0 : lowest, view.X_OF * view.from->vertex(lowest), out, phi);
  degenerate_ = true;
}

/// Overlap without a contact that separates: the deepest vertex leaves along its nearest way. Where a finely
/// cut edge is sunk into another deeper than its parts are long no triangle near the one lies near the other.
void MeshPairQuery::add_deepest() {
  const auto overlaps = [](const ManifoldPoint& point) { return point.phi < 0.0; };
  if (deepest_.vertex < 0 || std::any_of(found_.begin(), found_.end(), overlaps)) return;
  add(deepest_.from_a ? Kind::kDeepCorner : Kind::kDeepFacet, deepest_.from_a ? deepest_.vertex : 0,
      deepest_.from_a ? 0 : deepest_.vertex, deepest_.p_a, deepest_.normal, -deepest_.distance);
  degenerate_ = true;
}

bool MeshPairQuery::find(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
                         const RigidTransform& X_WB, double max_phi, std::vector<ManifoldPoint>* points) {
  points->clear();
  found_.clear();
  upright_.clear();
  holders_.clear();
  degenerate_ = false;
  if (!a.closed() && !b.closed()) return false;
  a_ = &a;
  b_ = &b;
  max_phi_ = max_phi;
  X_AB_ = X_WA.inverse() * X_WB;
  X_BA_ = X_AB_.inverse();
  const Aabb &box_a = a.tree().bounds(), &box_b = b.tree().bounds();
  size_ = std::min(box_a.half_size().norm(), box_b.half_size().norm());
  deepest_ = {};
  ++query_;
  seen_a_.resize(std::max(seen_a_.size(), static_cast<std::size_t>(a.num_vertices())), 0);
  seen_b_.resize(std::max(seen_b_.size(), static_cast<std::size_t>(b.num_vertices())), 0);
  const View corners_of_a{&a, &b, X_BA_, X_BA_ * box_a.center(), true};
  const View corners_of_b{&b, &a, X_AB_, X_AB_ * box_b.center(), false};

  find_candidates();
  if (pairs_.empty()) {
    find_whole(corners_of_a);
    if (found_.empty()) find_whole(corners_of_b);
  } else {
    find_corners(corners_of_a, &seen_a_);
    find_corners(corners_of_b, &seen_b_);
    for (const auto& [i, j] : pairs_) find_edges(i, j);
    const double width = std::min(box_a.half_size().minCoeff(), box_b.half_size().minCoeff());
    const bool deep = std::any_of(found_.begin(), found_.end(),
                                  [&](const ManifoldPoint& c) { return c.phi < -kDeepOverlap * width; });
    if (deep && a.closed() && b.closed()) {
      drop_parted();
    } else {
      drop_far_edges();
    }
    add_deepest();
  }
  std::sort(found_.begin(), found_.end(),
            [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.feature < y.feature; });
  merge_contacts(size_, &found_);
  for (const ManifoldPoint& point : found_) points->push_back(transformed(X_WA, point));
  return degenerate_;
}

}  // namespace csim
