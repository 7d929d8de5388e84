// Semismooth Newton's method on the equations of Alart and Curnier 1991 (A mixed formulation for frictional
// contact problems prone to Newton like solution methods, Comput. Methods Appl. Mech. Engrg. 92), with rho =
// 1 in the scaled system:
//
//   p = max(0, r_N - u_N),   F_N = r_N - p,   F_k = r_k - P(r_k - u_k),  P: on the disc of radius mu_k p
//
// On each piece the equations of contacts that stick, slip or are apart; within the right piece it converges
// quadratically. W may be singular: J + eps I, which moves an iterate within the set of solutions by
// round-off over eps only (one step of the proximal point method of Acary, Brémond, Huber 2018).
#pragma once

#include "solver/friction/friction_iteration.h"

namespace csim {

/// Iterates from the best of *iterates with a line search on |F|, until that is within the task's tolerance,
/// until the steps bring nothing more, or after `max_iterations`.
void iterate_newton(const FrictionTask& task, int max_iterations, FrictionIterates* iterates);

}  // namespace csim
