// The convex problem of a quasistatic step, a quadratic program whose multipliers are the contact impulses
// [Pang & Tedrake 2021, A Convex Quasistatic Time-stepping Scheme, eq. 10]:
//
//   minimise 1/2 v^T Q v - b^T v   subject to   J v + e >= 0
//   Q = blkdiag(M_u or 0, h^2 K),   b = h (tau_u ; K (command - q_a) + tau_a)
//
// u: passive coordinates, those of free bodies and of joints without an actuator; a: driven ones. tau:
// weights of the bodies that driven coordinates alone do not place (the drives compensate the others), and
// forces on bodies.
//
// A contact has a row g = n + mu d_j for each ray d_j of its friction pyramid and e = phi/h, or three rows
// that lie in the second-order cone; the limit of a joint one row without friction. A constraint has rows
// that hold, J v + g/h + R z = 0 at the deviation g, or of a rope one like that of a limit; R = 1/(h^2 k) of
// a spring, and near-rigid of the others (make_constraints_near_rigid). A cartesian drive is such springs to
// its command, and others at rest (drive_turning.h). Rows of one contact stand together: they share its 3 x
// nv Jacobian.
#pragma once

#include <vector>

#include "core/types.h"

namespace csim {

/// A tree that moves a group.
struct QuasistaticSide {
  int tree = -1;      // block; -1: it does not move
  int jacobian = -1;  // first entry of 3 x nv, column-major, in `jacobians`
};

/// What a row of a cartesian drive is: a spring to its command, how that pull turns with its arm, or a drag
/// (drive_turning.h).
enum class DriveRow : char { kPull, kTurning, kDrag };

/// The rows of one contact, of one limit, or of one vector or number that a constraint holds or a drive pulls
/// to its command. Its relative velocity is v_c = sum J v over its sides in the axes (t1, t2, n) of the
/// contact; the impulse sum z_j r_j acts along the same axes.
struct QuasistaticGroup {
  int side_begin = 0, side_end = 0;  // in `sides`: one or two, of a tendon as many as it has trees
  int row_begin = 0, row_end = 0;
  // Three rows s = (v_n/mu + phi/(h mu), v_t) with s_0 >= |(s_1, s_2)|, rays (0, 0, 1/mu), (1, 0, 0), (0, 1,
  // 0), in place of a row s >= 0 for each ray.
  bool is_cone = false;
  Matrix3 axes = Matrix3::Identity();  // (t1, t2, n) as columns, world; without meaning but of a contact
  // What it is, the others -1: an index in ContactSet, or in Model::rows, or the first row among those of the
  // constraints, or of a cartesian drive that in Model::actuators.
  int contact = -1, limit = -1, constraint = -1, drive = -1;
  double sign = 1.0;        // of a constraint, -1: its impulses are the opposite of those in the results
  double near_rigid = 0.0;  // of a constraint that is no spring: beta
  bool is_spring = false;   // its rows yield, whatever the others
  DriveRow drive_row = DriveRow::kPull;  // of a cartesian drive

  [[nodiscard]] bool is_contact() const { return contact >= 0; }
  /// Whether it is a constraint's or a drive's.
  [[nodiscard]] bool is_linkage() const { return constraint >= 0 || drive >= 0; }
};

struct QuasistaticProblem {
  double h = 0.0;        // s
  double barrier = 0.0;  // J, 1/kappa: adds -barrier sum log(J v + e) to the cost (of a cone: of the
                         // determinant of s) in place of the constraints; 0: none
  bool has_coulomb_friction = false;  // rows are the rays of Coulomb's pyramid: sliding leaves no gap
  bool executes_commands = false;     // driven coordinates move by Q^-1 b, whatever the impulses

  // Blocks by tree of the model.
  std::vector<int> size, begin, block_begin;  // [T], [T+1], [T]: as Tree::nv, v_begin, block_begin
  std::vector<char> is_passive;               // [nv]; the others are driven
  std::vector<double> Q;                      // tree blocks, column-major
  // Added to Q to choose among equally good v: of the passive coordinates, M_u times a small number, as the
  // limit towards 0 is meant; the polish removes its error.
  std::vector<double> choice;
  double least_weight = 0.0;   // kg: `largest_weight` of the problem of which this one is an island
  std::vector<double> metric;  // tree blocks: M_u of passive coordinates, h^2 K of the others
  std::vector<double> b;       // [nv], N s or N m s
  std::vector<double> load;    // [nv], N or N m, of weights and of forces on bodies; empty of an island

  std::vector<QuasistaticGroup> groups;
  std::vector<QuasistaticSide> sides;
  std::vector<double> jacobians;
  std::vector<Vector3> rays;       // [rows], in the axes of the contact: r_j = (mu cos, mu sin, 1)
  std::vector<double> e;           // [rows], m/s
  std::vector<double> compliance;  // [rows], m/(N s): J v + e + compliance z >= 0; 0: rigid
  /// [rows] of no cone: J v + e + compliance z = 0, with an impulse of any sign; empty: none.
  std::vector<char> holds;

