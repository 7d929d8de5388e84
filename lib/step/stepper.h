// What makes steps: the one interface that the loop knows.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "contact/contact_set.h"
#include "model/model.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim {

/// How a step ended; a failure has a sentence that says what, when and who.
struct StepOutcome {
  bool ok = true;
  std::string message;
};

/// Advances a State of a model. Everything beside the State is work space: a new stepper goes on with the
/// same bits.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Queries the contacts of the initial state and sets its reference energy. Call once, before the first
  /// step of a fresh run (a resumed run finds the energy in its state).
  virtual void start(State* state) = 0;

  /// One step. A stepper of variable step ends it at t_limit (s) at the latest, and then exactly there; with
  /// constant steps the limit says nothing. On failure the state is that before the step.
  [[nodiscard]] virtual StepOutcome step(State* state, double t_limit) = 0;
  [[nodiscard]] StepOutcome step(State* state) {
    return step(state, std::numeric_limits<double>::infinity());
  }

  /// Everything of one trajectory row at `state`, as scene.output asks for it; contacts and patches are those
  /// of the last step, when `with_contacts` (row 0 has none).
  virtual void fill_frame(const State& state, bool with_contacts, Frame* frame) = 0;

  /// Of the last step, without `record`.
  [[nodiscard]] const StepStatistics& statistics() const { return statistics_; }

  /// Contacts of the last step (after `start`: of the initial state).
  [[nodiscard]] virtual const ContactSet& contacts() const = 0;

  /// Queries that fell back to a conventional direction, since the stepper was made.
  [[nodiscard]] long num_degenerate() const { return num_degenerate_; }

  /// Contacts found, since the stepper was made, of pairs that met as points for want of a patch
  /// (contact.fallback).
  [[nodiscard]] long num_fallback() const { return num_fallback_; }

  /// Contact points that closed within a step without being foreseen, since the stepper was made: hits were
  /// passed on farther than the rounds of a step (StepStatistics::num_rounds) reach.
  [[nodiscard]] long num_unforeseen() const { return num_unforeseen_; }

  /// Pairs of pressure fields that went through each other within a step, since the stepper was made, and the
  /// first: the start of its step (s), geometries.
  struct Passage {
    double time = 0.0;
    int geometry_a = -1, geometry_b = -1;
  };
  [[nodiscard]] long num_passages() const { return num_passages_; }
  [[nodiscard]] const Passage& first_passage() const { return first_passage_; }

  /// Steps of free bodies that spun too fast for them, one that fails too, since the stepper was made, and
  /// the first: the start of the step (s), body. The gyroscopic moment w x I w is that of the step's start;
  /// where it turns the angular momentum by more than 0.3 rad in a step it feeds a growing spin, as explicit
  /// Euler does.
  struct FastSpin {
    double time = 0.0;
    int body = -1;
  };
  [[nodiscard]] long num_fast_spins() const { return num_fast_spins_; }
  [[nodiscard]] const FastSpin& first_fast_spin() const { return first_fast_spin_; }

 protected:
  StepStatistics statistics_;
  long num_degenerate_ = 0;
  long num_fallback_ = 0;
  long num_unforeseen_ = 0;
  long num_passages_ = 0;
  Passage first_passage_;
  long num_fast_spins_ = 0;
  FastSpin first_fast_spin_;
};

/// A sentence on the fast spins that the stepper has counted, steps of length `step` (s): how many, the first
/// body and when, why, what helps; "" for none.
[[nodiscard]] std::string describe_fast_spins(const Model& model, const Stepper& stepper, double step);

/// The stepper of scene.integrator. `threads` share out the work; results do not depend on it. The model must
/// outlive the stepper.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Model& model, const Scene& scene, int threads);

}  // namespace csim
