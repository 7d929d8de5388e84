// Coulomb's friction, bounded by the normal impulse of the solution itself (contact.model: coulomb): Newton's
// method on both together, from near the minimum of Lagged's problem on.
//
//   g(v) = A (v - v*) - J^T gamma(v, b(v)) = 0,   b = mu gamma_n(v)
//   K dv = -g,   K = H - sum_i J_i^T (mu (-gamma_n')_i (-e v_t/W)_i) J_ni
//
// with H the Hessian of Lagged's problem with the bounds b, and e the elasticity of friction
// (ContactLaw::friction_elasticity). K is not symmetric: GMRES (Saad and Schultz 1986)
// solves with the Cholesky factor of H as preconditioner, in 1 to 4 vectors. There is no cost that both
// descend. A full step is taken where it makes |D g| smaller; else one along which Lagged's cost with the
// bounds of v descends.
#pragma once

#include "solver/method/newton_island.h"

namespace csim {

/// Work space by row or contact of the whole problem.
struct CoulombColumns {
  PoolVelocities x_c;       // J x of a Krylov vector
  PoolImpulses change;      // of friction with its bound, at x_c; the scalar rows are 0
  Vector3Columns coupling;  // change of a contact's friction by its v_n, N s^2/m
  VectorX x, impulse;
  std::vector<double> v_before, bound_before;  // to go back to
  Vector3Columns dual_before;

  /// Makes room for the problem, and gives none back.
  void resize(const ConvexProblem& problem);
};

/// The islands' rows of iterate.v and the bounds of its contacts, from where they are. Where the residual
/// meets the tolerances of `options` the status is kConverged, and the bounds are those of the normal
/// impulses found. Else velocities and bounds stay as they were. Counts and seconds add to those of `solve`.
/// For laws with a bound (ContactLaw::friction_bound) and without a domain.
void solve_coulomb(const Island& island, const NewtonOptions& options, ConvexProblem* problem,
                   NewtonColumns* columns, CoulombColumns* coulomb, Iterate* iterate, IslandSolve* solve);

}  // namespace csim
