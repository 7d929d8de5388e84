// TAMSI: Newton's method on the momentum balance of contacts whose friction reads the normal force of the
// same instant (Castro et al. 2020, A Transition-Aware Method for the Simulation of Compliant Contact with
// Regularized Friction). Not convex: unlike `minimize` it may fail to converge, which is reported like any
// failure.
//
//   r(v) = A (v - v*) - J^T gamma(v) = 0,   (A - J^T dgamma/dv J) dv = -r,   v <- v + alpha dv
//
// The matrix is not symmetric: a dense LU for each island.
#pragma once

#include <map>
#include <vector>

#include <Eigen/LU>

#include "solver/method/island_value.h"
#include "solver/method/newton.h"
#include "solver/solve_report.h"

namespace csim {

/// The linear system of an island of n velocities. Kept for every n: Eigen's matrices allocate at each change
/// of size.
struct TamsiSystem {
  explicit TamsiSystem(int n) : jacobian(n, n), right(n), solution(n), lu(n) {}

  MatrixX jacobian;  // scaled by D from both sides
  VectorX right, solution;
  Eigen::PartialPivLU<MatrixX> lu;
};

/// Memory that is kept between solves.
struct TamsiWorkspace {
  NewtonColumns columns;
  std::map<int, TamsiSystem> systems;  // by n, see system_of
  std::vector<double> K_J, J_a, J_b;   // 6 x nv, room for the largest tree so far
};

/// The largest step along a contact's change of slip dv_t that does not jump across stiction nor turn the
/// slip by more than 60 degrees: the transition-aware line search (ibid., Sec. IV, cases I to VI), at most 1.
/// v_s: stiction tolerance, m/s.
[[nodiscard]] double transition_aware_step(const Vector3& v_t, const Vector3& dv_t, double v_s);

/// Solves every island from the guess iterate->v, which receives the result. An island has converged when the
/// last step changed the contacts' velocities by less than 0.01 v_s (the paper's criterion) and the scaled
/// momentum residual meets the options' tolerances, which `minimize` asks for alike. The law must be TAMSI's.
/// Of the options the tolerances, max_iterations and record_iterations are read. The cost is NaN: there is
/// none.
void solve_tamsi(const ConvexProblem& problem, const NewtonOptions& options, TamsiWorkspace* workspace,
                 Iterate* iterate, SolveReport* report);

}  // namespace csim
