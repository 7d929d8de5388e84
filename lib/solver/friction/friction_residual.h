// How well impulses solve a problem of friction, from the problem alone: no solver's quantities enter.
#pragma once

#include "solver/friction/friction_problem.h"

namespace csim {

/// The natural map of the variational inequality (Acary, Brémond, Huber 2018; of the solvers' authors it is
/// the measure of FCLIB's merit function 1 and of Siconos' fc3d_compute_error), of contact c
///
///   F_c = r_c - P_K(r_c - rho u~_c),   u = W r + q,   P_K: the projection on the friction cone
struct FrictionResidual {
  /// |F|/|q| with rho = 1 in the file's units. FCLIB's source divides by 1 + sqrt(|q|), a version of Siconos'
  /// by 1 + |q|, which lets problems of small velocities pass; |q| alone is stricter where |q| < 1. |F| where
  /// q = 0.
  double natural_map = 0.0;
  /// |F/rho|/|q| with rho_c = rows/trace W_cc, which maps velocities to impulses: with rho = 1 an error of a
  /// velocity does not show where impulses are small numbers. A pure number in any units.
  double scaled = 0.0;
  int worst_contact = -1;  // of the larger of both

  [[nodiscard]] double largest() const { return natural_map > scaled ? natural_map : scaled; }
};

/// `r`: [rows]. Infinite where r, u or the squares of F/|q| are not finite.
[[nodiscard]] FrictionResidual friction_residual(const FrictionProblem& problem, const VectorX& r);

/// u = W r + q.
[[nodiscard]] VectorX contact_velocity(const FrictionProblem& problem, const VectorX& r);

/// |M v - H r - f|_inf over the largest entry of M v, H r and f; 0 when all are 0.
[[nodiscard]] double motion_residual(const GlobalFrictionProblem& problem, const VectorX& v,
                                     const VectorX& r);

/// Projects z, the rows of one contact, on its friction cone: with t_k the parts of z that friction acts on,
/// the normal n minimises the convex, piecewise quadratic (n - z_N)^2 + sum_k max(0, |t_k| - mu_k n)^2 over
/// n >= 0, and each part is shortened to mu_k n.
void project_on_cone(const FrictionProblem& problem, int contact, Eigen::Ref<VectorX> z);

}  // namespace csim
