// Constraints between two bodies: what their rows measure, and how each follows from the velocities.
//
// Every row acts along a screw through one point M of space: v = angular . (w_b - w_a) + linear . (v_b -
// v_a), with the velocities of both bodies at M. Its impulse is that screw on b and its opposite on a, so
// that a pair keeps momentum and moment of momentum whatever its deviation is [Castro et al., SAP constraints
// of Drake].
//
// type       rows, x                                                 M
// distance   the distance from A to B; as often as it has rows        B
// ball       p_B - p_A, world axes                                    halfway
// weld       rotation vector from A to B, then p_B - p_A, world axes   halfway
//
// Halfway the power of a spring is the change of its energy, too: linear . v differs from d(p_B - p_A)/dt by
// 1/2 (w_a + w_b) x (p_B - p_A), which is across p_B - p_A.
#pragma once

#include <array>

#include "model/kinematics.h"

namespace csim {

struct ScrewRow {
  double x = 0.0;                     // m or rad
  Vector3 angular = Vector3::Zero();  // world axes
  Vector3 linear = Vector3::Zero();
};

/// What the rows of a pair measure at a pose.
struct PairMeasure {
  Vector3 point = Vector3::Zero();  // M, m, world
  std::array<ScrewRow, 6> rows;     // of BodyPair::rows
};

void measure_pair(const BodyPair& pair, const Kinematics& kinematics, PairMeasure* measure);

/// Appends the terms of a row: those of a, then those of b; of two bodies of one tree those that move one
/// against the other. Their number follows from the model alone.
void append_terms(const Model& model, const Kinematics& kinematics, const BodyPair& pair,
                  const Vector3& point, const ScrewRow& row, std::vector<RowTerm>* terms);

/// The velocity of a row that no coordinate makes, m/s or rad/s: that of prescribed bodies, mean over the
/// step of `kinematics`.
[[nodiscard]] double prescribed_velocity(const Kinematics& kinematics, const BodyPair& pair,
                                         const Vector3& point, const ScrewRow& row);

/// Of all bodies, world axes, at their origins: velocities, and accelerations at zero coordinate
/// accelerations.
struct BodyMotions {
  const std::vector<Twist>& velocity;
  const std::vector<Twist>& acceleration;
};

/// The accelerations of what the rows of a pair measure (m/s^2 or rad/s^2) at zero coordinate accelerations,
/// to first order in the deviation of balls and welds.
void bias_accelerations(const BodyPair& pair, const Kinematics& kinematics, const BodyMotions& motions,
                        std::array<double, 6>* accelerations);

/// By how much each row of each constraint is violated at q, [num_constraint_rows]; `kinematics`: at q.
void constraint_violations(const Model& model, const Kinematics& kinematics, const VectorX& q,
                           VectorX* violations);

/// J, in the springs of the constraints at the state; `kinematics`: at its q.
[[nodiscard]] double constraint_energy(const Model& model, const Kinematics& kinematics, const State& state);

}  // namespace csim
