// What makes steps: the one interface that the loop knows.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "contact/contact_set.h"
#include "model/model.h"
#include "step/step_outcome.h"

namespace csim {

/// Advances a State of a model. Everything beside the State and the solvers' memory is work space: a new
/// stepper with that memory goes on with the same bits.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Queries the contacts of the initial state, sets its reference energy and starts the solvers' memory.
  /// Call once, before the first step of a fresh run (a resumed run finds the energy in its state, and gives
  /// back the memory).
  virtual void start(State* state) = 0;

  /// One step from `state` as a value, which changes nothing but work space: it may be refused, and made
  /// again with the same bits. A stepper of variable step ends it at t_limit (s) at the latest, and then
  /// exactly there; with constant steps the limit says nothing. The value stays until the next attempt.
  [[nodiscard]] virtual const StepOutcome& attempt(const State& state, double t_limit) = 0;

  /// Takes the step of the last attempt, which succeeded: *state and the memory become those of its end, and
  /// the outcome has those of its start.
  void take(State* state);

  /// Attempts a step and takes it: *state and the memory become those of its end; on failure they stay.
  const StepOutcome& step(State* state, double t_limit = std::numeric_limits<double>::infinity());

  /// From now on an attempt of the discrete scheme asks `stop` between its solves and contact queries, and
  /// ends with the refusal kInterrupted when it says so, which it must go on to do then.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }

  /// Everything of one trajectory row at `state`, as scene.output asks for it; contacts and patches are those
  /// of the last attempt, when `with_contacts` (row 0 has none).
  virtual void fill_frame(const State& state, bool with_contacts, Frame* frame) = 0;

  /// The same without contacts, patches and gradients: motion, and efforts of the last attempt.
  virtual void fill_motion(const State& state, Frame* frame) = 0;

  /// Of these, constraint_force and constraint_energy alone.
  virtual void fill_constraint_forces(const State& state, Frame* frame) = 0;

  /// Contacts of the last attempt (after `start`: of the initial state).
  [[nodiscard]] virtual const ContactSet& contacts() const = 0;

  /// What the solvers remember of the steps taken.
  [[nodiscard]] const SolverMemory& memory() const { return memory_; }
  /// Of what sleeps it may hold anything.
  void set_memory(const SolverMemory& memory) {
    memory_ = memory;
    memory_.rest_number = 0;
  }

  /// Of the last step.
  [[nodiscard]] const StepStatistics& statistics() const { return outcome_.statistics; }

 protected:
  StepOutcome outcome_;  // of the last attempt
  SolverMemory memory_;
  std::function<bool()> stop_ = [] { return false; };
};

}  // namespace csim
