// Pressure fields at the poses where a step ends. Their contact surface is that of the start: it knows
// nothing of what a fast step enters.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"

namespace csim {
namespace {

/// The least side (m) of a compliant geometry: beyond its middle it is pushed out on the other side.
double compliant_thickness(const CollisionGeometry& g) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (!std::holds_alternative<std::shared_ptr<const PreparedField>>(*g.patch)) return infinity;
  return (g.box_G.upper - g.box_G.lower).minCoeff();
}

double thickness_of(const CollisionGeometry& a, const CollisionGeometry& b) {
  const double compliant = std::min(compliant_thickness(a), compliant_thickness(b));
  return std::isfinite(compliant) ? compliant : PassageQuery::thickness(a, b);
}

/// Whether the fields now push each other out on the other side: round an edge a force turns by 90 degrees.
bool is_turned_round(const Vector3& start, const Vector3& end) {
  return start.dot(end) < -0.5 * start.norm() * end.norm();
}

}  // namespace

/// Whether two fields move so far in the step that its end is worth a look: farther than 4 h^2 g, twice the
/// slack of margin `auto`, which bodies at rest and those that begin to fall do not reach, and than 2 % of
/// their thickness.
bool ContactSearch::is_fast(const ContactQuery& query, double speed, const CollisionGeometry& a,
                            const CollisionGeometry& b) {
  return query.step * speed > std::max(2.0 * query.slack, 0.02 * thickness_of(a, b));
}

double ContactSearch::speed_of(const Passage& fields, const std::vector<Twist>& V) const {
  return (V[fields.body_b].at(fields.arm_b) - V[fields.body_a].at(fields.arm_a)).norm();
}

bool ContactSearch::may_meet(const ContactQuery& query, const std::vector<Twist>& V) const {
  return std::any_of(fast_fields_.begin(), fast_fields_.end(), [&](const Passage& fields) {
    return is_fast(query, speed_of(fields, V), *fields.a.geometry, *fields.b.geometry);
  });
}

void ContactSearch::meet_fields(const ContactQuery& query, const std::vector<Twist>& V,
                                const std::vector<RigidTransform>& X_end,
                                std::vector<FieldMeeting>* meetings) {
  meetings->clear();
  const auto sum_at = [&](const PlacedGeometry& a, const PlacedGeometry& b) {
    return may_touch(a, b, 0.0) ? patch_query_.sum(*a.geometry->patch, a.X_WG, *b.geometry->patch, b.X_WG)
                                : std::nullopt;
  };
  for (const Passage& fields : fast_fields_) {
    const double speed = speed_of(fields, V);
    if (!is_fast(query, speed, *fields.a.geometry, *fields.b.geometry)) continue;
    const bool in_order = fields.a.index < fields.b.index;
    const PlacedGeometry a = place_at(in_order ? fields.a.index : fields.b.index, X_end);
    const PlacedGeometry b = place_at(in_order ? fields.b.index : fields.a.index, X_end);
    std::optional<double> energy;
    if (const auto end = sum_at(a, b)) {
      const auto start = sum_at(place_at(a.index, *query.X_WB), place_at(b.index, *query.X_WB));
      energy = start && is_turned_round(start->force, end->force) ? 0.0 : end->energy;
    }
    // What has turned on its way in may pass with the orientation of the end alone.
    if (!energy && query.step * speed > PassageQuery::thickness(*a.geometry, *b.geometry)) {
      const Vector3 travel = (in_order ? query.step : -query.step) *
                             (V[fields.body_b].at(fields.arm_b) - V[fields.body_a].at(fields.arm_a));
      PlacedGeometry from = b;
      from.X_WG.p -= travel;
      from.center_W -= travel;
      if (passage_query_.passes(a, from, travel)) energy = 0.0;
    }
    meetings->push_back({a.index, b.index, body_of_geometry_[a.index], body_of_geometry_[b.index],
                         speed_of(fields, *query.V0), query.step * speed,
                         thickness_of(*a.geometry, *b.geometry), energy.has_value(), energy.value_or(0.0)});
  }
}

}  // namespace csim
