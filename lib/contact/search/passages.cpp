// Pairs that go through each other within a step, seen at the poses where it ends. Contacts are made at its
// start and are linear in the velocities: convex shapes that move without turning stay on their sides of the
// planes of their contacts, those that turn may not; and pressure fields that are apart at the start have no
// surface yet.
#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "contact/convex/separation.h"
#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"
#include "contact/search/thickness.h"
#include "contact/search/touch_query.h"

namespace csim {
namespace {

/// Cosine of the angle by which the way out turns, beyond which it is that on the other side. Round an edge
/// it turns by 90 degrees.
constexpr double kTurnedRound = -0.5;

/// The way of a pair is looked at in no more parts than this and one. Of fields a part is an eighth of the
/// thinner one's thickness; of shapes half that of the thicker one, as what goes through a plate overlaps it
/// for as long as both are thick. What is thinner than a part may be missed.
constexpr double kMostParts = 63.0;

int parts_of(double travel, double length) {
  return static_cast<int>(std::clamp(travel / length, 1.0, kMostParts)) + 1;
}

bool is_half_space(const CollisionGeometry& g) {
  return std::holds_alternative<HalfSpace>(g.shape);
}

/// The gap of two convex shapes along n (unit, from a to b): a lower bound of their signed distance.
double gap_along(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& n) {
  const ConvexSupport support_a(a.geometry->shape, a.X_WG), support_b(b.geometry->shape, b.X_WG);
  return separation_along(support_a, support_b, n).value - support_a.radius() - support_b.radius();
}

bool is_turned_round(const Vector3& start, const Vector3& end) {
  return start.dot(end) < kTurnedRound * start.norm() * end.norm();
}

}  // namespace

PlacedGeometry ContactSearch::place_at(int geometry, const std::vector<RigidTransform>& X_WB) const {
  const RigidTransform& X = X_WB[body_of_geometry_[geometry]];
  const CollisionGeometry& g = *geometries_[geometry];
  return place(g, geometry, X, X * g.ball_B.center);
}

/// Where two shapes, surfaces of triangles too, overlap the most; null: they are apart.
const ManifoldPoint* ContactSearch::deepest_overlap(const PlacedGeometry& a, const PlacedGeometry& b,
                                                    PairScratch* scratch) {
  if (!may_touch(a, b, 0.0)) return nullptr;
  query_points(a, b, 0.0, scratch);
  const ManifoldPoint* deepest = nullptr;
  for (const ManifoldPoint& point : scratch->mesh_points)
    if (point.phi < (deepest == nullptr ? 0.0 : deepest->phi)) deepest = &point;
  return deepest;
}

/// The overlap (m) of two shapes, 0 where they are apart.
double ContactSearch::overlap_of(const PlacedGeometry& a, const PlacedGeometry& b, PairScratch* scratch) {
  const ManifoldPoint* deepest = deepest_overlap(a, b, scratch);
  return deepest == nullptr ? 0.0 : -deepest->phi;
}

/// The normal of a contact at the end of the step, carried along by the body that turns less.
Vector3 ContactSearch::carried_normal(const PointContact& c, const ContactQuery& query,
                                      const std::vector<Twist>& V, const std::vector<RigidTransform>& X_end) {
  const int steady = V[c.body_a].w.squaredNorm() <= V[c.body_b].w.squaredNorm() ? c.body_a : c.body_b;
  return X_end[steady].R * ((*query.X_WB)[steady].R.transpose() * c.normal);
}

/// Whether the surfaces a and b, at their poses of the end, have gone through each other in the step although
/// a contact deep at its start held against it and closed: out on the other side, or so deep that the way out
/// is that on the other side. No contact was stiff enough.
bool ContactSearch::has_given_way(const PlacedGeometry& a, const PlacedGeometry& b, const PointContact& c,
                                  const ContactQuery& query, const std::vector<Twist>& V,
                                  const std::vector<RigidTransform>& X_end, PairScratch* scratch) {
  const double shallow = shallow_overlap(*a.geometry, *b.geometry);
  if (!(c.phi < -shallow && end_gap(c, query, V) < c.phi)) return false;
  const ManifoldPoint* deepest = deepest_overlap(a, b, scratch);
  return deepest == nullptr ||
         (deepest->phi < -shallow && carried_normal(c, query, V, X_end).dot(deepest->normal) < kTurnedRound);
}

/// Whether the pair of a contact point, which moves by `travel` (m) within a step of V, overlaps on its way
/// by more than `shallow` (m), and by that much more than at its start and its end.
bool ContactSearch::is_deeper_on_the_way(const PointContact& c, double travel, double shallow,
                                         const ContactQuery& query, const std::vector<Twist>& V,
                                         PairScratch* scratch) {
  const SweptPair pair = sweep(c, query, V);
  const auto overlap = [&](double t) { return overlap_of(pair.a.at(t), pair.b.at(t), scratch); };
  const int num_parts =
      parts_of(travel, 0.5 * larger_thickness(*pair.a.start.geometry, *pair.b.start.geometry));
  double deepest = 0.0;
  for (int k = 1; k < num_parts; ++k) deepest = std::max(deepest, overlap(query.step * k / num_parts));
  return deepest > shallow && deepest > shallow + std::max(overlap(0.0), overlap(query.step));
}

/// Whether the pair of a contact point touches in the step, as it does not where it flies by.
bool ContactSearch::meets_on_the_way(const PointContact& c, const ContactQuery& query,
                                     const std::vector<Twist>& V) {
  return touches(sweep(c, query, V), query.step, 0.0);
}

/// The deepest point of two shapes, or the nearest; null: none.
const ManifoldPoint* ContactSearch::deepest_point(const PlacedGeometry& a, const PlacedGeometry& b,
                                                  Manifold* manifold) {
  query_pair(a.geometry->shape, a.X_WG, b.geometry->shape, b.X_WG, std::numeric_limits<double>::infinity(),
             manifold);
  const auto deepest =
      std::min_element(manifold->begin(), manifold->end(),
                       [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.phi < y.phi; });
  return deepest == manifold->end() ? nullptr : &*deepest;
}

/// Judges the poses a and b of two convex shapes at the end, whose contact point c closes most of theirs.
/// Whether these poses decide: the two have passed through each other, or overlap deeply.
bool ContactSearch::judge_end(const PlacedGeometry& a, const PlacedGeometry& b, const PointContact& c,
                              const ContactQuery& query, const std::vector<Twist>& V,
                              const std::vector<RigidTransform>& X_end, const Visitor& visitor) {
  const double shallow = shallow_overlap(*a.geometry, *b.geometry);
  // The balls about the two tell of most pairs that they do not overlap along the normal.
  const double radii = a.geometry->ball_B.radius + b.geometry->ball_B.radius;
  if (!(c.normal.dot(b.center_W - a.center_W) - radii < -shallow)) return false;
  if (!(gap_along(a, b, c.normal) < -shallow)) return false;
  const Vector3 carried = carried_normal(c, query, V, X_end);
  if (!(gap_along(a, b, carried) < -shallow)) return false;
  const ManifoldPoint* deepest = deepest_point(a, b, &visitor.scratch->manifold);
  if (deepest != nullptr && carried.dot(deepest->normal) < kTurnedRound && meets_on_the_way(c, query, V)) {
    visitor.findings->passages.add(c.geometry_a, c.geometry_b, c.phi > -shallow);
    return true;
  }
  return deepest != nullptr && deepest->phi < -shallow;
}

/// Judges the pair of a contact point, the one that closes most of its pair.
void ContactSearch::judge_shapes(const PointContact& c, const ContactQuery& query,
                                 const std::vector<Twist>& V, const std::vector<RigidTransform>& X_end,
                                 const Visitor& visitor) {
  const PlacedGeometry a = place_at(c.geometry_a, X_end), b = place_at(c.geometry_b, X_end);
  if (is_half_space(*a.geometry) || is_half_space(*b.geometry)) return;
  const bool is_surface = a.geometry->surface || b.geometry->surface;
  if (!is_surface && judge_end(a, b, c, query, V, X_end, visitor)) return;
  const double shallow = shallow_overlap(*a.geometry, *b.geometry);
  if (is_surface && has_given_way(a, b, c, query, V, X_end, visitor.scratch)) {
    visitor.findings->passages.add(c.geometry_a, c.geometry_b, false);
    return;
  }
  // What turns may go through the other between two good poses.
  const double travel = query.step * (V[c.body_b].at(b.center_W - X_end[c.body_b].p) -
                                      V[c.body_a].at(a.center_W - X_end[c.body_a].p))
                                         .norm();
  if (travel > thickness(*a.geometry, *b.geometry) &&
      is_deeper_on_the_way(c, travel, shallow, query, V, visitor.scratch))
    visitor.findings->passages.add(c.geometry_a, c.geometry_b, true);
}

void ContactSearch::find_passed_shapes(const ContactQuery& query, const std::vector<Twist>& V,
                                       const std::vector<RigidTransform>& X_end, const ContactSet& contacts) {
  const auto is_same = [](const ClosestPoint& x, const ClosestPoint& y) { return x.pair == y.pair; };
  const auto is_less = [](const ClosestPoint& x, const ClosestPoint& y) {
    if (x.pair != y.pair) return x.pair < y.pair;
    return std::tuple(x.end_gap, sort_key(*x.contact)) < std::tuple(y.end_gap, sort_key(*y.contact));
  };
  std::vector<ClosestPoint>& closest = all_.closest;
  closest.clear();
  const int num_points = static_cast<int>(contacts.points.size());
  share_out(num_points + static_cast<int>(all_.seen.size()), nullptr,
            [&](int begin, int end, const Visitor& visitor) {
              std::vector<ClosestPoint>& found = visitor.findings->closest;
              for (int k = begin; k < end; ++k) {
                const PointContact& c =
                    k < num_points ? contacts.points[k] : all_.seen[k - num_points].contact;
                const double turn = query.step * (V[c.body_b].w - V[c.body_a].w).norm();
                const ClosestPoint point{{c.geometry_a, c.geometry_b}, end_gap(c, query, V), &c};
                if (!(turn > kLeastTurn || point.end_gap < -least_shallow_)) continue;
                if (found.empty() || !is_same(found.back(), point)) {
                  found.push_back(point);
                } else if (is_less(point, found.back())) {
                  found.back() = point;
                }
              }
            });
  std::sort(closest.begin(), closest.end(), is_less);
  closest.erase(std::unique(closest.begin(), closest.end(), is_same), closest.end());
  share_out(static_cast<int>(closest.size()), nullptr, [&](int begin, int end, const Visitor& visitor) {
    for (int k = begin; k < end; ++k) judge_shapes(*closest[k].contact, query, V, X_end, visitor);
  });
}

/// Whether two fields move so far in a step that one may come to lie beyond the other's middle.
bool ContactSearch::is_far(double travel, const CollisionGeometry& a, const CollisionGeometry& b) {
  return travel > shallow_overlap(a, b);
}

std::optional<SurfaceSum> ContactSearch::sum_fields(const PlacedGeometry& a, const PlacedGeometry& b,
                                                    PairScratch* scratch) {
  if (!may_touch(a, b, 0.0)) return std::nullopt;
  return scratch->patch_query.sum(*a.geometry->patch, a.X_WG, *b.geometry->patch, b.X_WG);
}

/// The largest energy (J) of the patch of a and b while b moved by `travel` (m, without turning) to where it
/// is, its ends left out; none where they did not meet.
std::optional<double> ContactSearch::most_pressed(const PlacedGeometry& a, const PlacedGeometry& b,
                                                  const Vector3& travel, PairScratch* scratch) {
  const int num_parts = parts_of(travel.norm(), thickness(*a.geometry, *b.geometry) / 8.0);
  std::optional<double> most;
  for (int k = 1; k < num_parts; ++k) {
    PlacedGeometry before = b;
    const Vector3 back = travel * static_cast<double>(k) / num_parts;
    before.X_WG.p -= back;
    before.center_W -= back;
    if (const auto sum = sum_fields(a, before, scratch))
      most = std::max(most.value_or(sum->energy), sum->energy);
  }
  return most;
}

bool ContactSearch::has_passed(const FastFields& fields, const Vector3& travel, const ContactQuery& query,
                               const std::vector<RigidTransform>& X_end, PairScratch* scratch) {
  const PlacedGeometry a = place_at(fields.a, X_end), b = place_at(fields.b, X_end);
  const auto start = sum_fields(place_at(fields.a, *query.X_WB), place_at(fields.b, *query.X_WB), scratch);
  const auto end = sum_fields(a, b, scratch);
  if (end && end->is_beyond_middle()) return !(start && start->is_beyond_middle());
  if (end && start) return is_turned_round(start->force, end->force);
  // All within the other, where no surface is, or past its side.
  if (start)
    return !start->is_beyond_middle() &&
           is_far(-travel.dot(start->force.normalized()), *a.geometry, *b.geometry);
  // Pressed on along its way, b has come from the other side.
  if (end && travel.dot(end->force) > 0.0) return true;
  if (!end && travel.norm() <= thickness(*a.geometry, *b.geometry)) return false;
  const auto most = most_pressed(a, b, travel, scratch);
  return most && (!end || *most > end->energy);
}

void ContactSearch::find_passed_fields(const ContactQuery& query, const std::vector<Twist>& V,
                                       const std::vector<RigidTransform>& X_end) {
  const auto judge = [&](const FastFields& fields, const Visitor& visitor) {
    const PlacedGeometry a = place_at(fields.a, *query.X_WB), b = place_at(fields.b, *query.X_WB);
    const int body_a = body_of_geometry_[fields.a], body_b = body_of_geometry_[fields.b];
    // At the middle of the smaller one.
    const Vector3& middle = b.geometry->ball_B.radius <= a.geometry->ball_B.radius ? b.center_W : a.center_W;
    const Vector3 travel = query.step * (V[body_b].at(middle - (*query.X_WB)[body_b].p) -
                                         V[body_a].at(middle - (*query.X_WB)[body_a].p));
    if (is_far(travel.norm(), *a.geometry, *b.geometry) &&
        has_passed(fields, travel, query, X_end, visitor.scratch))
      visitor.findings->passages.add(fields.a, fields.b, true);
  };
  share_out(static_cast<int>(all_.fast_fields.size()), nullptr,
            [&](int begin, int end, const Visitor& visitor) {
              for (int k = begin; k < end; ++k) judge(all_.fast_fields[k], visitor);
            });
}

Passages ContactSearch::find_passages(const ContactQuery& query, const std::vector<Twist>& V,
                                      const std::vector<RigidTransform>& X_end, const ContactSet& contacts) {
  all_.passages.pairs = {};
  all_.passages.too_long.clear();
  find_passed_shapes(query, V, X_end, contacts);
  find_passed_fields(query, V, X_end);
  return all_.passages;
}

bool ContactSearch::is_beyond_middle(int geometry_a, int geometry_b,
                                     const std::vector<RigidTransform>& X_WB) {
  const auto sum = sum_fields(place_at(geometry_a, X_WB), place_at(geometry_b, X_WB), scratch_.data());
  return sum && sum->is_beyond_middle();
}

}  // namespace csim
