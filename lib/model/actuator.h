// Drives of joints.
#pragma once

#include "model/command.h"
#include "model/model.h"

namespace csim {

/// Effort (N or N m) of an actuator whose joint is at q with the velocity v, at the command c:
///   position   stiffness (c - q) + damping (v_d - v), v_d = 0, or the command's slope with
///              feed_forward_velocity
///   velocity   damping (c - v)
///   effort     c
/// within +- effort_limit.
[[nodiscard]] double actuator_effort(const Actuator& actuator, const CommandSample& command, double q,
                                     double v);

/// The command of an actuator (index in Model::actuators) in a step of length h that ends at t_end: that of
/// its end. A position that is followed at q0 + theta h v1 (spring_terms.h) is that of the same time, t_end -
/// (1 - theta) h: a drive that lags behind a ramp lags by as much whatever the step.
[[nodiscard]] CommandSample step_command(const Model& model, const SequenceState& sequence,
                                         std::size_t actuator, double theta, double t_end, double h);

/// Whether the effort follows the motion and has a limit, or is a coordinate of a cartesian drive: a row of
/// the convex problem.
[[nodiscard]] bool is_row_drive(const Actuator& actuator);

/// Commands and efforts of all actuators at the state: [n] each; 0 of the cartesian ones.
void compute_actuator_efforts(const Model& model, const State& state, VectorX* commands, VectorX* efforts);

/// Work (J) that the actuators that are no rows do in a step of length h that ends at t_end, from
/// `start` with the velocities v1 of its end and their mean over it: h u(q0 + theta h v1, v1) v_mean.
/// `theta` [nv]: FreeMotion::theta.
[[nodiscard]] double actuator_work(const Model& model, const State& start, const VectorX& theta,
                                   const VectorX& v1, const VectorX& v_mean, double t_end, double h);

}  // namespace csim
