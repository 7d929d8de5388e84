// Signorini's conditions: contacts push, and only where they are closed; the law of impact of rigid ones.
#include <algorithm>
#include <cmath>

#include "audit/check.h"
#include "audit/step_motion.h"

namespace csim::audit {
namespace {

/// m, of the smaller body that has mass.
double size_of(const Trajectory& trajectory, const AuditContact& contact) {
  double size = std::numeric_limits<double>::infinity();
  for (const int body : {contact.a, contact.b})
    if (body != kWorld && trajectory.bodies[static_cast<std::size_t>(body)].motion != BodyMotion::kPrescribed)
      size = std::min(size, size_of(trajectory.bodies[static_cast<std::size_t>(body)]));
  return std::isfinite(size) ? size : 0.0;
}

/// m, the smallest gap of the step: that of its ends; where the end's is unknown, the one that the velocities
/// lead to.
double smallest_gap(const Trajectory& trajectory, std::size_t row, const AuditContact& contact,
                    const ContactStep& step) {
  if (std::isfinite(contact.gap_end))
    return std::isfinite(contact.gap) ? std::min(contact.gap, contact.gap_end) : contact.gap_end;
  const double approach =
      std::min({0.0, contact.normal.dot(step.velocity0), contact.normal.dot(step.velocity1)});
  return contact.gap + trajectory.step_before(row) * approach;
}

/// m, how far the gap of round or turning bodies is from one that closes at n . v, in a step: a way s along a
/// surface of radius r leads s^2/(2 r) away from its plane.
double curving(const Trajectory& trajectory, std::size_t row, const AuditContact& contact,
               const ContactStep& step, double size) {
  const double h = trajectory.step_before(row);
  double way = 0.0;
  for (const Vector3& v : {step.velocity0, step.velocity1})
    way = std::max(way, h * (v - contact.normal.dot(v) * contact.normal).norm());
  return (size > 0.0 ? 0.5 * way * way / size : 0.0) + 0.5 * h * step.turning;
}

}  // namespace

void judge_pushing(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  visit_contacts(trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep&, double scale) {
    findings->add(positive_part(-c.normal_impulse()), tolerances.relative * scale, row, c.a, c.b);
  });
}

void judge_gap(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  visit_contacts(
      trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep& step, double scale) {
        const double open = smallest_gap(trajectory, row, c, step);
        if (!(c.normal_impulse() > tolerances.relative * scale) || !std::isfinite(open)) return;
        const double size = size_of(trajectory, c);
        findings->add(positive_part(open),
                      tolerances.relative * size + curving(trajectory, row, c, step, size), row, c.a, c.b);
      });
}

void judge_impact(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  visit_contacts(
      trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep& step, double scale) {
        if (!std::isfinite(c.restitution) || !trajectory.is_whole_step(row)) return;
        const bool pushes = c.normal_impulse() > tolerances.relative * scale;
        const bool closed = pushes || smallest_gap(trajectory, row, c, step) <= 0.0;
        if (!closed) return;
        const double v0 = c.normal.dot(step.velocity0), v1 = c.normal.dot(step.velocity1);
        // > 0: rebounds by less than e, and enters the other body. < 0: by more.
        const double missing = -c.restitution * std::min(v0, 0.0) - v1;
        const double allowed = tolerances.relative * (step.velocity0.norm() + step.velocity1.norm()) +
                               step.turning + trajectory.gravity.norm() * trajectory.step_before(row);
        if (pushes || missing > 0.0) findings->add(missing, allowed, row, c.a, c.b);
      });
}

}  // namespace csim::audit
