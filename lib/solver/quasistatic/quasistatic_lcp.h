// The quasistatic step with Coulomb's law itself, as a linear complementarity problem [Pang & Tedrake 2021,
// eq. 6]:
//
//   Q v = b + J_n^T lambda_n + J_d^T lambda_f
//   0 <= lambda_n  _|_  n^T v + phi/h >= 0
//   0 <= lambda_f  _|_  Gamma + d_j^T v >= 0            (Gamma: slip speed where it slides, m/s)
//   0 <= Gamma     _|_  mu lambda_n - sum lambda_f >= 0
//
// A row of a constraint that holds is an equation, J v + e + R z = 0, of an unknown of any sign.
//
// Where commands are executed (eq. 1), trees that are not passive have v = Q^-1 b and no balance.
#pragma once

#include <string>

#include "problem/quasistatic_islands.h"
#include "solver/quasistatic/fixed_point.h"
#include "solver/quasistatic/lemke.h"
#include "solver/quasistatic/quasistatic_solver.h"

namespace csim {

/// Velocities of trees with Q are eliminated. The other unknowns of any sign, velocities of trees without
/// (passive ones, mass: none) and impulses of rows that hold, are eliminated with their equations as far as
/// they decide each other; what is left of them is split into two non-negative parts. The impulses of a
/// contact are returned as those of the pyramid's rays, as which they have the same sum: z_j = lambda_j/mu +
/// (lambda_n - sum lambda/mu)/number of rays.
class QuasistaticLcp {
 public:
  /// Rows of the complementarity problem: the dense tableau of Lemke's method is none for larger ones.
  static constexpr int kLargest = 1000;

  /// Solves each island as the fixed point of quadratic programs, which begins with that without slip: of
  /// several answers of Coulomb's law (a grasp whose normal forces may lie so that it turns) rest is the
  /// first that is found. Where that does not converge by Lemke's method, with several covering vectors,
  /// since a ray of one is no proof; then as the fixed point again, by plain iteration. `certificate`:
  /// stationarity and balance as of the quadratic program; primal: of n^T v + phi/h >= 0; dual_sign: of the
  /// rays; complementarity: largest |min(w, z)| with impulses over the load. Each is the largest of an
  /// island, or that of the island without a solution; iterations (programs and pivots) are the largest.
  /// Returns why there is no solution, "" when there is one.
  [[nodiscard]] std::string solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                                  QuasistaticCertificate* certificate);

  /// Of the last problem.
  [[nodiscard]] int num_islands() const { return islands_.count(); }

 private:
  /// Where the unknowns of a contact or limit stand: lambda_n, then one lambda_f a ray, and Gamma; of rows
  /// that hold, from `normal` on, their impulses.
  struct Place {
    int normal = 0, tangential = 0, num_rays = 0, num_held = 0, gamma = 0;
    double mu = 0.0;
  };

  std::string solve_island(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                           QuasistaticCertificate* certificate);
  void lay_out(const QuasistaticProblem& problem);
  void build(const QuasistaticProblem& problem);
  void add_compliance(const QuasistaticProblem& problem);
  double find_pivot(Eigen::Index* row, Eigen::Index* col) const;
  void eliminate();
  void reduce();
  void expand();
  void take_program(const QuasistaticProblem& problem);
  bool iterate_programs(const QuasistaticProblem& problem, bool is_relaxed, QuasistaticSolution* solution,
                        QuasistaticCertificate* certificate);
  bool take_basis(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                  QuasistaticCertificate* certificate);
  bool take(const QuasistaticProblem& problem, QuasistaticSolution* solution,
            QuasistaticCertificate* certificate);
  [[nodiscard]] QuasistaticCertificate judge(const QuasistaticProblem& problem,
                                             const QuasistaticSolution& solution);

  QuasistaticIslands islands_;
  QuasistaticSolver program_solver_;
  QuasistaticProblem program_;
  std::vector<double> e_;  // of program_ without slip
  QuasistaticSolution part_, trial_;
  std::vector<int> free_;            // velocities without Q
  double load_ = 1.0, speed_ = 1.0;  // N s, m/s: units of the unknowns, in which M is about 1
  std::vector<Place> places_;        // [groups], in the vector of all unknowns
  // The unknowns: velocities of free_, impulses that hold (both of any sign), impulses, gammas.
  int num_unsigned_ = 0, num_impulses_ = 0, num_gammas_ = 0;
  MatrixX G_;          // [all impulses, nv]: rows that hold, n^T, d_j^T
  MatrixX Q_inverse_;  // [nv, nv]: what impulses move, 0 in the rows of free_ and of executed commands
  MatrixX Q_factor_, GQ_;
  MatrixX M_;     // of all unknowns; rows of eliminated ones as they were then
  VectorX q_;     // likewise
  VectorX unit_;  // [unknowns]: of impulses, parts of the load
  struct Elimination {
    Eigen::Index i, j;  // one unknown twice, or two
    Eigen::Matrix2d inverse;
  };
  std::vector<Elimination> eliminated_;
  std::vector<Eigen::Index> unsigned_;  // those of any sign that are left
  MatrixX lemke_M_;
  VectorX lemke_q_, cover_;
  VectorX v_0_;  // [nv], m/s, without impulses
  VectorX v_, z_;
  FixedPoint slip_;  // [groups], m/s
  Lemke lemke_;
  std::vector<double> work_;
  CertificateWork certificate_work_;
};

}  // namespace csim
