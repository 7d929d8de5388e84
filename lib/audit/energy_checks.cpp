// Works over the run. An impulse j changes the kinetic energy by exactly j . (v0 + v1)/2, so works are those
// at the mean velocity of the step.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "audit/check.h"
#include "audit/step_motion.h"

namespace csim::audit {
namespace {

double kinetic_of_all(const Trajectory& trajectory, std::size_t row) {
  double sum = 0.0;
  for (std::size_t i = 0; i < trajectory.bodies.size(); ++i)
    sum += kinetic_energy(trajectory.bodies[i], kinematics_of(trajectory, row, static_cast<int>(i)));
  return sum;
}

/// J, of gravity, 0 at the world's origin.
double potential_of(const Trajectory& trajectory, std::size_t row, std::size_t body) {
  const Vector3 com = kinematics_of(trajectory, row, static_cast<int>(body)).com;
  return -trajectory.bodies[body].mass * trajectory.gravity.dot(com);
}

/// J, what the motion turns over: the largest kinetic energy, the sizes of the works of all contacts, and the
/// largest change of the potential energy of bodies that are not prescribed.
double throughput(const Trajectory& trajectory) {
  double works = 0.0, kinetic = 0.0, potential = 0.0;
  for (std::size_t row = 0; row < trajectory.rows(); ++row) {
    kinetic = std::max(kinetic, kinetic_of_all(trajectory, row));
    double change = 0.0;
    for (std::size_t i = 0; i < trajectory.bodies.size(); ++i)
      if (trajectory.bodies[i].motion != BodyMotion::kPrescribed)
        change += potential_of(trajectory, row, i) - potential_of(trajectory, 0, i);
    potential = std::max(potential, std::abs(change));
    for (const AuditContact& c : trajectory.contacts[row])
      works += std::abs(c.impulse.dot(contact_step(trajectory, row, c).mean()));
  }
  return kinetic + works + potential;
}

using Pair = std::pair<int, int>;

/// Sums of a work by pair of bodies, row by row: visit(row, pair, work of the row).
template <typename Work, typename Visit>
void visit_pair_works(const Trajectory& trajectory, const Work& work, const Visit& visit) {
  std::map<Pair, double> of_row;
  std::size_t last = 0;
  const auto flush = [&] {
    for (const auto& [pair, sum] : of_row) visit(last, pair, sum);
    of_row.clear();
  };
  visit_contacts(trajectory, [&](std::size_t row, const AuditContact& c, const ContactStep& step, double) {
    if (!trajectory.is_whole_step(row)) return;
    if (row != last) flush();
    last = row;
    of_row[std::minmax(c.a, c.b)] += work(c, step);
  });
  flush();
}

/// J, the most that the contacts of each pair can hold at the start: force times overlap of the first step,
/// which a spring that grows stiffer does not reach.
std::map<Pair, double> held_at_start(const Trajectory& trajectory) {
  std::map<Pair, double> held;
  for (const AuditContact& c : trajectory.contacts[1])
    if (c.has_normal() && c.gap < 0.0)
      held[std::minmax(c.a, c.b)] += std::max(0.0, c.normal_impulse()) / trajectory.step_before(1) * -c.gap;
  return held;
}

/// J, work of all that acts on a body in a step, and the size of its parts.
void add_works(const Trajectory& trajectory, std::size_t row, std::vector<double>* work) {
  const auto add = [&](int body, const AuditContact& c, const Vector3& impulse, const Vector3& moment) {
    if (body == kWorld) return;
    const BodyStep step = body_step(trajectory, row, body);
    const Vector3 v = 0.5 * (step.velocity0 + step.velocity1), w = 0.5 * (step.angular0 + step.angular1);
    (*work)[static_cast<std::size_t>(body)] += impulse.dot(v + w.cross(c.point - step.com)) + moment.dot(w);
  };
  for (const AuditContact& c : trajectory.contacts[row]) {
    add(c.a, c, c.reaction(), -c.moment);
    add(c.b, c, c.impulse, c.moment);
  }
  for (std::size_t i = 0; i < work->size(); ++i) {
    const BodyStep step = body_step(trajectory, row, static_cast<int>(i));
    const BodyState& state = trajectory.states[row][i];
    (*work)[i] += 0.5 * state.applied_impulse.dot(step.velocity0 + step.velocity1) +
                  0.5 * state.applied_angular_impulse.dot(step.angular0 + step.angular1);
  }
}

}  // namespace

void judge_friction_work(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  const double allowed = tolerances.energy * throughput(trajectory);
  std::map<Pair, double> gained;  // J, since the pair's sum was smallest
  const auto work = [](const AuditContact& c, const ContactStep& step) {
    return c.tangential_impulse().dot(step.mean());
  };
  visit_pair_works(trajectory, work, [&](std::size_t row, const Pair& pair, double of_row) {
    double& gain = gained[pair];
    gain = positive_part(gain + of_row);
    findings->add(gain, allowed, row, pair.first, pair.second);
  });
}

void judge_normal_work(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  const double allowed = tolerances.energy * throughput(trajectory);
  std::map<Pair, double> held = held_at_start(trajectory), given;
  const auto work = [](const AuditContact& c, const ContactStep& step) {
    return c.normal_impulse() * c.normal.dot(step.mean());
  };
  visit_pair_works(trajectory, work, [&](std::size_t row, const Pair& pair, double of_row) {
    double& sum = given[pair];
    sum += of_row;
    findings->add(positive_part(sum - held[pair]), allowed, row, pair.first, pair.second);
  });
}

void judge_energy(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  const double share = tolerances.energy * throughput(trajectory), g = trajectory.gravity.norm();
  std::vector<double> unexplained(trajectory.bodies.size(), 0.0);  // J
  std::vector<Vector3> gained(trajectory.bodies.size(),
                              Vector3::Zero());  // m/s, in the steps that are judged
  for (std::size_t row = 1; row < trajectory.rows(); ++row) {
    if (!trajectory.is_whole_step(row)) continue;
    std::vector<double> work(trajectory.bodies.size(), 0.0);
    add_works(trajectory, row, &work);
    for (std::size_t i = 0; i < work.size(); ++i) {
      const AuditBody& body = trajectory.bodies[i];
      if (body.motion != BodyMotion::kFree) continue;
      const BodyKinematics start = kinematics_of(trajectory, row - 1, static_cast<int>(i)),
                           end = kinematics_of(trajectory, row, static_cast<int>(i));
      unexplained[i] += kinetic_energy(body, end) - kinetic_energy(body, start) +
                        potential_of(trajectory, row, i) - potential_of(trajectory, row - 1, i) - work[i];
      // Gravity works on the way of the step, h v1 or h v0, not at the mean velocity: a sum of h/2 m g (v1 -
      // v0).
      gained[i] += end.velocity - start.velocity;
      const double of_scheme = 0.5 * trajectory.step_before(row) * body.mass * g * gained[i].norm();
      findings->add(unexplained[i], share + of_scheme, row, static_cast<int>(i));
    }
  }
}

void judge_stated_energy(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings) {
  double largest = 0.0;
  for (std::size_t row = 0; row < trajectory.rows(); ++row)
    largest = std::max(largest, kinetic_of_all(trajectory, row));
  const auto potential = [&](std::size_t row) {
    double sum = 0.0;
    for (std::size_t i = 0; i < trajectory.bodies.size(); ++i) sum += potential_of(trajectory, row, i);
    return sum;
  };
  const double scale = throughput(trajectory), start = trajectory.potential.empty() ? 0.0 : potential(0);
  for (std::size_t row = 0; row < trajectory.rows(); ++row) {
    if (!trajectory.kinetic.empty())
      findings->add(trajectory.kinetic[row] - kinetic_of_all(trajectory, row), tolerances.relative * largest,
                    row, Findings::kNone);
    if (!trajectory.potential.empty())  // its zero is the program's own
      findings->add(trajectory.potential[row] - trajectory.potential[0] - (potential(row) - start),
                    tolerances.relative * scale, row, Findings::kNone);
  }
}

}  // namespace csim::audit
