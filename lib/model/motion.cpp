#include "model/motion.h"

#include <numbers>

#include "model/keyframes.h"

namespace csim {

// R = Rz(c) Ry(b) Rx(a), angles (a, b, c):  w = c' z + Rz (b' y) + Rz Ry (a' x), differentiated once more for
// its rate.
void set_rotation_from_angles(const KeyframeSample<Vector3>& rpy, MotionState* state) {
  const Quaternion rz(Eigen::AngleAxisd(rpy.value.z(), Vector3::UnitZ()));
  const Quaternion rzy = rz * Quaternion(Eigen::AngleAxisd(rpy.value.y(), Vector3::UnitY()));
  state->rotation = rzy * Quaternion(Eigen::AngleAxisd(rpy.value.x(), Vector3::UnitX()));
  const Vector3 z = Vector3::UnitZ(), y = rz * Vector3::UnitY(), x = rzy * Vector3::UnitX();
  const Vector3 w_z = rpy.rate.z() * z, w_y = rpy.rate.y() * y, w_x = rpy.rate.x() * x;
  state->velocity.w = w_z + w_y + w_x;
  state->acceleration.w =
      rpy.second.z() * z + rpy.second.y() * y + rpy.second.x() * x + w_z.cross(w_y) + (w_z + w_y).cross(w_x);
}

namespace {

void evaluate_keyframes(const Motion& motion, double t, MotionState* state) {
  const MotionSpec& spec = motion.spec;
  if (!spec.xyz.empty()) {
    const KeyframeSample<Vector3> xyz =
        interpolate_keyframes(spec.times, spec.xyz, motion.xyz_slopes, spec.interpolation, t);
    state->position = xyz.value;
    state->velocity.v = xyz.rate;
    state->acceleration.v = xyz.second;
  }
  if (!spec.rpy.empty()) {
    set_rotation_from_angles(
        interpolate_keyframes(spec.times, spec.rpy, motion.rpy_slopes, spec.interpolation, t), state);
  }
}

}  // namespace

Motion make_motion(const MotionSpec& spec, const Pose& base) {
  Motion motion;
  motion.spec = spec;
  motion.base = base;
  if (spec.type == MotionType::kKeyframes) {
    motion.xyz_slopes = keyframe_slopes(spec.interpolation, spec.times, spec.xyz);
    motion.rpy_slopes = keyframe_slopes(spec.interpolation, spec.times, spec.rpy);
  }
  return motion;
}

MotionState evaluate_motion(const Motion& motion, double t) {
  const MotionSpec& spec = motion.spec;
  MotionState state;
  state.position = motion.base.xyz;
  state.rotation = motion.base.rotation;
  switch (spec.type) {
    case MotionType::kNone:
      break;
    case MotionType::kKeyframes:
      evaluate_keyframes(motion, t, &state);
      break;
    case MotionType::kVelocity: {
      state.position += t * spec.velocity;
      const double speed = spec.angular_velocity.norm();
      if (speed > 0.0) {
        state.rotation =
            Quaternion(Eigen::AngleAxisd(speed * t, spec.angular_velocity / speed)) * state.rotation;
      }
      state.velocity = {spec.angular_velocity, spec.velocity};
      break;
    }
    case MotionType::kSine: {
      const double rate = 2.0 * std::numbers::pi * spec.frequency;
      const double angle = rate * t + spec.phase;
      state.position += std::sin(angle) * spec.amplitude;
      state.velocity.v = rate * std::cos(angle) * spec.amplitude;
      state.acceleration.v = -rate * rate * std::sin(angle) * spec.amplitude;
      break;
    }
  }
  state.rotation.normalize();
  return state;
}

}  // namespace csim
