// How a solve ended: status, a sentence, every count and every iteration.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace csim {

/// From best to worst.
enum class SolveStatus {
  kConverged,            // momentum criterion met
  kCost,                 // the cost stalled at its round-off twice in a row
  kRoundOff,             // alpha |dv|_A <= 1e-12 |v|_A, or steps of noise: the residual cannot fall further
  kNoContact,            // nothing to solve
  kIterationLimit,       // failure: not converged
  kNotPositiveDefinite,  // failure: the factorisation met a pivot that is not positive
  kNotDescent,           // failure: the Newton direction does not descend
  kCostIncrease,         // failure: the cost rose beyond round-off
  kNotFinite,            // failure: NaN or infinity in velocities, cost or gradient
  kInfeasibleStart,      // failure: a barrier law whose gap is closed at the start
};

/// True for the first four.
[[nodiscard]] inline bool succeeded(SolveStatus status) {
  return status <= SolveStatus::kNoContact;
}

/// One accepted iteration.
struct IterationRecord {
  double cost = 0.0;           // J, before the step
  double gradient_norm = 0.0;  // |D g|, sqrt(J), before the step
  double step_length = 0.0;    // alpha
};

/// Seconds by stage, summed over islands (over threads too).
struct SolveSeconds {
  double assembly = 0.0, factor = 0.0, solve = 0.0, line_search = 0.0;

  void add(const SolveSeconds& other) {
    assembly += other.assembly;
    factor += other.factor;
    solve += other.solve;
    line_search += other.line_search;
  }
};

struct SolveReport {
  SolveStatus status = SolveStatus::kIterationLimit;  // the worst island's
  std::string message = "minimize was not called";
  int failed_island = -1;   // first island that failed
  int failed_contact = -1;  // the contact it failed at, index in the ContactSet; -1: none in particular
  int iterations = 0;       // of both methods, largest over islands
  int interior_point_iterations = 0;  // of them the interior point's, largest over islands
  int line_search_iterations = 0;     // evaluations, largest over islands
  int factorizations = 0;             // largest over islands
  long total_iterations = 0;          // sum over islands
  double residual = 0.0;              // scaled momentum residual of the whole problem at the returned iterate
  double cost = 0.0;                  // J, sum over islands
  /// Largest over islands, of the last iteration's matrix (the estimate: by the last factor); NaN when none
  /// was made or asked for.
  double condition = 0.0;
  long factor_nonzeros = 0;  // sum over islands that factored
  int num_islands = 0;
  SolveSeconds seconds;
  std::vector<IterationRecord> history;  // all islands' iterations, in island order

  /// As before the first of so many islands; keeps its memory.
  void restart(int islands) {
    status = islands == 0 ? SolveStatus::kNoContact : SolveStatus::kConverged;
    message = islands == 0 ? "no contact" : "converged";
    failed_island = failed_contact = -1;
    iterations = interior_point_iterations = line_search_iterations = factorizations = 0;
    total_iterations = factor_nonzeros = 0;
    residual = cost = 0.0;
    condition = std::numeric_limits<double>::quiet_NaN();
    num_islands = islands;
    seconds = {};
    history.clear();
  }
};

}  // namespace csim
