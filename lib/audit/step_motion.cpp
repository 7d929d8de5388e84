#include "audit/step_motion.h"

#include <algorithm>
#include <cmath>

#include "core/rotation_vector.h"

namespace csim::audit {
namespace {

Quaternion rotation_of(const BodyState& state) {
  const Eigen::Vector4d& q = state.quaternion;
  return Quaternion(q[0], q[1], q[2], q[3]).normalized();
}

const BodyState& state_of(const Trajectory& trajectory, std::size_t row, int body) {
  return trajectory.states[row][static_cast<std::size_t>(body)];
}

bool has_start(const Trajectory& trajectory) {
  return trajectory.every_step();
}

/// The mean motion from the row before to this one.
BodyStep prescribed_step(const Trajectory& trajectory, std::size_t row, int body) {
  const BodyState &start = state_of(trajectory, row - 1, body), &end = state_of(trajectory, row, body);
  const double h = trajectory.time[row] - trajectory.time[row - 1];
  BodyStep step;
  step.com = start.position;  // of a body without momentum the origin does
  step.velocity0 = step.velocity1 = (end.position - start.position) / h;
  step.angular0 = step.angular1 = rotation_vector(rotation_of(end) * rotation_of(start).conjugate()) / h;
  return step;
}

}  // namespace

BodyKinematics kinematics_of(const Trajectory& trajectory, std::size_t row, int body) {
  const BodyState& state = state_of(trajectory, row, body);
  BodyKinematics at;
  at.R = rotation_of(state).toRotationMatrix();
  const Vector3 arm = at.R * trajectory.bodies[static_cast<std::size_t>(body)].com;
  at.com = state.position + arm;
  at.velocity = state.velocity + state.angular_velocity.cross(arm);
  at.angular_velocity = state.angular_velocity;
  return at;
}

Vector3 angular_momentum(const AuditBody& body, const BodyKinematics& at) {
  return at.R * (body.inertia * (at.R.transpose() * at.angular_velocity));
}

double kinetic_energy(const AuditBody& body, const BodyKinematics& at) {
  return 0.5 * body.mass * at.velocity.squaredNorm() +
         0.5 * at.angular_velocity.dot(angular_momentum(body, at));
}

double size_of(const AuditBody& body) {
  return body.mass > 0.0 ? std::sqrt(0.5 * body.inertia.trace() / body.mass)
                         : std::numeric_limits<double>::infinity();
}

BodyStep body_step(const Trajectory& trajectory, std::size_t row, int body) {
  if (body == kWorld) return {};
  const bool prescribed = trajectory.bodies[static_cast<std::size_t>(body)].motion == BodyMotion::kPrescribed;
  if (prescribed && has_start(trajectory)) return prescribed_step(trajectory, row, body);
  const BodyKinematics end = kinematics_of(trajectory, row, body);
  BodyStep step;
  step.velocity0 = step.velocity1 = end.velocity;
  step.angular0 = step.angular1 = end.angular_velocity;
  step.com = end.com - trajectory.step_before(row) * end.velocity;
  if (!has_start(trajectory)) return step;
  const BodyKinematics start = kinematics_of(trajectory, row - 1, body);
  step.velocity0 = start.velocity;
  step.angular0 = start.angular_velocity;
  step.com = start.com;
  return step;
}

ContactStep contact_step(const Trajectory& trajectory, std::size_t row, const AuditContact& contact) {
  ContactStep step{contact.surface_velocity, contact.surface_velocity};
  const double h = trajectory.step_before(row);
  for (const auto& [body, sign] : {std::pair{contact.a, -1.0}, std::pair{contact.b, 1.0}}) {
    const BodyStep of_body = body_step(trajectory, row, body);
    const Vector3 arm = contact.point - of_body.com;
    step.velocity0 += sign * (of_body.velocity0 + of_body.angular0.cross(arm));
    step.velocity1 += sign * (of_body.velocity1 + of_body.angular1.cross(arm));
    step.turning += h * std::max(of_body.angular0.squaredNorm(), of_body.angular1.squaredNorm()) * arm.norm();
  }
  return step;
}

std::vector<double> exchanged(const Trajectory& trajectory, std::size_t row) {
  std::vector<double> scale;
  for (const AuditBody& body : trajectory.bodies)
    scale.push_back(body.motion == BodyMotion::kPrescribed
                        ? 0.0
                        : body.mass * trajectory.gravity.norm() * trajectory.step_before(row));
  for (const AuditContact& contact : trajectory.contacts[row])
    for (const int body : {contact.a, contact.b})
      if (body != kWorld &&
          trajectory.bodies[static_cast<std::size_t>(body)].motion != BodyMotion::kPrescribed)
        scale[static_cast<std::size_t>(body)] += contact.impulse.norm();
  return scale;
}

double exchanged(const std::vector<double>& of_bodies, const AuditContact& contact) {
  double largest = 0.0;
  for (const int body : {contact.a, contact.b})
    if (body != kWorld) largest = std::max(largest, of_bodies[static_cast<std::size_t>(body)]);
  return largest;
}

}  // namespace csim::audit
