// A step of a run as a problem of rigid contacts with friction, for solvers of such problems.
#pragma once

#include <optional>
#include <string>

#include "core/diagnostics.h"
#include "record/friction/friction_file.h"
#include "record/reader.h"

namespace csim {

struct ConvexProblem;

struct FrictionStep {
  GlobalFrictionProblem problem;
  long step = 0;      // of the run, from 1
  double time = 0.0;  // s, its start
  double h = 0.0;     // s
  FrictionInfo info;
};

/// Of a convex problem A, v* and the contacts of a step of length h:
///
///   M = A,  f = A v*,  H = J^T,  w = b + max(phi, 0)/h e_N,   rows of a contact: normal, two tangents
///
/// over the trees that contacts act on; an impulse r_N acts along the normal on body b. The contact is rigid
/// and without restitution: one that is apart may close its gap within the step, one that overlaps may not go
/// deeper.
[[nodiscard]] GlobalFrictionProblem friction_problem_of(const ConvexProblem& problem);

/// Step number `step` of a run, from the row of the trajectory at its start, with the contacts that csim's
/// own step offers. The scene is that of the result; its problems go to *diagnostics, and there is no value.
/// Throws InvalidResultError where the run ended before the step, where the result has no row at its start,
/// or the step is no such problem: another integrator than discrete, a sequence, contacts of pressure fields,
/// or rows of joints (limits, dry friction, drives with a limit, constraints) on trees in contact.
[[nodiscard]] std::optional<FrictionStep> friction_step(const ResultFile& result, long step,
                                                        Diagnostics* diagnostics);

/// The number of the step that ends at `time` (s), to 1e-6 of a step. Throws InvalidResultError where none
/// does.
[[nodiscard]] long step_ending_at(const ResultFile& result, double time);

}  // namespace csim
