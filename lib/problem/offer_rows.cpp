#include "problem/offer_rows.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

/// The nearer end of a stop's range; false when it is none at the acceleration level.
bool place_stop(const CoordinateRow& row, const State& state, const VectorX& v_star, double h,
                RowOffer* offer, RowTerm* term) {
  const JointCoordinate& at = row.terms[0].coordinate;
  const double to_lower = state.q[at.q] - row.range->first, to_upper = row.range->second - state.q[at.q];
  const bool is_lower = to_lower <= to_upper;
  const double g0 = is_lower ? to_lower : to_upper;
  const double speed = std::max(std::abs(state.v[at.v]), std::abs(v_star[at.v]));
  const bool is_near = g0 <= 2.0 * h * speed;
  term->coefficient = is_lower ? 1.0 : -1.0;
  offer->is_optional = !is_near;
  offer->law.g0 = g0;
  offer->law.damping = h * row.law.stiffness;
  return h > 0.0 || is_near;
}

// Of a drive with a limit, a row of the problem: one that the velocity does not change at all would have no
// curvature, and no scale.
constexpr double kLeastTheta = 1e-6;

void place_drive(const Actuator& actuator, const State& state, const VectorX& theta, double t_end, RowLaw* law) {
  const CommandSample command = evaluate_command(actuator.command, t_end);
  if (actuator.type == ActuatorType::kPosition) {
    law->g0 = state.q[actuator.q] - command.value;
    law->rate = actuator.feed_forward_velocity ? command.rate : 0.0;
    if (theta.size() > 0) {
      // -k (g0 + theta h v) is the spring theta k at g0/theta.
      const double part = std::max(theta[actuator.v], kLeastTheta);
      law->stiffness *= part;
      law->g0 /= part;
    }
  } else {
    law->rate = command.value;
  }
}

}  // namespace

void offer_rows(const Model& model, const State& state, const VectorX& v_star, const VectorX& theta, double h,
                double t_end, RowOffers* offers) {
  offers->rows.clear();
  offers->terms.clear();
  for (const CoordinateRow& row : model.rows) {
    RowOffer offer{row.owner, row.index, static_cast<int>(offers->terms.size()), 0, false, row.law};
    for (const auto& [coordinate, coefficient] : row.terms)
      offers->terms.push_back({coordinate.tree, coordinate.v, coefficient});
    offer.term_end = static_cast<int>(offers->terms.size());
    if (row.range) {
      if (!place_stop(row, state, v_star, h, &offer, &offers->terms.back())) {
        offers->terms.pop_back();
        continue;
      }
    } else if (row.owner == RowOwner::kDrive) {
      place_drive(model.actuators[row.index], state, theta, t_end, &offer.law);
    } else if (row.law.stiffness > 0.0) {
      offer.law.g0 = row.deviation(state.q);
    }
    offers->rows.push_back(offer);
  }
}

}  // namespace csim
