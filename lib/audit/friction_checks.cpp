// Coulomb's law of each contact in each step: the cone, and the direction.
#include <algorithm>
#include <cmath>

#include "audit/check.h"
#include "audit/step_motion.h"

namespace csim::audit {
namespace {

Vector3 tangential(const AuditContact& contact, const Vector3& v) {
  return v - contact.normal.dot(v) * contact.normal;
}

double angle(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// rad, from d to the nearest direction between a and b; in a plane.
double angle_to_wedge(const Vector3& d, const Vector3& a, const Vector3& b) {
  const double to_a = angle(d, a), to_b = angle(d, b);
  const bool inside = a.cross(d).dot(d.cross(b)) >= 0.0 && to_a + to_b <= angle(a, b) + 1e-9;
  return inside ? 0.0 : std::min(to_a, to_b);
}

/// m/s, how far the slip of a step is told apart by schemes of first order.
double slip_error(const Trajectory& trajectory, std::size_t row, const ContactStep& step) {
  return step.turning + trajectory.step_before(row) * trajectory.gravity.norm();
}

/// N s, how far a law whose friction is bounded by other normal impulses than those of the step says that it
/// goes beyond them. A lag l is |bound - mu j_n| / B at most, with the largest bound B; so B <= mu j_n/(1 -
/// l) of the contact that has it. Infinite for l >= 1.
double stated_lag(const Trajectory& trajectory, std::size_t row) {
  const double lag = trajectory.friction_lag.empty() ? 0.0 : trajectory.friction_lag[row];
  if (lag == 0.0) return 0.0;
  double largest = 0.0;
  for (const AuditContact& c : trajectory.contacts[row])
    if (c.has_normal() && std::isfinite(c.friction))
      largest = std::max(largest, c.friction * c.normal_impulse());
  return lag < 1.0 ? lag / (1.0 - lag) * largest : std::numeric_limits<double>::infinity();
}

/// visit(row, contact, step, slip at the start and at the end) of contacts with friction in whole steps.
template <typename Visit>
void visit_slips(const Trajectory& trajectory, const Tolerances& tolerances, const Visit& visit) {
  visit_contacts(
      trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep& step, double scale) {
        if (!trajectory.is_whole_step(row) || c.tangential_impulse().norm() <= tolerances.relative * scale)
          return;
        visit(row, c, step, tangential(c, step.velocity0), tangential(c, step.velocity1));
      });
}

}  // namespace

void judge_cone(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  std::size_t row_of_lag = 0;
  double lag = 0.0;
  visit_contacts(trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep&, double scale) {
    if (row != row_of_lag) lag = stated_lag(trajectory, row);
    row_of_lag = row;
    if (!std::isfinite(c.friction) || !std::isfinite(lag)) return;
    const double bound = c.friction * std::max(0.0, c.normal_impulse());
    const double beyond = positive_part(c.tangential_impulse().norm() - bound);
    findings->add(beyond, tolerances.relative * scale + lag, row, c.a, c.b);
  });
}

void judge_friction_power(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  visit_slips(trajectory, tolerances,
              [&](std::size_t row, const AuditContact& c, const ContactStep& step, const Vector3& slip0,
                  const Vector3& slip1) {
                const Vector3 along = c.tangential_impulse().normalized();
                const double speed = positive_part(std::min(along.dot(slip0), along.dot(slip1)));
                findings->add(
                    speed,
                    tolerances.relative * (slip0.norm() + slip1.norm()) + slip_error(trajectory, row, step),
                    row, c.a, c.b);
              });
}

void judge_friction_direction(const Trajectory& trajectory, const Tolerances& tolerances,
                              Findings* findings) {
  // An angle of 1/10 rad can be told where the slip is ten times its error.
  constexpr double kFast = 10.0;
  visit_slips(trajectory, tolerances,
              [&](std::size_t row, const AuditContact& c, const ContactStep& step, const Vector3& slip0,
                  const Vector3& slip1) {
                const double slowest = std::min(slip0.norm(), slip1.norm()),
                             error = slip_error(trajectory, row, step);
                if (slowest <= kFast * error) return;
                findings->add(angle_to_wedge(-c.tangential_impulse(), slip0, slip1),
                              tolerances.relative + error / slowest, row, c.a, c.b);
              });
}

}  // namespace csim::audit
