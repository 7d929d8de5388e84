// Whether positions and rotations go where the velocities lead.
#include <algorithm>
#include <cmath>

#include "audit/check.h"
#include "audit/step_motion.h"
#include "core/rotation_vector.h"

namespace csim::audit {
namespace {

/// The distance of x from the nearest point between a and b: explicit, implicit and mean rules lie on it.
double distance_to_segment(const Vector3& x, const Vector3& a, const Vector3& b) {
  const Vector3 way = b - a;
  const double length = way.squaredNorm();
  const double at = length > 0.0 ? std::clamp(way.dot(x - a) / length, 0.0, 1.0) : 0.0;
  return (x - a - at * way).norm();
}

/// visit(row, body, h, start, end) of free bodies in whole steps: others move with joint coordinates, which
/// lead to where the velocities of their rows do to first order only.
template <typename Visit>
void visit_steps(const Trajectory& trajectory, const Visit& visit) {
  for (std::size_t row = 1; row < trajectory.rows(); ++row) {
    if (!trajectory.is_whole_step(row)) continue;
    for (std::size_t i = 0; i < trajectory.bodies.size(); ++i) {
      const int body = static_cast<int>(i);
      if (trajectory.bodies[i].motion == BodyMotion::kFree)
        visit(row, body, trajectory.step_before(row), kinematics_of(trajectory, row - 1, body),
              kinematics_of(trajectory, row, body));
    }
  }
}

}  // namespace

void judge_quaternion(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  for (std::size_t row = 0; row < trajectory.rows(); ++row)
    for (std::size_t i = 0; i < trajectory.bodies.size(); ++i)
      findings->add(trajectory.states[row][i].quaternion.norm() - 1.0, tolerances.relative, row,
                    static_cast<int>(i));
}

void judge_position(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  constexpr double kRounding = 1e-12;  // of coordinates
  visit_steps(trajectory, [&](std::size_t row, int index, double h, const BodyKinematics& start,
                              const BodyKinematics& end) {
    const AuditBody& body = trajectory.bodies[static_cast<std::size_t>(index)];
    const double beyond = h * distance_to_segment((end.com - start.com) / h, start.velocity, end.velocity);
    const double scale = h * (start.velocity.norm() + end.velocity.norm() + h * trajectory.gravity.norm());
    // A body whose origin is not its centre of mass may move with the origin's velocity: a turn of second
    // order.
    const double angle = h * std::max(start.angular_velocity.norm(), end.angular_velocity.norm());
    const double turning = angle * angle * body.com.norm();
    findings->add(beyond,
                  tolerances.relative * scale + turning + kRounding * (start.com.norm() + size_of(body)), row,
                  index);
  });
}

void judge_rotation(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  constexpr double kRounding = 1e-12;  // rad
  visit_steps(trajectory, [&](std::size_t row, int body, double h, const BodyKinematics& start,
                              const BodyKinematics& end) {
    const Vector3 turn = rotation_vector(Quaternion(end.R * start.R.transpose()));
    const double beyond = h * distance_to_segment(turn / h, start.angular_velocity, end.angular_velocity);
    // Quaternions that are moved along their tangent and normalised turn by less, of third order.
    const double angle = h * std::max(start.angular_velocity.norm(), end.angular_velocity.norm());
    findings->add(beyond, tolerances.relative * 2.0 * angle + angle * angle * angle + kRounding, row, body);
  });
}

}  // namespace csim::audit
