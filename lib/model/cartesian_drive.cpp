#include "model/cartesian_drive.h"

#include "core/rotation_vector.h"
#include "model/motion.h"
#include "model/sequence.h"

namespace csim {
namespace {

/// The pose of six numbers and their rates: a position, and angles (roll, pitch, yaw).
MotionState pose_of(const Vector3& position, const Vector3& velocity, const KeyframeSample<Vector3>& rpy) {
  MotionState pose;
  pose.position = position;
  pose.velocity.v = velocity;
  set_rotation_from_angles(rpy, &pose);
  return pose;
}

/// The command of the six coordinates.
MotionState commanded_pose(const Model& model, const CartesianDrive& drive, const SequenceState& sequence,
                           double t) {
  KeyframeSample<Vector3> xyz, rpy;
  for (int i = 0; i < 3; ++i) {
    const auto column = static_cast<std::size_t>(drive.actuator + i);
    const CommandSample position = command_at(model, sequence, column, t),
                        angle = command_at(model, sequence, column + 3, t);
    xyz.value[i] = position.value;
    xyz.rate[i] = position.rate;
    rpy.value[i] = angle.value;
    rpy.rate[i] = angle.rate;
  }
  return pose_of(xyz.value, xyz.rate, rpy);
}

void measure_from(const MotionState& command, const CartesianDrive& drive, const Kinematics& kinematics,
                  CartesianMeasure* measure) {
  const BodyPair& pair = drive.pair;
  const RigidTransform X_WF = kinematics.X_WB[static_cast<std::size_t>(pair.body_b)] * pair.X_B;
  const RigidTransform X_WA =
      pair.body_a < 0 ? RigidTransform() : kinematics.X_WB[static_cast<std::size_t>(pair.body_a)];
  const Matrix3 R_AF = X_WA.R.transpose() * X_WF.R;
  const Vector3 linear = X_WA.R.transpose() * (X_WF.p - X_WA.p) - command.position;
  const Vector3 angular = rotation_vector(Quaternion(R_AF * command.rotation.toRotationMatrix().transpose()));
  measure->point = X_WF.p;
  measure->rate << command.velocity.v, command.velocity.w;
  for (int i = 0; i < 3; ++i) {
    measure->rows[i] = {linear[i], Vector3::Zero(), X_WA.R.col(i)};
    measure->rows[i + 3] = {angular[i], X_WA.R.col(i), Vector3::Zero()};
  }
}

}  // namespace

RigidTransform commanded_frame(const Model& model, const CartesianDrive& drive, const SequenceState& sequence,
                               double t) {
  const MotionState pose = commanded_pose(model, drive, sequence, t);
  return {pose.rotation, pose.position};
}

void measure_cartesian(const Model& model, const CartesianDrive& drive, const Kinematics& kinematics,
                       const SequenceState& sequence, double t, CartesianMeasure* measure) {
  measure_from(commanded_pose(model, drive, sequence, t), drive, kinematics, measure);
}

void measure_cartesian_at(const CartesianDrive& drive, const Kinematics& kinematics, const VectorX& command,
                          CartesianMeasure* measure) {
  KeyframeSample<Vector3> rpy;
  rpy.value = command.segment<3>(drive.actuator + 3);
  rpy.rate.setZero();
  measure_from(pose_of(command.segment<3>(drive.actuator), Vector3::Zero(), rpy), drive, kinematics, measure);
}

void compute_cartesian_efforts(const Model& model, const Kinematics& kinematics,
                               const std::vector<Twist>& twists, const State& state, VectorX* efforts) {
  CartesianMeasure measure;
  for (const CartesianDrive& drive : model.cartesian_drives) {
    measure_cartesian(model, drive, kinematics, state.sequence, state.time, &measure);
    Twist V;  // of the frame less that of the base there
    for (const auto& [body, sign] : {std::pair(drive.pair.body_a, -1.0), std::pair(drive.pair.body_b, 1.0)}) {
      if (body < 0) continue;
      const Twist& twist = twists[static_cast<std::size_t>(body)];
      V.w += sign * twist.w;
      V.v += sign * twist.at(measure.point - kinematics.X_WB[static_cast<std::size_t>(body)].p);
    }
    for (int i = 0; i < 6; ++i) {
      const ScrewRow& row = measure.rows[i];
      const double v = row.angular.dot(V.w) + row.linear.dot(V.v);
      (*efforts)[drive.actuator + i] = -drive.stiffness[i] * row.x - drive.damping[i] * (v - measure.rate[i]);
    }
  }
}

}  // namespace csim
