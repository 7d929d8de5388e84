#include "model/motion.h"

#include <numbers>

namespace csim {
namespace {

// Slopes m_i of the cubic spline with m_0 = m_n = 0 and continuous second derivative [de Boor 1978, ch. IV]:
// with l_i = t_{i+1} - t_i,
//   l_i m_{i-1} + 2 (l_{i-1} + l_i) m_i + l_{i-1} m_{i+1} = 3 (l_i d_{i-1} + l_{i-1} d_i),   d_i = (y_{i+1} -
//   y_i)/l_i,
// a diagonally dominant tridiagonal system.
std::vector<Vector3> clamped_spline_slopes(const std::vector<double>& t, const std::vector<Vector3>& y) {
  const int n = static_cast<int>(y.size()) - 1;
  std::vector<Vector3> slopes(y.size(), Vector3::Zero());
  if (n < 2) return slopes;
  const auto length = [&](int i) { return t[i + 1] - t[i]; };
  const auto chord = [&](int i) -> Vector3 { return (y[i + 1] - y[i]) / length(i); };
  // Forward elimination (Thomas), then back substitution; slopes[n] = 0 ends the recursion.
  std::vector<double> upper(y.size(), 0.0);
  for (int i = 1; i < n; ++i) {
    const double pivot = 2.0 * (length(i - 1) + length(i)) - length(i) * upper[i - 1];
    upper[i] = length(i - 1) / pivot;
    const Vector3 right = 3.0 * (length(i) * chord(i - 1) + length(i - 1) * chord(i));
    slopes[i] = (right - length(i) * slopes[i - 1]) / pivot;
  }
  for (int i = n - 1; i >= 1; --i) slopes[i] -= upper[i] * slopes[i + 1];
  return slopes;
}

// A curve's value and derivatives.
struct Sample {
  Vector3 value = Vector3::Zero(), rate = Vector3::Zero(), second = Vector3::Zero();
};

constexpr double kKeySlack = 1e-9;  // of a segment's length

// The segment [t_i, t_{i+1}] that holds t: the earlier one at a key (`after` false) or the later one. -1
// before the first key, n - 1 (the last key's index) after the last.
int find_segment(const std::vector<double>& times, double t, bool after) {
  const int last = static_cast<int>(times.size()) - 1;
  // Keys passed: t beyond the key by more than the slack of the segment on the side asked for.
  int low = 0, high = last + 1;
  while (low < high) {
    const int mid = (low + high) / 2;
    const int neighbor = after ? (mid > 0 ? mid - 1 : mid + 1) : (mid < last ? mid + 1 : mid - 1);
    const double slack = last > 0 ? kKeySlack * std::abs(times[mid] - times[neighbor]) : 0.0;
    const bool passed = after ? t >= times[mid] - slack : t > times[mid] + slack;
    if (passed) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low - 1;
}

Sample interpolate(const MotionSpec& spec, const std::vector<Vector3>& y, const std::vector<Vector3>& slopes,
                   double t) {
  const std::vector<double>& times = spec.times;
  const bool after = spec.interpolation == Interpolation::kStep || t <= 0.0;
  const int i = find_segment(times, t, after);
  const int last = static_cast<int>(times.size()) - 1;
  Sample sample;
  if (i < 0 || i >= last || spec.interpolation == Interpolation::kStep) {
    sample.value = y[std::clamp(i, 0, last)];
    return sample;
  }
  const double length = times[i + 1] - times[i];
  const double s = (t - times[i]) / length;
  const Vector3 chord = (y[i + 1] - y[i]) / length;
  if (spec.interpolation == Interpolation::kLinear) {
    sample.value = (1.0 - s) * y[i] + s * y[i + 1];
    sample.rate = chord;
    return sample;
  }
  // Hermite cubic on [0, 1].
  const Vector3 m0 = slopes[i], m1 = slopes[i + 1];
  const Vector3 c2 = 3.0 * chord - 2.0 * m0 - m1, c3 = m0 + m1 - 2.0 * chord;
  sample.value = y[i] + length * s * (m0 + s * (c2 + s * c3));
  sample.rate = m0 + s * (2.0 * c2 + 3.0 * s * c3);
  sample.second = (2.0 * c2 + 6.0 * s * c3) / length;
  return sample;
}

// R = Rz(c) Ry(b) Rx(a), angles (a, b, c):  w = c' z + Rz (b' y) + Rz Ry (a' x), differentiated once more for
// its rate.
void set_rotation_from_angles(const Sample& rpy, MotionState* state) {
  const Quaternion rz(Eigen::AngleAxisd(rpy.value.z(), Vector3::UnitZ()));
  const Quaternion rzy = rz * Quaternion(Eigen::AngleAxisd(rpy.value.y(), Vector3::UnitY()));
  state->rotation = rzy * Quaternion(Eigen::AngleAxisd(rpy.value.x(), Vector3::UnitX()));
  const Vector3 z = Vector3::UnitZ(), y = rz * Vector3::UnitY(), x = rzy * Vector3::UnitX();
  const Vector3 w_z = rpy.rate.z() * z, w_y = rpy.rate.y() * y, w_x = rpy.rate.x() * x;
  state->velocity.w = w_z + w_y + w_x;
  state->acceleration.w =
      rpy.second.z() * z + rpy.second.y() * y + rpy.second.x() * x + w_z.cross(w_y) + (w_z + w_y).cross(w_x);
}

void evaluate_keyframes(const Motion& motion, double t, MotionState* state) {
  const MotionSpec& spec = motion.spec;
  if (!spec.xyz.empty()) {
    const Sample xyz = interpolate(spec, spec.xyz, motion.xyz_slopes, t);
    state->position = xyz.value;
    state->velocity.v = xyz.rate;
    state->acceleration.v = xyz.second;
  }
  if (!spec.rpy.empty()) set_rotation_from_angles(interpolate(spec, spec.rpy, motion.rpy_slopes, t), state);
}

}  // namespace

Motion make_motion(const MotionSpec& spec, const Pose& base) {
  Motion motion;
  motion.spec = spec;
  motion.base = base;
  if (spec.type == MotionType::kKeyframes && spec.interpolation == Interpolation::kCubic) {
    motion.xyz_slopes = clamped_spline_slopes(spec.times, spec.xyz);
    motion.rpy_slopes = clamped_spline_slopes(spec.times, spec.rpy);
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
