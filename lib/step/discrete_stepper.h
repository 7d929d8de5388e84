// One time step of the discrete scheme: poses -> contacts -> convex problem -> velocities -> poses (Castro et
// al. 2023, eq. 1, symplectic Euler). All data of a contact are those at the start of the step.
#pragma once

#include <string>
#include <vector>

#include "contact/find_contacts.h"
#include "model/columns.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "solver/newton.h"
#include "solver/tamsi.h"
#include "step/step_result.h"

namespace csim {

/// How a step ended; a failure has a sentence that says what, when and who.
struct StepOutcome {
  bool ok = true;
  std::string message;
};

/// Advances a State of a model. Everything beside the State is work space: a new stepper goes on with the
/// same bits.
class DiscreteStepper {
 public:
  /// `threads` share out islands; results do not depend on it. The model must outlive the stepper.
  DiscreteStepper(const Model& model, const Scene& scene, int threads);

  /// Queries the contacts of the initial state and sets its reference energy. Call once, before the first
  /// step of a fresh run (a resumed run finds the energy in its state).
  void start(State* state);

  /// One step of scene.time.step. On failure the state is that before the step.
  [[nodiscard]] StepOutcome step(State* state);

  /// Of the last step, without `record`.
  [[nodiscard]] const StepStatistics& statistics() const { return statistics_; }

  /// Contacts of the last step (after `start`: of the initial state).
  [[nodiscard]] const ContactSet& contacts() const { return contacts_; }

  /// Queries that fell back to a conventional direction, since the stepper was made.
  [[nodiscard]] long num_degenerate() const { return num_degenerate_; }

  /// Contacts found, since the stepper was made, of pairs that met as points for want of a patch
  /// (contact.fallback).
  [[nodiscard]] long num_fallback() const { return num_fallback_; }

  /// Pairs of pressure fields that went through each other within a step, since the stepper was made, and the
  /// first: the start of its step (s), geometries.
  struct Passage {
    double time = 0.0;
    int geometry_a = -1, geometry_b = -1;
  };
  [[nodiscard]] long num_passages() const { return num_passages_; }
  [[nodiscard]] const Passage& first_passage() const { return first_passage_; }

  /// Everything of one trajectory row at `state`, as scene.output asks for it; contacts and patches are those
  /// of the last step, when `with_contacts` (row 0 has none).
  void fill_frame(const State& state, bool with_contacts, Frame* frame);

 private:
  void find_contacts(const State& state, double h);
  void build_problem(const State& state, double h);
  [[nodiscard]] StepOutcome advance(State* state, double h, int depth);
  /// Minimises from iterate_.v on.
  void solve();
  /// Fills forces_ with those of the solution. True when faces press bodies that it parts: they are released,
  /// and it has to be found again.
  [[nodiscard]] bool parts_faces_that_push();
  [[nodiscard]] StepOutcome divide_step(State* state, double h, int depth);
  void count_attempt();
  void collect_statistics(double h, const VectorX& v);
  void account_energy(double h, const VectorX& v, State* state);
  [[nodiscard]] std::string describe_failure(const State& state) const;

  const Model& model_;
  double h_;  // s, of a whole step
  NewtonOptions newton_;
  OnNonconvergence on_nonconvergence_;
  double margin_;  // m, offered below this in any case
  bool margin_auto_;
  OutputSpec output_;

  ContactFinder finder_;
  Kinematics kinematics_;
  Dynamics dynamics_;
  FreeMotion free_motion_;
  std::vector<Twist> twists0_, twists_star_;
  ContactSet contacts_;
  StepData data_;
  Iterate iterate_;
  NewtonWorkspace workspace_;
  TamsiWorkspace tamsi_;
  SolveReport report_;
  ContactForces forces_;
  VectorX v_new_;

  Kinematics frame_kinematics_;
  std::vector<Twist> frame_twists_;
  StateColumns columns_;
  VectorX joint_forces_;

  StepStatistics statistics_;
  double elastic_energy_ = 0.0;  // J, contacts at the end of the last step
  long num_degenerate_ = 0;
  long num_fallback_ = 0;
  long num_passages_ = 0;
  Passage first_passage_;
};

}  // namespace csim
