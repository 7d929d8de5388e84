#include "run/break_constraints.h"

#include "model/breaking.h"

namespace csim {
namespace {

/// J, in the springs of a constraint.
double stored_energy(const Model& model, int constraint, const Frame& frame) {
  double energy = 0.0;
  for (const CoordinateRow& row : model.rows)
    if (row.constraint == constraint) energy += frame.constraint_energy[row.index];
  for (const BodyPair& pair : model.body_pairs)
    if (pair.constraint == constraint)
      energy +=
          frame.constraint_energy.segment(pair.index, static_cast<Eigen::Index>(pair.rows.size())).sum();
  return energy;
}

}  // namespace

void break_constraints(const Model& model, Stepper* stepper, State* state, std::vector<Event>* events,
                       Frame* frame) {
  if (model.breaking_loads.empty()) return;
  stepper->fill_constraint_forces(*state, frame);
  for (const BreakingLoad& load : model.breaking_loads) {
    const double found = reaction(load, frame->constraint_force);
    if (!(found > load.limit) || is_broken(*state, load.constraint)) continue;
    state->broken[static_cast<std::size_t>(load.constraint)] = 1;
    const double energy = stored_energy(model, load.constraint, *frame);
    state->energy.dissipated_joints += energy;
    state->energy.elastic -= energy;
    events->push_back({EventKind::kBrokenConstraint, load.constraint, -1, found});
  }
}

}  // namespace csim
