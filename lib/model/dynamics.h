// Mass matrix and forces of the free motion: A (v* - v0) = dt k, with A = M + armature + dt D + theta dt^2 K,
// block-diagonal by tree.
#pragma once

#include <vector>

#include "model/kinematics.h"
#include "model/tree_bodies.h"

namespace csim {

class Workers;

/// Mass, first moment and moment of inertia of a composite body about the origin of its first body, world
/// axes.
struct CompositeInertia {
  double mass = 0.0;  // kg
  Vector3 moment;     // kg m: mass times the centre of mass
  Matrix3 inertia;    // kg m^2, about the origin
};

/// Inertia of one body, world axes.
struct PlacedInertia {
  Vector3 com;      // m, from the body's origin
  Matrix3 inertia;  // kg m^2, about the centre of mass
};

/// Moment about a point and force.
struct Wrench {
  Vector3 moment = Vector3::Zero();  // N m
  Vector3 force = Vector3::Zero();   // N
};

/// Quantities of (q, v), and of the end of the step where there are commands, forces or roots that are
/// prescribed (see t_end, and take_commands of spring_terms.h).
struct Dynamics {
  std::vector<double> mass;  // tree blocks of M + armature, column-major, at Tree::block_begin
  VectorX force;  // [nv]: gravity, Coriolis and gyroscopic terms, root acceleration, spring forces, actuators
                  // at rest with the command of the step's end (take_commands: of a time in it); what damps
                  // and limited drives left out
  VectorX applied;   // [nv]: the part of `force` of springs, actuators and forces on bodies
  VectorX external;  // [nv]: the part of `applied` of forces on bodies

  // Momentum about the origin of the first body of its tree, moment first, per unit of each velocity
  // coordinate; articulated trees alone.
  std::vector<Vector6> root_momentum;  // [nv]

  // Workspace of the recursions over articulated trees, [B]; of single free bodies 0. After them `wrench` of
  // a tree's first body is what moves the tree at zero coordinate accelerations, about that body's origin.
  std::vector<Twist> velocity, acceleration;
  std::vector<Wrench> wrench;
  std::vector<CompositeInertia> composite;
  std::vector<PlacedInertia> placed;  // of the pose
};

/// A and v* of a step h.
struct FreeMotion {
  /// [nv], in: where in the step springs and drives take their position, x0 + theta h v1 (spring_terms.h);
  /// empty: all at its end, 1.
  VectorX theta;

  std::vector<double> A;       // tree blocks, column-major
  std::vector<double> factor;  // of A, see factor_trees
  VectorX v_star;              // [nv]
};

/// Composite rigid body algorithm and recursive Newton-Euler [Featherstone 2008, tables 6.2 and 5.1]; closed
/// form for single free bodies.
///
/// A tree rooted in a prescribed body: its Coriolis terms read the root's velocity V(t) at t = state.time,
/// its root acceleration is the mean (V(t_end) - V(t))/(t_end - t) over the step that ends at t_end (the
/// derivative at t when t_end = t). With it the relative velocities take up a jump of the prescribed velocity
/// exactly, as a body that hangs on an impulsively moved root does, and smooth motions are met to first
/// order, like all of the scheme.
/// Of `trees` alone: what belongs to others is left alone.
void compute_dynamics(const Model& model, const Kinematics& kinematics, const State& state, double t_end,
                      Dynamics* dynamics, const TreeSet& trees = {});

/// Velocity of a body and its acceleration at zero coordinate accelerations, from its parent's [Featherstone
/// 2008, table 5.1, written for origins and world axes]; v [nv of the model].
void propagate_motion(const Model& model, const Kinematics& kinematics, const VectorX& q, const VectorX& v,
                      int index, std::vector<Twist>* velocity, std::vector<Twist>* acceleration);

/// The forces of one tree again, with the velocities v [nv of the model] in its Coriolis and gyroscopic
/// terms. Reads `applied`, `placed` and the motion of the tree's root, fills `force` and the tree's part of
/// the workspace.
void compute_tree_forces(const Model& model, const Kinematics& kinematics, const Tree& tree, const VectorX& q,
                         const VectorX& v, Dynamics* dynamics);

/// Adds the weight of the bodies of one articulated tree to the forces [nv of the model].
void add_weight(const Model& model, const Kinematics& kinematics, const Tree& tree, VectorX* forces);

/// What is implicit in the velocity coordinate iv per unit of its velocity, N s/m or N m s/rad: D + theta h
/// K, D and K sums over joint damping, springs and gains of drives.
[[nodiscard]] double implicit_gain(const Model& model, const FreeMotion& free_motion, double h, int iv);

/// Fills A, its factors and v* for the step h: A = M + armature + h L; A (v* - v0) = h (force - L v0), L = D
/// + theta h K (implicit_gain) [symplectic Euler with implicit joint damping; drives with a limit are not
/// here, see RowOwner::kDrive]. Of `trees` alone, as there.
void compute_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h,
                         FreeMotion* free_motion, const TreeSet& trees = {}, Workers* workers = nullptr);

