#include "contact/mesh/mesh_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

namespace {

/// Directions all around, 25 degrees apart: from each the search comes to the least way out nearby, and a way
/// that none of them comes to lies in a groove narrower than that.
constexpr int kFan = 64;

/// On a spiral that gives each of them an equal part of the sphere.
const std::array<Vector3, kFan>& fan() {
  static const std::array<Vector3, kFan> directions = [] {
    std::array<Vector3, kFan> d;
    for (int i = 0; i < kFan; ++i) {
      const double z = (2.0 * i + 1.0) / kFan - 1.0, angle = 2.0 * std::numbers::pi * i / std::numbers::phi;
      d[i] = Vector3(std::sqrt(1.0 - z * z) * Vector3(std::cos(angle), std::sin(angle), 0.0) +
                     z * Vector3::UnitZ());
    }
    return d;
  }();
  return directions;
}

}  // namespace

void MeshPairQuery::add(Kind kind, int i, int j, const Vector3& p_a, const Vector3& normal, double phi) {
  if (phi < max_phi_)
    found_.push_back(mesh_point(MeshFeature::id(static_cast<int>(kind), i, j), p_a, normal, phi));
}

/// A contact of the point c of view.from, phi above the other surface along its outward direction `out` (both
/// in the frame of view.onto). i is a feature of a, j one of b.
void MeshPairQuery::add_corner(const View& view, Kind kind, int i, int j, const Vector3& c,
                               const Vector3& out, double phi) {
  if (view.from_a) {
    add(kind, i, j, X_AB_ * c, -(X_AB_.R * out), phi);
  } else {
    add(kind, i, j, c - phi * out, out, phi);
  }
}

/// Calls visit(i, j, gap) for those pairs of triangles of `list` that neither their boxes in one of the
/// frames nor their planes show to be farther apart than `reach` (m); all of the surfaces without a list.
/// `gap`: of the planes, in which the triangles are at least as far apart.
template <typename Visit>
void MeshPairQuery::visit_near(const std::vector<std::array<int, 2>>* list, double reach,
                               const Visit& visit) {
  const auto gap_to_plane = [](const Vector3& n, const Vector3& on, const Triangle& points) {
    const double x = n.dot(points[0] - on), y = n.dot(points[1] - on), z = n.dot(points[2] - on);
    return std::max(std::min({x, y, z}), -std::max({x, y, z}));
  };
  const auto boxes_apart = [reach](const Triangle& p, const Triangle& q) {
    Aabb box_p, box_q;
    for (const Vector3& x : p) box_p.add(x);
    for (const Vector3& x : q) box_q.add(x);
    return !box_p.overlaps(box_q.inflated(reach));
  };
  int placed = -1;  // pairs with one triangle of b stand one after the other
  Triangle q;
  Vector3 normal;
  const auto compare = [&](int i, int j) {
    if (j != placed) {
      q = triangle_of(*b_, j, X_AB_);
      normal = X_AB_.R * b_->normal(j);
      placed = j;
    }
    const Triangle p = triangle_of(*a_, i);
    const double gap = std::max(gap_to_plane(a_->normal(i), p[0], q), gap_to_plane(normal, q[0], p));
    if (gap > reach || boxes_apart(p, q)) return;
    const Triangle p_B{X_BA_ * p[0], X_BA_ * p[1], X_BA_ * p[2]};
    if (!boxes_apart(p_B, triangle_of(*b_, j))) visit(i, j, gap);
  };
  if (list == nullptr) return a_->tree().query_tree(b_->tree(), X_AB_, reach, compare);
  for (const auto& [i, j] : *list) compare(i, j);
}

