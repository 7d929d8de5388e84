// The rows of /joint: positions, velocities and efforts of the scene's joints, in the scene's order.
#pragma once

#include <vector>

#include "model/model.h"
#include "step/step_result.h"

namespace csim {

/// The bodies that the scene's joints place, in the order of those joints (free bodies without a joint are
/// not among them).
[[nodiscard]] std::vector<int> joint_bodies(const Model& model);

/// Fills joint_position [nqj], joint_velocity and joint_effort [nvj] of *frame. Effort (N or N m): the joint
/// springs at `state`.
void fill_joint_columns(const Model& model, const std::vector<int>& bodies, const State& state, Frame* frame);

}  // namespace csim
