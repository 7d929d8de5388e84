// A primal-dual interior point for the normal impulses of Lagged: the way to near the minimum of a large
// island in which many contacts close within the step.
//
// Newton's method has one step length for the whole island, and every contact that closes on the way stops
// it: a pile of 1000 bodies that is being built takes 60 iterations, one of 4000 a hundred. Here the normal
// laws are complementarity problems with a compliance (the half lines of problem/cone_form.h),
//
//   A (v - v*) = J^T (lambda n + gamma_t(v)),   s = v_n - v_hat + p(lambda),   s > 0,  lambda > 0,  s lambda
//   = mu,
//
// and mu goes to zero: every contact lets go or takes hold gradually, all at once, in 10 to 20 iterations
// whatever the size. Friction, whose bound mu gamma_n0 does not depend on v, enters as in Newton's method, by
// the primal-dual matrix of the law. The matrix is Newton's with lambda/(s + lambda p') in place of the
// second derivatives of the normal law.
//
// Predictor and corrector of Mehrotra 1992 (SIAM J. Optim. 2), and after them corrections towards the centre
// as long as they lengthen the step (Gondzio 1996, Multiple centrality corrections, Comput. Optim. Appl. 6):
// a solve is many times faster than a factorisation. Like interior_point.h a way to a good guess alone:
// Newton's method on the law itself always finishes, to the same minimum with the same certificate.
#pragma once

#include "solver/method/newton_island.h"

namespace csim {

/// Work space by contact of the whole problem.
struct NormalPathColumns {
  ConeColumns cones;
  Vector3Columns friction;             // gamma_t at v, N s, world axes
  std::vector<double> v_n, s, lambda;  // m/s, m/s, N s
  std::vector<double> slope, pivot;    // p'(lambda), s + lambda p'
  std::vector<double> r_s;             // residual of s
  std::vector<double> ds, dlambda;     // direction
  std::vector<double> dds, ddlambda;   // what a correction adds to it
  std::vector<double> product, step;   // right-hand side of a correction; step lengths
  VectorX correction, v_start;         // [nv]

  void resize(const ConvexProblem& problem);
};

/// Moves the island's rows of iterate->v, and the dual direction of the friction, from the guess to near the
/// minimum of ell; leaves the guess where it is near already, and where the method breaks down and the cost
/// is higher than there. Counts and seconds add to those of `solve`; the status stays. The law must have
/// normals (fill_normals) and a dual direction.
void approach_by_normals(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                         NewtonColumns* columns, NormalPathColumns* normal_columns, Iterate* iterate,
                         IslandSolve* solve);

}  // namespace csim
