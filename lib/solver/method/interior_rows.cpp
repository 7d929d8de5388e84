#include "solver/method/interior_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

/// a > 0 with a (z + R a) = mu, both factors positive.
double central_distance(double z, double R, double mu) {
  const double root = std::sqrt(z * z + 4.0 * R * mu);
  return z >= 0.0 ? 2.0 * mu / (z + root) : (root - z) / (2.0 * R);
}

/// The gamma between finite bounds with z + R gamma = mu/(gamma - lower) - mu/(upper - gamma); the difference
/// of both sides rises with gamma.
double central_impulse(double z, double R, double lower, double upper, double mu) {
  double lo = lower, hi = upper;
  for (int k = 0; k < 60; ++k) {
    const double gamma = 0.5 * (lo + hi);
    (z + R * gamma < mu / (gamma - lower) - mu / (upper - gamma) ? lo : hi) = gamma;
  }
  return std::clamp(0.5 * (lo + hi), lower + 1e-12 * (upper - lower), upper - 1e-12 * (upper - lower));
}

double step_to_zero(double x, double dx) {
  return dx < 0.0 ? -x / dx : std::numeric_limits<double>::infinity();
}

}  // namespace

void InteriorRows::resize(int num_rows) {
  for (auto* column : {&gamma_, &s_, &t_, &r_, &c_s_, &c_t_, &dgamma_, &ds_, &dt_, &without_motion_,
                       &c_s_before_, &c_t_before_, &without_motion_before_})
    column->resize(num_rows);
}

int InteriorRows::count_pairs(const RowColumns& rows, RowRange range) {
  int count = 0;
  for (int i = range.begin; i < range.end; ++i)
    count += std::isfinite(rows.lower[i]) + std::isfinite(rows.upper[i]);
  return count;
}

void InteriorRows::start(const RowColumns& rows, RowRange range, const std::vector<double>& v, double mu) {
  for (int i = range.begin; i < range.end; ++i) {
    const double z = v[i] - rows.v_hat[i], R = rows.R[i], lower = rows.lower[i], upper = rows.upper[i];
    const bool has_lower = std::isfinite(lower), has_upper = std::isfinite(upper);
    if (has_lower && has_upper) {
      gamma_[i] = central_impulse(z, R, lower, upper, mu);
    } else if (has_lower) {
      gamma_[i] = lower + central_distance(z + R * lower, R, mu);
    } else if (has_upper) {
      gamma_[i] = upper - central_distance(-z - R * upper, R, mu);
    } else {
      gamma_[i] = -z / R;
    }
    s_[i] = has_lower ? mu / (gamma_[i] - lower) : 0.0;
    t_[i] = has_upper ? mu / (upper - gamma_[i]) : 0.0;
    dgamma_[i] = ds_[i] = dt_[i] = 0.0;
  }
}

InteriorRows::Residuals InteriorRows::set_residuals(const RowColumns& rows, RowRange range,
                                                    const std::vector<double>& v) {
  Residuals sum;
  for (int i = range.begin; i < range.end; ++i) {
    r_[i] = v[i] - rows.v_hat[i] + rows.R[i] * gamma_[i] - s_[i] + t_[i];
    sum.residual2 += r_[i] * r_[i];
    sum.slack2 += s_[i] * s_[i] + t_[i] * t_[i];
  }
  sum.gap = gap_after(rows, range, 0.0);
  return sum;
}

double InteriorRows::stiffness(const RowColumns& rows, int i) const {
  return 1.0 / (rows.R[i] + s_[i] / (gamma_[i] - rows.lower[i]) + t_[i] / (rows.upper[i] - gamma_[i]));
}

void InteriorRows::fill_hessians(const RowColumns& rows, RowRange range, std::vector<double>* G) const {
  for (int i = range.begin; i < range.end; ++i) (*G)[i] = stiffness(rows, i);
}

void InteriorRows::aim(const RowColumns& rows, RowRange range, double mu, bool second_order) {
  for (int i = range.begin; i < range.end; ++i) {
    const double a = gamma_[i] - rows.lower[i], b = rows.upper[i] - gamma_[i];
    const double target = second_order ? mu : 0.0, product = second_order ? dgamma_[i] : 0.0;
    c_s_[i] = std::isfinite(a) ? target - a * s_[i] - product * ds_[i] : 0.0;
    c_t_[i] = std::isfinite(b) ? target - b * t_[i] + product * dt_[i] : 0.0;
    without_motion_[i] = stiffness(rows, i) * (c_s_[i] / a - c_t_[i] / b - r_[i]);
  }
}

void InteriorRows::keep_aim(RowRange range) {
  for (int i = range.begin; i < range.end; ++i) {
    c_s_before_[i] = c_s_[i];
    c_t_before_[i] = c_t_[i];
    without_motion_before_[i] = without_motion_[i];
  }
}

void InteriorRows::restore_aim(RowRange range) {
  for (int i = range.begin; i < range.end; ++i) {
    c_s_[i] = c_s_before_[i];
    c_t_[i] = c_t_before_[i];
    without_motion_[i] = without_motion_before_[i];
  }
}

void InteriorRows::impulses(RowRange range, std::vector<double>* gamma) const {
  std::copy(gamma_.begin() + range.begin, gamma_.begin() + range.end, gamma->begin() + range.begin);
}

void InteriorRows::impulses_without_motion(RowRange range, std::vector<double>* gamma) const {
  for (int i = range.begin; i < range.end; ++i) (*gamma)[i] = gamma_[i] + without_motion_[i];
}

double InteriorRows::set_direction(const RowColumns& rows, RowRange range, const std::vector<double>& dv) {
  double step = std::numeric_limits<double>::infinity();
  for (int i = range.begin; i < range.end; ++i) {
    const double a = gamma_[i] - rows.lower[i], b = rows.upper[i] - gamma_[i];
    dgamma_[i] = without_motion_[i] - stiffness(rows, i) * dv[i];
    ds_[i] = (c_s_[i] - s_[i] * dgamma_[i]) / a;
    dt_[i] = (c_t_[i] + t_[i] * dgamma_[i]) / b;
    step = std::min({step, step_to_zero(a, dgamma_[i]), step_to_zero(b, -dgamma_[i]),
                     step_to_zero(s_[i], ds_[i]), step_to_zero(t_[i], dt_[i])});
  }
  return step;
}

double InteriorRows::gap_after(const RowColumns& rows, RowRange range, double alpha) const {
  double gap = 0.0;
  for (int i = range.begin; i < range.end; ++i) {
    const double gamma = gamma_[i] + alpha * dgamma_[i];
    if (std::isfinite(rows.lower[i])) gap += (gamma - rows.lower[i]) * (s_[i] + alpha * ds_[i]);
    if (std::isfinite(rows.upper[i])) gap += (rows.upper[i] - gamma) * (t_[i] + alpha * dt_[i]);
  }
  return gap;
}

void InteriorRows::take_step(RowRange range, double alpha) {
  for (int i = range.begin; i < range.end; ++i) {
    gamma_[i] += alpha * dgamma_[i];
    s_[i] += alpha * ds_[i];
    t_[i] += alpha * dt_[i];
  }
}

}  // namespace csim
