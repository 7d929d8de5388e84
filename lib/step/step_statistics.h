// Statistics of a step from those of its solves and parts.
#pragma once

#include "solver/solve_report.h"
#include "step/step_result.h"

namespace csim {

struct StepProblem;

/// Adds what a solve took: counts, seconds, iterations.
void add_solve(const SolveReport& report, StepStatistics* statistics);

/// Fills in what describes the solution of the problem: residuals, sizes, artefacts, status.
void describe_solution(StepProblem* problem, StepStatistics* statistics);

/// Adds what an attempt took to the whole of a step: counts, seconds, iterations.
void add_work(const StepStatistics& attempt, StepStatistics* whole);

/// Adds an attempt that became a part of the step: what it took, and of what describes it the largest (the
/// cost: the last).
void add_part(const StepStatistics& part, StepStatistics* whole);

}  // namespace csim
