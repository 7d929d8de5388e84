// One row of the trajectory from a state, the same whatever stepper made it.
#pragma once

#include <span>

#include "contact/contact_set.h"
#include "model/columns.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "step/patch_rows.h"
#include "step/step_result.h"

namespace csim {

/// Forces and energies of the constraints' rows from what acted in the step, or in each of its parts, each of
/// other trees; 0 of those that nothing offered.
void fill_constraint_forces(const Model& model, std::span<const StepForces> forces, Frame* frame);

/// Fills frames, with the work space for it.
class FrameFiller {
 public:
  /// The model must outlive the filler.
  FrameFiller(const Model& model, const OutputSpec& output);

  /// Everything of one row at `state`, as the scene's output asks for it, from what acted in the step, or in
  /// each of its parts, each of other trees. Without `forces` limits, dry friction and constraints have none,
  /// and limited drives what their law gives at the state; contacts, where `with_contacts`.
  void fill(const State& state, std::span<const StepForces> forces, bool with_contacts, Frame* frame);

  /// Energies of `state`, with the velocities that prescribed bodies have at its time.
  [[nodiscard]] MechanicalEnergy mechanical_energy_at(const State& state);

 private:
  void place(const State& state);
  /// Violations and forces of constraints, those of the joints' rows added to joint_forces_.
  void fill_rows(const State& state, std::span<const StepForces> forces, Frame* frame);

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
