// Pairs with a triangle surface: many more points than a manifold has, of which those are offered that hold
// the others.
#include <algorithm>
#include <limits>
#include <utility>

#include "contact/mesh/mesh_tolerances.h"
#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"

namespace csim {
namespace {

/// A point that was left out is found again when it goes deeper than those offered, by more than this
/// fraction of the slack (h^2 g, twice): what it is deeper by is pushed out in the next step, at less than a
/// tenth of the speed that gravity gives in one.
constexpr double kDeeper = 0.05;

/// Queries of all pairs, one a step or some, after which surfaces that were not near each other are
/// forgotten. Their lists take memory alone: the number trades it for making them anew.
constexpr long kForgotten = 1000;

}  // namespace

void ContactSearch::forget_parted_surfaces() {
  if (++num_finds_ % kForgotten != 0) return;
  std::erase_if(near_pairs_, [&](const auto& one) { return one.second.last_find < num_finds_ - kForgotten; });
}

/// What is kept of two surfaces.
NearPairs* ContactSearch::kept_pairs(const PlacedGeometry& a, const PlacedGeometry& b) {
  const std::lock_guard lock(near_pairs_mutex_);
  KeptPairs& kept = near_pairs_[{a.index, b.index}];
  kept.last_find = num_finds_;
  return &kept.pairs;
}

/// Fills mesh_points with the contacts of two geometries, one of them a surface at least, from a to b.
/// `kept`: of the pair, where they are as they are in the step. Whether a direction had to be chosen.
bool ContactSearch::query_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                                   NearPairs* kept, PairScratch* scratch) {
  std::vector<ManifoldPoint>& points = scratch->mesh_points;
  const auto &surface_a = a.geometry->surface, &surface_b = b.geometry->surface;
  if (surface_a && surface_b)
    return scratch->mesh_pair_query.find(*surface_a, a.X_WG, *surface_b, b.X_WG, max_phi, &points, kept);
  const PlacedGeometry &mesh = surface_a ? a : b, &other = surface_a ? b : a;
  const bool degenerate = scratch->mesh_query.find(*mesh.geometry->surface, mesh.X_WG, other.geometry->shape,
                                                   other.X_WG, max_phi, &points);
  if (!surface_a) {
    for (ManifoldPoint& point : points) {
      std::swap(point.p_a, point.p_b);
      point.normal = -point.normal;
    }
  }
  return degenerate;
}

/// Marks those of the candidates, contacts of two geometries, that matter. The bound on the angle (rad)
/// between normals that share a limit.
double ContactSearch::reduce_candidates(const PlacedGeometry& a, const PlacedGeometry& b,
                                        const ContactQuery& query, PairScratch* scratch) {
  const bool both = a.geometry->surface && b.geometry->surface;
  const double same_face = both ? MeshTolerances::kSameRoundFace : MeshTolerances::kSameFace;
  scratch->reduction.reduce(same_face, kDeeper * query.slack, (a.geometry->surface ? a : b).X_WG.R,
                            &scratch->candidates);
  return same_face;
}

void ContactSearch::visit_surfaces(const PlacedGeometry& a, const PlacedGeometry& b, double max_phi,
                                   const PairRule& rule, const ContactQuery& query, const Visitor& visitor) {
  PairScratch& scratch = *visitor.scratch;
  const bool both = a.geometry->surface && b.geometry->surface;
  const bool degenerate = query_surfaces(a, b, max_phi, both ? kept_pairs(a, b) : nullptr, &scratch);
  if (ContactSet* const contacts = visitor.contacts) {
    contacts->degenerate.add(a.index, b.index, degenerate ? 1 : 0);
    if (!both && scratch.mesh_query.unheld()) contacts->unheld.emplace_back(a.index, b.index);
  }
  scratch.candidates.clear();
  const double seen_within = bound_seen(rule, query, visitor);
  for (const ManifoldPoint& point : scratch.mesh_points) {
    if (!(point.phi >= seen_within)) continue;
    SurfaceContact candidate;
    candidate.contact = contact_of(a, b, point);
    candidate.end_gap = std::numeric_limits<double>::infinity();
    for (const std::vector<Twist>* V : {query.V0, query.V_star})
      candidate.end_gap = std::min(candidate.end_gap, end_gap(candidate.contact, query, *V));  // not of NaN
    scratch.candidates.push_back(candidate);
  }
  const double same_face = reduce_candidates(a, b, query, &scratch);
  std::vector<SurfaceContact>& left_out = visitor.findings->left_out;
  const std::size_t begin = left_out.size();
  for (const SurfaceContact& candidate : scratch.candidates) {
    if (candidate.kept) {
      offer(candidate.contact, rule, query, visitor);
    } else {
      left_out.push_back(candidate);
    }
  }
  if (left_out.size() > begin)
    visitor.findings->reduced.push_back(
        {begin, left_out.size(), &rule, same_face, (a.geometry->surface ? a : b).X_WG.R});
}

