// The equations of motion at the acceleration level, with contact as a force law: M(q) v' = forces(t, q, v),
// q' = N(q) v. A function of (t, q, v) alone.
#pragma once

#include <vector>

#include "contact/find_contacts.h"
#include "law/continuous_law.h"
#include "model/dynamics.h"
#include "problem/contact_forces.h"
#include "scene/scene.h"
#include "step/account/pair_sums.h"
#include "step/continuous/rigid_ties.h"
#include "step/step_result.h"

namespace csim {

/// Derivatives with respect to time of what a State holds.
struct StateRates {
  VectorX q, v;           // [nq], [nv]
  EnergyAccounts energy;  // W, of its `dissipated_..` and `work_..`
  PairList pairs;         // of contacts, as of a step of 1 s

  /// Whether every number is finite, and their squares.
  [[nodiscard]] bool is_finite() const;
};

/// Evaluates the rates, with the work space for it, which may be dropped without changing a bit.
class ContinuousDynamics {
 public:
  /// The model must outlive this. `row_period` (s): of springs that are too stiff (evaluate_continuous_row),
  /// and of what rigid constraints leave (RigidTies).
  ContinuousDynamics(const Model& model, const ContactSpec& contact, double row_period);

  /// Fills *rates at the state's time, q and v, and adds the seconds of the stages to *seconds. Contact:
  /// every pair on which its law acts at this state (continuous_law.h) and those within contact.margin.
  /// Joint damping, springs and actuators are forces at the state; prescribed bodies are where they are at
  /// its time, with the velocity and acceleration that they have then.
  void evaluate(const State& state, StageSeconds* seconds, StateRates* rates);

  /// Of the state of the last evaluation: its velocities become those that the rigid ties allow, as by an
  /// inelastic blow, whose loss its accounts take up.
  void take_blow(State* state);

  // Of the last evaluation.
  [[nodiscard]] const ContactSet& contacts() const { return contacts_; }
  [[nodiscard]] int num_islands() const { return static_cast<int>(data_.problem.islands.size()); }
  [[nodiscard]] bool is_pressed() const { return power_.is_pressed; }      // any contact has a normal force
  [[nodiscard]] bool has_found_stops() const { return ties_.is_found(); }  // RigidTies::is_found
  [[nodiscard]] const std::vector<double>& mass() const { return dynamics_.mass; }  // tree blocks

  /// Columns of the contacts, for results.
  [[nodiscard]] const ContactForces& collect_forces();
  [[nodiscard]] const RowForces& row_forces() const { return row_forces_; }

 private:
  void find_contacts();
  void add_contact_forces(const State& state, VectorX* forces);

  const Model& model_;
  double margin_;  // m, offered below this in any case
  double row_period_;
  ContactFinder finder_;
  Kinematics kinematics_;
  Dynamics dynamics_;
  std::vector<Twist> twists_;
  ContactSet contacts_;
  StepData data_;
  Vector3Columns force_;  // N, by contact of the problem
  ContactPower power_;
  ContactForces forces_;
  RowOffers row_offers_;
  RowForces row_forces_;
  RigidTies ties_;
  VectorX problem_forces_, contact_forces_;  // N or N m, of the problem's and the model's coordinates
  RowForces blow_;                           // N s or N m s, J
  VectorX start_velocity_, mean_velocity_;   // of the blow
  VectorX zero_velocity_, commands_, efforts_;
  std::vector<double> factor_;
};

}  // namespace csim
