#include "contact/search/contact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "contact/search/offering_rule.h"
#include "contact/search/thickness.h"
#include "core/require.h"
#include "core/tree_set.h"
#include "patch/divide_faces.h"

namespace csim {
namespace {

/// What a pair of convex shapes takes, us.
constexpr double kCostOfPair = 0.6;

/// The largest reach any pair of the table has, as a rule.
PairRule farthest_rule(const PairTable& pairs) {
  PairRule farthest;
  for (const PairRule& rule : pairs.rules) {
    if (!rule.collide || rule.patch) continue;
    farthest.reach_tau = std::max(farthest.reach_tau, rule.reach_tau);
    farthest.reach_friction = std::max(farthest.reach_friction, rule.reach_friction);
    farthest.reach_distance = std::max(farthest.reach_distance, rule.reach_distance);
  }
  return farthest;
}

/// The overlap (m) whose way out is where it came in, of the thinnest of all geometries.
double least_shallow(const std::vector<CollisionBody>& bodies) {
  double least = std::numeric_limits<double>::infinity();
  for (const CollisionBody& body : bodies)
    for (int i = 0; body.shapes != nullptr && i < body.shapes->size(); ++i)
      least = std::min(least, shallow_overlap(body.shapes->geometry(i), body.shapes->geometry(i)));
  return least;
}

std::vector<const CollisionGeometry*> geometries_of(const std::vector<CollisionBody>& bodies,
                                                    std::size_t num_geometries) {
  std::vector<const CollisionGeometry*> geometries(num_geometries);
  for (const CollisionBody& body : bodies)
    for (std::size_t i = 0; i < body.index.size(); ++i)
      geometries[body.index[i]] = &body.shapes->geometry(static_cast<int>(i));
  return geometries;
}

/// The box around a box given in another frame; everything when it has no end.
Aabb in_other_frame(const RigidTransform& X, const Aabb& box) {
  return box.bounded() ? transformed(X, box) : everything();
}

/// The ranges of patches stay valid; the points name their patches anew.
void sort_patches(ContactSet* contacts) {
  sort_contacts(&contacts->patches);
  for (std::size_t k = 0; k < contacts->patches.size(); ++k) {
    const ContactPatch& patch = contacts->patches[k];
    std::fill(contacts->patch_of_point.begin() + patch.point_begin,
              contacts->patch_of_point.begin() + patch.point_end, static_cast<int>(k));
  }
}

/// Whether the queries of one pair take as long as it takes others to join.
bool has_long_queries(const std::vector<CollisionBody>& bodies) {
  return std::any_of(bodies.begin(), bodies.end(), [](const CollisionBody& body) {
    for (int i = 0; body.shapes != nullptr && i < body.shapes->size(); ++i) {
      const CollisionGeometry& g = body.shapes->geometry(i);
      if (g.surface || g.patch) return true;
    }
    return false;
  });
}

}  // namespace

ContactSearch::ContactSearch(PairTable pairs, std::vector<CollisionBody> bodies, std::vector<int> groups,
                             std::vector<int> body_of_geometry, const PatchOptions& patch_options,
                             std::unique_ptr<QueryEngine> engine, Workers* workers)
    : pairs_(std::move(pairs)),
      farthest_(farthest_rule(pairs_)),
      body_of_geometry_(std::move(body_of_geometry)),
      engine_(std::move(engine)),
      bodies_(std::move(bodies)),
      geometries_(geometries_of(bodies_, body_of_geometry_.size())),
      broad_phase_(std::move(groups), engine_.get()),
      least_shallow_(least_shallow(bodies_)),
      workers_(engine_ != nullptr ? nullptr : workers),  // an engine is for one thread
      cost_of_pair_(has_long_queries(bodies_) ? kLeastShare : kCostOfPair) {
  const int num_workers = workers_ == nullptr ? 1 : workers_->size();
  scratch_.reserve(num_workers);
  for (int k = 0; k < num_workers; ++k) scratch_.emplace_back(patch_options);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (bodies_[b].is_fixed && bodies_[b].shapes != nullptr) fixed_.push_back(static_cast<int>(b));
}

/// A bound on the speed (m/s) of the body's points at the twist V, its belt left out. A body without end that
/// does not turn has one velocity; one that turns has no bound.
double ContactSearch::fastest(int body, const Twist& V) const {
  const double w = V.w.norm();
  return V.v.norm() + (w > 0.0 ? w * bodies_[body].shapes->radius() : 0.0);
}

/// A bound on the speed (m/s) of the points of two bodies against each other at the twists V, belts left out.
double ContactSearch::approach_speed(int a, int b, const std::vector<Twist>& V) const {
  const double w_a = V[a].w.norm(), w_b = V[b].w.norm();
  return (V[b].v - V[a].v).norm() + (w_a > 0.0 ? w_a * bodies_[a].shapes->radius() : 0.0) +
         (w_b > 0.0 ? w_b * bodies_[b].shapes->radius() : 0.0);
}

/// The same with belts.
double ContactSearch::pair_speed(int a, int b, const std::vector<Twist>& V, const ContactQuery& query) const {
  return approach_speed(a, b, V) + (*query.surface_velocity)[a].norm() + (*query.surface_velocity)[b].norm();
}

/// The body's box, grown by its own share of a pair's bound: max(margin, slack + reach_a + reach_b) is at
/// most the sum of the shares max(margin/2, (slack + distance)/2 + seconds * speed).
Aabb ContactSearch::reach_box(int body, double speed, const ContactQuery& query) const {
  ContactQuery half = query;
  half.margin = 0.5 * query.margin;
  half.slack = 0.5 * query.slack;
  PairRule rule = farthest_;
  rule.reach_distance *= 0.5;
  return in_other_frame((*query.X_WB)[body], bodies_[body].shapes->box())
      .inflated(offering_bound(rule, half, speed));
}

/// Fills speed_ and reach_boxes_. Whether the same bodies are asked for as before, and the boxes of the
/// others stay as they were. A rest_number tells it of trees that sleep; what is prescribed is bounded anew,
/// as the query may be of another time.
bool ContactSearch::bound_bodies(const ContactQuery& query) {
  constexpr double kCost = 0.1;  // us, of a body
  speed_.resize(bodies_.size());
  reach_boxes_.resize(bodies_.size());
  const auto bound = [&](int b) {
    reach_boxes_[b] = Aabb();
    if (bodies_[b].shapes == nullptr) return;
    speed_[b] = std::max(fastest(b, (*query.V0)[b]), fastest(b, (*query.V_star)[b])) +
                (*query.surface_velocity)[b].norm();
    reach_boxes_[b] = reach_box(b, speed_[b], query);
  };
  const Bounded now{query.rest_number, query.step, query.margin, query.slack};
  const bool others_rest = query.asked != nullptr && query.rest_number != 0 && now == bounded_;
  bounded_ = now;
  if (others_rest && asked_ == *query.asked) {
    for_each_marked(asked_, bound);
    bool others_stay = true;
    for (const int b : fixed_) {
      if (asked_[b] != 0) continue;
      const Aabb before = reach_boxes_[b];
      bound(b);
      others_stay = others_stay && reach_boxes_[b] == before;
    }
    return others_stay;
  }
  for_shares(workers_, static_cast<int>(bodies_.size()), kCost, [&](int begin, int end) {
    for (int b = begin; b < end; ++b) bound(b);
  });
  if (query.asked != nullptr) asked_ = *query.asked;
  return false;
}

/// Fills near_a and near_b with the geometries of two bodies that may be within `distance` of the other
/// body's: those of a near b's box, then those of b near what is left of these within b's box, which of a
/// wide floor is a small plate.
void ContactSearch::collect_near(int a, int b, double distance, const ContactQuery& query,
                                 PairScratch* scratch) const {
  auto &near_a = scratch->near_a, &near_b = scratch->near_b;
  near_a.assign(1, 0);  // of a body with one geometry: the broad phase has compared the boxes
  near_b.assign(1, 0);
  const CollisionShapes &shapes_a = *bodies_[a].shapes, &shapes_b = *bodies_[b].shapes;
  if (shapes_a.size() == 1 && shapes_b.size() == 1) return;
  const RigidTransform X_AB = (*query.X_WB)[a].inverse() * (*query.X_WB)[b];
  const Aabb reach_of_b = in_other_frame(X_AB, shapes_b.box()).inflated(distance);
  if (shapes_a.size() > 1) shapes_a.collect(reach_of_b, &near_a);
  if (shapes_b.size() == 1) return;
  Aabb region;
  for (const int i : near_a) region.add(shapes_a.box_of(i));
  region.lower = region.lower.cwiseMax(reach_of_b.lower);
  region.upper = region.upper.cwiseMin(reach_of_b.upper);
  near_b.clear();
  if (region.empty()) return;
  shapes_b.collect(in_other_frame(X_AB.inverse(), region).inflated(distance), &near_b);
}

/// Offers a point if it passes the rule, or keeps it for look_again.
void ContactSearch::offer(const PointContact& contact, const PairRule& rule, const ContactQuery& query,
                          const Visitor& visitor) {
  ContactSet* const contacts = visitor.contacts;
  if (contacts == nullptr || !is_offered(contact, rule, query)) {
    visitor.findings->seen.push_back({contact, &rule});
  } else {
    contacts->points.push_back(contact);
    contacts->fallback.add(contact.geometry_a, contact.geometry_b, rule.fallback ? 1 : 0);
  }
}

PointContact ContactSearch::contact_of(const PlacedGeometry& a, const PlacedGeometry& b,
                                       const ManifoldPoint& point) const {
  PointContact contact;
  contact.geometry_a = a.index;
  contact.geometry_b = b.index;
  contact.body_a = body_of_geometry_[a.index];
  contact.body_b = body_of_geometry_[b.index];
  contact.feature = point.feature;
  contact.phi = point.phi;
  contact.normal = point.normal;
  contact.p_a = point.p_a;
  contact.p_b = point.p_b;
  return contact;
}

void ContactSearch::visit_pressure_fields(const PlacedGeometry& a, const PlacedGeometry& b,
                                          const Visitor& visitor) const {
  ContactPatch patch;
  patch.geometry_a = a.index;
  patch.geometry_b = b.index;
  patch.body_a = body_of_geometry_[a.index];
  patch.body_b = body_of_geometry_[b.index];
  visitor.scratch->patch_query.find(*a.geometry->patch, a.X_WG, *b.geometry->patch, b.X_WG, patch,
                                    visitor.contacts);
}

void ContactSearch::visit_geometries(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                                     const PairRule& rule, const ContactQuery& query,
                                     const Visitor& visitor) {
  if (rule.patch) {
    visit_pressure_fields(a, b, visitor);
    return;
  }
  if (a.geometry->surface || b.geometry->surface) {
    visit_surfaces(a, b, max_phi, rule, query, visitor);
    return;
  }
  Manifold& manifold = visitor.scratch->manifold;
  query_pair(a.geometry->shape, a.X_WG, b.geometry->shape, b.X_WG, max_phi, &manifold, engine_.get());
  if (ContactSet* const contacts = visitor.contacts) {
    contacts->degenerate.add(a.index, b.index, manifold.degenerate ? 1 : 0);
    contacts->unanswered.add(a.index, b.index, manifold.unanswered ? 1 : 0);
  }
  const double seen_within = bound_seen(rule, query, visitor);
  for (const ManifoldPoint& point : manifold) {
    if (point.phi >= seen_within) offer(contact_of(a, b, point), rule, query, visitor);
  }
}

/// The gap (m) below which `find` has seen all points of the pair that look_again visits.
double ContactSearch::bound_seen(const PairRule& rule, const ContactQuery& query, const Visitor& visitor) {
  return visitor.contacts == nullptr ? offering_bound(rule, query, visitor.seen_speed)
                                     : -std::numeric_limits<double>::infinity();
}

void ContactSearch::visit_bodies(int a, int b, double pair_speed, const ContactQuery& query,
                                 const Visitor& visitor) {
  if (std::binary_search(pairs_.excluded_bodies.begin(), pairs_.excluded_bodies.end(), std::pair(a, b)))
    return;
  // Each body has its own indices, needed once near geometries are found: long out of the cache.
  __builtin_prefetch(bodies_[b].index.data());
  __builtin_prefetch(&bodies_[b].index.back());
  const double farthest_gap = offering_bound(farthest_, query, pair_speed);
  collect_near(a, b, farthest_gap, query, visitor.scratch);
  const auto &near_a = visitor.scratch->near_a, &near_b = visitor.scratch->near_b;
  auto& centers_b = visitor.scratch->centers_b;
  const CollisionShapes &shapes_a = *bodies_[a].shapes, &shapes_b = *bodies_[b].shapes;
  const RigidTransform &X_WA = (*query.X_WB)[a], &X_WB = (*query.X_WB)[b];
  centers_b.clear();
  for (int j : near_b) centers_b.push_back(X_WB * shapes_b.geometry(j).ball_B.center);
  for (int i : near_a) {
    const CollisionGeometry& g_a = shapes_a.geometry(i);
    const Vector3 center_a = X_WA * g_a.ball_B.center;
    PlacedGeometry placed_a;  // at the first pair that needs it
    for (std::size_t k = 0; k < near_b.size(); ++k) {
      const CollisionGeometry& g_b = shapes_b.geometry(near_b[k]);
      const double reach = g_a.ball_B.radius + g_b.ball_B.radius + farthest_gap;
      const double squared_gap = (center_a - centers_b[k]).squaredNorm();
      if (!(squared_gap <= reach * reach)) continue;
      const PairRule& rule = pairs_.rule(g_a.pair_class, g_b.pair_class);
      if (!rule.collide || (rule.patch && visitor.contacts == nullptr)) continue;
      if (rule.patch && is_far(query.step * pair_speed, g_a, g_b)) {
        const auto [first, second] = std::minmax(bodies_[a].index[i], bodies_[b].index[near_b[k]]);
        visitor.findings->fast_fields.push_back({first, second});
      }
      // The bounds hold the margins, and beyond these there is no patch.
      const double max_phi = rule.patch ? 0.0 : offering_bound(rule, query, pair_speed);
      const double rule_reach = g_a.ball_B.radius + g_b.ball_B.radius + max_phi;
      if (rule_reach < 0.0 || squared_gap > rule_reach * rule_reach) continue;
      if (placed_a.geometry == nullptr) placed_a = place(g_a, bodies_[a].index[i], X_WA, center_a);
      const PlacedGeometry placed_b = place(g_b, bodies_[b].index[near_b[k]], X_WB, centers_b[k]);
      if (!may_touch(placed_a, placed_b, max_phi)) continue;
      if (placed_a.index < placed_b.index) {
        visit_geometries(placed_a, placed_b, max_phi, rule, query, visitor);
      } else {
        visit_geometries(placed_b, placed_a, max_phi, rule, query, visitor);
      }
    }
  }
}

void ContactSearch::find(const ContactQuery& query, ContactSet* contacts) {
  const std::size_t n = bodies_.size();
  CSIM_REQUIRE(query.X_WB->size() == n && query.V0->size() == n && query.V_star->size() == n &&
                   query.surface_velocity->size() == n,
               n, query.X_WB->size(), query.V0->size(), query.V_star->size(), query.surface_velocity->size());
  clear(contacts);
  clear(&all_);
  forget_parted_surfaces();
  const bool others_stay = bound_bodies(query);
  const BroadPhase::Pairs& pairs = broad_phase_.find(reach_boxes_, query.asked, others_stay);
  near_speed_.resize(pairs.size());
  share_out(static_cast<int>(pairs.size()), contacts, [&](int begin, int end, const Visitor& visitor) {
    for (int k = begin; k < end; ++k) {
      const auto& [a, b] = pairs[k];
      near_speed_[k] = std::max(pair_speed(a, b, *query.V0, query), pair_speed(a, b, *query.V_star, query));
      visit_bodies(a, b, near_speed_[k], query, visitor);
    }
  });
  num_seen_near_ = all_.seen.size();
  num_reduced_near_ = all_.reduced.size();
  sort_contacts(&contacts->points);
  sort_patches(contacts);
  std::sort(contacts->unheld.begin(), contacts->unheld.end());
}

}  // namespace csim
