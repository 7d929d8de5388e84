// The offering rule: which contacts of a pair the solver is given.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/contact_set.h"
#include "contact/find_contacts.h"
#include "model/pair_table.h"

namespace csim {

/// A bound on the gap (m) below which a pair can be offered when no relative speed of its witness points
/// exceeds `speed` (m/s, may be infinite): for a unit normal -v_n + mu |v_t| <= sqrt(1 + mu^2) |v|.
[[nodiscard]] inline double offering_bound(const PairRule& rule, const ContactQuery& query, double speed) {
  const double seconds =
      (query.step + rule.reach_tau) * std::sqrt(1.0 + rule.reach_friction * rule.reach_friction);
  const double reach = rule.reach_distance + (seconds > 0.0 ? seconds * speed : 0.0);
  return std::max(query.margin, query.slack + std::max(0.0, reach));
}

/// The gap (m) of a contact at the end of the step, phi + step v_n, when the bodies move as V says.
[[nodiscard]] inline double end_gap(const PointContact& c, const ContactQuery& query,
                                    const std::vector<Twist>& V) {
  const Vector3 v_a = V[c.body_a].at(c.p_a - (*query.X_WB)[c.body_a].p);
  const Vector3 v_b = V[c.body_b].at(c.p_b - (*query.X_WB)[c.body_b].p);
  return c.phi + query.step * c.normal.dot(v_b - v_a);
}

/// Whether pairs of the body are asked for.
[[nodiscard]] inline bool is_asked(const ContactQuery& query, int body) {
  return query.asked == nullptr || (*query.asked)[static_cast<std::size_t>(body)] != 0;
}

/// The query without its slack and margin: what is offered then is what the law acts on.
[[nodiscard]] inline ContactQuery without_margins(ContactQuery query) {
  query.slack = query.margin = 0.0;
  return query;
}

/// True when the contact is offered: phi < max(margin, slack + reach), reach the larger of
/// reach_distance + (step + reach_tau)(-v_n + reach_friction |v_t|) at V0 and at V_star and 0. v is the
/// velocity of b at p_b minus that of a at p_a, surface velocities included but for their part along the
/// normal.
[[nodiscard]] inline bool is_offered(const PointContact& contact, const PairRule& rule,
                                     const ContactQuery& query) {
  if (contact.phi < std::max(query.margin, query.slack)) return true;
  const Vector3& n = contact.normal;
  const Vector3 r_a = contact.p_a - (*query.X_WB)[contact.body_a].p;
  const Vector3 r_b = contact.p_b - (*query.X_WB)[contact.body_b].p;
  const Vector3 belt = (*query.surface_velocity)[contact.body_b] - (*query.surface_velocity)[contact.body_a];
  const Vector3 belt_t = belt - n.dot(belt) * n;
  double reach = 0.0;
  for (const std::vector<Twist>* V : {query.V0, query.V_star}) {
    const Vector3 v = (*V)[contact.body_b].at(r_b) - (*V)[contact.body_a].at(r_a);
    const double v_n = n.dot(v);
    const double v_t = (v - v_n * n + belt_t).norm();
    reach = std::max(
        reach, rule.reach_distance + (query.step + rule.reach_tau) * (-v_n + rule.reach_friction * v_t));
  }
  return contact.phi < query.slack + reach;
}

}  // namespace csim
