// One time step of the discrete scheme: poses -> contacts -> convex problem -> velocities -> poses (Castro et
// al. 2023, eq. 1, symplectic Euler). All data of a contact are those at the start of the step.
#pragma once

#include <string>
#include <vector>

#include "contact/find_contacts.h"
#include "model/drive_limits.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "solver/method/newton.h"
#include "solver/method/tamsi.h"
#include "step/fill_frame.h"
#include "step/stepper.h"

namespace csim {

/// Steps of constant length, scene.time.step, each one convex problem.
class DiscreteStepper final : public Stepper {
 public:
  DiscreteStepper(const Model& model, const Scene& scene, int threads);

  void start(State* state) override;
  using Stepper::step;
  [[nodiscard]] StepOutcome step(State* state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return contacts_; }

 private:
  [[nodiscard]] ContactQuery contact_query(double h) const;
  void find_contacts(const State& state, double h);
  void build_problem(const State& state, double h);
  [[nodiscard]] StepOutcome advance(State* state, double h, int depth);
  /// Minimises from iterate_.v on.
  void solve();
  /// Fills forces_ with those of the solution. True when faces press bodies that it parts: they are released,
  /// and it has to be found again.
  [[nodiscard]] bool parts_faces_that_push();
  /// v* and A with every limited drive on its piece without contact.
  void find_free_motion(const State& state, double h);
  /// v_new_ out of the solution. True when it moves a drive to or from its limit: it has to be found again.
  [[nodiscard]] bool changes_drives(const State& state, double h);
  /// v_new_ out of the solution. True when it brings bodies together that the contacts do not foresee: these
  /// are added, and it has to be found again, from there on.
  [[nodiscard]] bool brings_others_together(const State& state, double h);
  /// Of the step from `time` (s) of length h to v_new_.
  void count_passages(double time, double h);
  /// Of the step from `state` of length h.
  void count_fast_spins(const State& state, double h);
  [[nodiscard]] StepOutcome divide_step(State* state, double h, int depth);
  void count_attempt();
  void collect_statistics(double h, const VectorX& v);
  void account_energy(double h, const VectorX& v, State* state);
  [[nodiscard]] std::string describe_failure(const State& state) const;
  /// The outcome of a step of length h from `state` that failed.
  [[nodiscard]] StepOutcome fail(const State& state, double h);

  const Model& model_;
  double h_;  // s, of a whole step
  NewtonOptions newton_;
  OnNonconvergence on_nonconvergence_;
  double margin_;  // m, offered below this in any case
  bool margin_auto_;
  int rounds_ = 0;                    // of a step: queries at velocities found that have added contacts
  bool used_interior_point_ = false;  // in a solve of the step

  ContactFinder finder_;
  Kinematics kinematics_;
  Dynamics dynamics_;
  FreeMotion free_motion_;
  DriveLimits drive_limits_;
  std::vector<Twist> twists0_, twists_star_, twists_new_;
  ContactSet contacts_;
  StepData data_;
  Iterate iterate_;
  NewtonWorkspace workspace_;
  TamsiWorkspace tamsi_;
  SolveReport report_;
  ContactForces forces_;
  VectorX v_new_;

  FrameFiller filler_;
  double elastic_energy_ = 0.0;  // J, contacts at the end of the last step
};

}  // namespace csim
