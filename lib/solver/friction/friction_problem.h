// The problem of rigid contacts with Coulomb's friction that research on solvers exchanges (Acary, Brémond,
// Huber, On solving contact problems with Coulomb friction: formulations and numerical comparisons, 2018, in
// Advanced Topics in Nonsmooth Dynamics; the file format FCLIB). For a step with the velocities u of the
// contacts at its end and their impulses r:
//
//   u = W r + q
//   0 <= u_N  perp  r_N >= 0                                        (Signorini)
//   |r_T| <= mu r_N,  and r_T = -mu r_N u_T/|u_T| where u_T /= 0     (Coulomb)
//
// With De Saxcé's shift the law is one complementarity, u~ = u + mu |u_T| e_N in the dual of the friction
// cone, perpendicular to r in the cone. W is semidefinite: of contacts that depend on each other it is
// singular, and r is not unique. With rolling friction there are two more rows, a moment m and the angular
// velocity w: |m| <= mu_r r_N in the same way, u~ = u + (mu |u_T| + mu_r |w|) e_N.
#pragma once

#include <Eigen/SparseCore>

#include "core/types.h"

namespace csim {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// Rows of contact c: dimension c, .., the normal first.
struct FrictionProblem {
  int dimension = 3;  // rows a contact: 2 (plane), 3, or 5 with rolling friction
  SparseMatrix
      W;       // [rows, rows], Delassus' operator; small asymmetries of measured data are taken as they are
  VectorX q;   // [rows], velocities without contact
  VectorX mu;  // [contacts], >= 0
  VectorX mu_rolling;  // [contacts] where dimension = 5 (a length, or of the file's units), else empty

  [[nodiscard]] int num_contacts() const { return static_cast<int>(mu.size()); }
  [[nodiscard]] int num_rows() const { return dimension * num_contacts(); }
};

/// The same before elimination of the bodies' velocities v:  M v = H r + f,  u = H^T v + w.
struct GlobalFrictionProblem {
  int dimension = 3;
  SparseMatrix M;  // [nv, nv], regular
  SparseMatrix H;  // [nv, rows]
  VectorX f;       // [nv]
  VectorX w;       // [rows]
  VectorX mu, mu_rolling;
};

/// Of a contact: rows after the normal's on which friction with one coefficient acts.
struct FrictionRows {
  int first = 1, count = 2;
};
[[nodiscard]] inline int num_frictions(int dimension) {
  return dimension == 5 ? 2 : 1;
}
[[nodiscard]] inline FrictionRows friction_rows(int dimension, int friction) {
  return dimension == 2 ? FrictionRows{1, 1} : FrictionRows{1 + 2 * friction, 2};
}
[[nodiscard]] inline double coefficient(const FrictionProblem& problem, int contact, int friction) {
  return friction == 0 ? problem.mu[contact] : problem.mu_rolling[contact];
}

}  // namespace csim
