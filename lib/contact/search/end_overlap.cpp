// The look at the poses where a step ends: overlaps that its contacts, linear in the velocities, did not
// foresee.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/convex/separation.h"
#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"

namespace csim {
namespace {

/// rad, by which one body turns against the other in the step: below it the part of second order of the
/// motion is less than a quarter of a percent of the way.
constexpr double kLeastTurn = 0.005;

/// Bodies that move by less than this part of their size are not looked at.
constexpr double kLeastTravel = 1e-3;

/// An overlap is taken up to this part of the way of the step, so that pushing it out in the next one takes
/// a hundredth of the energy of the motion; and up to this part of the smaller shape's radius, as the next
/// step may be a short part.
constexpr double kOfTravel = 0.1, kOfSize = 5e-4;

/// Whatever the way, overlaps are taken up to this many slacks of margin `auto` (2 h^2 g each) and this part
/// of the smaller body's radius: what gravity alone moves is none of this.
constexpr double kOfSlack = 0.5, kOfBody = 0.02;

/// Bodies that tumble in piles go farther, at the speeds of a fall of some steps, where
/// their way is at most kFall slacks, and the slack at most kSmallStep of their half diagonal. Measured:
/// piles of boxes, cubes and gears at their usual steps need overlaps of 24 h^2 g and 0.2, ways of 150 h^2 g,
/// and a slack of 0.0227.
constexpr double kOfSlackInPiles = 20.0, kOfBodyInPiles = 0.25, kFall = 80.0, kSmallStep = 0.023;

/// Cosine between the normals of start and end of a pair that has passed. Round an edge they turn by 90
/// degrees.
constexpr double kTurnedRound = -0.5;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

Vector3 turned(const RigidTransform& from, const RigidTransform& to, const Vector3& n) {
  return to.R * (from.R.transpose() * n);
}

/// The gap of two convex shapes along n (unit, from a to b): a lower bound of their signed distance.
double gap_along(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& n) {
  const ConvexSupport support_a(a.geometry->shape, a.X_WG), support_b(b.geometry->shape, b.X_WG);
  return separation_along(support_a, support_b, n).value - support_a.radius() - support_b.radius();
}

bool has_support(const CollisionGeometry& g) {
  return !std::holds_alternative<HalfSpace>(g.shape) && g.surface == nullptr;
}

}  // namespace

PlacedGeometry ContactSearch::place_at(int geometry, const std::vector<RigidTransform>& X_WB) const {
  const int body = body_of_geometry_[geometry];
  const std::vector<int>& index = bodies_[body].index;
  const auto local = std::lower_bound(index.begin(), index.end(), geometry) - index.begin();
  const CollisionGeometry& g = bodies_[body].shapes->geometry(static_cast<int>(local));
  return place(g, geometry, X_WB[body], X_WB[body] * g.ball_B.center);
}

/// Whether two bodies turn by so much against each other that shapes of theirs may overlap unforeseen.
bool ContactSearch::turns_far(int a, int b, const ContactQuery& query, const std::vector<Twist>& V) const {
  return turn_way_[a] + turn_way_[b] > std::min(overlap_let_[a], overlap_let_[b]) &&
         query.step * (V[b].w - V[a].w).norm() > kLeastTurn;
}

/// The most overlap (m) that the end of a step may hold beyond what its contacts foresaw; infinite where the
/// pair is too slow, or turns too little, for the question.
double ContactSearch::overlap_taken(const PlacedGeometry& a, const PlacedGeometry& b, int body_a, int body_b,
                                    const ContactQuery& query, const std::vector<Twist>& V) const {
  if (!turns_far(body_a, body_b, query, V)) return kUnbounded;
  const double size = std::min(a.geometry->ball_B.radius, b.geometry->ball_B.radius);
  // At the middle of the smaller one.
  const Vector3 middle = a.geometry->ball_B.radius < b.geometry->ball_B.radius ? a.center_W : b.center_W;
  double travel = 0.0;
  for (const std::vector<Twist>* at : {query.V0, &V}) {
    const Twist &V_a = (*at)[body_a], &V_b = (*at)[body_b];
    const Vector3 v = V_b.at(middle - (*query.X_WB)[body_b].p) - V_a.at(middle - (*query.X_WB)[body_a].p);
    travel = std::max(travel, query.step * (v.norm() + size * (V_b.w - V_a.w).norm()));
  }
  if (!(travel > kLeastTravel * size)) return kUnbounded;
  return std::max(std::min(overlap_let_[body_a], overlap_let_[body_b]),
                  std::min(kOfTravel * travel, kOfSize * size));
}

/// Judges the pair of a contact point, that which closes most of its pair.
void ContactSearch::judge_end(const PointContact& c, double end_gap, const ContactQuery& query,
                              const std::vector<Twist>& V, const std::vector<RigidTransform>& X_end,
                              EndOverlap* overlap) {
  const double taken = overlap_taken(place_at(c.geometry_a, *query.X_WB), place_at(c.geometry_b, *query.X_WB),
                                     c.body_a, c.body_b, query, V);
  const PlacedGeometry a = place_at(c.geometry_a, X_end), b = place_at(c.geometry_b, X_end);
  const int steady = V[c.body_a].w.squaredNorm() <= V[c.body_b].w.squaredNorm() ? c.body_a : c.body_b;
  const Vector3 carried = turned((*query.X_WB)[steady], X_end[steady], c.normal);
  const double foreseen = std::min({0.0, c.phi, end_gap});
  const bool convex = has_support(*a.geometry) && has_support(*b.geometry);
  if (convex && std::max(gap_along(a, b, carried), gap_along(a, b, c.normal)) >= foreseen - taken) return;
  query_pair(a.geometry->shape, a.X_WG, b.geometry->shape, b.X_WG, kUnbounded, &manifold_);
  if (manifold_.size == 0) return;
  const ManifoldPoint& deepest =
      *std::min_element(manifold_.begin(), manifold_.end(),
                        [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.phi < y.phi; });
  const bool passed = carried.dot(deepest.normal) < kTurnedRound;
  const bool deeper = deepest.phi < foreseen - taken;
  if (!passed && !deeper) return;
  // The normal of what was deep before may turn round in a step of any length.
  const bool too_long = deeper || (passed && taken < kUnbounded && c.phi > -std::max(taken, deep_));
  overlap->add({std::max(foreseen - deepest.phi, 0.0), passed, too_long, c.geometry_a, c.geometry_b});
}

/// The overlap (m) of a body that is taken whatever its way in the step.
double ContactSearch::overlap_let(int body, const ContactQuery& query, const std::vector<Twist>& V) const {
  const CollisionShapes& shapes = *bodies_[body].shapes;
  const double half_diagonal = 0.5 * (shapes.box().upper - shapes.box().lower).norm();
  const double way = query.step * std::max(fastest(body, (*query.V0)[body]), fastest(body, V[body]));
  const bool in_pile = query.slack <= kSmallStep * half_diagonal && way <= kFall * query.slack;
  return std::min((in_pile ? kOfSlackInPiles : kOfSlack) * query.slack,
                  (in_pile ? kOfBodyInPiles : kOfBody) * shapes.radius());
}

bool ContactSearch::may_overlap(const ContactQuery& query, const std::vector<Twist>& V,
                                const ContactSet& contacts) {
  const std::size_t n = bodies_.size();
  turn_way_.assign(n, 0.0);
  overlap_let_.assign(n, kUnbounded);
  bool any = false;
  for (std::size_t b = 0; b < n; ++b) {
    if (bodies_[b].shapes == nullptr) continue;
    const double turn = query.step * V[b].w.norm(), radius = bodies_[b].shapes->radius();
    overlap_let_[b] = overlap_let(static_cast<int>(b), query, V);
    if (turn > 0.0) turn_way_[b] = turn * radius;
    any = any || (turn > 0.5 * kLeastTurn && 2.0 * turn_way_[b] > overlap_let_[b]);
  }
  return any || std::any_of(contacts.points.begin(), contacts.points.end(),
                            [&](const PointContact& c) { return end_gap(c, query, V) < -deep_; });
}

EndOverlap ContactSearch::look_at_end(const ContactQuery& query, const std::vector<Twist>& V,
                                      const std::vector<RigidTransform>& X_end, const ContactSet& contacts) {
  closest_.clear();
  const auto gather = [&](const PointContact& c) {
    if (turns_far(c.body_a, c.body_b, query, V)) closest_.push_back({&c, end_gap(c, query, V)});
  };
  for (const PointContact& c : contacts.points) {
    gather(c);
    if (const double gap = end_gap(c, query, V); gap < -deep_) closest_.push_back({&c, gap});
  }
  for (const SeenPoint& seen : seen_) gather(seen.contact);
  const auto pair = [](const ClosestPoint& p) {
    return std::pair(p.contact->geometry_a, p.contact->geometry_b);
  };
  std::sort(closest_.begin(), closest_.end(), [&](const ClosestPoint& x, const ClosestPoint& y) {
    return std::tuple(pair(x), x.end_gap, sort_key(*x.contact)) <
           std::tuple(pair(y), y.end_gap, sort_key(*y.contact));
  });
  EndOverlap overlap;
  for (std::size_t k = 0; k < closest_.size(); ++k) {
    if (k > 0 && pair(closest_[k]) == pair(closest_[k - 1])) continue;
    judge_end(*closest_[k].contact, closest_[k].end_gap, query, V, X_end, &overlap);
  }
  return overlap;
}

}  // namespace csim
