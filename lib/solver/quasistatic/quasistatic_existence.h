// Why a quasistatic problem has no answer: its constraints exclude each other, or its cost has no lower
// bound. Both questions are quadratic programs of the same form.
#pragma once

#include <vector>

#include "solver/quasistatic/quasistatic_solver.h"

namespace csim {

/// A self-balanced system of impulses y >= 0, J^T y = 0, with e^T y < 0: no velocity satisfies J v + e >= 0.
/// With Coulomb's friction of normal impulses alone, and no balance of coordinates that execute commands.
struct SqueezeCertificate {
  bool found = false;
  std::vector<double> y;  // [rows], the largest sum along a normal is 1; normal ones in a contact's first row
  double overlap = 0.0;   // m, -h e^T y: what the rows cannot make room for together
  double imbalance = 0.0;  // |J^T y|, 0 for an exact certificate
};

/// Gravity on passive coordinates that no impulses of the offered contacts balance.
struct SupportCertificate {
  bool found = false;
  std::vector<double> missing;  // [nv], N or N m: h tau_u + J_u^T z over h, smallest in the metric of masses
  std::vector<double>
      direction;  // [nv], m/s: J_u d >= 0, tau_u^T d > 0, along which nothing stops the bodies
};

/// Work space of both tests.
class QuasistaticExistence {
 public:
  /// Minimises |t|^2 over t with J v + e + t >= 0; t and its multipliers are the same.
  void find_squeeze(const QuasistaticProblem& problem, SqueezeCertificate* certificate);

  /// Minimises 1/2 d^T M_u d - h tau_u^T d over J_u d >= 0, driven coordinates at rest: the minimum is 0
  /// where the contacts can balance gravity (Farkas), and else M_u d is what they lack. `found` where a tree
  /// lacks more than `tolerance` of its load (as in QuasistaticCertificate::balance).
  void find_missing_support(const QuasistaticProblem& problem, double tolerance,
                            SupportCertificate* certificate);

 private:
  void reduce(const QuasistaticProblem& problem, bool passive_alone, bool normals_alone, bool springs_hold);

  QuasistaticProblem test_;
  QuasistaticSolver solver_;
  QuasistaticSolution solution_;
  QuasistaticCertificate certificate_;
  std::vector<int> row_of_;  // [rows of test_], in the problem
  std::vector<double> work_;
};

}  // namespace csim
