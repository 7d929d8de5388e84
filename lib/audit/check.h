// The checks of an audit as a table: what each computes, in which unit, and how large the value may be.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/trajectory.h"

namespace csim::audit {

/// The two tolerances of an audit; docs/audit.md says for which check they are and why these defaults.
struct Tolerances {
  /// Of what holds step by step, relative to what the step exchanges. 1e-4: ten times what iterative solvers
  /// converge to by default, a tenth of the smallest error that is seen in a motion.
  double relative = 1e-4;
  /// Of works summed over the run, as a share of the energy throughput. 1 %: schemes of first order with
  /// usual steps stay below it.
  double energy = 0.01;
};

/// The value where it is positive, else 0; NaN stays NaN, so that a check sees it.
[[nodiscard]] inline double positive_part(double value) {
  return value <= 0.0 ? 0.0 : value;
}

/// What a check found: the largest value over what was allowed there, and how often it was too large. A value
/// that is no number or infinite, as of velocities whose squares overflow, is too large and the worst; the
/// first of them is kept.
class Findings {
 public:
  /// A value of row `row` between bodies (or of one: b = kNone) that may be at most `allowed` in size.
  void add(double value, double allowed, std::size_t row, int a, int b = kNone);

  static constexpr int kNone = -2;  // no second body

  long judged = 0, failures = 0;
  double value = 0.0, allowed = 0.0;  // of the worst
  std::size_t row = 0, first_failure = 0;
  int a = kNone, b = kNone;

 private:
  double ratio_ = -1.0;
};

/// What a check follows from, beside what its functions ask of single contacts.
struct Basis {
  bool momentum = false;  // velocities that change by impulses: not of quasistatic motions
  bool contacts = false;  // all contacts of the motion
  bool steps = false;     // both ends of each step
};

struct Check {
  const char* name;
  const char* unit;   // of the value
  const char* about;  // what has to hold
  Basis basis;
  const char* needs;  // what a file lacks when nothing was judged
  void (*judge)(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
};

/// All checks, in the order of the report: docs/audit.md has a section for each.
[[nodiscard]] std::span<const Check> checks();

// The checks by family; each adds what it judges.

// momentum_checks.cpp
/// m (v1 - v0) = sum of impulses on the body + m g dt, N s.
void judge_linear_momentum(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// L1 - L0 = sum of r x impulse + moments, about the centre of mass at the start of the step, N m s.
void judge_angular_momentum(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// The impulses on a and on b of a contact are opposite, N s.
void judge_reaction(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);

// normal_checks.cpp
/// A contact pushes: its normal impulse is not negative, N s.
void judge_pushing(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// A contact that pushes is closed at the start or the end of its step: the gap that it leaves, m.
void judge_gap(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Newton's law of impact at rigid contacts, m/s.
void judge_impact(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);

// friction_checks.cpp
/// |j_t| <= mu j_n, N s.
void judge_cone(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Friction does not push along the slip at both ends of the step: the smaller of the two speeds, m/s.
void judge_friction_power(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Friction of what slides is opposite to a slip of the step, rad.
void judge_friction_direction(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);

// energy_checks.cpp
/// Friction of a pair of bodies takes energy: what it gives over any span of time, J.
void judge_friction_work(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Normal impulses of a pair give no more than they have taken, J.
void judge_normal_work(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Kinetic and potential energy of the free bodies change by the works of contacts and applied forces, J.
void judge_energy(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// The energies that the file states are those of its bodies, J.
void judge_stated_energy(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);

// motion_checks.cpp
/// Quaternions have the length 1.
void judge_quaternion(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Centres of mass move with a velocity between those of the ends of the step, m.
void judge_position(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);
/// Bodies turn with an angular velocity between those of the ends of the step, rad.
void judge_rotation(const Trajectory& trajectory, const Tolerances& tolerances, Findings* findings);

}  // namespace csim::audit
