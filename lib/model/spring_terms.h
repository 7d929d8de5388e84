// Springs of joints and position drives in a step. A spring taken at the end of the step, x0 + h v1, loses
// energy at any step; taken at its start it keeps it, up to a band, and is unstable where the step does not
// resolve it. With
//
//   f_i = -k_i (x0_i + theta_i h v1_i),   theta_i = max(0, 1 - 1/a_i),
//   a_i = h^2 sqrt(k_i) sum_j |M^-1|_ij sqrt(k_j)          j: the springs of the same tree
//
// what is resolved (a <= 1) is symplectic, and the rest is damped no more than it must be: one spring has the
// spectral radius 1 for h w <= 1 and 1/(h w) beyond. The row sum bounds the largest eigenvalue of h^2 K^1/2
// M^-1 K^1/2, so that springs that share a light body are stable together. M holds armature; damping stays
// implicit.
#pragma once

#include <vector>

#include "model/dynamics.h"

namespace csim {

/// Work space: of the largest tree with springs.
struct SpringWorkspace {
  std::vector<double> factor;
  std::vector<int> springs;    // of a tree, their coordinates in it
  std::vector<int> first;      // [nv of the tree], the first spring at or behind a coordinate
  std::vector<double> rows;    // [nv of the tree][springs]: U^-1 of the factor, columns of the springs alone
  std::vector<double> column;  // [nv of the tree]: one of these
  std::vector<double> products;  // [springs]: M^-1 of one spring and those before it
  std::vector<double> roots;     // [springs]: of the stiffness
};

/// theta of every velocity coordinate for the step h (s), [nv]; 1 where there is no spring. `mass`:
/// Dynamics::mass.
void compute_spring_times(const Model& model, const std::vector<double>& mass, double h,
                          SpringWorkspace* workspace, VectorX* theta);

/// After compute_dynamics of a step of length h (s) that ends at t_end: position drives follow the commands
/// of the times at which `theta` takes their positions (step_command). Limited drives, rows of the problem,
/// are left out.
void take_commands(const Model& model, const SequenceState& sequence, const VectorX& theta, double t_end,
                   double h, Dynamics* dynamics);

/// The natural frequency sqrt(k_i (M^-1)_ii), rad/s, of every coordinate with a spring or a position drive
/// when the others are free, [nv]; 0 without.
void compute_spring_frequencies(const Model& model, const std::vector<double>& mass,
                                SpringWorkspace* workspace, VectorX* frequencies);

/// Adds what the springs of joints (not the drives, whose force is work) lose in the step h from positions
/// q0, velocities v0 to v1. The change of energy, kinetic and elastic, that the scheme makes is that of
///   scheme_springs     sum h k x v/2, x the stretch: bounded
/// less
///   joint_spring_loss  sum theta h^2 k v1 (v0 + v1)/2
void account_springs(const Model& model, const VectorX& theta, const VectorX& q0, const VectorX& v0,
                     const VectorX& v1, double h, EnergyAccounts* energy);

}  // namespace csim
