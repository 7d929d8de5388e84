// One row of the trajectory from a state, the same whatever stepper made it.
#pragma once

#include "contact/contact_set.h"
#include "model/columns.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim {

/// What acted in a step: all null where a frame has none.
struct StepForces {
  const ContactSet* contacts = nullptr;
  const ContactForces* contact_forces = nullptr;
  const RowForces* rows = nullptr;
};

/// Fills frames, with the work space for it.
class FrameFiller {
 public:
  /// The model must outlive the filler.
  FrameFiller(const Model& model, const OutputSpec& output);

  /// Everything of one row at `state`, as the scene's output asks for it. Without `forces` limits, dry
  /// friction and constraints have none, and limited drives what their law gives at the state.
  void fill(const State& state, const StepForces& forces, Frame* frame);

  /// Energies of `state`, with the velocities that prescribed bodies have at its time.
  [[nodiscard]] MechanicalEnergy mechanical_energy_at(const State& state);

 private:
  void place(const State& state);
  /// Violations and forces of constraints, those of the joints' rows added to joint_forces_.
  void fill_rows(const State& state, const RowForces* rows, Frame* frame);

  /// What the forces on bodies are at the state.
  void fill_forces(const State& state, Frame* frame);

  const Model& model_;
  OutputSpec output_;
  StateColumns columns_;
  Kinematics kinematics_;
  std::vector<Twist> twists_;
  VectorX joint_forces_;
};

}  // namespace csim
