// The velocities of a prepared step and what acts at them.
#pragma once

#include <array>

#include "problem/contact_forces.h"
#include "problem/friction_bounds.h"
#include "solver/method/tamsi.h"
#include "solver/minimize.h"
#include "solver/solver_memory.h"
#include "step/discrete/prepared_step.h"

namespace csim {

inline constexpr int kNumCorrections = 5;  // corrections.h

struct SolvedStep {
  Iterate iterate;
  SolveReport report;                // of the last solve
  bool used_interior_point = false;  // in one of them
  VectorX v;                         // [nv of the model]
  std::uint64_t v_number = 0;        // rest_number of the step for which it was filled
  ContactForces forces;              // at v
  RowForces row_forces;              // likewise

  // What corrections keep within the step.
  std::vector<long> history_before;  // of `auto`, before the step
  std::vector<char> changed;         // [islands of the problem], whose data the last ones have changed
  std::vector<char> is_fresh;        // [trees of the model], solved since corrections were evaluated last
  std::vector<char> solved_last;     // [islands], with a fresh tree: the others are as they were evaluated
  std::vector<char> may_change;      // [islands], those that the correction at hand may change
  /// [trees of the model], of the island of which a tree is the first: how often each has changed its data.
  std::vector<std::array<int, kNumCorrections>> corrections;
  VectorX guess;                   // [nv of the model], see foretold_velocities.h
  std::uint64_t guess_number = 0;  // rest_number of the step for which it was filled
  std::vector<char> is_foretold;   // [trees of the model], whose guess goes on from the steps before
  bool has_begun = false;          // a solve of the step
  /// [trees of the model], of the island of which a tree is the first: by how much Coriolis and gyroscopic
  /// forces of the mean velocity still changed A v* when the limit of updates was reached; 0: they settled.
  std::vector<double> unsettled;
  int unsettled_tree = -1;         // with the largest of these
  double velocity_residual = 0.0;  // this
  FrictionRepetition friction;
  SolveReport coupled;              // of the last couple_friction
  std::vector<Twist> twists;        // [B], at v; of the second contact query
  std::uint64_t twists_number = 0;  // likewise
  VectorX last_v_star;              // [nv of the model]
  // Work space of corrections: marks, and of islands before contacts are added.
  std::vector<char> changed_before;
  std::vector<ContactRange> contacts_before;  // [trees of the model], at the first tree of an island
  std::vector<Vector3> bias_before;           // [contacts], m/s
  std::vector<double> bounds_before;          // [contacts], N s, of friction
  std::vector<double> residuals_before;       // likewise, FrictionRepetition; empty: none yet
  std::vector<double> relaxation_before;  // [trees of the model], likewise, at the first tree of an island
};

/// Memory and factors that solves share; may be dropped without changing a bit.
struct SolveWorkspace {
  NewtonWorkspace newton;
  TamsiWorkspace tamsi;
};

/// As before the first solve of the prepared step, from the velocities that are foretold
/// (foretold_velocities.h).
void begin_solution(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved);

/// Minimises from iterate.v on in the islands `changed`, or all where it is empty; fills `report`, and when
/// the iterate is usable v and, of the forces, velocities and impulses by contact of the problem. The first
/// time of a step it solves loosely before, where the bias of contacts is large or friction is repeated, and
/// puts the bias or the bounds of friction found so into the problem.
void solve(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics, SolvedStep* solved);

/// Condition numbers of the last matrices, as solver.condition_number asks, into `report`.
void describe_matrices(const PreparedStep& prepared, SolveWorkspace* work, StepStatistics* statistics,
                       SolvedStep* solved);

/// The twists of all bodies at the velocities found.
void find_twists(const PreparedStep& prepared, SolvedStep* solved);

/// What acts at the velocities found: contacts and rows.
void find_forces(const PreparedStep& prepared, SolvedStep* solved);

/// Whether the step may end with the iterate: it converged or, with on_nonconvergence: accept, is finite and
/// only not converged.
[[nodiscard]] bool is_usable(const StepOptions& options, const SolveReport& report);

/// contact.model: coulomb, at the forces of a solution: friction and normal forces together in the islands
/// solved->friction.coupled, whose friction lags; those where that succeeds leave friction.islands.
void couple_lagging_friction(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics,
                             SolvedStep* solved);

/// How often a correction has changed the data of an island.
[[nodiscard]] int& count_of(int correction, const ConvexProblem& problem, std::size_t island,
                            SolvedStep* solved);

}  // namespace csim
