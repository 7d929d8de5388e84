// Nonlinear Gauss-Seidel over contacts, each solved exactly while the others keep their impulses (Jean 1999,
// The non-smooth contact dynamics method; NSGS of Acary, Brémond, Huber 2018). Slow where many contacts carry
// each other, and it needs no factorisation.
#pragma once

#include "solver/friction/friction_iteration.h"

namespace csim {

/// The local problem u = W r + g of one contact, W positive definite up to rounding, rows: the normal, then
/// 0, 1 or 2 of friction. Apart where g_N >= 0; else it sticks, r = -W^-1 g, where that is within the cone;
/// else it slips, and with u_T = -alpha r_T, alpha > 0, the impulse (W + alpha diag(0, I)) r = -g has |r_T| =
/// mu r_N for a root of one equation, which is bracketed and bisected to the last bit.
[[nodiscard]] Vector3 solve_contact(const Matrix3& W, const Vector3& g, int size, double mu);

/// Sweeps from the best of *iterates until that is within the task's tolerance, or `max_sweeps`; an iterate
/// is judged after every tenth and the last. The number of sweeps; 0 for rolling friction, of which it has no
/// local solution.
int sweep_contacts(const FrictionTask& task, int max_sweeps, FrictionIterates* iterates);

}  // namespace csim