/// Pairs of triangles within max_phi, and those of them that may meet.
void MeshPairQuery::find_candidates(NearPairs* kept) {
  pairs_.clear();
  meeting_.clear();
  const double reach = std::max(max_phi_, 0.0), rounding = MeshTolerances::kRounding * size_;
  const std::vector<std::array<int, 2>>* list = nullptr;
  if (a_->search() != nullptr) {
    a_->search()->find_pairs(*b_->search(), X_AB_, reach, &near_pairs_);
    std::sort(near_pairs_.begin(), near_pairs_.end(),
              [](const auto& x, const auto& y) { return std::tie(x[1], x[0]) < std::tie(y[1], y[0]); });
    list = &near_pairs_;
  } else if (kept != nullptr) {
    using State = NearPairs::State;
    const State state = kept->look(a_->tree().bounds(), b_->tree().bounds(), X_AB_, reach, size_);
    if (state == State::kIsDue)
      visit_near(nullptr, kept->renew(), [&](int i, int j, double) { kept->pairs.push_back({i, j}); });
    if (state != State::kIsIdle) list = &kept->pairs;
  }
  visit_near(list, reach, [&](int i, int j, double gap) {
    pairs_.push_back({i, j});
    if (gap <= rounding) meeting_.push_back({i, j});
  });
}

