// Contacts of pairs that are apart at the start of a step, taken where the motion brings them together
// (docs/theory.md, "Contacts foreseen").
#include <algorithm>
#include <variant>

#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"
#include "contact/search/touch_query.h"

namespace csim {
namespace {

/// Cosine, 0.8 degrees: contacts whose normals are within it of the touch's are of its place. (An angle of a
/// contact is wrong by as much as its arms are where it is carried back, in the order of the step.)
constexpr double kSamePlace = 0.9999;

/// Fraction: a change of velocity along a normal that is less of the velocities is rounding, and so is less
/// of a time.
constexpr double kRounding = 1e-9;

/// rad: beyond it the velocities of the start say nothing of where a point of a surface gets to by turning:
/// they are wrong by half a percent of its arm.
constexpr double kFarTurn = 0.1;

bool is_half_space(const PlacedGeometry& g) {
  return std::holds_alternative<HalfSpace>(g.geometry->shape);
}

/// m/s, along the normal: b's point less a's.
double normal_velocity(const PointContact& c, const ContactQuery& query, const std::vector<Twist>& V) {
  return (end_gap(c, query, V) - c.phi) / query.step;
}

/// Whether the law acts on the contact because its gap closes, not because friction lifts what slides.
bool closes_in_reach(const PointContact& c, const PairRule& rule, const ContactQuery& query) {
  const double v_n = std::min(normal_velocity(c, query, *query.V0), normal_velocity(c, query, *query.V_star));
  return c.phi + (query.step + rule.reach_tau) * v_n < rule.reach_distance;
}

}  // namespace

/// m, world, from the body's origin to the point that goes straight in the step.
Vector3 ContactSearch::pivot_arm(int body, const ContactQuery& query) const {
  return query.turns_about_centers ? Vector3((*query.X_WB)[body].R * bodies_[body].center_B)
                                   : Vector3::Zero();
}

/// Whether forces other than contacts push the pair together: by the velocity of the contact's points, of a
/// free body by that of its centre of mass, of a tree on joints without Coriolis and gyroscopic forces, as
/// what spins turns its points without any force.
bool ContactSearch::is_pushed(const PointContact& c, const ContactQuery& query) const {
  const auto arm = [&](int body, const Vector3& p) {
    const bool is_free = query.turns_about_centers && bodies_[body].is_free;
    return is_free ? pivot_arm(body, query) : Vector3(p - (*query.X_WB)[body].p);
  };
  const Vector3 r_a = arm(c.body_a, c.p_a), r_b = arm(c.body_b, c.p_b);
  const Vector3 v_a = (*query.V0)[c.body_a].at(r_a), v_b = (*query.V0)[c.body_b].at(r_b);
  const std::vector<Twist>& pushed = query.V_pushed != nullptr ? *query.V_pushed : *query.V_star;
  const Vector3 change_a = pushed[c.body_a].at(r_a) - v_a;
  const Vector3 change_b = pushed[c.body_b].at(r_b) - v_b;
  const double rounding = kRounding * (change_a.norm() + change_b.norm() + v_a.norm() + v_b.norm());
  return c.normal.dot(change_b - change_a) < -rounding;
}

SweptPair ContactSearch::sweep(const PointContact& c, const ContactQuery& query,
                               const std::vector<Twist>& V) const {
  const auto side = [&](int geometry, int body) {
    SweptGeometry g;
    g.start = place_at(geometry, *query.X_WB);
    g.body = body;
    const Vector3 arm = pivot_arm(body, query);
    g.pivot = (*query.X_WB)[body].p + arm;
    g.V = shift_twist(V[body], arm);
    return g;
  };
  SweptPair pair{side(c.geometry_a, c.body_a), side(c.geometry_b, c.body_b)};
  const double r_a = bodies_[c.body_a].shapes->half_width(), r_b = bodies_[c.body_b].shapes->half_width();
  pair.a.share = bodies_[c.body_a].is_fixed ? 1.0 : bodies_[c.body_b].is_fixed ? 0.0 : r_a / (r_a + r_b);
  pair.b.share = 1.0 - pair.a.share;
  return pair;
}

/// Whether the contact, apart, of features that face each other all step long is one: it closes, or friction
/// can lift a pair that is pushed together or whose straight way leads to a touch.
bool ContactSearch::holds_while_facing(const SweptPair& pair, const PointContact& c, const PairRule& rule,
                                       const ContactQuery& query) const {
  if (closes_in_reach(c, rule, query) || is_pushed(c, query)) return true;
  const double v_n = normal_velocity(c, query, *query.V_star);
  if (!(v_n < 0.0)) return false;
  SweptPair straight = pair;
  straight.a.V.w.setZero();
  straight.b.V.w.setZero();
  return touches(straight, (1.0 + kRounding) * -c.phi / v_n, 0.0);
}

/// Fills mesh_points with the contact points of two geometries of any kind.
void ContactSearch::query_points(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                                 PairScratch* scratch) {
  if (a.geometry->surface || b.geometry->surface) {
    query_surfaces(a, b, max_phi, nullptr, scratch);
    return;
  }
  query_pair(a.geometry->shape, a.X_WG, b.geometry->shape, b.X_WG, max_phi, &scratch->manifold,
             engine_.get());
  scratch->mesh_points.assign(scratch->manifold.begin(), scratch->manifold.end());
}

/// Puts the contacts of the pair where it touches, t (s) after the start, to `placed`, which has others of
/// the pair from first_placed on, and those that the rule does not offer to `left`. Where the touch has about
/// the normal of one of `rest`, the contacts of the start, these are taken: their places are exact.
void ContactSearch::place_at_touch(const SweptPair& pair, double t, double max_phi, std::size_t first_placed,
                                   const PairRule& rule, const ContactQuery& query, const Visitor& visitor) {
  const PlacedGeometry a = pair.a.at(t), b = pair.b.at(t);
  std::vector<SeenPoint>&rest = visitor.scratch->rest, &placed = visitor.findings->placed,
  &left = visitor.findings->left;
  std::vector<ManifoldPoint>& points = visitor.scratch->mesh_points;
  std::vector<SurfaceContact>& candidates = visitor.scratch->candidates;
  query_points(a, b, max_phi, visitor.scratch);
  const auto deepest = std::min_element(points.begin(), points.end(),
                                        [](const auto& x, const auto& y) { return x.phi < y.phi; });
  const auto is_there = [&](const SeenPoint& seen) {
    return deepest == points.end() || seen.contact.normal.dot(deepest->normal) > kSamePlace;
  };
  if (std::any_of(rest.begin(), rest.end(), is_there)) {
    for (const SeenPoint& seen : rest) (is_there(seen) ? placed : left).push_back(seen);
    return;
  }
  const bool is_surface = a.geometry->surface || b.geometry->surface;
  // A surface may meet at other places, too, once this one is held: look_again sees to them.
  if (is_surface) left.insert(left.end(), rest.begin(), rest.end());
  candidates.clear();
  for (const ManifoldPoint& point : points) {
    if (point.normal.dot(deepest->normal) < kSamePlace) continue;
    SurfaceContact candidate;
    candidate.contact = carried_back(pair, point, t, rule.weight_a);
    if (candidate.contact.phi < 0.0) continue;  // turned too far: its velocity foresees no touch
    candidate.end_gap = end_gap(candidate.contact, query, *query.V_star);
    candidate.kept = !is_surface;
    candidates.push_back(candidate);
  }
  if (is_surface) reduce_candidates(a, b, query, visitor.scratch);
  for (const SurfaceContact& candidate : candidates) {
    const bool is_contact = candidate.kept && is_offered(candidate.contact, rule, query);
    const auto is_same = [&](const SeenPoint& other) {
      return other.contact.feature == candidate.contact.feature;
    };
    if (std::none_of(placed.begin() + static_cast<std::ptrdiff_t>(first_placed), placed.end(), is_same))
      (is_contact ? placed : left).push_back({candidate.contact, &rule, true});
  }
}

/// Puts `rest`, the contacts of a pair that does not meet, to `left`: no contacts, unless friction lifts what
/// forces push together.
void ContactSearch::leave_rest(const PairRule& rule, const ContactQuery& query,
                               const Visitor& visitor) const {
  const std::vector<SeenPoint>& rest = visitor.scratch->rest;
  const auto closes = [&](const SeenPoint& seen) { return closes_in_reach(seen.contact, rule, query); };
  const bool is_lifted = rule.reach_friction > 0.0 && is_pushed(rest.front().contact, query) &&
                         std::none_of(rest.begin(), rest.end(), closes);
  std::vector<SeenPoint>& to = is_lifted ? visitor.findings->placed : visitor.findings->left;
  to.insert(to.end(), rest.begin(), rest.end());
}

/// Puts the contacts of one pair of geometries [begin, end), as its features of the start foresee them, to
/// `placed`: as they are, or as those of the place where the pair meets. What is no contact goes to `left`.
void ContactSearch::foresee_pair(const SeenPoint* begin, const SeenPoint* end, const ContactQuery& query,
                                 const Visitor& visitor) {
  std::vector<SeenPoint>&placed = visitor.findings->placed, &rest = visitor.scratch->rest;
  const PairRule& rule = *begin->rule;
  const auto keep = [&] { placed.insert(placed.end(), begin, end); };
  const ContactQuery acting = without_margins(query);
  const auto acts = [&](const SeenPoint& seen) { return is_offered(seen.contact, rule, acting); };
  const auto stays = [](const SeenPoint& seen) { return seen.contact.phi < 0.0 || seen.is_placed; };
  if (std::any_of(begin, end, stays)) return keep();
  const PointContact& first = begin->contact;
  const std::vector<Twist>& V = *query.V_star;
  const double speed = approach_speed(first.body_a, first.body_b, V);
  if (query.step * speed <= query.fall) return keep();
  const SweptPair pair = sweep(first, query, V);
  if (is_half_space(pair.a.start) || is_half_space(pair.b.start)) return keep();
  const double duration = query.step + rule.reach_tau;
  const auto touch = [&] { return find_touch(pair, duration, rule.reach_distance); };
  const bool is_surface = pair.a.start.geometry->surface || pair.b.start.geometry->surface;
  rest.assign(begin, end);
  // A body that turns may turn away from what it faces, so a touch has to be found. (Of surfaces where they
  // turn far only: in a pile that tumbles all their triangles would be followed in every step.)
  const double least_turn = is_surface ? kFarTurn : kLeastTurn;
  const bool turns = duration * (pair.b.V.w - pair.a.V.w).norm() > least_turn;
  std::optional<double> t = turns ? touch() : std::nullopt;
  if (turns ? !t : !balls_touch(pair, duration, rule.reach_distance)) return leave_rest(rule, query, visitor);
  const auto holds = [&](const SeenPoint& seen) {
    return still_faces(pair, seen.contact, duration) && holds_while_facing(pair, seen.contact, rule, query);
  };
  // A convex shape meets another where it faces it, and nowhere else. A surface may in several places.
  if (!is_surface && std::any_of(begin, end, holds)) return keep();
  const std::size_t first_placed = placed.size();
  rest.clear();
  for (const SeenPoint* seen = begin; seen < end; ++seen)
    (is_surface && (!acts(*seen) || holds(*seen)) ? placed : rest).push_back(*seen);
  if (rest.empty()) return;
  if (!turns) t = touch();
  if (!t) return leave_rest(rule, query, visitor);
  place_at_touch(pair, *t, offering_bound(rule, query, speed), first_placed, rule, query, visitor);
}

/// Notes in partner_ that the contact's bodies act on each other, if the law acts on it.
void ContactSearch::note_partner(const PointContact& c, const PairRule& rule, const ContactQuery& query) {
  if (!is_offered(c, rule, without_margins(query))) return;
  const auto note = [&](int body, int other) {
    int& partner = partner_[body];
    partner = partner == kNoPartner || partner == other ? other : kSeveralPartners;
  };
  note(c.body_a, c.body_b);
  note(c.body_b, c.body_a);
}

/// Whether contacts with a third body act on one of the pair: then it does not go the way that its velocities
/// say, along which it was swept.
bool ContactSearch::has_third_body(const PointContact& c) const {
  const auto has_other = [&](int body, int partner) {
    return !bodies_[body].is_fixed && partner_[body] != kNoPartner && partner_[body] != partner;
  };
  return has_other(c.body_a, c.body_b) || has_other(c.body_b, c.body_a);
}

/// Puts the contacts of the start, `points`, in place of those that the sweeps of pairs with a third body
/// found.
void ContactSearch::drop_sweeps_with_third_bodies(const std::vector<SeenPoint>& points) {
  const auto is_dropped = [&](const SweptPoints& pair) { return has_third_body(points[pair.begin].contact); };
  if (std::none_of(all_.swept.begin(), all_.swept.end(), is_dropped)) return;
  placed_by_sweeps_ = all_.placed;
  left_by_sweeps_ = all_.left;
  all_.placed.clear();
  all_.left.clear();
  const auto take = [](const std::vector<SeenPoint>& from, std::size_t begin, std::size_t end,
                       std::vector<SeenPoint>* to) {
    to->insert(to->end(), from.data() + begin, from.data() + end);
  };
  for (const SweptPoints& pair : all_.swept) {
    if (is_dropped(pair)) {
      take(points, pair.begin, pair.end, &all_.placed);
    } else {
      take(placed_by_sweeps_, pair.placed_begin, pair.placed_end, &all_.placed);
      take(left_by_sweeps_, pair.left_begin, pair.left_end, &all_.left);
    }
  }
}

/// All of `points`, sorted, of any pairs: fills `placed` and `left`. `others`: the contacts of the step
/// beside `points`.
void ContactSearch::foresee_pairs(const std::vector<SeenPoint>& points,
                                  const std::vector<PointContact>& others, const ContactQuery& query) {
  all_.placed.clear();
  all_.left.clear();
  all_.swept.clear();
  partner_.assign(bodies_.size(), kNoPartner);
  pair_begin_.clear();
  for (std::size_t k = 0; k < points.size(); ++k)
    if (k == 0 || pair_key(points[k].contact) != pair_key(points[k - 1].contact)) pair_begin_.push_back(k);
  const auto num_pairs = static_cast<int>(pair_begin_.size());
  pair_begin_.push_back(points.size());
  share_out(num_pairs, nullptr, [&](int begin, int end, const Visitor& visitor) {
    Findings& found = *visitor.findings;
    for (int pair = begin; pair < end; ++pair) {
      const std::size_t first = pair_begin_[pair], last = pair_begin_[pair + 1];
      const std::size_t placed_begin = found.placed.size(), left_begin = found.left.size();
      foresee_pair(points.data() + first, points.data() + last, query, visitor);
      found.swept.push_back({first, last, placed_begin, found.placed.size(), left_begin, found.left.size()});
    }
  });
  for (const SeenPoint& placed : all_.placed) note_partner(placed.contact, *placed.rule, query);
  for (const PointContact& c : others) note_partner(c, rule_of(c), query);
  drop_sweeps_with_third_bodies(points);
}

const PairRule& ContactSearch::rule_of(const PointContact& c) const {
  return pairs_.rule(geometries_[c.geometry_a]->pair_class, geometries_[c.geometry_b]->pair_class);
}

void ContactSearch::foresee(const ContactQuery& query, ContactSet* contacts) {
  std::vector<PointContact>& points = contacts->points;
  constexpr double kCost = 0.1;  // us, of a contact
  offered_.resize(points.size());
  for_shares(workers_, static_cast<int>(points.size()), kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) offered_[k] = {points[k], &rule_of(points[k])};
  });
  foresee_pairs(offered_, {}, query);
  all_.seen.insert(all_.seen.end(), all_.left.begin(), all_.left.end());
  num_seen_near_ = all_.seen.size();
  points.clear();
  for (const SeenPoint& placed : all_.placed) points.push_back(placed.contact);
  sort_contacts(&points);
  drop_held_off(query, &points);
  if (contacts->fallback.count == 0) return;
  contacts->fallback = {};
  for (const PointContact& c : points)
    contacts->fallback.add(c.geometry_a, c.geometry_b, rule_of(c).fallback ? 1 : 0);
}

}  // namespace csim
