#include <algorithm>
#include <cmath>
#include <type_traits>

#include "law/lane_sum.h"
#include "solver/method/interior_point_island.h"

namespace csim {
namespace {

/// Gap of the start from predicted impulses: so many times what they miss complementarity by, and no smaller
/// than so many times the goal.
constexpr double kPredictedGap = 10.0;

constexpr double kTinySpeed = 1e-9;  // m/s
constexpr double kTiny = 1e-300;     // kg, below any contact that acts

static double squared(const ContactVelocities& v, int i) {
  const double x = v.tangential.x[i], y = v.tangential.y[i], z = v.tangential.z[i], n = v.normal[i];
  return n * n + x * x + y * y + z * z;
}

}  // namespace

/// The cones, their number, and the sizes that the step has without contacts.
template <class Cone>
void IslandInteriorPoint<Cone>::fill_cones() {
  law_.fill_cones(problem_.contacts, contacts_, &c_.cones);
  for (int i = 0; i < n_; ++i) dv()[i] = problem_.v_star[begin_ + i] - v()[i];
  contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
  double change2 = 0.0, speed2 = 0.0;
  num_cones_ = InteriorRows::count_pairs(problem_.rows, island_.rows);
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    change2 = std::max(change2, squared(w_.dv_c, i));
    speed2 = std::max(speed2, squared(w_.v_c, i));
    num_cones_ += c_.cones.acts[i];
  }
  speed_scale_ = std::max({std::sqrt(change2), 1e-3 * std::sqrt(speed2), kTinySpeed});
  multiply_A(problem_, island_, w_.dv, &w_.A_dv);
  kinetic_scale_ = dot(dv(), w_.A_dv.data() + begin_, n_);
}

/// Lagged: v = 0, where most gaps are still open, unless the cost is lower at the guess; s and lambda are the
/// central pairs nearest to those of the law at v, with a gap as large as the cost.
template <class Cone>
void IslandInteriorPoint<Cone>::start_from_rest() {
  const double cost_guess = value_.cost;
  std::fill_n(v(), n_, 0.0);
  evaluate();
  if (!(value_.cost < cost_guess)) {
    std::copy_n(c_.v_start.data() + begin_, n_, v());
    evaluate();
  }
  const double mu = std::abs(value_.cost) / num_cones_;
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const double z = w_.v_c.normal[i] - c_.cones.v_hat[i];
    // 1/kg, compliance of the bodies and of the law.
    const double w =
        problem_.contacts.delassus[i] + 1.0 / (c_.cones.a[i] + c_.cones.b[i] * std::abs(z) + kTiny);
    const Cone pair{z};
    iterate_.s.set(i, smoothed_projection(pair, w * mu));
    iterate_.lambda.set(i, smoothed_projection(pair * -1.0, w * mu) * (1.0 / w));
  }
  start_rows(mu);
}

/// Central impulses of the rows at v.
template <class Cone>
void IslandInteriorPoint<Cone>::start_rows(double mu) {
  const double smallest = goal_.gap * std::max(value_.v_norm2, kinetic_scale_) / num_cones_;
  c_.rows.start(problem_.rows, island_.rows, w_.v_c.row, std::max({mu, smallest, kTiny}));
}

/// SAP and Similar: lambda along the normals, of the size of the momenta that the contacts may pass on in the
/// step, or of what a soft contact can come to; s from v, moved well inside the cone.
template <class Cone>
void IslandInteriorPoint<Cone>::start_along_normals() {
  double gap = 0.0, count = 0.0;
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const double mass = 1.0 / problem_.contacts.delassus[i];
    const double factor = c_.cones.tangential[i] > 0.0 ? std::min(1.0, 1.0 / c_.cones.normal[i]) : 1.0;
    const double start_speed = std::max(speed_scale_, -w_.v_c.normal[i]);
    const Cone lambda{std::min(factor * mass * start_speed, law_impulse(i, start_speed))};
    iterate_.lambda.set(i, lambda);
    Cone s = slack(i, lambda);
    const double rest = rest_norm(s);
    s.n = std::max(s.n, rest + std::max(0.01, 0.1 * rest));
    iterate_.s.set(i, c_.cones.acts[i] > 0.0 ? s : Cone{1.0});
    gap += c_.cones.acts[i] * s.n * lambda.n;
    count += c_.cones.acts[i];
  }
  start_rows(count > 0.0 ? gap / count : kinetic_scale_ / num_cones_);
}

/// lambda_0 of the normal law where it is loaded faster by `speed` (m/s) than at v. A face whose force
/// hardly changes in a step allows no start far above it: s is huge there, and the first step breaks down.
template <class Cone>
double IslandInteriorPoint<Cone>::law_impulse(int i, double speed) const {
  const double x = std::max(c_.cones.v_hat[i] - w_.v_c.normal[i], 0.0) + speed;
  return x * (c_.cones.a[i] + c_.cones.b[i] * x) / c_.cones.normal[i];
}

