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
    case RowOwner::kJoint:
      for (int k = offer.term_begin; k < offer.term_end; ++k)
        forces->joint[offers.terms[k].v] += offers.terms[k].coefficient * f;
      break;
    case RowOwner::kDrive:
      forces->drive[offer.index] = f;
      break;
    case RowOwner::kConstraint:
      forces->constraint[offer.index] = f;
      break;
  }
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

}  // namespace

void RowForces::clear(const Model& model) {
  joint.setZero(model.nv);
  applied.setZero(model.nv);
  has_row.assign(model.trees.size(), 0);
  drive.setZero(static_cast<Eigen::Index>(model.actuators.size()));
  constraint.setZero(model.num_constraints);
  elastic_energy_start = elastic_energy_end = dissipated = drive_work = impulse_norm2 = 0.0;
}

void compute_row_forces(const StepData& data, const Model& model, const VectorX& v, RowForces* forces) {
  const ConvexProblem& problem = data.problem;
  const RowColumns& rows = problem.rows;
  forces->clear(model);
  for (int i = 0; i < rows.size(); ++i) {
    const double v_r = row_velocity(rows, i, v), v_r0 = row_velocity(rows, i, problem.v0);
    const RowOffer& offer = data.row_offers.rows[rows.source[i]];
    const double gamma = row_impulse(rows, i, v_r);
    forces->impulse_norm2 += rows.delassus[i] * gamma * gamma;
    // Exactly the bound where it is at one.
    const double force = gamma == rows.upper[i]   ? offer.law.upper
                         : gamma == rows.lower[i] ? offer.law.lower
                                                  : gamma / problem.h;
    report_force(data.row_offers, offer, force, forces);
    if (offer.owner == RowOwner::kDrive) {
      forces->drive_work += 0.5 * gamma * (v_r + v_r0);
      continue;
    }
    const double start = row_energy(rows, i, offer.law.g0),
                 end = row_energy(rows, i, offer.law.g0 + problem.h * v_r);
    forces->elastic_energy_start += start;
    forces->elastic_energy_end += end;
    forces->dissipated -= 0.5 * gamma * (v_r + v_r0) + (end - start);
  }
}

void compute_continuous_row_forces(const RowOffers& offers, const Model& model,
                                   const std::vector<double>& mass, const VectorX& v, double period,
                                   double v_s, RowForces* forces) {
  forces->clear(model);
  for (const RowOffer& offer : offers.rows) {
    double v_r = 0.0;
    for (int k = offer.term_begin; k < offer.term_end; ++k)
      v_r += offers.terms[k].coefficient * v[offers.terms[k].v];
    const ContinuousRow row =
        evaluate_continuous_row(offer.law, v_r, row_weight(offers, offer, model, mass), period, v_s);
    report_force(offers, offer, row.force, forces);
    if (offer.owner == RowOwner::kDrive) {
      forces->drive_work += row.force * v_r;
    } else {
      forces->dissipated += row.dissipated;
    }
    forces->elastic_energy_start += row.energy;
  }
  forces->elastic_energy_end = forces->elastic_energy_start;
}

}  // namespace csim