  [[nodiscard]] int num_trees() const { return static_cast<int>(size.size()); }
  [[nodiscard]] int nv() const { return static_cast<int>(b.size()); }
  [[nodiscard]] int num_rows() const { return static_cast<int>(rays.size()); }
  [[nodiscard]] bool is_held(std::size_t row) const { return !holds.empty() && holds[row] != 0; }
};

/// Calls use(tree, jacobian) for each side of a group that moves.
template <typename Use>
void for_each_tree(const QuasistaticProblem& problem, const QuasistaticGroup& group, const Use& use) {
  for (int i = group.side_begin; i < group.side_end; ++i)
    if (problem.sides[i].tree >= 0) use(problem.sides[i].tree, problem.sides[i].jacobian);
}

/// Calls use(J, tree) for each side of a group that moves, J: its 3 x nv Jacobian, of which the compiler
/// knows the size where it is that of a free body.
template <typename Use>
void for_each_side(const QuasistaticProblem& problem, const QuasistaticGroup& group, const Use& use) {
  for (int i = group.side_begin; i < group.side_end;
       ++i) {  // not by for_each_tree: the compiler inlines this
    const auto [tree, begin] = problem.sides[i];
    if (tree < 0) continue;
    const double* entries = problem.jacobians.data() + begin;
    if (problem.size[tree] == 6) {
      use(Eigen::Map<const Eigen::Matrix<double, 3, 6>>(entries), tree);
    } else {
      use(Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(entries, 3, problem.size[tree]), tree);
    }
  }
}

/// The first tree that moves a group, or -1.
[[nodiscard]] int first_tree(const QuasistaticProblem& problem, const QuasistaticGroup& group);

/// Whether a tree has a side of a group.
[[nodiscard]] bool is_moved_by(const QuasistaticProblem& problem, const QuasistaticGroup& group, int tree);

/// Takes the driven coordinates out of all Jacobians: their columns are 0, and the tree of a side that has no
/// other is -1.
void hold_driven(QuasistaticProblem* problem);

/// Whether a tree has a passive coordinate.
[[nodiscard]] bool has_passive(const QuasistaticProblem& problem, int tree);

/// sum J v over the sides of a group, in the axes (t1, t2, n), m/s.
[[nodiscard]] Vector3 contact_velocity(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                                       const std::vector<double>& v);

/// sum z_j r_j of a group, in the axes (t1, t2, n), N s.
[[nodiscard]] Vector3 contact_impulse(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                                      const std::vector<double>& z);

/// How much a group presses, N s: the impulse of a contact or limit along its normal, the length of that of a
/// constraint or drive.
[[nodiscard]] double pressing_impulse(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                                      const std::vector<double>& z);

/// sum weight_j r_j r_j^T of a group, in the axes (t1, t2, n).
[[nodiscard]] Matrix3 row_matrix(const QuasistaticProblem& problem, const QuasistaticGroup& group,
                                 const std::vector<double>& weights);

/// (*rows)[j] = J v, [rows].
void multiply_jacobian(const QuasistaticProblem& problem, const std::vector<double>& v,
                       std::vector<double>* rows);

/// *x += J^T z, [nv].
void add_transposed_jacobian(const QuasistaticProblem& problem, const std::vector<double>& z,
                             std::vector<double>* x);

/// *x += factor * D v for tree blocks D (Q, choice or metric), [nv].
void add_blocks(const QuasistaticProblem& problem, const std::vector<double>& blocks, double factor,
                const std::vector<double>& v, std::vector<double>* x);

/// Gives contacts and limits the compliance of near-rigid contacts [Castro et al. 2023, The Unconstrained
/// Convex Formulation of Compliant Contact, sec. V.B]: R = beta^2/(4 pi^2) w, w = |J A^-1 J^T|_F/3 with A the
/// `metric`, beta = 0.01, in the units of each row. Then a velocity with J v + e + R z >= 0 always exists; it
/// differs by about 1e-4 of its size from the rigid one. `work`: work space.
void make_near_rigid(QuasistaticProblem* problem, std::vector<double>* work);

/// Gives constraints that are no springs the compliance R = beta^2/(4 pi^2) w with the beta of each and w the
/// mean of diag J A^-1 J^T over the rows of a group, as in problem/row_pool.h: loops with more constraints
/// than they need have an answer with it.
void make_constraints_near_rigid(QuasistaticProblem* problem, std::vector<double>* work);

/// Whether a contact has a friction cone, not a pyramid of rows.
[[nodiscard]] bool has_cones(const QuasistaticProblem& problem);

/// Q^-1 b of driven coordinates, 0 of the others, [nv]: where commands are executed.
void commanded_velocity(const QuasistaticProblem& problem, std::vector<double>* v);

/// Largest entry of the diagonal of Q + choice, of all islands: the scale of penalties, kg.
[[nodiscard]] double largest_weight(const QuasistaticProblem& problem);

/// Largest magnitude; 0 of nothing.
[[nodiscard]] double max_norm(const std::vector<double>& x);

}  // namespace csim
