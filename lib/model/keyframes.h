// Interpolation between values at given times: numbers or vectors alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/types.h"
#include "scene/scene.h"

namespace csim {

template <typename Value>
[[nodiscard]] Value zero_value() {
  if constexpr (std::is_arithmetic_v<Value>) {
    return Value(0);
  } else {
    return Value::Zero();
  }
}

/// A curve's value and derivatives in time.
template <typename Value>
struct KeyframeSample {
  Value value = zero_value<Value>(), rate = zero_value<Value>(), second = zero_value<Value>();
};

/// Slopes m_i of the cubic spline with m_0 = m_n = 0 and continuous second derivative [de Boor 1978, ch. IV]:
/// with l_i = t_{i+1} - t_i,
///   l_i m_{i-1} + 2 (l_{i-1} + l_i) m_i + l_{i-1} m_{i+1} = 3 (l_i d_{i-1} + l_{i-1} d_i),
///   d_i = (y_{i+1} - y_i)/l_i,
/// a diagonally dominant tridiagonal system. Times increase.
template <typename Value>
[[nodiscard]] std::vector<Value> clamped_spline_slopes(const std::vector<double>& times,
                                                       const std::vector<Value>& y) {
  const int n = static_cast<int>(y.size()) - 1;
  std::vector<Value> slopes(y.size(), zero_value<Value>());
  if (n < 2) return slopes;
  const auto length = [&](int i) { return times[i + 1] - times[i]; };
  const auto chord = [&](int i) -> Value { return (y[i + 1] - y[i]) / length(i); };
  // Forward elimination (Thomas), then back substitution; slopes[n] = 0 ends the recursion.
  std::vector<double> upper(y.size(), 0.0);
  for (int i = 1; i < n; ++i) {
    const double pivot = 2.0 * (length(i - 1) + length(i)) - length(i) * upper[i - 1];
    upper[i] = length(i - 1) / pivot;
    const Value right = 3.0 * (length(i) * chord(i - 1) + length(i - 1) * chord(i));
    slopes[i] = (right - length(i) * slopes[i - 1]) / pivot;
  }
  for (int i = n - 1; i >= 1; --i) slopes[i] -= upper[i] * slopes[i + 1];
  return slopes;
}

/// Slope at a key of a cubic that stays between the values of its keys, from the chords d0, d1 of the
/// segments before and after it, of lengths l0, l1: 0 where they differ in sign, else the weighted harmonic
/// mean [Brodlie's formula; Fritsch & Butland 1984].
[[nodiscard]] double monotone_slope(double l0, double d0, double l1, double d1);

/// The same at all keys, component by component; 0 at both ends.
template <typename Value>
[[nodiscard]] std::vector<Value> monotone_slopes(const std::vector<double>& times,
                                                 const std::vector<Value>& y) {
  std::vector<Value> slopes(y.size(), zero_value<Value>());
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    const double l0 = times[i] - times[i - 1], l1 = times[i + 1] - times[i];
    const Value d0 = (y[i] - y[i - 1]) / l0, d1 = (y[i + 1] - y[i]) / l1;
    if constexpr (std::is_arithmetic_v<Value>)
      slopes[i] = monotone_slope(l0, d0, l1, d1);
    else
      for (int k = 0; k < d0.size(); ++k) slopes[i][k] = monotone_slope(l0, d0[k], l1, d1[k]);
  }
  return slopes;
}

/// The slopes that `interpolate_keyframes` reads; none for step and linear.
template <typename Value>
[[nodiscard]] std::vector<Value> keyframe_slopes(Interpolation interpolation,
                                                 const std::vector<double>& times,
                                                 const std::vector<Value>& y) {
  if (interpolation == Interpolation::kCubic) return clamped_spline_slopes(times, y);
  if (interpolation == Interpolation::kSmooth) return monotone_slopes(times, y);
  return {};
}

/// The segment [t_i, t_{i+1}] that holds t: the earlier one at a key (`after` false) or the later one. -1
/// before the first key, n - 1 (the last key's index) after the last. Times within 1e-9 of a segment's length
/// of a key count as the key, so that times n h with round-off count as the key.
[[nodiscard]] int find_keyframe(const std::vector<double>& times, double t, bool after);

/// The curve through (times, y) at time t; before the first and after the last key it holds their values.
/// `step` holds each key until the next, with rate zero; `linear` joins them; `cubic` and `smooth` are cubics
/// with the given slopes (keyframe_slopes). At a key a linear curve has two rates. The rate
/// before the key is used (a step that ends there has moved with it); at t <= 0, the start of every run, that
/// after it.
template <typename Value>
[[nodiscard]] KeyframeSample<Value> interpolate_keyframes(const std::vector<double>& times,
                                                          const std::vector<Value>& y,
                                                          const std::vector<Value>& slopes,
                                                          Interpolation interpolation, double t) {
  const bool after = interpolation == Interpolation::kStep || t <= 0.0;
  const int i = find_keyframe(times, t, after);
  const int last = static_cast<int>(times.size()) - 1;
  KeyframeSample<Value> sample;
  if (i < 0 || i >= last || interpolation == Interpolation::kStep) {
    sample.value = y[std::clamp(i, 0, last)];
    return sample;
  }
  const double length = times[i + 1] - times[i];
  const double s = (t - times[i]) / length;
  const Value chord = (y[i + 1] - y[i]) / length;
  if (interpolation == Interpolation::kLinear) {
    sample.value = (1.0 - s) * y[i] + s * y[i + 1];
    sample.rate = chord;
    return sample;
  }
  // Hermite cubic on [0, 1].
  const Value m0 = slopes[i], m1 = slopes[i + 1];
  const Value c2 = 3.0 * chord - 2.0 * m0 - m1, c3 = m0 + m1 - 2.0 * chord;
  sample.value = y[i] + length * s * (m0 + s * (c2 + s * c3));
  sample.rate = m0 + s * (2.0 * c2 + 3.0 * s * c3);
  sample.second = (2.0 * c2 + 6.0 * s * c3) / length;
  return sample;
}

}  // namespace csim
