// Steps without momentum: forces balance at every step, robots are springs between their joints and commands
// [Pang & Tedrake 2021, A Convex Quasistatic Time-stepping Scheme for Rigid Multibody Systems with Contact
// and Friction].
#pragma once

#include <optional>

#include "solver/quasistatic/quasistatic_ambiguity.h"
#include "solver/quasistatic/quasistatic_lcp.h"
#include "step/fill_frame.h"
#include "step/quasistatic/quasistatic_advance.h"
#include "step/quasistatic/quasistatic_assembly.h"
#include "step/quasistatic/quasistatic_failure.h"
#include "step/quasistatic/quasistatic_forces.h"
#include "step/quasistatic/quasistatic_gradients.h"
#include "step/quasistatic/quasistatic_trust.h"
#include "step/stepper.h"

namespace csim {

/// One step: contacts at q, the problem, its solution by interior point and polish, q + h N(q) v. The state
/// is q alone: v is that of the last step, for the results. A step whose certificate exceeds
/// integrator.tolerance is an `inexact step` in /event; one that is off by more than kLargestError ends the
/// run, with the reason where the problem has no answer; overlaps that no motion resolves may be relaxed.
class QuasistaticStepper final : public Stepper {
 public:
  static constexpr double kLargestError = 1e-5;

  /// The model must outlive the stepper.
  QuasistaticStepper(const Model& model, const Scene& scene);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  void fill_motion(const State& state, Frame* frame) override;
  void fill_constraint_forces(const State& state, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return contacts_; }

 private:
  void start_drives(const State& state);
  void fill_efforts(const State& state, bool with_limits, Frame* frame);
  void make_step(const State& state);
  void try_step(const State& state, double least_threshold);
  void find_contacts(const State& state, double least_threshold);
  [[nodiscard]] double longest_way(const VectorX& v, bool carried);
  [[nodiscard]] double leap_of(const Body& body, const Twist& twist, const VectorX& v) const;
  void tell_leaps(const VectorX& v);
  [[nodiscard]] double contact_threshold(const State& state);
  void solve();
  void relax();
  [[nodiscard]] bool is_solved() const;
  [[nodiscard]] bool has_determined_forces();
  [[nodiscard]] double cost();
  struct Verdict {
    bool has_answer = false, is_relaxed = false;
    std::string reason;  // without an answer; "": the methods ended without one that there is
  };
  [[nodiscard]] Verdict examine();
  [[nodiscard]] StepStatus status_of(double residual, bool is_relaxed) const;
  void fill_statistics(bool is_relaxed);
  void judge(const State& state);
  void fail(const State& state, const std::string& reason);
  void advance(const State& state);
  void account(State* end);
  [[nodiscard]] double effort(const Actuator& actuator, double command, double q) const;

  const Model& model_;
  IntegratorSpec spec_;
  double h_;  // s
  QuasistaticAssembly assembly_;
  FrameFiller filler_;
  StateColumns columns_;
  QuasistaticTrust trust_;

  std::vector<Twist> twists_, zero_twists_;
  VectorX command_, v_;
  ContactSet contacts_;
  double threshold_ = 0.0;  // m, of contacts_
  QuasistaticProblem problem_;
  QuasistaticSolver solver_;
  QuasistaticLcp lcp_;
  std::string failure_;  // of Lemke's method
  QuasistaticSolution solution_;
  QuasistaticCertificate certificate_;
  QuasistaticExistence existence_;
  QuasistaticAmbiguity ambiguity_;
  AmbiguousForce ambiguous_;
  QuasistaticForces forces_;
  std::optional<QuasistaticGradients> gradients_;  // with output.gradients
  State start_;                                    // of the last attempt, for them
  std::vector<double> load_;  // [nv], N or N m: what contacts, limits and forces on bodies do to the joints
  std::vector<double> work_;
};

}  // namespace csim
