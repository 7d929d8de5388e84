// The proximal method of multipliers [Rockafellar 1976, Augmented Lagrangians and Applications of the
// Proximal Point Algorithm in Convex Programming] for the quasistatic problem. It needs no guess which rows
// act: it also ends where cones are at their tip, at the limit of friction or redundant, and the polish finds
// no modes. From v_k, z_k on, with R the compliance and D = R + 1/rho,
//
//   v_k+1 = argmin 1/2 v^T Q v - b^T v + 1/2 |v - v_k|^2_choice + 1/2 z^T D z,   z_k+1 = z(v_k+1),
//   z(v): the projection of D^-1 y, y = z_k/rho - J v - e, on the cones in the norm of D
//
// by Newton's method on the gradient, whose matrix Q + choice + J^T (dz/dy) J has one block a contact.
#pragma once

#include "solver/quasistatic/quasistatic_certificate.h"
#include "solver/quasistatic/quasistatic_interior_point.h"

namespace csim {

class QuasistaticMultipliers {
 public:
  /// Goes on from *solution until its certificate is below `goal`, for at most 20 rounds; it ends after 3
  /// rounds in a row that are no better. *solution becomes the best iterate by the largest
  /// number of the certificate. `load`: of the problem; `system` has its pattern.
  void improve(const QuasistaticProblem& problem, double load, double goal, QuasistaticSystem* system,
               QuasistaticSolution* solution);

 private:
  void evaluate(const QuasistaticProblem& problem, const std::vector<double>& v);
  void minimise(const QuasistaticProblem& problem, double load, QuasistaticSystem* system);

  double rho_ = 0.0;                           // kg
  QuasistaticSolution center_, at_;            // v_k and z_k; v and z(v)
  std::vector<double> trial_, gradient_, dv_;  // [nv]
  std::vector<double> rows_, work_;
  CertificateWork certificate_work_;
  std::vector<Matrix3> G_;  // [groups], dz/dy in the axes of the contact
};

}  // namespace csim
