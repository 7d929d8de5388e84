#include "solver/quasistatic/quasistatic_solver.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace csim {
namespace {

constexpr double kRoughGoal = 1e-10;  // of the interior point: enough for the polish in most steps
constexpr double kGood = 1e-11;       // a certificate below is worth no other method
constexpr double kClose = 1e-3;       // a certificate above: there is no answer
// Of the polish: one where the interior point has ended, more where the method of multipliers has, or where
// the interior point of rows alone has converged. Without the latter a certificate of 1e-12 hides rows that
// both press and open by its root, and the programs of Coulomb's law end there. With three and forty the
// steps of random scenes are no better; a cone that slides takes up to 24 factorizations.
constexpr int kTries = 1, kLastTries = 4;
constexpr int kChoiceTries = 40;  // of rows alone, two factorizations each
// A spring that hardly holds more than `choice` is found at a rate of c/(c + k), too slow for every method. A
// million times smaller the weight is still far above the rounding of springs.
constexpr double kSmaller = 1e-3;
constexpr int kSmallerTries = 2;

bool has_springs(const QuasistaticProblem& problem) {
  return std::any_of(problem.groups.begin(), problem.groups.end(),
                     [](const QuasistaticGroup& group) { return group.is_spring; });
}

}  // namespace

/// Polishes trial_ and takes it over where it is better; whether the answer is good enough.
bool QuasistaticSolver::take_better(const QuasistaticProblem& problem, double load, int most_tries,
                                    double good, QuasistaticSystem* system, QuasistaticSolution* solution,
                                    QuasistaticCertificate* certificate) {
  if (trial_.ok) {
    QuasistaticCertificate trial = certify(problem, load, trial_.v, trial_.z, &work_);
    const bool exact =
        problem.barrier > 0.0 || polish_.improve(problem, load, system, &trial_, &trial, most_tries);
    if (exact || !solution->ok || trial.largest() < certificate->largest()) {
      *certificate = trial;
      *solution = trial_;
    }
    if (exact) return true;
  }
  solution->iterations = trial_.iterations;
  solution->factorizations = trial_.factorizations;
  return solution->ok && certificate->largest() < good;
}

double QuasistaticSolver::try_methods(const QuasistaticProblem& problem, double load,
                                      QuasistaticSystem* system, QuasistaticSolution* solution) {
  QuasistaticCertificate certificate;
  const auto error = [&] {
    return solution->ok ? certificate.largest() : std::numeric_limits<double>::infinity();
  };
  system->analyze(problem);
  // All that touches presses, as in most steps of bodies at rest: no iteration at all
  // (QuasistaticRest.CornersShareTheLoadWithoutAnIteration).
  if (problem.barrier == 0.0 &&
      polish_.rest(problem, load, QuasistaticPolish::RestGuess::kTouching, system, solution))
    return 0.0;
  solution->ok = false;
  // The interior point to the guess of the polish, which ends exactly in most steps.
  const double goal = problem.barrier > 0.0 ? QuasistaticInteriorPoint::kGoal : kRoughGoal;
  interior_point_.solve(problem, load, goal, system, &trial_);
  if (take_better(problem, load, kTries, 0.0, system, solution, &certificate)) return error();
  // Rows that hardly press are told apart by an interior point that converges.
  // Without: qp steps off by 2e-6, QuasistaticRelax.SqueezedBallStaysBetweenOppositeForces fails.
  interior_point_.refine(problem, system, &trial_);
  const int tries = has_cones(problem) ? kTries : kLastTries;
  if (take_better(problem, load, tries, kGood, system, solution, &certificate)) return error();
  if (!(error() < kClose)) return error();
  // Cones at their tip or at the limit of friction: no guess which rows act. Without: 3 % of the socp steps
  // of random scenes are inexact, QuasistaticPush.DirectionOfASphereByTheNumberOfRays fails.
  trial_ = *solution;
  multipliers_.improve(problem, load, kGood, system, &trial_);
  (void)take_better(problem, load, kLastTries, kGood, system, solution, &certificate);
  return error();
}

void QuasistaticSolver::solve_island(const QuasistaticProblem& problem, double load,
                                     QuasistaticSystem* system, QuasistaticSolution* solution) {
  double error = try_methods(problem, load, system, solution);
  if (error < kGood || problem.barrier > 0.0 || max_norm(problem.choice) == 0.0 || !has_springs(problem))
    return;
  smaller_ = problem;
  for (int k = 0; k < kSmallerTries && !(error < kGood); ++k) {
    for (double& weight : smaller_.choice) weight *= kSmaller;
    const double other = try_methods(smaller_, load, system, &other_);
    if (!(other < error)) continue;
    error = other;
    std::swap(*solution, other_);
  }
}

/// Goes on to the solution of least norm. Where the way to it is not found the solution stays.
void QuasistaticSolver::choose(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
                               QuasistaticSolution* solution) {
  if (problem.barrier > 0.0 || max_norm(problem.choice) == 0.0) return;
  const double before = certify(problem, load, solution->v, solution->z, &work_).largest();
  if (!(before < kClose) || !build_choice(problem, load, *solution, &rows_, &choice_)) return;
  const double choice_load = load_of(choice_);
  system->analyze(choice_);
  if (!polish_.rest(choice_, choice_load, QuasistaticPolish::RestGuess::kHeld, system, &way_)) {
    interior_point_.solve(choice_, choice_load, kRoughGoal, system, &way_);
    if (!way_.ok) return;
    QuasistaticCertificate certificate = certify(choice_, choice_load, way_.v, way_.z, &work_);
    polish_.improve(choice_, choice_load, system, &way_, &certificate, kChoiceTries);
  }
  trial_.v = solution->v;
  for (std::size_t k = 0; k < way_.v.size(); ++k) trial_.v[k] += way_.v[k];
  if (certify(problem, load, trial_.v, solution->z, &work_).largest() <= std::max(before, kGood))
    solution->v.swap(trial_.v);
}

void QuasistaticSolver::solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
                              QuasistaticCertificate* certificate) {
  islands_.split(problem);
  if (static_cast<int>(systems_.size()) < islands_.count()) {
    systems_.resize(islands_.count());
    choice_systems_.resize(islands_.count());
  }
  solution->restart(problem);
  double largest_load = 0.0;
  for (int i = 0; i < islands_.count(); ++i) {
    const double load = load_of(islands_[i].problem);
    largest_load = std::max(largest_load, load);
    solve_island(islands_[i].problem, load, &systems_[i], &part_);
    if (part_.ok) choose(islands_[i].problem, load, &choice_systems_[i], &part_);
    solution->take_part(part_);
    if (part_.ok) islands_.put_back(problem, i, part_.v, part_.z, &solution->v, &solution->z);
  }
  *certificate = certify(problem, largest_load, solution->v, solution->z, &work_);
}

long QuasistaticSolver::factor_nonzeros() const {
  long sum = 0;
  for (int i = 0; i < islands_.count(); ++i) sum += systems_[i].factor_nonzeros();
  return sum;
}

}  // namespace csim
