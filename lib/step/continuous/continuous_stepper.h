// Steps of variable length that keep an estimate of their error below scene.integrator.accuracy: the
// acceleration level with the embedded Runge-Kutta pair of orders 3 and 2 of Bogacki and Shampine 1989, A
// 3(2) pair of Runge-Kutta formulas. The reference of the discrete scheme.
#pragma once

#include <array>

#include "step/continuous/continuous_dynamics.h"
#include "step/fill_frame.h"
#include "step/step_error.h"
#include "step/step_length.h"
#include "step/stepper.h"

namespace csim {

/// The third-order result is kept. Three evaluations a step: the fourth, at its end, is the first of the next
/// step, and is made anew from the same numbers in a run that goes on from a checkpoint. Quaternions are
/// integrated as N(q) v and normalised at every stage. Energy dissipated and work are integrated along, so
/// that the balance error of /energy is the error of the integration (with pressure fields, also that of
/// their elastic energy: ContactSurface::storage).
///
/// Length of a step: the last one (the first: time.step) times 0.9 error^(-1/3), between 1/5 and 5, not
/// growing after a step that was too long; at most max_step. Before the limit the rest is taken in one or
/// two equal parts, which leaves the length for the next step alone unless their error asks for less.
class ContinuousStepper final : public Stepper {
 public:
  ContinuousStepper(const Model& model, const Scene& scene);

  void start(State* state) override;
  [[nodiscard]] const StepOutcome& attempt(const State& state, double t_limit) override;
  void fill_frame(const State& state, bool with_contacts, Frame* frame) override;
  void fill_motion(const State& state, Frame* frame) override;
  void fill_constraint_forces(const State& state, Frame* frame) override;
  [[nodiscard]] const ContactSet& contacts() const override { return dynamics_.contacts(); }

 private:
  void advance(const State& state, double t_limit);
  void begin(const State& state);
  bool evaluate_stage(double t, StateRates* rates);
  [[nodiscard]] StepError try_step(const State& state, const StepLength& length);
  void fail(const State& state, const StepError& error);
  void accept(const State& state, const StepLength& length, double next_step);
  [[nodiscard]] std::string place_of_infinity() const;
  [[nodiscard]] std::string describe_failure(const State& state, const StepError& error) const;

  const Model& model_;
  double first_step_, max_step_;  // s
  double stiction_tolerance_;     // m/s
  ContinuousDynamics dynamics_;
  StepErrorNorm norm_;
  double unresolved_energy_;  // J
  FrameFiller filler_;

  State start_;                // of the step; of the first without velocities that rigid ties do not allow
  State stage_;                // where the last evaluation was; after a step: its end
  bool is_evaluated_ = false;  // rates_[0] are those of stage_
  std::array<StateRates, 4> rates_;
  PairList pair_work_;
  const StateRates* last_rates_ = nullptr;  // of the last evaluation; null: it was refused
  VectorX e_q_, e_v_;
};

}  // namespace csim
