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

namespace {

/// m, between the boxes of two triangles, along the axis along which they are farthest apart.
double box_gap(const Triangle& p, const Triangle& q) {
  const Aabb box_p = box_of(p), box_q = box_of(q);
  return (box_q.lower - box_p.upper).cwiseMax(box_p.lower - box_q.upper).maxCoeff();
}

/// m, between a triangle and a plane.
double plane_gap(const Vector3& n, const Vector3& on, const Triangle& points) {
  const double x = n.dot(points[0] - on), y = n.dot(points[1] - on), z = n.dot(points[2] - on);
  return std::max(std::min({x, y, z}), -std::max({x, y, z}));
}

}  // namespace

/// Two triangles of two surfaces, as bounds see them.
class MeshPairQuery::Bounds {
 public:
  explicit Bounds(const MeshPairQuery& query, double reach) : query_(query), reach_(reach) {}

  /// False when their boxes in one of the frames or their planes show them to be farther apart than the
  /// reach. `gap`: of the planes, in which they are at least as far apart. The least work where one triangle
  /// of b comes after itself.
  bool are_near(int i, int j, double* gap) {
    if (j != placed_) place(j);
    const MeshSurface& a = *query_.a_;
    const Triangle p = triangle_of(a, i);
    *gap = std::max(plane_gap(a.normal(i), p[0], q_), plane_gap(normal_, q_[0], p));
    return !(*gap > reach_) && box_of(p).overlaps(box_) && box_of(in_b(p)).overlaps(box_B_);
  }

  /// m, of two that are near: the largest of the gaps.
  [[nodiscard]] double apart(int i, double gap) const {
    const Triangle p = triangle_of(*query_.a_, i);
    return std::max({gap, box_gap(p, q_), box_gap(in_b(p), triangle_of(*query_.b_, placed_))});
  }

 private:
  void place(int j) {
    placed_ = j;
    q_ = triangle_of(*query_.b_, j, query_.X_AB_);
    normal_ = query_.X_AB_.R * query_.b_->normal(j);
    box_ = box_of(q_).inflated(reach_);
    box_B_ = box_of(triangle_of(*query_.b_, j)).inflated(reach_);
  }
  [[nodiscard]] Triangle in_b(const Triangle& p) const {
    return {query_.X_BA_ * p[0], query_.X_BA_ * p[1], query_.X_BA_ * p[2]};
  }

  const MeshPairQuery& query_;
  double reach_;
  int placed_ = -1;
  Triangle q_;        // of b, frame of a
  Vector3 normal_;    // its, frame of a
  Aabb box_, box_B_;  // around it, grown by the reach, in both frames
};

/// Makes the list of the pairs within `reach` (m) anew.
void MeshPairQuery::renew(double reach, NearPairs* kept) {
  Bounds bounds(*this, reach);
  a_->tree().query_tree(b_->tree(), X_AB_, reach, [&](int i, int j) {
    double gap;
    if (!bounds.are_near(i, j, &gap)) return;
    kept->pairs.push_back({{i, j}, static_cast<float>(gap), static_cast<float>(bounds.apart(i, gap))});
  });
}

/// Pairs of triangles within max_phi, and those of them that may meet.
void MeshPairQuery::find_candidates(NearPairs* kept) {
  pairs_.clear();
  meeting_.clear();
  kept_ = nullptr;
  const double reach = std::max(max_phi_, 0.0), rounding = MeshTolerances::kRounding * size_;
  Bounds bounds(*this, reach);
  const auto look_at = [&](int i, int j) {
    double gap;
    if (!bounds.are_near(i, j, &gap)) return;
    pairs_.push_back({i, j});
    if (gap <= rounding) meeting_.push_back({i, j});
  };
  if (a_->search() != nullptr) {
    a_->search()->find_pairs(*b_->search(), X_AB_, reach, &near_pairs_);
    std::sort(near_pairs_.begin(), near_pairs_.end(),
              [](const auto& x, const auto& y) { return std::tie(x[1], x[0]) < std::tie(y[1], y[0]); });
    for (const auto& [i, j] : near_pairs_) look_at(i, j);
    return;
  }
  if (kept != nullptr) {
    using State = NearPairs::State;
    const State state = kept->look(a_->tree().bounds(), b_->tree().bounds(), X_AB_, reach, size_);
    if (state == State::kIsDue) renew(kept->renew(), kept);
    if (state != State::kIsIdle) kept_ = kept;
  }
  if (kept_ == nullptr) return a_->tree().query_tree(b_->tree(), X_AB_, reach, look_at);
  const double drift = kept_->drift();
  for (const NearPairs::Pair& pair : kept_->pairs) {
    const auto& [i, j] = pair.triangles;
    if (pair.apart - drift > reach) continue;
    if (pair.apart + drift > reach || pair.gap - drift <= rounding) {
      look_at(i, j);
    } else {
      pairs_.push_back({i, j});
    }
  }
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

/// Whether corners stand over a facet, and the way out along its normal is shorter than the unevenness of the
/// facets that cross. What stands out of a flat side has no contact of its own: as one that comes and goes
/// with the depth of the corners it would win energy each time.
bool MeshPairQuery::is_unevenness() {
  double uneven = 0.0;  // rad
  for (const auto& [i, j] : way_out_query_.crossing())
    uneven = std::max(uneven, a_->unevenness(a_->facet(i)) + b_->unevenness(b_->facet(j)));
  if (!(uneven > MeshTolerances::kRounding)) return false;
  return std::any_of(found_.begin(), found_.end(), [&](const ManifoldPoint& c) {
    const auto kind = static_cast<Kind>(MeshFeature::kind(c.feature));
    if (kind != Kind::kCornerFacet && kind != Kind::kFacetCorner) return false;
    MeshWayOut way;
    way.length = 2.0 * size_ * uneven;
    return way_out_query_.improve(c.normal, &way);
  });
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
  if (deepest == 0.0 && is_unevenness()) return;
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
