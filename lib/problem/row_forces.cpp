#include "problem/row_forces.h"

namespace csim {
namespace {

/// Adds the force f of a row to where results report it.
void report_force(const RowOffers& offers, const RowOffer& offer, double f, RowForces* forces) {
  for (int k = offer.term_begin; k < offer.term_end; ++k) {
    forces->applied[offers.terms[k].v] += offers.terms[k].coefficient * f;
    forces->has_row[offers.terms[k].tree] = 1;
  }
  switch (offer.owner) {
    case RowOwner::kCartesian:
      forces->drive[offer.index] = f;
      [[fallthrough]];
    case RowOwner::kJoint:
      for (int k = offer.term_begin; k < offer.term_end; ++k)
        forces->joint[offers.terms[k].v] += offers.terms[k].coefficient * f;
      break;
    case RowOwner::kDrive:
      forces->drive[offer.index] = f;
      break;
    case RowOwner::kConstraint:
      forces->constraint[offer.index] = offer.sign * f;
      break;
  }
}

bool is_drive(const RowOffer& offer) {
  return offer.owner == RowOwner::kDrive || offer.owner == RowOwner::kCartesian;
}

/// c^T diag(M)^-1 c.
double row_weight(const RowOffers& offers, const RowOffer& offer, const Model& model,
                  const std::vector<double>& mass) {
  double w = 0.0;
  for (int k = offer.term_begin; k < offer.term_end; ++k) {
    const RowTerm& term = offers.terms[k];
    const Tree& tree = model.trees[term.tree];
    w += term.coefficient * term.coefficient /
         mass[tree.block_begin + (term.v - tree.v_begin) * (tree.nv + 1)];
  }
  return w;
}

/// Mean of the weights of the group that begins with offer i; 1 of rows that no coordinate moves.
double group_weight(const RowOffers& offers, std::size_t i, const Model& model,
                    const std::vector<double>& mass) {
  const auto size = static_cast<std::size_t>(offers.rows[i].law.group);
  double sum = 0.0;
  for (std::size_t k = i; k < i + size; ++k) sum += row_weight(offers, offers.rows[k], model, mass);
  return sum > 0.0 ? sum / static_cast<double>(size) : 1.0;
}

}  // namespace

void RowForces::clear(const Model& model) {
  joint.setZero(model.nv);
  applied.setZero(model.nv);
  has_row.assign(model.trees.size(), 0);
  drive.setZero(static_cast<Eigen::Index>(model.actuators.size()));
  constraint.setZero(model.num_constraint_rows);
  constraint_energy.setZero(model.num_constraint_rows);
  elastic_energy_start = elastic_energy_end = dissipated = drive_work = bias_work = impulse_norm2 = 0.0;
}

void compute_row_forces(const StepData& data, const Model& model, const VectorX& v, RowForces* forces,
                        const TreeSet& trees) {
  const ConvexProblem& problem = data.problem;
  const RowColumns& rows = problem.rows;
  forces->clear(model);
  for (int i = 0; i < rows.size(); ++i) {
    const double v_r = row_velocity(rows, i, v), v_r0 = row_velocity(rows, i, problem.v0);
    const RowOffer& offer = data.row_offers.rows[rows.source[i]];
    if (!contains(trees, data.row_offers.terms[offer.term_begin].tree)) continue;
    const double gamma = row_impulse(rows, i, v_r);
    forces->impulse_norm2 += rows.delassus[i] * gamma * gamma;
    // Exactly the bound where it is at one.
    const double force = gamma == rows.upper[i]   ? offer.law.upper
                         : gamma == rows.lower[i] ? offer.law.lower
                                                  : gamma / problem.h;
    report_force(data.row_offers, offer, force, forces);
    if (is_drive(offer)) {
      forces->drive_work += gamma * (0.5 * (v_r + v_r0) + offer.prescribed);
      forces->bias_work -= gamma * offer.prescribed;
      continue;
    }
    const double g0 = offer.theta * offer.law.g0, g1 = g0 + problem.h * (v_r + offer.law.bias);
    const double start = row_energy(rows, i, g0) / offer.theta, end = row_energy(rows, i, g1) / offer.theta;
    forces->elastic_energy_start += start;
    forces->elastic_energy_end += end;
    if (offer.owner == RowOwner::kConstraint) forces->constraint_energy[offer.index] = end;
    forces->dissipated -= gamma * (0.5 * (v_r + v_r0) + offer.prescribed) + (end - start);
    forces->bias_work -= gamma * offer.prescribed;
  }
}

void compute_continuous_row_forces(const RowOffers& offers, const Model& model,
                                   const std::vector<double>& mass, const VectorX& v, double period,
                                   double v_s, RowForces* forces) {
  forces->clear(model);
  double w = 0.0;
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    if (is_rigid(offer)) continue;
    if (offer.law.group > 0) w = group_weight(offers, i, model, mass);
    const double v_r = velocity_of(offers, offer, v) + offer.law.bias;
    const ContinuousRow row = evaluate_continuous_row(offer.law, v_r, w, period, v_s);
    report_force(offers, offer, row.force, forces);
    forces->bias_work -= row.force * offer.prescribed;
    if (is_drive(offer)) {
      forces->drive_work += row.force * v_r;
    } else {
      forces->dissipated += row.dissipated;
    }
    if (offer.owner == RowOwner::kConstraint) forces->constraint_energy[offer.index] = row.energy;
    forces->elastic_energy_start += row.energy;
  }
  forces->elastic_energy_end = forces->elastic_energy_start;
}

void add_tie_forces(const RowOffers& offers, const VectorX& tie_forces, const VectorX& v, RowForces* forces) {
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    const double f = tie_forces[static_cast<Eigen::Index>(i)];
    if (f == 0.0) continue;  // a row that is not rigid, or a stop that does not act
    report_force(offers, offer, f, forces);
    forces->dissipated -= f * (velocity_of(offers, offer, v) + offer.law.bias);
    forces->bias_work -= f * offer.prescribed;
  }
}

}  // namespace csim
