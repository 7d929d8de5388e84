// Coulomb's friction by repeated problems (contact.model: coulomb): Lagged bounds friction by mu gamma_n0 of
// the step's start; mu gamma_n of the solution takes its place and the problem is solved again, until it no
// longer changes. For islands where Newton's method on both together (solver/method/coulomb_newton.h) fails.
#pragma once

#include "problem/convex_problem.h"

namespace csim {

/// The bounds b and what the solution made of them, r = mu gamma_n - b, of the repetition before; N s. Work
/// space of a step.
struct FrictionRepetition {
  std::vector<double> bound, residual;  // [contacts]
  std::vector<double> relaxation;       // [islands], t of the change of b, 0 before the first
  std::vector<char> islands;            // [islands], whose friction lags
  std::vector<char> coupled;            // [islands], of them those solved with their normal forces

  void clear() { bound.clear(); }
  /// Of a problem with so many contacts and islands, none of which was repeated.
  void begin(int num_contacts, std::size_t num_islands) {
    bound.assign(num_contacts, 0.0);
    residual.assign(num_contacts, 0.0);
    relaxation.assign(num_islands, 0.0);
  }
};

/// The largest |mu gamma_n - b| of an island over its largest mu gamma_n or b, of all islands of `trees`; 0
/// for a law whose friction has no bound of its own (ContactLaw::friction_bound). `gamma`: impulses of the
/// solution.
[[nodiscard]] double friction_lag(const ConvexProblem& problem, const Vector3Columns& gamma,
                                  const TreeSet& trees = {});

/// Which islands have a lag above the tolerance; whether any.
[[nodiscard]] bool find_lagging_islands(const ConvexProblem& problem, const Vector3Columns& gamma,
                                        double tolerance, std::vector<char>* islands);

/// Changes the bounds of these islands: b + t r, with t of Aitken's relaxation from the second time on, 1
/// before.
void repeat_friction(const Vector3Columns& gamma, const std::vector<char>& islands,
                     FrictionRepetition* repetition, ConvexProblem* problem);

}  // namespace csim
