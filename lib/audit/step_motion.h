// Motion of the bodies and contacts of a step, from the rows of a trajectory.
#pragma once

#include <vector>

#include "audit/trajectory.h"

namespace csim::audit {

/// A body at a row, about its centre of mass; world axes.
struct BodyKinematics {
  Matrix3 R = Matrix3::Identity();
  Vector3 com = Vector3::Zero();       // m
  Vector3 velocity = Vector3::Zero();  // m/s, of the centre of mass
  Vector3 angular_velocity = Vector3::Zero();
};
[[nodiscard]] BodyKinematics kinematics_of(const Trajectory& trajectory, std::size_t row, int body);

/// kg m^2/s, about the centre of mass: R I R' w.
[[nodiscard]] Vector3 angular_momentum(const AuditBody& body, const BodyKinematics& at);
/// J, of translation and rotation.
[[nodiscard]] double kinetic_energy(const AuditBody& body, const BodyKinematics& at);
/// m, radius of gyration: sqrt(tr I / (2 m)); infinite without mass.
[[nodiscard]] double size_of(const AuditBody& body);

/// Velocities of a body's ends of a step with the pose at its start, for contacts of that step. A prescribed
/// body moves with the mean velocity of its step. Of rows several steps apart the velocities of the row stand
/// for both.
struct BodyStep {
  Vector3 com = Vector3::Zero();                                     // m, at the start
  Vector3 velocity0 = Vector3::Zero(), velocity1 = Vector3::Zero();  // m/s, of the centre of mass
  Vector3 angular0 = Vector3::Zero(), angular1 = Vector3::Zero();    // rad/s
};
[[nodiscard]] BodyStep body_step(const Trajectory& trajectory, std::size_t row, int body);

/// The relative motion of a contact in its step: b minus a, the surface velocity included.
struct ContactStep {
  Vector3 velocity0, velocity1;  // m/s, at the start and the end
  /// m/s, how much the velocity of the two points on the bodies changes in the step because the bodies turn:
  /// h (|w_a|^2 |r_a| + |w_b|^2 |r_b|). Schemes of first order differ by it in what they call the slip.
  double turning = 0.0;

  [[nodiscard]] Vector3 mean() const { return 0.5 * (velocity0 + velocity1); }
};
[[nodiscard]] ContactStep contact_step(const Trajectory& trajectory, std::size_t row,
                                       const AuditContact& contact);

/// N s, what a step exchanges with each body: sum of the sizes of its contact impulses and of gravity's.
[[nodiscard]] std::vector<double> exchanged(const Trajectory& trajectory, std::size_t row);
/// The larger of the two bodies of a contact.
[[nodiscard]] double exchanged(const std::vector<double>& of_bodies, const AuditContact& contact);

/// Calls visit(row, contact, ContactStep, exchanged) for every contact with a normal.
template <typename Visit>
void visit_contacts(const Trajectory& trajectory, const Visit& visit) {
  for (std::size_t row = 1; row < trajectory.rows(); ++row) {
    if (trajectory.contacts[row].empty()) continue;
    const std::vector<double> scale = exchanged(trajectory, row);
    for (const AuditContact& contact : trajectory.contacts[row])
      if (contact.has_normal())
        visit(row, contact, contact_step(trajectory, row, contact), exchanged(scale, contact));
  }
}

}  // namespace csim::audit
