// Balances of momentum of the bodies that only the impulses of the file act on.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "audit/check.h"
#include "audit/step_motion.h"

namespace csim::audit {
namespace {

/// Share of a momentum to which it is known: where nothing acts, what remains is compared with this.
constexpr double kKnownTo = 1e-6;

/// What acted on a body, and the sum of the sizes of its parts.
struct Sum {
  Vector3 vector = Vector3::Zero();
  double size = 0.0;

  void add(const Vector3& part) {
    vector += part;
    size += part.norm();
  }
};

/// Whether the contacts of the row are all that acted since the row before; else the pairs may tell it.
bool contacts_tell(const Trajectory& trajectory, std::size_t row) {
  return trajectory.is_whole_step(row) && trajectory.no_contacts.empty();
}

/// N s, what acted on each body since the row before: contacts, gravity, applied forces.
std::vector<Sum> impulses_on(const Trajectory& trajectory, std::size_t row) {
  std::vector<Sum> sums(trajectory.bodies.size());
  const auto add = [&](int body, const Vector3& impulse) {
    if (body != kWorld) sums[static_cast<std::size_t>(body)].add(impulse);
  };
  if (!contacts_tell(trajectory, row)) {
    for (const PairImpulse& pair : trajectory.pairs[row])
      add(pair.a, -pair.impulse), add(pair.b, pair.impulse);
  } else {
    for (const AuditContact& c : trajectory.contacts[row]) add(c.a, c.reaction()), add(c.b, c.impulse);
  }
  const double span = trajectory.time[row] - trajectory.time[row - 1];
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].add(span * trajectory.bodies[i].mass * trajectory.gravity);
    sums[i].add(trajectory.states[row][i].applied_impulse);
  }
  return sums;
}

/// N m s, moments on each body about its centre of mass at the start of the step.
std::vector<Sum> moments_on(const Trajectory& trajectory, std::size_t row) {
  std::vector<Sum> sums(trajectory.bodies.size());
  const auto add = [&](int body, const AuditContact& contact, const Vector3& impulse, const Vector3& moment) {
    if (body == kWorld) return;
    const Vector3 arm = contact.point - kinematics_of(trajectory, row - 1, body).com;
    Sum& sum = sums[static_cast<std::size_t>(body)];
    sum.add(arm.cross(impulse));
    sum.add(moment);
    sum.size +=
        arm.norm() * impulse.norm();  // an impulse through the centre has a moment of 0 by cancellation
  };
  for (const AuditContact& contact : trajectory.contacts[row]) {
    add(contact.a, contact, contact.reaction(), -contact.moment);
    add(contact.b, contact, contact.impulse, contact.moment);
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i].add(trajectory.states[row][i].applied_angular_impulse);
  return sums;
}

/// What a scheme of first order leaves of the balance of angular momentum in a step, as the tensor of inertia
/// turns by h w: 2 (I_max - I_min) h |w| (h |w|^2 + |dw|). 0 for a ball.
double turning_error(const AuditBody& body, const BodyKinematics& start, const BodyKinematics& end,
                     double h) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> moments(body.inertia, Eigen::EigenvaluesOnly);
  const double spread = moments.eigenvalues()[2] - moments.eigenvalues()[0];
  const double w = std::max(start.angular_velocity.norm(), end.angular_velocity.norm());
  const double change = (end.angular_velocity - start.angular_velocity).norm();
  return 2.0 * spread * h * w * (h * w * w + change);
}

bool is_judged(const Trajectory& trajectory, std::size_t body) {
  return trajectory.bodies[body].motion == BodyMotion::kFree;
}

}  // namespace

void judge_linear_momentum(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  for (std::size_t row = 1; row < trajectory.rows(); ++row) {
    if (trajectory.pairs.empty() && !contacts_tell(trajectory, row)) continue;
    const std::vector<Sum> impulses = impulses_on(trajectory, row);
    for (std::size_t i = 0; i < impulses.size(); ++i) {
      const bool part_of_force =
          !trajectory.is_whole_step(row) && !trajectory.states[row][i].applied_impulse.isZero(0.0);
      if (!is_judged(trajectory, i) || part_of_force) continue;
      const double m = trajectory.bodies[i].mass;
      const int body = static_cast<int>(i);
      const Vector3 v0 = kinematics_of(trajectory, row - 1, body).velocity,
                    v1 = kinematics_of(trajectory, row, body).velocity;
      const double scale = impulses[i].size + m * (v1 - v0).norm() + kKnownTo * m * (v0.norm() + v1.norm());
      findings->add((m * (v1 - v0) - impulses[i].vector).norm(), tolerances.relative * scale, row, body);
    }
  }
}

void judge_angular_momentum(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  for (std::size_t row = 1; row < trajectory.rows(); ++row) {
    if (!trajectory.is_whole_step(row)) continue;
    const std::vector<Sum> moments = moments_on(trajectory, row), impulses = impulses_on(trajectory, row);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (!is_judged(trajectory, i)) continue;
      const AuditBody& body = trajectory.bodies[i];
      const BodyKinematics start = kinematics_of(trajectory, row - 1, static_cast<int>(i)),
                           end = kinematics_of(trajectory, row, static_cast<int>(i));
      const Vector3 L0 = angular_momentum(body, start), L1 = angular_momentum(body, end);
      // The impulses at the arm of the body's size too: a solver converges relative to all of them.
      const double scale = moments[i].size + size_of(body) * impulses[i].size + (L1 - L0).norm() +
                           kKnownTo * (L0.norm() + L1.norm());
      findings->add(
          (L1 - L0 - moments[i].vector).norm(),
          tolerances.relative * scale + turning_error(body, start, end, trajectory.step_before(row)), row,
          static_cast<int>(i));
    }
  }
}

void judge_reaction(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  for (std::size_t row = 1; row < trajectory.rows(); ++row)
    for (const AuditContact& c : trajectory.contacts[row])
      if (c.impulse_on_a.allFinite())
        findings->add((c.impulse + c.impulse_on_a).norm(),
                      tolerances.relative * (c.impulse.norm() + c.impulse_on_a.norm()), row, c.a, c.b);
}

}  // namespace csim::audit
