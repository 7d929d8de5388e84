// From the interior point's answer to the exact one. Where a contact just touches, or is just at its friction
// limit, the interior point converges like the square root of its gap; an equality problem on the rows that
// act has no such limit.
#pragma once

#include "solver/quasistatic/quasistatic_certificate.h"
#include "solver/quasistatic/quasistatic_interior_point.h"
#include "solver/quasistatic/quasistatic_scale.h"

namespace csim {

class QuasistaticPolish {
 public:
  static constexpr double kExact = 1e-12;  // a certificate below needs no other try

  /// Replaces *solution by a better one (by the largest number of *certificate, which follows) of the problem
  /// without `choice`, if it finds one; `load`: of the problem. A row acts where s/S < z/Z with the scales S,
  /// Z of quasistatic_scale.h; then
  ///
  ///   [Q + choice, -J_A^T; J_A, 1/rho] (dv, dz) = residuals of [Q v - J_A^T z = b; J_A v = -e]
  ///
  /// is repeated until dv is rounding: iterative refinement towards 1/rho = 0, at first of the problem with
  /// `choice`, then from its answer on without. Rows that pull are released, rows that are violated are taken
  /// in, and so again up to `most_tries` times, at first all at once, later the worst alone, which does not
  /// cycle.
  ///
  /// The same comparison of the eigenvalues s_0 -+ |s_t|, z_0 +- |z_t| says whether a friction cone
  /// separates, sticks (three equalities s = 0) or slides: s_0 = |s_t|, z = beta (1, -s_t/|s_t|), an equality
  /// with the gradient (1, -s_t/|s_t|) whose curvature beta (I - s_t s_t^T/|s_t|^2)/|s_t| joins Q: Newton's
  /// method on the conditions of the optimum.
  /// At the limit of friction itself both look alike: where the first try is not exact, cones that hardly
  /// slide are taken to stick in a second one.
  /// Returns whether a try was exact: no row is wrong, and the certificate below kExact.
  bool improve(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
               QuasistaticSolution* solution, QuasistaticCertificate* certificate, int most_tries);

  enum class RestGuess {
    kTouching,  // all rows that touch act
    kHeld,      // those that hold alone
  };

  /// Tries to do without the interior point: the rows of the guess act, with the impulses of least norm. With
  /// kTouching the answer of bodies that rest or are carried, mostly. Whether *solution is exact.
  bool rest(const QuasistaticProblem& problem, double load, RestGuess guess, QuasistaticSystem* system,
            QuasistaticSolution* solution);

 private:
  enum class Mode : char { kFree, kActs, kSlides };

  void find_modes(const QuasistaticProblem& problem, const QuasistaticSolution& solution, double slow);
  bool solve_equalities(const QuasistaticProblem& problem, QuasistaticSystem* system,
                        QuasistaticSolution* trial);
  void set_matrices(const QuasistaticProblem& problem, double rho, const QuasistaticSolution& trial);
  bool set_impulses(const QuasistaticProblem& problem, QuasistaticSolution* trial);
  struct Change {
    Mode mode;
    double error;
  };
  [[nodiscard]] Change wanted(const QuasistaticProblem& problem, int group_index, int row, double impulse,
                              const QuasistaticSolution& trial) const;
  bool change_modes(const QuasistaticProblem& problem, const QuasistaticSolution& trial, bool worst_alone);

  QuasistaticSolution start_, trial_;
  std::vector<Mode> mode_;          // [rows]; of a cone all rows have that of its first
  std::vector<Vector2> direction_;  // [groups], s_t/|s_t| of a cone that slides
  std::vector<Matrix3> G_;          // [groups]
  double load_ = 0.0;               // of the problem, N s
  std::vector<double> rows_, weight_, r2_, dv_;
  CertificateWork work_;
};

}  // namespace csim
