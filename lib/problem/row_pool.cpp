#include "problem/row_pool.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace csim {
namespace {

struct RowValue {
  double cost, gamma, G;
};

/// v_hat of a near-rigid row that relaxes within the step; `norm`: |g0| of its group. A stop that is not
/// reached yet lets the joint come: no bound there.
double mending_speed(const RowLaw& law, double norm, double h) {
  const double speed = -law.g0 / (2.0 * h);
  const bool is_stop_ahead = is_stop(law) && law.g0 >= 0.0;
  const double fastest = norm / (2.0 * h);
  return is_stop_ahead || fastest <= kLargestCorrection ? speed : speed * (kLargestCorrection / fastest);
}

double group_norm(const RowColumns& rows, RowRange group) {
  double sum = 0.0;
  for (int i = group.begin; i < group.end; ++i) sum += rows.law[i].g0 * rows.law[i].g0;
  return std::sqrt(sum);
}

/// `norm`: as of mending_speed.
void set_row(double h, double w, double norm, int i, RowColumns* rows) {
  const RowLaw& law = rows->law[i];
  const double gain = h * law.stiffness + law.damping;
  const double softest = law.near_rigid * law.near_rigid * w / (4.0 * std::numbers::pi * std::numbers::pi);
  const double R = 1.0 / (h * gain);
  const bool is_softened = R < softest;
  rows->R[i] = is_softened ? softest : R;
  rows->v_hat[i] =
      (is_softened && law.relaxes_in_step ? mending_speed(law, norm, h)
                                          : (law.damping * law.rate - law.stiffness * law.g0) / gain) -
      law.bias;
  rows->delassus[i] = w;
  rows->lower[i] = h * law.lower;
  rows->upper[i] = h * law.upper;
  rows->spring_stiffness[i] = law.stores_energy && !is_softened ? law.stiffness : 0.0;
}

RowValue evaluate_row(const RowColumns& rows, int i, double v) {
  const double distance = rows.v_hat[i] - v;
  const double y = distance / rows.R[i];
  const double gamma = std::clamp(y, rows.lower[i], rows.upper[i]);
  const bool is_inside = y > rows.lower[i] && y < rows.upper[i];
  return {gamma * (distance - 0.5 * rows.R[i] * gamma), gamma, is_inside ? 1.0 / rows.R[i] : 0.0};
}

}  // namespace

void RowColumns::resize(std::size_t n) {
  law.resize(n);
  source.resize(n);
  for (auto* column : {&v_hat, &R, &lower, &upper, &delassus, &spring_stiffness}) column->resize(n);
}

double row_velocity(const RowColumns& rows, int i, const VectorX& v) {
  double sum = 0.0;
  for (int k = rows.term_begin[i]; k < rows.term_begin[i + 1]; ++k)
    sum += rows.terms[k].coefficient * v[rows.terms[k].v];
  return sum;
}

void set_rows(double h, double w, RowRange group, RowColumns* rows) {
  const double norm = group_norm(*rows, group);
  for (int i = group.begin; i < group.end; ++i) set_row(h, w, norm, i, rows);
}

double evaluate_rows(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                     std::vector<double>* gamma) {
  double cost = 0.0;
  for (int i = range.begin; i < range.end; ++i) {
    const RowValue value = evaluate_row(rows, i, v[i]);
    cost += value.cost;
    (*gamma)[i] = value.gamma;
  }
  return cost;
}

void row_hessian(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                 std::vector<double>* G) {
  for (int i = range.begin; i < range.end; ++i) (*G)[i] = evaluate_row(rows, i, v[i]).G;
}

LineValue evaluate_row_line(const RowColumns& rows, RowRange range, const std::vector<double>& v,
                            const std::vector<double>& dv, double alpha) {
  LineValue sum;
  for (int i = range.begin; i < range.end; ++i) {
    const RowValue value = evaluate_row(rows, i, v[i] + alpha * dv[i]);
    sum.cost += value.cost;
    sum.first -= value.gamma * dv[i];
    sum.second += value.G * dv[i] * dv[i];
  }
  return sum;
}

double row_impulse_norm2(const RowColumns& rows, RowRange range, const std::vector<double>& gamma) {
  double sum = 0.0;
  for (int i = range.begin; i < range.end; ++i) sum += rows.delassus[i] * gamma[i] * gamma[i];
  return sum;
}

double row_impulse(const RowColumns& rows, int i, double v) {
  return evaluate_row(rows, i, v).gamma;
}

double row_energy(const RowColumns& rows, int i, double g) {
  const double k = rows.spring_stiffness[i];
  const bool presses = -g * k > rows.law[i].lower && -g * k < rows.law[i].upper;
  return presses ? 0.5 * k * g * g : 0.0;
}

ContinuousRow evaluate_continuous_row(const RowLaw& law, double v, double w, double period, double v_s) {
  ContinuousRow row;
  if (std::isinf(law.damping)) {
    row.force = -law.upper * v / std::sqrt(v * v + v_s * v_s);
    row.dissipated = -row.force * v;
    return row;
  }
  double k = law.stiffness, c = law.damping;
  const double omega = 2.0 * std::numbers::pi / period;
  if (law.relaxes_in_step && !(k < omega * omega / w)) {
    k = omega * omega / w;
    c = 2.0 * omega / w;
  }
  row.force = std::clamp(-k * law.g0 - c * (v - law.rate), law.lower, law.upper);
  if (law.stores_energy) {
    row.energy = 0.5 * k * law.g0 * law.g0;
    row.dissipated = -(row.force + k * law.g0) * v;
  }
  return row;
}

}  // namespace csim