/// Takes what is implicit in A, L v0, from the forces [nv] of a tree.
void subtract_implicit(const Model& model, const Tree& tree, const FreeMotion& free_motion,
                       const State& state, double h, VectorX* forces);

/// The forces [nv] of the tree t, without L v0, become its velocities v0 + h A^-1 forces.
void advance_velocities(const Model& model, int t, const FreeMotion& free_motion, const State& state,
                        double h, VectorX* forces);

/// v* alone, of other forces: A and its factors are there.
void solve_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h,
                       FreeMotion* free_motion, const TreeSet& trees = {}, Workers* workers = nullptr);

/// Cholesky factors of tree blocks (Dynamics::mass, FreeMotion::A), laid out as these; a single free body
/// whose block is a rigid body's inertia needs none, and has none. NaN for a block that is not positive
/// definite to rounding, as that of a run that has lost all measure. Of `trees` alone.
void factor_trees(const Model& model, const std::vector<double>& blocks, std::vector<double>* factors,
                  const TreeSet& trees = {});

/// Solves B x = f in place, f forces and x accelerations, [nv], B the blocks that the factors are of. Of
/// `trees` alone.
void solve_trees(const Model& model, const std::vector<double>& blocks, const std::vector<double>& factors,
                 VectorX* x, const TreeSet& trees = {});

/// The same of one tree.
void solve_tree(const Model& model, int tree, const std::vector<double>& blocks,
                const std::vector<double>& factors, VectorX* x);

/// Work of prescribed bodies, J, through the joints that root these trees in them, over the step from
/// velocities v0 to v1 = v0 + dv of length h: what moves each tree, h wrench + root_momentum dv, along the
/// twist of its first body in kinematics.bias_twist. Contact impulses on the tree's bodies push back along
/// the same motion with gamma . b (b: the bias of the contact velocity), which the contacts' account holds.
[[nodiscard]] double prescribed_joint_work(const Model& model, const Kinematics& kinematics,
                                           const Dynamics& dynamics, const TreeSet& trees, const VectorX& v0,
                                           const VectorX& v1, double h);

/// Forces of the joint springs at the positions q, per velocity coordinate, zero without a spring: -K (q -
/// q_rest).
void compute_spring_forces(const Model& model, const VectorX& q, VectorX* forces);

/// Mechanical energy, J: kinetic with armature, gravity potential (0 at the world origin), joint springs.
/// Bodies that move as prescribed or not at all do not count: what they do to the others is work. `twists` as
/// of `compute_twists` at state.v.
[[nodiscard]] MechanicalEnergy mechanical_energy(const Model& model, const Kinematics& kinematics,
                                                 const std::vector<Twist>& twists, const State& state);

/// The same of some trees, tree by tree, without joint springs.
[[nodiscard]] MechanicalEnergy energy_of_trees(const Model& model, const Kinematics& kinematics,
                                               const std::vector<Twist>& twists, const VectorX& v,
                                               const TreeSet& trees);

/// Of all joint springs at the positions q, J.
[[nodiscard]] double spring_energy(const Model& model, const VectorX& q);

}  // namespace csim
