#include "solver/friction/solve_friction.h"

#include "core/number_format.h"
#include "solver/friction/friction_interior_point.h"
#include "solver/friction/friction_newton.h"
#include "solver/friction/gauss_seidel.h"

namespace csim {
namespace {

constexpr int kIterations = 200, kSweeps = 20000;
// A part of `auto` after the interior point: as long as that takes on problems of some hundred contacts.
constexpr int kSweepsBetween = 1000;

/// Iterations of a method that has every iterate judged.
template <auto iterate>
int count_iterates(const FrictionTask& task, int limit, FrictionIterates* iterates) {
  const std::size_t before = iterates->history().size();
  iterate(task, limit, iterates);
  return static_cast<int>(iterates->history().size() - before);
}

class Course {
 public:
  Course(const FrictionProblem& problem, const FrictionOptions& options)
      : system_(make_friction_system(problem)),
        task_{problem, system_, options.tolerance},
        limit_(options.max_iterations),
        iterates_(task_, VectorX::Zero(system_.num_rows())) {}

  void interior_point() {
    take(FrictionMethod::kInteriorPoint, &count_iterates<iterate_interior_point>, kIterations);
  }
  void newton() { take(FrictionMethod::kNewton, &count_iterates<iterate_newton>, kIterations); }
  void gauss_seidel(int sweeps) { take(FrictionMethod::kGaussSeidel, &sweep_contacts, sweeps); }

  [[nodiscard]] VectorX impulses() const { return to_problem(system_, task_.problem, iterates_.best()); }

  /// Whether impulses have grown that balance each other while the contacts close all the same: W r is small
  /// against r, and q . r < 0. No motion can then open all of these contacts.
  [[nodiscard]] bool grows_in_balance() const {
    const VectorX& r = iterates_.farthest();
    const double size = r.norm();
    return size > 1e6 && (system_.W * r).norm() < 1e-5 * size && system_.q.dot(r) < -1e-5 * size;
  }
  [[nodiscard]] std::vector<FrictionPart> parts() && { return std::move(parts_); }

 private:
  /// Iterates to a limit; returns the number of iterations.
  using Iterate = int (*)(const FrictionTask&, int, FrictionIterates*);

  void take(FrictionMethod method, Iterate iterate, int limit) {
    if (iterates_.solved() || system_.num_rows() == 0) return;
    const std::size_t before = iterates_.history().size();
    const int iterations = iterate(task_, limit_.value_or(limit), &iterates_);
    const auto& history = iterates_.history();
    parts_.push_back(
        {method, {history.begin() + static_cast<std::ptrdiff_t>(before) - 1, history.end()}, iterations});
  }

  FrictionSystem system_;
  FrictionTask task_;
  std::optional<int> limit_;
  FrictionIterates iterates_;
  std::vector<FrictionPart> parts_;
};

std::string describe(const FrictionOptions& options, bool grows_in_balance, const FrictionSolution& s) {
  std::string text = format_text("residual %.3g after %d iterations, above the tolerance %.3g",
                                 s.residual.largest(), s.iterations(), options.tolerance);
  if (s.residual.worst_contact >= 0)
    text += format_text("; the worst is contact %d", s.residual.worst_contact);
  if (grows_in_balance)
    text +=
        "; the impulses grow without bound along a set that is in balance with itself: no motion seems to "
        "satisfy all contacts";
  return text;
}

}  // namespace

FrictionSolution solve_friction(const FrictionProblem& problem, const FrictionOptions& options) {
  Course course(problem, options);
  const FrictionMethod method = options.method;
  if (method == FrictionMethod::kAuto || method == FrictionMethod::kInteriorPoint) {
    course.interior_point();
    course.newton();
  }
  if (method == FrictionMethod::kNewton) course.newton();
  if (method == FrictionMethod::kGaussSeidel) course.gauss_seidel(kSweeps);
  if (method == FrictionMethod::kAuto) {
    course.gauss_seidel(kSweepsBetween);
    course.newton();
  }
  FrictionSolution solution;
  solution.r = course.impulses();
  solution.u = contact_velocity(problem, solution.r);
  solution.residual = friction_residual(problem, solution.r);
  const bool in_balance = course.grows_in_balance();
  solution.parts = std::move(course).parts();
  solution.converged = solution.residual.largest() <= options.tolerance;
  if (!solution.converged) solution.message = describe(options, in_balance, solution);
  return solution;
}

}  // namespace csim
