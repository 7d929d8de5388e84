// The second query of a step: what the velocities that its solution has found bring together.
#include <algorithm>
#include <iterator>

#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"

namespace csim {
namespace {

/// Whether the gap of the contact closes within the step at the velocities V: what would be pushed out in the
/// next one. (The law may act on others as well, on their way past each other.)
bool closes(const PointContact& c, const PairRule& rule, const ContactQuery& query,
            const std::vector<Twist>& V) {
  return end_gap(c, query, V) < rule.reach_distance;
}

bool is_before(const PointContact& x, const PointContact& y) {
  return sort_key(x) < sort_key(y);
}

}  // namespace

void ContactSearch::see(int a, int b, const ContactQuery& query, const std::vector<Twist>& V,
                        const Visitor& visitor) {
  ContactQuery at_V = query;
  at_V.V0 = at_V.V_star = at_V.V_pushed = &V;
  visit_bodies(a, b, pair_speed(a, b, V, query), at_V, visitor);
}

/// Sees the points of near pairs that close a larger gap at V than the one within which they are all seen
/// already, at least slack + reach_distance + step * near_speed_. Later rounds of the step keep them.
void ContactSearch::see_faster_pairs(const ContactQuery& query, const std::vector<Twist>& V) {
  const double more = query.slack / query.step;
  const BroadPhase::Pairs& pairs = broad_phase_.pairs();
  share_out(static_cast<int>(pairs.size()), nullptr, [&](int begin, int end, Visitor visitor) {
    for (int k = begin; k < end; ++k) {
      const auto& [a, b] = pairs[k];
      if (!is_asked(query, a) && !is_asked(query, b)) continue;
      const double speed = pair_speed(a, b, V, query);
      if (!(speed > near_speed_[k] + more)) continue;
      visitor.seen_speed = near_speed_[k];
      see(a, b, query, V, visitor);
      near_speed_[k] = speed;
    }
  });
  num_seen_near_ = all_.seen.size();
  num_reduced_near_ = all_.reduced.size();
}

/// Sees the points of pairs that were too far apart for `find` to look at, and close at V.
void ContactSearch::see_far_pairs(const ContactQuery& query, const std::vector<Twist>& V) {
  const double more = 0.5 * query.slack / query.step;  // the body's share
  faster_.clear();
  double largest = 0.0;  // m/s, by which one has left its bound
  for (int b = 0; b < static_cast<int>(bodies_.size()); ++b) {
    if (!is_asked(query, b) || bodies_[b].shapes == nullptr) continue;
    const double growth = fastest(b, V[b]) + (*query.surface_velocity)[b].norm() - speed_[b];
    if (!(growth > more)) continue;
    faster_.push_back(b);
    largest = std::max(largest, growth);
  }
  share_out(static_cast<int>(faster_.size()), nullptr, [&](int begin, int end, const Visitor& visitor) {
    std::vector<int>& far = visitor.scratch->far;
    for (int k = begin; k < end; ++k) {
      const int b = faster_[k];
      // The other's box may have to grow as much.
      broad_phase_.find_near(b, reach_box(b, fastest(b, V[b]) + largest, query), &far);
      for (const int a : far) {
        const bool twice = a < b && std::binary_search(faster_.begin(), faster_.end(), a);
        if (twice || reach_boxes_[a].overlaps(reach_boxes_[b])) continue;
        see(std::min(a, b), std::max(a, b), query, V, visitor);
      }
    }
  });
}

PairCount ContactSearch::look_again(const ContactQuery& query, const std::vector<Twist>& V,
                                    const ContactSet& contacts) {
  const auto keep_first = [](std::size_t count, auto* list) {
    list->erase(list->begin() + static_cast<std::ptrdiff_t>(count), list->end());
  };
  keep_first(num_seen_near_, &all_.seen);
  keep_first(num_reduced_near_, &all_.reduced);
  keep_first(all_.reduced.empty() ? 0 : all_.reduced.back().end, &all_.left_out);
  see_faster_pairs(query, V);
  see_far_pairs(query, V);
  found_.clear();
  for (const ReducedPair& pair : all_.reduced) find_left_out(pair, query, V, contacts);
  const auto is_new = [&](const SeenPoint& seen) {
    return !std::binary_search(contacts.points.begin(), contacts.points.end(), seen.contact, is_before);
  };
  const auto is_asked_for = [&](const SeenPoint& seen) {
    return is_asked(query, seen.contact.body_a) || is_asked(query, seen.contact.body_b);
  };
  const auto is_closing = [&](const SeenPoint& seen) {
    return is_asked_for(seen) && closes(seen.contact, *seen.rule, query, V);
  };
  if (found_.empty() && std::none_of(all_.seen.begin(), all_.seen.end(),
                                     [&](const auto& seen) { return is_closing(seen) && is_new(seen); })) {
    // Where all that was seen is held, something else may be in the way.
    find_met_at_end(query, V, contacts);
    if (found_.empty()) return {};
  }

  // Without margins, for what `find` left out because it passes has to stay out.
  ContactQuery at_V = without_margins(query);
  at_V.V0 = at_V.V_star = at_V.V_pushed = &V;
  for (const SeenPoint& seen : all_.seen) {
    if (is_asked_for(seen) &&
        (closes(seen.contact, *seen.rule, query, V) || is_offered(seen.contact, *seen.rule, at_V)) &&
        is_new(seen))
      found_.push_back(seen);
  }
  // Points of pairs that were seen in several rounds.
  const auto less = [](const SeenPoint& x, const SeenPoint& y) { return is_before(x.contact, y.contact); };
  const auto equal = [&](const SeenPoint& x, const SeenPoint& y) { return !less(x, y) && !less(y, x); };
  std::sort(found_.begin(), found_.end(), less);
  found_.erase(std::unique(found_.begin(), found_.end(), equal), found_.end());
  // What meets at V, and where.
  foresee_pairs(found_, contacts.points, at_V);
  found_.clear();
  sort_by_body(contacts.points);
  is_dropped_.assign(contacts.points.size(), 0);
  std::copy_if(all_.placed.begin(), all_.placed.end(), std::back_inserter(found_),
               [&](const SeenPoint& seen) {
                 return is_new(seen) && !is_held_off(seen.contact, contacts.points, at_V);
               });
  PairCount closing;
  for (const SeenPoint& seen : found_)
    closing.add(seen.contact.geometry_a, seen.contact.geometry_b, is_closing(seen) ? 1 : 0);
  return closing;
}

void ContactSearch::find_acting(const ContactQuery& query, const std::vector<Twist>& V,
                                const ContactSet& contacts, std::vector<std::pair<int, int>>* pairs) const {
  pairs->clear();
  ContactQuery at_V = without_margins(query);
  at_V.V0 = at_V.V_star = at_V.V_pushed = &V;
  for (const PointContact& c : contacts.points)
    if (is_offered(c, rule_of(c), at_V)) pairs->push_back(std::minmax(c.body_a, c.body_b));
  for (const ContactPatch& patch : contacts.patches)
    pairs->push_back(std::minmax(patch.body_a, patch.body_b));
  std::sort(pairs->begin(), pairs->end());
  pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
}

void ContactSearch::add_found(ContactSet* contacts) const {
  for (const SeenPoint& found : found_) {
    contacts->points.push_back(found.contact);
    contacts->fallback.add(found.contact.geometry_a, found.contact.geometry_b, found.rule->fallback ? 1 : 0);
  }
  sort_contacts(&contacts->points);
}

}  // namespace csim
