// Primal-dual interior point for the laws that are cones (law/cone_form.h), on one island:
//
//   A (v - v*) = sum J^T M^T lambda,   s = s(v_c, lambda),   lambda, s in K,   s . lambda = 0
//
// with Nesterov-Todd scaling and Mehrotra's predictor and corrector (Andersen, Dahl, Vandenberghe 2010). With
// M = ds/dv_c, E = ds/dlambda, P = (W^2 + E)^-1 and q = P (W d - r_p), r_p = s(v_c, lambda) - s:
//
//   H = A + J^T M^T P M J,   H dv = -(A (v - v*) - sum J^T M^T (lambda + q)),   dlambda = q - P M J dv
//
// Scalar rows are intervals beside the cones (interior_rows.h). It starts from the impulses that a Newton
// step on the law predicts, where they are nearly feasible, and from impulses along the normals elsewhere
// (IslandInteriorPoint::start).
//
// H has the blocks, the pattern and the factorisation of Newton's. The iterations hardly depend on stiffness
// and stiction tolerance, where those of Newton's method on the law itself grow with both. But its error is
// of the order of the square root of its gap, which round-off bounds: it makes a good guess, and Newton's
// method on the law itself always runs last.
#pragma once

#include "solver/method/interior_rows.h"
#include "solver/method/newton_island.h"

namespace csim {

/// Work space of the interior point by contact and row of the whole problem.
struct InteriorPointColumns {
  InteriorRows rows;
  ConeColumns cones;
  ConeVectors w, l;                         // scaling
  ConeVectors r_p, d, d_before;             // residual of s; right-hand side of the complementarity, its last
  ConeVectors scaled_dlambda, dlambda, ds;  // W dlambda, dlambda, ds
  std::vector<double> eta, det_l, E_0;      // scaling, compliance of entry 0
  std::vector<double> n_00, n_01, n_11, n_2;     // N^-1
  std::vector<double> gap, residual2, s2, step;  // terms of sums over contacts
  std::vector<double> v_n;                       // m/s
  Vector3Columns friction;                       // Lagged: gamma_t at v, N s, world axes
  ContactHessians friction_G;                    // and its matrices
  VectorX v_start;                               // [nv]

  void resize(const ConvexProblem& problem);
};

/// When Newton's method takes over.
struct InteriorPointGoal {
  double residual = 1e-4;  // scaled momentum residual of the law itself
  double gap = 1e-10;      // or, as a part of |v|_A^2, the gap; 1e-12 is the round-off level
};

/// Moves the island's rows of iterate.v from the guess to near the minimum of ell; leaves the guess where the
/// method breaks down and the cost is higher than there. Counts and seconds add to those of `solve`; the
/// status stays. The law must have cones.
void approach_by_interior_point(const IslandTask& task, const InteriorPointGoal& goal);

}  // namespace csim
