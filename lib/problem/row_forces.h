// What the scalar rows did in a step: forces on joints, efforts of drives, forces of constraints, energy.
#pragma once

#include "problem/build_contact_problem.h"

namespace csim {

/// N or N m. A row that was not offered has 0.
struct RowForces {
  VectorX joint;              // [nv of the model], of limits, dry friction and cartesian drives
  VectorX drive;              // [actuators], of drives with a limit and cartesian ones
  VectorX constraint;         // [rows of the scene's constraints], positive where it raises what they measure
  VectorX constraint_energy;  // [rows of the scene's constraints], J, part of elastic_energy_end
  VectorX applied;            // [nv of the model], of all rows
  double impulse_norm2 = 0.0;  // J, row_impulse_norm2
  std::vector<char> has_row;   // [trees of the model]

  double elastic_energy_start = 0.0;  // J, of the springs that are not near-rigid
  double elastic_energy_end = 0.0;
  double dissipated = 0.0;  // J, by limits, friction and constraints: less the impulses' work at the mean of
                            // the velocities before and after, less the change of the elastic energy
  double drive_work = 0.0;  // J, of the drives that are rows, at the mean of these velocities
  double bias_work = 0.0;   // J, of prescribed bodies through constraints

  /// All zero.
  void clear(const Model& model);
};

/// Evaluates the rows at v (of the problem) and fills *forces; of trees that are not among `trees` as if they
/// had none.
void compute_row_forces(const StepData& data, const Model& model, const VectorX& v, RowForces* forces,
                        const TreeSet& trees = {});

/// The acceleration level: the rows offered at h = 0, but for rigid ones, as forces at a state of velocities
/// v. `mass`: tree blocks of M; `period`, `v_s`: evaluate_continuous_row. Of *forces, `dissipated`,
/// `drive_work` and `bias_work` are powers, W, and both elastic energies those of the state.
void compute_continuous_row_forces(const RowOffers& offers, const Model& model,
                                   const std::vector<double>& mass, const VectorX& v, double period,
                                   double v_s, RowForces* forces);

/// Adds those of the rigid rows: `tie_forces`, N or N m, [offers]. What they take from the motion is
/// dissipated: where ties hold, nothing.
void add_tie_forces(const RowOffers& offers, const VectorX& tie_forces, const VectorX& v, RowForces* forces);

}  // namespace csim