/// Adds to found_ the points of the pair that were left out and go, at the velocities V, deeper than all
/// those offered that face the same way; of many of them, those that matter.
void ContactSearch::find_left_out(const ReducedPair& pair, const ContactQuery& query,
                                  const std::vector<Twist>& V, const ContactSet& contacts) {
  const double less = kDeeper * query.slack;
  const auto by_pair = [](const PointContact& x, const PointContact& y) { return pair_key(x) < pair_key(y); };
  const auto [first, last] = std::equal_range(contacts.points.begin(), contacts.points.end(),
                                              all_.left_out[pair.begin].contact, by_pair);
  std::vector<SurfaceContact>& candidates = scratch_.front().candidates;
  candidates.clear();
  for (std::size_t k = pair.begin; k < pair.end; ++k) {
    SurfaceContact candidate = all_.left_out[k];
    candidate.end_gap = end_gap(candidate.contact, query, V);
    if (!(candidate.end_gap + less < pair.rule->reach_distance)) continue;
    const bool held = std::any_of(first, last, [&](const PointContact& c) {
      return (c.normal - candidate.face).squaredNorm() < pair.same_face * pair.same_face &&
             end_gap(c, query, V) <= candidate.end_gap + less;
    });
    if (!held) candidates.push_back(candidate);
  }
  scratch_.front().reduction.reduce(pair.same_face, less, pair.R_WS, &candidates);
  for (const SurfaceContact& candidate : candidates) {
    if (candidate.kept) found_.push_back({candidate.contact, pair.rule});
  }
}

/// Adds to found_ the contacts that surfaces have at the end of the step at V, carried back to its start,
/// where they overlap deeper than those offered foresee. What is hit slides on from where it was met, over
/// the next facets: a facet that rises ahead is no feature near the start, as nothing lies over it yet.
void ContactSearch::find_met_at_end(const ContactQuery& query, const std::vector<Twist>& V,
                                    const ContactSet& contacts) {
  const double less = kDeeper * query.slack;
  const auto change = [&](int body) {
    Twist more = V[body];
    more.v -= (*query.V_star)[body].v;
    more.w -= (*query.V_star)[body].w;
    return fastest(body, more);
  };
  PairScratch& scratch = scratch_.front();
  const std::vector<PointContact>& points = contacts.points;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    const PointContact& first = points[begin];
    double least = std::numeric_limits<double>::infinity();  // m, gap at the end, as foreseen
    for (; end < points.size() && pair_key(points[end]) == pair_key(first); ++end)
      least = std::min(least, end_gap(points[end], query, V));
    if (least > less) continue;
    if (!geometries_[first.geometry_a]->surface && !geometries_[first.geometry_b]->surface) continue;
    if (!is_asked(query, first.body_a) && !is_asked(query, first.body_b)) continue;
    // Two that rest are held up against gravity, by half the slack each.
    if (query.step * (change(first.body_a) + change(first.body_b)) <= 2.0 * query.slack) continue;
    const SweptPair pair = sweep(first, query, V);
    const PlacedGeometry a = pair.a.at(query.step), b = pair.b.at(query.step);
    const PairRule& rule = rule_of(first);
    query_surfaces(a, b, 0.0, nullptr, &scratch);
    scratch.candidates.clear();
    for (const ManifoldPoint& point : scratch.mesh_points) {
      if (point.phi >= std::min(least, 0.0) - less) continue;
      SurfaceContact candidate;
      candidate.contact = carried_back(pair, point, query.step, rule.weight_a);
      if (candidate.contact.phi < 0.0) continue;  // it would hold the energy of an overlap
      candidate.end_gap = point.phi;
      scratch.candidates.push_back(candidate);
    }
    reduce_candidates(a, b, query, &scratch);
    for (const SurfaceContact& candidate : scratch.candidates)
      if (candidate.kept) found_.push_back({candidate.contact, &rule, true});
  }
}

}  // namespace csim
