// Steps of constant length.
#pragma once

#include "step/discrete/discrete_step.h"
#include "step/fill_frame.h"
#include "step/stepper.h"

namespace csim {

/// Of a step that is too long.
inline constexpr double kSmallestPart = 1.0 / 1024;

/// Steps of the length scene.time.step, each one DiscreteStep. One that is too long or gains energy
/// (StepOutcome) is taken in parts: halves, quarters where a half is too long, and so on down to 1/1024; one
/// that fails down to 1/64 with on_nonconvergence: shorter_step, and with any down to 1/1024 once the step
/// has been divided for the other reasons.
class DiscreteStepper final : public Stepper {
 public:
  DiscreteStepper(const Model& model, const Scene& scene, int threads);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return step_.contacts(); }

 private:
  void make_parts(const State& state);
  void look_ahead(const State& state, int done);
  [[nodiscard]] double gain_limit(int size) const;
  [[nodiscard]] bool is_to_divide(int size) const;
  [[nodiscard]] int size_after_refusal(int size) const;
  [[nodiscard]] int next_size(int done, int size) const;
  void take_events();

  const Model& model_;
  double h_;      // s, of a whole step
  bool divides_;  // on_nonconvergence: shorter_step
  DiscreteStep step_;
  StepOutcome part_;
  PairList pair_work_;
  FrameFiller filler_;
};

}  // namespace csim
