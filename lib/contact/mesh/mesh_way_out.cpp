#include "contact/mesh/mesh_way_out.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/convex/convex_support.h"
#include "contact/mesh/mesh_tolerances.h"
#include "contact/mesh/way_out_planes.h"

namespace csim {

namespace {

/// Rounds after which a direction is given up.
constexpr int kRounds = 64;

/// Ways tried in one descent, and turns of a way out: twice as many find nothing else.
constexpr int kTurns = 12;

}  // namespace

/// How far (m) one solid is at least inside the other, where the surfaces do not cross; 0: it is not.
double MeshWayOutQuery::inside(const Vector3& moved) const {
  const RigidTransform X(X_AB_.R, X_AB_.p + moved);
  const auto depth = [&](const MeshSurface& surface, const Vector3& p) {
    if (!surface.closed() || !surface.holds(p, 0.0)) return 0.0;
    const double distance = (surface.nearest(p, kInfinity).p - p).norm();
    return distance > rounding_ ? distance : 0.0;
  };
  return std::max(depth(*a_, X * b_->vertex(0)), depth(*b_, X.inverse() * a_->vertex(0)));
}

MeshWayOutQuery::State MeshWayOutQuery::place(const MeshSurface& a, const MeshSurface& b,
                                              const RigidTransform& X_AB, double size,
                                              const std::vector<std::array<int, 2>>& near) {
  a_ = &a;
  b_ = &b;
  X_AB_ = X_AB;
  rounding_ = MeshTolerances::kRounding * size;
  gave_up_ = false;
  for (const State state : {State::kOverlapping, State::kTouching}) {
    margin_ = state == State::kOverlapping ? rounding_ : -rounding_;
    crossing_.clear();
    for (const auto& [i, j] : near) {
      if (cross(triangle_of(a, i), triangle_of(b, j, X_AB), margin_)) crossing_.push_back({i, j});
    }
    // Which plane limits a way depends on the order, and that of the pairs near on who looked for them.
    std::sort(crossing_.begin(), crossing_.end());
    if (!crossing_.empty()) return state;
  }
  return inside(Vector3::Zero()) > 0.0 ? State::kOverlapping : State::kApart;
}

/// Where the last of the pairs that cross at the start stops crossing; the search ends with one that does so
/// past `limit` (m). That one comes first the next time: it is likely to be past the limit for other
/// directions, too.
void MeshWayOutQuery::leave_start(const Vector3& direction, double limit, Touch* last) {
  for (auto& pair : crossing_) {
    const CrossingInterval t =
        crossing_interval(triangle_of(*a_, pair[0]), triangle_of(*b_, pair[1], X_AB_), direction, margin_);
    if (t.empty() || t.high <= last->t) continue;
    *last = {t.high, t.normal, pair};
    if (t.high < limit) continue;
    std::swap(pair, crossing_.front());
    return;
  }
}

/// The same of what crosses where *last is; false when nothing does.
bool MeshWayOutQuery::move_on(const Vector3& direction, double limit, Touch* last) const {
  const double begin = last->t;
  bool crosses = false;
  int placed = -1;  // the tree visits the triangles near j one after the other
  Triangle q;
  a_->tree().query_tree(b_->tree(), {X_AB_.R, X_AB_.p + begin * direction}, rounding_, [&](int i, int j) {
    if (last->t >= limit) return;
    if (j != placed) q = triangle_of(*b_, j, X_AB_);
    placed = j;
    const CrossingInterval t = crossing_interval(triangle_of(*a_, i), q, direction, margin_);
    if (!(t.low < begin && begin < t.high)) return;
    crosses = true;
    if (t.high > last->t) *last = {t.high, t.normal, {i, j}};
  });
  return crosses;
}

bool MeshWayOutQuery::improve(const Vector3& direction, MeshWayOut* best) {
  Touch last;
  return leave(direction, best, &last);
}

/// improve(); *last is where the two part last, or something they meet past the length of *best.
bool MeshWayOutQuery::leave(const Vector3& direction, MeshWayOut* best, Touch* last) {
  leave_start(direction, best->length, last);
  for (int round = 0; last->t < best->length; ++round) {
    if (round == kRounds) {
      gave_up_ = true;
      return false;
    }
    if (move_on(direction, best->length, last)) continue;
    const Vector3 moved = last->t * direction;
    if (const double depth = inside(moved); depth > 0.0) {
      last->t += depth;
      last->normal.setZero();
      continue;
    }
    if (last->triangles[0] < 0) return false;
    const Triangle p = triangle_of(*a_, last->triangles[0]),
                   q = triangle_of(*b_, last->triangles[1], {X_AB_.R, X_AB_.p + moved});
    const SignedDistance touch = signed_distance(ConvexSupport::triangle(p[0], p[1], p[2]),
                                                 ConvexSupport::triangle(q[0], q[1], q[2]), kInfinity);
    *best = {last->t, direction, touch.p_a, last->normal, last->triangles};
    return true;
  }
  return false;
}

bool MeshWayOutQuery::descend(const Vector3& direction, MeshWayOut* best) {
  WayOutPlanes planes;
  Vector3 along = direction;
  bool found = false;
  for (int round = 0; round < kTurns; ++round) {
    Touch last;
    found = leave(along, best, &last) || found;
    if (last.normal.isZero(0.0)) break;
    planes.add(last.normal, last.t * along);
    const std::optional<Vector3> way = planes.nearest();
    if (!way || !(way->norm() < (1.0 - MeshTolerances::kLeast) * best->length)) break;
    along = way->normalized();
  }
  return found;
}

void MeshWayOutQuery::turn(MeshWayOut* best) {
  for (int round = 0; round < kTurns; ++round) {
    const Vector3 d = best->direction, n = best->normal.normalized();
    const Vector3 side = d.dot(n) > 0.0 ? Vector3(n - d) : Vector3(-n - d);
    bool shorter = false;
    for (double part = 1.0; part > 0.05 && !shorter; part *= 0.5)
      shorter = improve((d + part * side).normalized(), best);
    if (!shorter) return;
  }
}

}  // namespace csim
