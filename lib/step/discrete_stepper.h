// Steps of constant length.
#pragma once

#include "step/discrete_step.h"
#include "step/fill_frame.h"
#include "step/stepper.h"

namespace csim {

/// Steps of the length scene.time.step, each one DiscreteStep. One that leads deeper than its contacts
/// foresaw is taken in parts: halves, quarters where a half does so, and so on down to 1/1024; with
/// on_nonconvergence: shorter_step also one that fails, down to 1/64.
class DiscreteStepper final : public Stepper {
 public:
  DiscreteStepper(const Model& model, const Scene& scene, int threads);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return step_.contacts(); }

 private:
  void make_parts(const State& state);
  void take_events();

  const Model& model_;
  double h_;      // s, of a whole step
  bool divides_;  // on_nonconvergence: shorter_step
  DiscreteStep step_;
  StepOutcome part_;
  PairList pair_work_;
  FrameFiller filler_;
  double elastic_energy_ = 0.0;  // J, contacts at the end of the last attempt
};

}  // namespace csim
