// What contacts, limits, constraints and drives did in a quasistatic step, in the columns of the dynamic
// steps.
#pragma once

#include "problem/contact_forces.h"
#include "problem/quasistatic_problem.h"
#include "problem/row_forces.h"
#include "solver/quasistatic/quasistatic_interior_point.h"

namespace csim {

struct QuasistaticForces {
  ContactForces contacts;          // columns by contact, gliding_distance, dissipated_..; stiffness 0: rigid
  VectorX limits;                  // [nv of the model], N or N m, of the limits of joints
  double dissipated_limits = 0.0;  // J
  /// Of constraints and cartesian drives: `joint`, `drive`, `constraint`, `constraint_energy`,
  /// `elastic_energy_end` and `drive_work`; `dissipated` with what goes into the springs of constraints.
  RowForces rows;
};

/// Points lie halfway between the witness points. gliding_distance: the largest gap phi + h v_n at the step's
/// end under a contact with a normal force. A contact slips from kSlipSpeed on.
void collect_quasistatic_forces(const Model& model, const ContactSet& contacts,
                                const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                QuasistaticForces* forces);

/// `stationarity` of the certificate, recomputed from the forces that are recorded. `work`: work space.
[[nodiscard]] double recorded_residual(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                       const QuasistaticForces& forces, std::vector<double>* work);

inline constexpr double kSlipSpeed = 1e-6;  // m/s: rounding of the solution is far below

}  // namespace csim
