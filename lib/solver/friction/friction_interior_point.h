// Interior point on Coulomb's law itself: De Saxcé's shift is an unknown of Newton's method, not data of an
// outer fixed point. The unknowns of a contact are r, u and for each of its cones k a number a_k:
//
//   x_k = (mu_k r_N, r_k),   y_k = (a_k, u_k),   x_k o y_k = sigma mu e               (both in the cone)
//   u = W r + q,   u_N + sum_k mu_k |u_k| = sum_k mu_k a_k
//
// With one cone a_k = u_N/mu + |u_k| and this is the second-order cone complementarity of the shifted
// velocity; with two (rolling friction) the sum splits u~ over the duals of both. x o y = 0 then is friction
// against the slip on each cone and Signorini's law for r_N and u_N. Scaled as Nesterov and Todd do, V =
// (W_k^2)^-1,
//
//   dy_k = W_k^-1 c_k - V_k dx_k,   du_N = sum_k mu_k (da_k - t_k . du_k) + rest,   t_k = u_k/|u_k|
//
// leave (W + E) dr = right-hand side with one block E a contact, which is not symmetric: the law is not the
// optimality condition of a problem. Predictor and corrector as Mehrotra's (quasistatic_interior_point.h).
// With t = 0 it would be the Newton step of the convex problem with the shift as data. (Acary, Armand,
// Nguyen, Shpakovych, Second-order cone programming for frictional contact mechanics using interior point
// algorithm, 2024, solve that one.) There is no proof of convergence; the residual judges.
#pragma once

#include "solver/friction/friction_iteration.h"

namespace csim {

/// Iterates from inside the cones, whatever the guess, until the iterates are within the task's tolerance,
/// rounding ends the progress, or after `max_iterations`. Adds every iterate to *iterates.
void iterate_interior_point(const FrictionTask& task, int max_iterations, FrictionIterates* iterates);

}  // namespace csim
