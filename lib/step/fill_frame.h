// One row of the trajectory from a state, the same whatever stepper made it.
#pragma once

#include "contact/contact_set.h"
#include "model/columns.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim {

/// What was in contact at the end of a step: all null and 0 where a frame has no contacts.
struct FrameContacts {
  const ContactSet* contacts = nullptr;
  const ContactForces* forces = nullptr;
};

/// Fills frames, with the work space for it.
class FrameFiller {
 public:
  /// The model must outlive the filler.
  FrameFiller(const Model& model, const OutputSpec& output);

  /// Everything of one row at `state`, as the scene's output asks for it; `elastic_energy` (J) is that of the
  /// contacts.
  void fill(const State& state, double elastic_energy, const FrameContacts& contacts, Frame* frame);

  /// Kinetic and potential energy and that of springs at `state`, J, with the velocities that prescribed
  /// bodies have at the state's time.
  [[nodiscard]] double mechanical_energy_at(const State& state);

 private:
  void place(const State& state);

  const Model& model_;
  OutputSpec output_;
  StateColumns columns_;
  Kinematics kinematics_;
  std::vector<Twist> twists_;
  VectorX joint_forces_;
};

}  // namespace csim
