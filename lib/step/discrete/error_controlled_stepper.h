// Steps of the discrete scheme as long as their error allows: one step and two of half its length differ by
// its error (Kurtz & Castro 2025, CENIC, arXiv 2511.08771).
#pragma once

#include <algorithm>

#include "step/discrete/discrete_step.h"
#include "step/discrete/discrete_stepper.h"
#include "step/fill_frame.h"
#include "step/step_error.h"
#include "step/stepper.h"

namespace csim {

/// The two halves are kept. The error of a step is the largest difference of a position (m; rad), and at most
/// scene.integrator.accuracy; it is of second order in the length h:
///
///   next length = 0.9 h (accuracy/error)^(1/2), between h/10 and 5 h, no growth below 1.2 h; <= max_step
///
/// The first tried is time.step; before the limit the rest is taken in one or two equal parts. The contacts
/// at the start are queried once for the whole step and its first half. A try that the solver does not solve,
/// or that leads into overlaps for nothing or a pair through another, is too long as well: a tenth of it is
/// tried next, down to 1/1024 of time.step. A try of that length or less is taken whatever it leads into;
/// when the solver does not solve it, the step fails. Still shorter tries hide a solver that cannot converge:
/// in them hardly anything moves, and the run creeps on.
class ErrorControlledStepper final : public Stepper {
 public:
  ErrorControlledStepper(const Model& model, const Scene& scene, int threads);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return step_.contacts(); }

 private:
  void advance(const State& state, double t_limit);
  [[nodiscard]] StepError try_step(const State& state, double h);
  [[nodiscard]] bool is_too_long(const StepOutcome& part, double h, double gained = 0.0) const;
  /// s, below which no try is for want of a solution, or for what it leads into. Of the scene's step, or what
  /// bounds all steps below it, and not of the last ones: where the solver fails in step after step, these
  /// get shorter and shorter.
  [[nodiscard]] double smallest_part() const {
    return std::min({first_step_, max_step_, row_period_}) * kSmallestPart;
  }
  void accept(const State& state, double t_end, double next_step);
  void fail(const State& state, const StepError& error, double limit);

  const Model& model_;
  double accuracy_;
  double first_step_, max_step_, row_period_;  // s
  double asked_step_ = 0.0;                    // s, of the first try of the step at hand
  DiscreteStep step_;
  StepOutcome whole_, first_half_, second_half_;
  const StepOutcome* last_part_ = &whole_;  // of them, of the last try: the one that decided it
  PairList pair_work_;
  FrameFiller filler_;
};

}  // namespace csim
