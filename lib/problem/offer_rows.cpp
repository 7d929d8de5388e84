#include "problem/offer_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/actuator.h"

namespace csim {
namespace {

/// Of joint limits, N/m or N m/rad: the near-rigid bound is softer but for heavy bodies or tiny steps.
constexpr double kLimitStiffness = 1e12;

RowOffer& add_offer(RowKind kind, int index, std::initializer_list<RowTerm> terms, RowOffers* offers) {
  RowOffer offer;
  offer.kind = kind;
  offer.index = index;
  offer.term_begin = static_cast<int>(offers->terms.size());
  offers->terms.insert(offers->terms.end(), terms);
  offer.term_end = static_cast<int>(offers->terms.size());
  offers->rows.push_back(offer);
  return offers->rows.back();
}

RowTerm term(const JointCoordinate& coordinate, double coefficient) {
  return {coordinate.tree, coordinate.v, coefficient};
}

void offer_limits(const Model& model, const State& state, const VectorX& v_star, double h,
                  RowOffers* offers) {
  for (std::size_t i = 0; i < model.limits.size(); ++i) {
    const JointLimit& limit = model.limits[i];
    const JointCoordinate& at = limit.coordinate;
    const double to_lower = state.q[at.q] - limit.lower, to_upper = limit.upper - state.q[at.q];
    const bool is_lower = to_lower <= to_upper;
    const double g0 = is_lower ? to_lower : to_upper;
    const double speed = std::max(std::abs(state.v[at.v]), std::abs(v_star[at.v]));
    const bool is_near = g0 <= 2.0 * h * speed;
    if (h == 0.0 && !is_near) continue;
    RowOffer& offer =
        add_offer(RowKind::kLimit, static_cast<int>(i), {term(at, is_lower ? 1.0 : -1.0)}, offers);
    offer.is_optional = !is_near;
    offer.law.g0 = g0;
    offer.law.stiffness = kLimitStiffness;
    offer.law.damping = h * kLimitStiffness;
    offer.law.lower = 0.0;
  }
}

void offer_frictions(const Model& model, RowOffers* offers) {
  for (std::size_t i = 0; i < model.dry_frictions.size(); ++i) {
    const DryFriction& friction = model.dry_frictions[i];
    RowLaw& law =
        add_offer(RowKind::kFriction, static_cast<int>(i), {term(friction.coordinate, 1.0)}, offers).law;
    law.damping = std::numeric_limits<double>::infinity();
    law.lower = -friction.effort;
    law.upper = friction.effort;
  }
}

void offer_drives(const Model& model, const State& state, double t_end, RowOffers* offers) {
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const Actuator& actuator = model.actuators[i];
    if (!is_limited_drive(actuator) || actuator.stiffness + actuator.damping == 0.0) continue;
    const CommandSample command = evaluate_command(actuator.command, t_end);
    RowLaw& law =
        add_offer(RowKind::kDrive, static_cast<int>(i), {{actuator.tree, actuator.v, 1.0}}, offers).law;
    if (actuator.type == ActuatorType::kPosition) {
      law.g0 = state.q[actuator.q] - command.value;
      law.rate = actuator.feed_forward_velocity ? command.rate : 0.0;
    } else {
      law.rate = command.value;
    }
    law.stiffness = actuator.stiffness;
    law.damping = actuator.damping;
    law.lower = -actuator.effort_limit;
    law.upper = actuator.effort_limit;
    law.relaxes_in_step = law.stores_energy = false;
  }
}

void offer_couplers(const Model& model, const State& state, RowOffers* offers) {
  for (std::size_t i = 0; i < model.couplers.size(); ++i) {
    const Coupler& coupler = model.couplers[i];
    RowLaw& law = add_offer(RowKind::kCoupler, static_cast<int>(i),
                            {term(coupler.a, 1.0), term(coupler.b, -coupler.ratio)}, offers)
                      .law;
    law.g0 = coupler_violation(coupler, state.q);
    law.stiffness = coupler.stiffness;
    if (std::isfinite(coupler.stiffness)) law.damping = coupler.stiffness * coupler.relaxation_time;
    law.near_rigid = coupler.near_rigid;
  }
}

}  // namespace

void offer_rows(const Model& model, const State& state, const VectorX& v_star, double h, double t_end,
                RowOffers* offers) {
  offers->rows.clear();
  offers->terms.clear();
  offer_limits(model, state, v_star, h, offers);
  offer_frictions(model, offers);
  offer_drives(model, state, t_end, offers);
  offer_couplers(model, state, offers);
}

}  // namespace csim
