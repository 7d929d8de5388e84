// How the velocities of a quasistatic step change with its data, to first order: the optimality conditions
// differentiated at their solution.
//
// With w = J v + e + R z (R: compliance) a row is open, z = 0, or it acts in one of two ways. It holds: c^T w
// stays 0 with an impulse along c of any size, a row of a pyramid or of a limit with c = 1, a friction cone
// that sticks with its three rows, one that slides with c = (1, -t), t = s_t/|s_t|. Or its impulse follows a
// law of the slack, dz = -G dw: compliance G = 1/R, barriers G = z/s and of a cone with z = 2 mu/det (s_0,
// -s_t), det = s_0^2 - |s_t|^2, and the turn of the friction of a cone that slides, G = z_0 (I - t
// t^T)/|s_t|. With changes dr of Q v - b - J^T z and dw of w at fixed (v, z):
//
//   H dv - E^T dl = -dr - J^T G dw,   E dv = -c^T dw,   H = Q + J^T G J,   E = c^T J
//
// [Pang & Tedrake 2021, eq. 10; the active set alone is the system of Amos & Kolter 2017, OptNet, eq. 6].
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "solver/quasistatic/quasistatic_solver.h"

namespace csim {

/// Where the balance of forces leaves velocities N of passive coordinates open (Q N = 0, E N = 0), `choice`
/// decides: the conditions are then those of Q + choice at its own solution. What the balance needs is
/// separated from what `choice` adds, since the second is by many orders smaller: N^T dr is 0 of the first
/// alone.
class QuasistaticSensitivity {
 public:
  /// Prepares `solve`; false where Q + choice has no solution. Of a problem without Coulomb's law.
  [[nodiscard]] bool linearize(const QuasistaticProblem& problem, const QuasistaticSolution& solution);

  /// Whether changes of w of this group matter.
  [[nodiscard]] bool takes_part(const QuasistaticProblem& problem, int group) const;

  /// Where the changes are to be taken: velocities [nv], and the impulses [rows] that balance Q v - b (the
  /// first) and `choice` v (the second).
  [[nodiscard]] const std::vector<double>& v() const { return v_; }
  [[nodiscard]] const std::vector<double>& z() const { return z_; }
  [[nodiscard]] const std::vector<double>& z_balance() const { return z_balance_; }
  [[nodiscard]] const std::vector<double>& z_choice() const { return z_choice_; }
  /// Whether `choice` decides: otherwise z_choice is 0 and dr_choice is not read.
  [[nodiscard]] bool has_choice() const { return free_.cols() > 0; }

  /// dv [nv] from changes dr [nv] of Q v - b - J^T z_balance, dr_choice [nv] of choice v - J^T z_choice, and
  /// dw [rows] (of groups that take no part: any). Rows that hold but contradict each other (a body turns in
  /// a grip of more points than hold it) hold in the least squares of near-rigid contacts. False where there
  /// is no dv: nothing balances the changed loads.
  [[nodiscard]] bool solve(const QuasistaticProblem& problem, const std::vector<double>& dr,
                           const std::vector<double>& dr_choice, const std::vector<double>& dw, VectorX* dv);

  /// Rows and cones at which the velocities have a kink for the changes solved for since `linearize`: between
  /// open and acting, or stick and slip, where dv is that of one side; and those that contradict others.
  [[nodiscard]] int num_kinks() const;

 private:
  enum class Mode : char { kOpen, kHolds, kSlides, kLaw };
  struct Equality {  // c on the rows from row_begin
    int row_begin, num_rows;
    Vector3 c;
    int group;
  };

  void set_scale(const QuasistaticProblem& problem);
  void find_modes(const QuasistaticProblem& problem, double weak_part, const QuasistaticScale& least);
  void find_cone_mode(const QuasistaticProblem& problem, int group, const QuasistaticScale& scale,
                      const QuasistaticScale& weak);
  void set_laws(const QuasistaticProblem& problem);
  void set_cone_law(const QuasistaticProblem& problem, int group);
  void apply_laws(const QuasistaticProblem& problem, const std::vector<double>& dw,
                  std::vector<double>* dz) const;
  void assemble(const QuasistaticProblem& problem, bool with_choice);
  void factor();
  bool choose(const QuasistaticProblem& problem);
  void split_impulses(const QuasistaticProblem& problem);
  [[nodiscard]] VectorX scaled(const std::vector<double>& x) const;

  double h_ = 0.0;
  std::vector<double> v_, z_, z_balance_, z_choice_;
  std::vector<double> slack_, w_;  // [rows]: J v + e, and with compliance
  std::vector<Mode> mode_;         // [rows]; of a cone all rows have that of its first
  std::vector<char> is_weak_, is_moved_;
  std::vector<double> weight_;   // [rows]: G of rows of their own
  std::vector<Matrix3> cone_G_;  // [groups]: G of cones beside
  std::vector<Equality> equalities_;

  // In u = W^-1 v, in which Q is 1, and `choice` a small number where Q is 0.
  MatrixX W_, H_, E_, null_;        // null_ [nv, k]: E null_ = 0
  VectorX scale_;                   // of the rows of E
  std::vector<double> near_rigid_;  // [rows]: compliance of near-rigid contacts
  MatrixX free_;                    // N
  double load_ = 0.0;               // N s, of the problem
  Eigen::CompleteOrthogonalDecomposition<MatrixX> E_factor_;
  Eigen::SelfAdjointEigenSolver<MatrixX> reduced_;  // of null_^T H null_
  VectorX inverse_;                                 // of its eigenvalues; 0: free

  QuasistaticProblem chosen_;  // Q + choice in place of Q
  QuasistaticSolver solver_;
  QuasistaticSolution chosen_solution_;
  std::vector<double> rows_, work_;
};

}  // namespace csim
