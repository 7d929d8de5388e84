#include "problem/offer_rows.h"

#include <algorithm>
#include <cmath>

#include "model/actuator.h"
#include "model/breaking.h"
#include "model/cartesian_drive.h"
#include "model/dynamics.h"
#include "model/velocity_terms.h"

namespace csim {
namespace {

double velocity_of(const RowOffers& offers, int term_begin, const VectorX& v) {
  double sum = 0.0;
  for (std::size_t k = static_cast<std::size_t>(term_begin); k < offers.terms.size(); ++k)
    sum += offers.terms[k].coefficient * v[offers.terms[k].v];
  return sum;
}

// Of a drive with a limit or a spring: one that the velocity does not change at all would have no curvature,
// and no scale.
constexpr double kLeastTheta = 1e-6;

/// Turns the last row, which measures x, to the nearer end of its range; false when it is none at the
/// acceleration level.
bool place_stop(const std::pair<double, double>& range, double x, const RowStep& step, RowOffers* offers,
                RowOffer* offer) {
  const double to_lower = x - range.first, to_upper = range.second - x;
  offer->law.g0 = std::min(to_lower, to_upper);
  const double speed = std::max(std::abs(velocity_of(*offers, offer->term_begin, step.state.v)),
                                std::abs(velocity_of(*offers, offer->term_begin, step.v_star))) +
                       std::abs(offer->law.bias);  // of what is prescribed
  const auto first = offers->terms.begin() + offer->term_begin;
  const bool is_near = offer->law.g0 <= 2.0 * step.h * speed;
  // A row of several trees joins them, near or not: what an impact does to one is felt in the same step.
  offer->is_optional = !is_near && std::all_of(first, offers->terms.end(),
                                               [&](const RowTerm& term) { return term.tree == first->tree; });
  if (to_upper < to_lower) {
    offer->sign = -1.0;
    offer->law.bias = -offer->law.bias;
    offer->prescribed = -offer->prescribed;
    offer->acceleration = -offer->acceleration;
    std::for_each(first, offers->terms.end(), [](RowTerm& term) { term.coefficient = -term.coefficient; });
  }
  return step.h > 0.0 || is_near || is_rigid(*offer);
}

void place_drive(const Model& model, std::size_t index, const RowStep& step, RowLaw* law) {
  const Actuator& actuator = model.actuators[index];
  const double theta = step.free_motion != nullptr ? step.free_motion->theta[actuator.v] : 1.0;
  const CommandSample command = step_command(model, step.state.sequence, index, theta, step.t_end, step.h);
  if (actuator.type == ActuatorType::kPosition) {
    law->g0 = step.state.q[actuator.q] - command.value;
    law->rate = actuator.feed_forward_velocity ? command.rate : 0.0;
    // -k (g0 + theta h v) is the spring theta k at g0/theta.
    const double part = std::max(theta, kLeastTheta);
    law->stiffness *= part;
    law->g0 /= part;
  } else {
    law->rate = command.value;
  }
}

/// Enters the row whose terms stand at the end of offers->terms; `offset` and `range` are what x is held to.
void offer_row(double x, double offset, const std::optional<std::pair<double, double>>& range,
               const RowStep& step, RowOffer offer, RowOffers* offers) {
  offer.term_end = static_cast<int>(offers->terms.size());
  if (!range) {
    if (offer.law.stiffness > 0.0) offer.law.g0 = x - offset;
  } else if (!place_stop(*range, x, step, offers, &offer)) {
    offers->terms.resize(static_cast<std::size_t>(offer.term_begin));
    return;
  }
  offers->rows.push_back(offer);
}

void offer_coordinate_row(const Model& model, const CoordinateRow& row, const RowStep& step,
                          RowOffers* offers) {
  RowOffer offer;
  offer.owner = row.owner;
  offer.index = row.index;
  offer.term_begin = static_cast<int>(offers->terms.size());
  offer.law = row.law;
  for (const auto& [coordinate, coefficient] : row.terms)
    offers->terms.push_back({coordinate.tree, coordinate.v, coefficient});
  if (row.owner == RowOwner::kDrive) {
    place_drive(model, static_cast<std::size_t>(row.index), step, &offer.law);
    offer.term_end = static_cast<int>(offers->terms.size());
    offers->rows.push_back(offer);
    return;
  }
  const bool has_position = row.range || row.law.stiffness > 0.0;  // dry friction has none
  offer_row(has_position ? row.value(step.state.q) : 0.0, row.offset, row.range, step, offer, offers);
}

/// A gain that does nothing makes no row.
void offer_cartesian(const Model& model, const CartesianDrive& drive, const RowStep& step,
                     RowOffers* offers) {
  CartesianMeasure measure;
  measure_cartesian(model, drive, step.kinematics, step.state.sequence, step.t_end, &measure);
  for (int i = 0; i < 6; ++i) {
    if (!drive.acts[i]) continue;
    RowOffer offer;
    offer.owner = RowOwner::kCartesian;
    offer.index = drive.actuator + i;
    offer.term_begin = static_cast<int>(offers->terms.size());
    append_terms(model, step.kinematics, drive.pair, measure.point, measure.rows[i], &offers->terms);
    offer.term_end = static_cast<int>(offers->terms.size());
    offer.prescribed = prescribed_velocity(step.kinematics, drive.pair, measure.point, measure.rows[i]);
    RowLaw& law = offer.law;
    law.g0 = measure.rows[i].x;
    law.rate = measure.rate[i];
    law.bias = offer.prescribed;
    law.stiffness = drive.stiffness[i];
    law.damping = drive.damping[i];
    law.relaxes_in_step = law.stores_energy = false;
    law.group = drive.group[i];
    offers->rows.push_back(offer);
  }
}

void offer_pair(const Model& model, const BodyPair& pair, const RowStep& step, RowOffers* offers) {
  PairMeasure now, ahead;
  measure_pair(pair, step.kinematics, &now);
  if (step.bends) measure_pair(pair, offers->ahead, &ahead);
  std::array<double, 6> accelerations{};
  if (step.motions != nullptr) bias_accelerations(pair, step.kinematics, *step.motions, &accelerations);
  for (std::size_t i = 0; i < pair.rows.size(); ++i) {
    const ScrewRow& row = now.rows[i];
    RowOffer offer;
    offer.owner = RowOwner::kConstraint;
    offer.index = pair.index + static_cast<int>(i);
    offer.term_begin = static_cast<int>(offers->terms.size());
    offer.law = pair.rows[i].law;
    offer.acceleration = accelerations[i];
    append_terms(model, step.kinematics, pair, now.point, row, &offers->terms);
    offer.prescribed = offer.law.bias = prescribed_velocity(step.kinematics, pair, now.point, row);
    if (step.bends)
      offer.law.bias =
          (ahead.rows[i].x - row.x) / step.h - velocity_of(*offers, offer.term_begin, step.state.v);
    offer_row(row.x, pair.rows[i].offset, pair.rows[i].range, step, offer, offers);
  }
}

bool is_spring(const RowOffer& offer) {
  return std::isfinite(offer.law.stiffness) && std::isinf(offer.law.lower) && std::isinf(offer.law.upper);
}

/// c^T A^-1 c.
double full_weight(const Model& model, const FreeMotion& motion, const RowOffer& offer, RowOffers* offers) {
  VectorX& x = offers->column;
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    x[offers->terms[k].v] = offers->terms[k].coefficient;
  for_each_tree(*offers, offer, [&](int tree) { solve_tree(model, tree, motion.A, motion.factor, &x); });
  double w = 0.0;
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    w += offers->terms[k].coefficient * x[offers->terms[k].v];
  for_each_tree(*offers, offer,
                [&](int tree) { x.segment(model.trees[tree].v_begin, model.trees[tree].nv).setZero(); });
  return w;
}

/// Takes the springs of the offers from `first` on where the step resolves them. Those of one vector share
/// one theta, so that they are one spring whatever the axes.
void resolve_springs(const Model& model, const RowStep& step, std::size_t first, RowOffers* offers) {
  offers->column.setZero(model.nv);
  offers->tree_sum.assign(model.trees.size(), 0.0);
  offers->size.assign(offers->rows.size(), 0.0);
  for (std::size_t i = first; i < offers->rows.size(); ++i) {
    const RowOffer& offer = offers->rows[i];
    if (!is_spring(offer)) continue;
    offers->size[i] = std::sqrt(offer.law.stiffness * full_weight(model, *step.free_motion, offer, offers));
    for_each_tree(*offers, offer, [&](int tree) { offers->tree_sum[tree] += offers->size[i]; });
  }
  for (std::size_t i = first; i < offers->rows.size();) {
    const std::size_t end = i + static_cast<std::size_t>(offers->rows[i].law.group);
    double a = 0.0;
    for (std::size_t k = i; k < end; ++k) {
      double sum = offers->size[k];
      for_each_tree(*offers, offers->rows[k],
                    [&](int tree) { sum += offers->tree_sum[tree] - offers->size[k]; });
      a = std::max(a, step.h * step.h * offers->size[k] * sum);
    }
    for (; i < end; ++i) {
      RowOffer& offer = offers->rows[i];
      if (!is_spring(offer)) continue;
      offer.theta = std::max(kLeastTheta, a > 1.0 ? 1.0 - 1.0 / a : 0.0);
      offer.law.stiffness *= offer.theta;
      offer.law.g0 /= offer.theta;
    }
  }
}

/// Poses at the end of the step with the velocities of its start.
void look_ahead(const Model& model, const RowStep& step, RowOffers* offers) {
  offers->q_ahead = step.state.q;
  offers->v_ahead = step.state.v;
  advance_positions(model, step.state.v, step.h, &offers->q_ahead);
  carry_origins(model, step.kinematics, step.h, &offers->q_ahead, &offers->v_ahead);
  compute_kinematics(model, offers->q_ahead, step.t_end, step.t_end, &offers->ahead);
}

}  // namespace

bool is_rigid(const RowOffer& offer) {
  return std::isinf(offer.law.stiffness);
}

bool is_stop(const RowOffer& offer) {
  return is_stop(offer.law);
}

void offer_rows(const Model& model, const RowStep& step, RowOffers* offers) {
  offers->rows.clear();
  offers->terms.clear();
  for (const CoordinateRow& row : model.rows)
    if (!is_broken(step.state, row.constraint)) offer_coordinate_row(model, row, step, offers);
  for (const CartesianDrive& drive : model.cartesian_drives) offer_cartesian(model, drive, step, offers);
  if (model.body_pairs.empty()) return;
  if (step.bends) look_ahead(model, step, offers);
  const std::size_t first = offers->rows.size();
  for (const BodyPair& pair : model.body_pairs)
    if (!is_broken(step.state, pair.constraint)) offer_pair(model, pair, step, offers);
  if (step.free_motion != nullptr) resolve_springs(model, step, first, offers);
}

}  // namespace csim
