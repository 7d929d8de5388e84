// The convex problem of one step of the discrete scheme: what it is made from, and its solution.
#pragma once

#include "contact/find_contacts.h"
#include "model/velocity_terms.h"
#include "problem/contact_forces.h"
#include "problem/friction_bounds.h"
#include "scene/scene.h"
#include "solver/method/tamsi.h"
#include "solver/minimize.h"
#include "solver/solver_memory.h"
#include "step/step_result.h"

namespace csim {

/// Work space: may be dropped between steps without changing a bit (what `begin` takes as it is, it would
/// make again).
struct StepProblem {
  /// The model must outlive the problem, and stay as it is.
  StepProblem(const Model& the_model, const Scene& scene, int threads);

  /// The problem of the step of length h (s) from `state`, which must outlive the step: poses, free motion,
  /// contacts, A, v*, the laws' constants. The guess is v0. With `same_contacts` the contacts are those of
  /// the problem before, which began at the same state with a longer step. A problem that began at the same
  /// state with the same step, and was not solved, is taken as it is.
  void begin(const State& state, const SolverMemory& memory, double h, StepStatistics* statistics,
             bool same_contacts = false);

  /// Minimises from iterate.v on; fills `report`, and when the iterate is usable v and `forces`.
  void solve(StepStatistics* statistics);

  /// Whether the step may end with the iterate: it converged or, with on_nonconvergence: accept, is finite
  /// and only not converged.
  [[nodiscard]] bool is_usable() const;

  /// Contacts (`contacts`), states and the free motion as they are -> problem.
  void build(StepStatistics* statistics);

  /// Puts Coriolis and gyroscopic forces at the mean of the velocities of the start and of the solution, for
  /// velocity_terms: mean. Whether v* changed by more than solver.tolerance of what the step exchanges; the
  /// problem has the new one then.
  [[nodiscard]] bool update_velocity_terms(StepStatistics* statistics);

  /// For contact.model: coulomb, where mu times the normal force of the solution differs from a bound of
  /// friction by more than friction_tolerance: solves for both together (couple_friction), or puts it in
  /// place of the bound where that fails. Whether there was one.
  [[nodiscard]] bool update_friction_bounds(StepStatistics* statistics);

  /// What the contact query of the step asks for.
  [[nodiscard]] ContactQuery contact_query() const;

  const Model& model;
  NewtonOptions newton;
  bool accepts_inexact;
  double margin;  // m, offered below this in any case
  bool margin_auto;
  bool mean_velocity_terms;
  bool repeats_friction;  // contact.model: coulomb
  double friction_tolerance;
  int max_repetitions;

  const State* start = nullptr;
  const SolverMemory* memory = nullptr;
  double h = 0.0;           // s
  double query_step = 0.0;  // s, for which the contacts were found; >= h

  ContactFinder finder;
  Kinematics kinematics;
  Dynamics dynamics;
  FreeMotion free_motion;
  std::vector<Twist> twists0, twists_star;  // [B], at v0 and at v*, of the contact query
  std::vector<Twist> twists;                // [B], at the solution
  ContactSet contacts;
  StepData data;
  int unsettled_tree = -1;         // whose mean velocity was not found
  int num_velocity_updates = 0;    // in this step
  double velocity_residual = 0.0;  // by which the last of them still changes A v*; 0: within the tolerance

  Iterate iterate;
  SolveReport report;                // of the last solve
  bool used_interior_point = false;  // in one of them
  VectorX v;                         // [nv of the model], solution
  ContactForces forces;              // at v
  RowForces row_forces;              // likewise

 private:
  [[nodiscard]] bool has_begun(const State& state, double step) const;
  /// Everything of the problem but its guess.
  void begin_anew(double step, bool same_contacts, StepStatistics* statistics);
  /// Minimises to the tolerance, and adds to the statistics.
  void minimize_problem(double tolerance, StepStatistics* statistics);
  /// Friction and normal forces together, in the islands whose friction lags; which of them failed is in
  /// friction_.islands then. Whether there was one.
  bool couple_lagging_friction(StepStatistics* statistics);

  NewtonWorkspace workspace_;
  TamsiWorkspace tamsi_;
  MeanVelocityWorkspace mean_velocity_;
  FrictionRepetition friction_;
  SolveReport coupled_;            // of the last couple_friction
  VectorX impulse_, last_v_star_;  // [nv of the model]
  bool is_unsolved_ = false;       // it began, at these:
  VectorX q_begun_, v_begun_;
  double time_begun_ = 0.0;
};

}  // namespace csim
