#include "step/fill_frame.h"

#include "model/actuator.h"
#include "model/body_pair.h"
#include "model/breaking.h"
#include "model/cartesian_drive.h"
#include "model/force.h"
#include "step/patch_rows.h"

namespace csim {

void fill_constraint_forces(const Model& model, std::span<const StepForces> forces, Frame* frame) {
  frame->constraint_force.setZero(model.num_constraint_rows);
  frame->constraint_energy.setZero(model.num_constraint_rows);
  for (const StepForces& part : forces) {
    if (part.rows == nullptr) continue;
    frame->constraint_force += part.rows->constraint;
    frame->constraint_energy += part.rows->constraint_energy;
  }
}

FrameFiller::FrameFiller(const Model& model, const OutputSpec& output)
    : model_(model), output_(output), columns_(make_state_columns(model)) {}

void FrameFiller::place(const State& state) {
  compute_kinematics(model_, state.q, state.time, state.time, &kinematics_);
  compute_twists(model_, kinematics_, state.v, &twists_);
}

MechanicalEnergy FrameFiller::mechanical_energy_at(const State& state) {
  place(state);
  return mechanical_energy(model_, kinematics_, twists_, state);
}

void FrameFiller::fill_rows(const State& state, std::span<const StepForces> forces, Frame* frame) {
  constraint_violations(model_, kinematics_, state.q, &frame->constraint_violation);
  for (const CoordinateRow& row : model_.rows)
    if (is_broken(state, row.constraint)) frame->constraint_violation[row.index] = 0.0;
  for (const BodyPair& pair : model_.body_pairs)
    if (is_broken(state, pair.constraint))
      frame->constraint_violation.segment(pair.index, static_cast<Eigen::Index>(pair.rows.size())).setZero();
  frame->constraint_broken.assign(state.broken.begin(), state.broken.end());
  fill_constraint_forces(model_, forces, frame);
  if (forces.empty() || forces.front().rows == nullptr) return;
  for (std::size_t i = 0; i < model_.actuators.size(); ++i)
    if (is_row_drive(model_.actuators[i])) frame->actuator_effort[i] = 0.0;
  for (const StepForces& part : forces) {
    joint_forces_ += part.rows->joint;
    for (std::size_t i = 0; i < model_.actuators.size(); ++i)
      if (is_row_drive(model_.actuators[i])) frame->actuator_effort[i] += part.rows->drive[i];
  }
}

void FrameFiller::fill_forces(const State& state, Frame* frame) {
  frame->force_applied.resize(6 * static_cast<Eigen::Index>(model_.forces.size()));
  for (std::size_t i = 0; i < model_.forces.size(); ++i) {
    const Force& force = model_.forces[i];
    const AppliedForce applied =
        evaluate_force(model_, force, kinematics_.X_WB[static_cast<std::size_t>(force.body)], state.time);
    frame->force_applied.segment<6>(6 * static_cast<Eigen::Index>(i)) << applied.force, applied.torque;
  }
}

void FrameFiller::fill(const State& state, std::span<const StepForces> forces, bool with_contacts,
                       Frame* frame) {
  const std::size_t num_bodies = model_.bodies.size();
  place(state);
  frame->time = state.time;
  frame->sequence_phase = state.sequence.phase;
  gather_columns(columns_.q, state.q, &frame->q);
  gather_columns(columns_.v, state.v, &frame->v);
  frame->position.resize(num_bodies);
  frame->quaternion.resize(num_bodies);
  frame->velocity.resize(num_bodies);
  frame->angular_velocity.resize(num_bodies);
  for (std::size_t b = 0; b < num_bodies; ++b) {
    frame->position[b] = kinematics_.X_WB[b].p;
    frame->quaternion[b] = kinematics_.q_WB[b];
    frame->velocity[b] = twists_[b].v;
    frame->angular_velocity[b] = twists_[b].w;
  }
  frame->asleep.assign(num_bodies, 0);
  for (std::size_t t = 0; t < state.rest.group.size(); ++t)
    if (state.rest.group[t] >= 0)
      for (const int body : bodies_of(model_, model_.trees[t]))
        frame->asleep[static_cast<std::size_t>(body)] = 1;
  compute_spring_forces(model_, state.q, &joint_forces_);
  compute_actuator_efforts(model_, state, &frame->actuator_command, &frame->actuator_effort);
  compute_cartesian_efforts(model_, kinematics_, twists_, state, &frame->actuator_effort);
  fill_rows(state, forces, frame);
  fill_forces(state, frame);
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    const int v = model_.actuators[i].v;
    if (v >= 0) joint_forces_[v] += frame->actuator_effort[i];
  }
  gather_columns(columns_.joint_q, state.q, &frame->joint_position);
  gather_columns(columns_.joint_v, state.v, &frame->joint_velocity);
  gather_columns(columns_.joint_v, joint_forces_, &frame->joint_effort);

  frame->energy = make_energy_row(state.energy);

  const bool full = output_.patches == PatchOutput::kFull;
  if (with_contacts && output_.contacts) {
    fill_contact_rows(model_, forces, full, &frame->contacts);
  } else {
    frame->contacts.resize(0);
  }
  if (with_contacts && output_.patches != PatchOutput::kNone) {
    fill_patch_rows(model_, forces, full, &frame->patches);
  } else {
    frame->patches.clear();
  }
}

}  // namespace csim