/// A surface with no triangle near one of the other's may lie wholly inside its solid: it is pushed out at
/// the point nearest to its centre.
void MeshPairQuery::find_whole(const View& view) {
  if (!view.onto->closed()) return;
  const Vector3 c = view.X_OF * view.from->corner(0, 0);
  if (!(view.onto->tree().bounds().squared_distance(c) <= 0.0) || !view.onto->holds(c, 0.0)) return;
  const MeshPoint near = view.onto->nearest(view.center, kInfinity);
  const Vector3 out = view.onto->pseudonormal(near).normalized();
  int lowest = 0;
  double phi = kInfinity;
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

/// Directions along which the two may part: the normals of the contacts, the way that clears the contacts one
/// after the other from the shallowest on, and the normals of the triangles that cross.
void MeshPairQuery::find_directions(double deepest) {
  directions_.clear();
  const auto add_direction = [&](const Vector3& n) {
    const auto same = [&](const Vector3& other) { return (other - n).squaredNorm() < 1e-12; };
    if (std::none_of(directions_.begin(), directions_.end(), same)) directions_.push_back(n);
  };
  // The second time with room to spare: the contacts of nearly parallel walls stand at their corners, and the
  // walls may cross beside them.
  double spare = 0.0;
  for (const ManifoldPoint& c : found_)
    if (-c.phi < MeshTolerances::kMuchShorter * deepest) spare = std::max(spare, -c.phi);
  for (const double room : {0.0, spare}) {
    Vector3 way = Vector3::Zero();
    for (const ManifoldPoint& c : found_) {
      if (!(c.phi < room)) continue;
      if (c.phi < 0.0) add_direction(c.normal);
      const double left = room - c.phi - way.dot(c.normal);
      if (left <= 0.0) continue;
      way += left * c.normal;
      if (way.squaredNorm() > 0.0) add_direction(way.normalized());
    }
    if (spare == 0.0) break;
  }
  for (const auto& [i, j] : way_out_query_.crossing()) {
    add_direction(a_->normal(i));
    add_direction(-(X_AB_.R * b_->normal(j)));
    if (!a_->closed()) add_direction(-a_->normal(i));
    if (!b_->closed()) add_direction(X_AB_.R * b_->normal(j));
  }
}

/// The shortest way out that the search finds: from the best of the directions of the contacts and of the
/// triangles that cross; where the two are deep in each other one from all around, if that is shorter.
bool MeshPairQuery::find_way_out(double deepest, double deep, MeshWayOut* best) {
  best->length = 2.0 * (deepest > 0.0 ? deepest : size_);
  if (deepest > 0.0 && deepest <= deep) best->length = (1.0 - MeshTolerances::kShorter) * deepest;
  bool found = false;
  find_directions(deepest);
  for (const Vector3& direction : directions_) found = way_out_query_.improve(direction, best) || found;
  if (found) way_out_query_.turn(best);
  if (std::min(best->length, deepest > 0.0 ? deepest : kInfinity) <= deep) return found;
  MeshWayOut other;
  other.length = (1.0 - MeshTolerances::kShorter) * best->length;
  bool shorter = found && way_out_query_.descend(best->direction, &other);
  for (const Vector3& direction : fan()) shorter = way_out_query_.descend(direction, &other) || shorter;
  if (!shorter) return found;
  way_out_query_.turn(&other);
  *best = other;
  return true;
}

/// Sees to it that an overlap is held, and by no more than it takes to part the two.
void MeshPairQuery::hold(double deep) {
  std::sort(found_.begin(), found_.end(), [](const ManifoldPoint& x, const ManifoldPoint& y) {
    return x.phi > y.phi || (x.phi == y.phi && x.feature < y.feature);
  });
  const double deepest = found_.empty() ? 0.0 : std::max(0.0, -found_.back().phi);
  // Along another normal a part of the way may be enough.
  const auto is_shorter = [&](const ManifoldPoint& c) {
    return c.phi < 0.0 && c.phi > -(1.0 - MeshTolerances::kShorter) * deepest &&
           (c.normal - found_.back().normal).norm() > MeshTolerances::kSameRoundFace;
  };
  if (deepest > 0.0 && deepest <= deep && std::none_of(found_.begin(), found_.end(), is_shorter)) return;
  if (deepest == 0.0 && meeting_.empty()) return;
  using State = MeshWayOutQuery::State;
  const State state = way_out_query_.place(*a_, *b_, X_AB_, size_, meeting_);
  if (state == State::kApart) std::erase_if(found_, [](const ManifoldPoint& c) { return c.phi < 0.0; });
  if (state == State::kApart || (state == State::kTouching && deepest == 0.0)) return;
  MeshWayOut best;
  const bool found = find_way_out(deepest, deep, &best);
  degenerate_ = degenerate_ || way_out_query_.gave_up() || (!found && deepest == 0.0);
  if (!found) return;
  if (deepest > 0.0 && best.length > (1.0 - MeshTolerances::kShorter) * deepest) return;
  const double rounding = 10.0 * MeshTolerances::kRounding * size_;
  std::erase_if(found_, [&](const ManifoldPoint& c) { return c.phi < -best.length - rounding; });
  const bool held = std::any_of(found_.begin(), found_.end(),
                                [&](const ManifoldPoint& c) { return c.phi <= -best.length + rounding; });
  if (held || best.length <= rounding) return;
  add(Kind::kWayOut, best.triangles[0], best.triangles[1], best.p_a, best.direction, -best.length);
}

bool MeshPairQuery::find(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
                         const RigidTransform& X_WB, double max_phi, std::vector<ManifoldPoint>* points,
                         NearPairs* kept) {
  points->clear();
  found_.clear();
  degenerate_ = false;
  if (!a.closed() && !b.closed()) return false;
  a_ = &a;
  b_ = &b;
  max_phi_ = max_phi;
  X_AB_ = X_WA.inverse() * X_WB;
  X_BA_ = X_AB_.inverse();
  const Aabb &box_a = a.tree().bounds(), &box_b = b.tree().bounds();
  size_ = std::min(box_a.half_size().norm(), box_b.half_size().norm());
  ++query_;
  seen_a_.resize(std::max(seen_a_.size(), static_cast<std::size_t>(a.num_vertices())), 0);
  seen_b_.resize(std::max(seen_b_.size(), static_cast<std::size_t>(b.num_vertices())), 0);
  const View corners_of_a{&a, &b, X_BA_, X_BA_ * box_a.center(), true};
  const View corners_of_b{&b, &a, X_AB_, X_AB_ * box_b.center(), false};

  find_candidates(kept);
  if (pairs_.empty()) {
    find_whole(corners_of_a);
    if (found_.empty()) find_whole(corners_of_b);
  } else {
    find_corners(corners_of_a, &seen_a_);
    find_corners(corners_of_b, &seen_b_);
    find_edges();
    hold(MeshTolerances::kDeepOverlap * std::min(box_a.half_size().minCoeff(), box_b.half_size().minCoeff()));
  }
  std::sort(found_.begin(), found_.end(),
            [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.feature < y.feature; });
  merger_.merge(size_, &found_);
  for (const ManifoldPoint& point : found_) points->push_back(transformed(X_WA, point));
  return degenerate_;
}

}  // namespace csim