/// s at v and lambda of the impulse in gamma, which may lie outside the cone.
template <class Cone>
struct IslandInteriorPoint<Cone>::Predicted {
  Cone s, lambda;
  double w;  // 1/kg, makes velocities of impulses

  [[nodiscard]] Cone difference() const { return s - lambda * w; }
};

/// A full step of Newton's method on the law meets the momentum balance with the impulses gamma - G J dv.
/// The central pairs nearest to them and to s at its end, with a gap as large as what they miss
/// complementarity by, are the start, in place of one from impulses without memory. False when the step
/// cannot be made or promises no smaller gap.
template <class Cone>
bool IslandInteriorPoint<Cone>::start_from_prediction() {
  pool_hessians(problem_, island_, w_.v_c, nullptr, &w_.G);
  if (!factor()) return false;
  for (int i = 0; i < n_; ++i) dv()[i] = -w_.gradient[begin_ + i];
  out_.linear_solver->solve(dv());
  timer_.lap(&out_.seconds.solve);
  pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
  predict_impulses();
  for (int i = 0; i < n_; ++i) v()[i] += dv()[i];
  pool_velocities(problem_, island_, iterate_.v, true, &w_.v_c);
  double missed = 0.0, cold_gap = c_.rows.gap_after(problem_.rows, island_.rows, 0.0);
  for (int i = island_.rows.begin; i < island_.rows.end; ++i) {
    const double error = w_.gamma.row[i] - row_impulse(problem_.rows, i, w_.v_c.row[i]);
    missed += problem_.rows.R[i] * error * error;
  }
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    if (c_.cones.acts[i] == 0.0) continue;
    const Predicted p = predicted(i);
    const Cone error = p.s - smoothed_projection(p.difference(), 0.0);
    missed += dot(error, error) / p.w;
    cold_gap += dot(at(iterate_.s, i), at(iterate_.lambda, i));
  }
  const double goal_gap = goal_.gap * std::max(value_.v_norm2, kinetic_scale_);
  const double gap = kPredictedGap * std::max(missed, goal_gap);
  if (!(gap < cold_gap)) return false;
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    if (c_.cones.acts[i] == 0.0) continue;
    const Predicted p = predicted(i);
    const Cone z = p.difference();
    const double mu = p.w * gap / num_cones_;
    iterate_.s.set(i, smoothed_projection(z, mu));
    iterate_.lambda.set(i, smoothed_projection(z * -1.0, mu) * (1.0 / p.w));
  }
  start_rows(gap / num_cones_);
  count_iteration(1.0);
  evaluate();
  timer_.lap(&out_.seconds.assembly);
  return true;
}

/// gamma -= G J dv.
template <class Cone>
void IslandInteriorPoint<Cone>::predict_impulses() {
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Vector3 change =
        w_.G[i] * (w_.dv_c.tangential[i] + w_.dv_c.normal[i] * problem_.contacts.normal[i]);
    w_.gamma.x[i] -= change.x();
    w_.gamma.y[i] -= change.y();
    w_.gamma.z[i] -= change.z();
  }
  for (int i = island_.rows.begin; i < island_.rows.end; ++i) w_.gamma.row[i] -= w_.G.row[i] * w_.dv_c.row[i];
}

template <class Cone>
typename IslandInteriorPoint<Cone>::Predicted IslandInteriorPoint<Cone>::predicted(int i) const {
  const ConeColumns& c = c_.cones;
  const Vector3 normal = problem_.contacts.normal[i], gamma = w_.gamma[i];
  const double gamma_n = gamma.dot(normal);
  const Vector3 tangential = c.tangential[i] * (gamma - gamma_n * normal);
  Cone lambda = Cone::of(gamma_n / c.normal[i], tangential.x(), tangential.y(), tangential.z(), 0.0);
  // The soft norm's entry puts lambda on the boundary, as at the minimum.
  if constexpr (!std::is_same_v<Cone, HalfLine>)
    if (c.eps[i] > 0.0 && lambda.n > 0.0) lambda.e = -std::sqrt(std::max(determinant(lambda), 0.0));
  Cone pressing = lambda;
  pressing.n = std::max(lambda.n, 0.0);
  return {slack(i, pressing), lambda, problem_.contacts.delassus[i]};
}

template void IslandInteriorPoint<HalfLine>::fill_cones();
template void IslandInteriorPoint<HalfLine>::start_from_rest();
template void IslandInteriorPoint<ConeVector>::fill_cones();
template void IslandInteriorPoint<ConeVector>::start_along_normals();
template bool IslandInteriorPoint<ConeVector>::start_from_prediction();

}  // namespace csim
