// How long steps of variable length are.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {

/// A step that would have to be shorter (s) is a failure of the run: no contact is as stiff, so that a jump
/// or a NaN is the reason.
inline constexpr double kSmallestStep = 1e-12;

/// The smallest step from `time` on: the one above, and beyond the rounding of the time.
[[nodiscard]] inline double smallest_step(double time) {
  return std::max(kSmallestStep, 8.0 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

/// What an error asks the next step to be, relative to the last one: `root` is the p-th root of the error
/// over what is allowed, p the order of the error in the length.
inline constexpr double kSafety = 0.9, kLargestFactor = 5.0;
[[nodiscard]] inline double step_factor(double root, double smallest) {
  return std::clamp(kSafety / root, smallest, kLargestFactor);
}

struct StepLength {
  double h, t_end;  // s
};

/// The step from `time` when `wanted` is as long as the errors allow: before the limit the rest is taken in
/// one or two equal parts.
[[nodiscard]] inline StepLength fit_step(double time, double wanted, double t_limit) {
  const double rest = t_limit - time;
  if (wanted >= rest) return {rest, t_limit};
  const double t_end = time + (2.0 * wanted > rest ? 0.5 * rest : wanted);
  return {t_end - time, t_end};
}

/// What the step after a good one of length h is to be, when its error asks for factor times h. A step that
/// the limit cut short leaves the wanted length alone unless its error asks for less.
[[nodiscard]] inline double next_length(double h, double wanted, double factor) {
  return h < wanted && factor >= 1.0 ? std::max(h * factor, wanted) : h * factor;
}

}  // namespace csim
