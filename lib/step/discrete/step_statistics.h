// Statistics of a step from those of its solves and parts.
#pragma once

#include "model/tree_bodies.h"
#include "solver/solve_report.h"
#include "step/step_result.h"

namespace csim {

struct PreparedStep;
struct SolvedStep;

/// Adds what a solve took: counts, seconds, iterations.
void add_solve(const SolveReport& report, StepStatistics* statistics);

/// Fills in what describes the problem and how its last solve ended: sizes, residual, status.
void describe_problem(const PreparedStep& prepared, const SolvedStep& solved, StepStatistics* statistics);

/// Fills in the same and what describes the solution for `trees`: artefacts, the residual of the stored
/// forces.
void describe_solution(const PreparedStep& prepared, const TreeSet& trees, SolvedStep* solved,
                       StepStatistics* statistics);

/// Adds what an attempt took to the whole of a step: counts, seconds, iterations.
void add_work(const StepStatistics& attempt, StepStatistics* whole);

/// Adds what describes an attempt that became a part of the step, or that ended it: of sizes, residuals and
/// artefacts the largest, cost and status of the last.
void add_description(const StepStatistics& part, StepStatistics* whole);

/// Forgets what describes the parts of a step that begins anew at a part before which it was `before`, and
/// keeps what they took.
void keep_work(const StepStatistics& before, StepStatistics* statistics);

/// Adds the sizes of the problem of `others`, who took the same step by themselves.
void add_sizes(const StepStatistics& others, StepStatistics* whole);

/// Adds an attempt that became a part of the step: what it took, and what describes it.
void add_part(const StepStatistics& part, StepStatistics* whole);

}  // namespace csim
