#include "solver/method/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr int kMaxEvaluations = 100;

/// Where the slope is already positive a trial must also have lowered the cost: ell' may climb from -1 to a
/// small positive value within a fraction of the step (stick begins) and stay there, so that ell ends above
/// ell(0).
constexpr double kSufficientDecrease = 1e-4;

/// Rounding of a cost, relative to the energies it is made of.
constexpr double kCostRounding = 1e-14;

bool lowers_cost(const LineFunction& ell, const LineValue& at, double alpha, double cost0, double slope0) {
  return at.cost <=
         cost0 + kSufficientDecrease * alpha * slope0 + kCostRounding * (std::abs(cost0) + ell.energy);
}

/// Root of the increasing function ell' in [0, hi], where ell'(0) = slope0 < 0 < at_hi.first, to |ell'| <=
/// tolerance |slope0| with a lower cost, or to a relative width of 1e-8: Newton's method, bisection where it
/// leaves the bracket or shrinks too slowly.
double find_minimum(const LineFunction& ell, double cost0, double slope0, double hi, const LineValue& at_hi,
                    double guess, double tolerance, int* evaluations) {
  double lo = 0.0;
  double step = hi, previous_step = hi;
  double alpha = guess;
  LineValue at = at_hi;
  while (*evaluations < kMaxEvaluations) {
    at = ell(alpha);
    ++*evaluations;
    const bool flat = std::abs(at.first) <= tolerance * std::abs(slope0);
    if (flat && (at.first <= 0.0 || lowers_cost(ell, at, alpha, cost0, slope0))) return alpha;
    (at.first < 0.0 ? lo : hi) = alpha;
    const double newton = -at.first / at.second;
    const bool leaves = !(alpha + newton > lo && alpha + newton < hi);
    const bool slow = 2.0 * std::abs(newton) > std::abs(previous_step);
    previous_step = step;
    step = leaves || slow ? 0.5 * (lo + hi) - alpha : newton;
    alpha += step;
    if (std::abs(step) <= 1e-8 * guess) return alpha;
  }
  return alpha;
}

LineSearchResult search_loosely(const LineFunction& ell, double cost0, double slope0, double alpha_limit) {
  constexpr double kTolerance = 0.2;
  LineSearchResult result{std::min(1.0, alpha_limit), 1};
  const LineValue at_end = ell(result.alpha);
  if (at_end.first <= 0.0) return result;
  if (at_end.first <= kTolerance * std::abs(slope0) &&
      lowers_cost(ell, at_end, result.alpha, cost0, slope0)) {
    return result;
  }
  // Secant of ell' for the first guess: cheap, and right where ell is quadratic.
  const double guess = result.alpha * slope0 / (slope0 - at_end.first);
  result.alpha =
      find_minimum(ell, cost0, slope0, result.alpha, at_end, guess, kTolerance, &result.evaluations);
  return result;
}

LineSearchResult search_exactly(const LineFunction& ell, double cost0, double slope0, double alpha_limit) {
  LineSearchResult result{std::min(1.5, alpha_limit), 1};
  const LineValue at_end = ell(result.alpha);
  if (at_end.first <= 0.0) return result;
  const double guess = std::min(-slope0 / at_end.second, 0.99 * result.alpha);
  result.alpha = find_minimum(ell, cost0, slope0, result.alpha, at_end, guess, 1e-8, &result.evaluations);
  return result;
}

LineSearchResult backtrack(const LineFunction& ell, double cost0, double slope0, double alpha_limit) {
  constexpr double kShrink = 0.8;
  LineSearchResult result{std::min(1.0 / kShrink, alpha_limit), 1};
  LineValue at = ell(result.alpha);
  if (at.first <= 0.0) return result;
  const auto sufficient = [&](double alpha, double cost) {
    return cost < cost0 + kSufficientDecrease * alpha * slope0;
  };
  // The cost falls as alpha shrinks as long as ell'(alpha) > 0; stop at the first trial beyond the minimum.
  while (result.evaluations < kMaxEvaluations) {
    const double alpha = kShrink * result.alpha;
    const LineValue next = ell(alpha);
    ++result.evaluations;
    if (sufficient(result.alpha, at.cost) && next.cost >= at.cost) break;
    result.alpha = alpha;
    at = next;
  }
  return result;
}

}  // namespace

LineValue LineFunction::operator()(double alpha) const {
  LineValue value = evaluate_pool_lines(problem, island, lines, alpha);
  value.cost += cost + alpha * (slope + 0.5 * alpha * curvature);
  value.first += slope + alpha * curvature;
  value.second += curvature;
  return value;
}

LineSearchResult search_line(LineSearchKind kind, const LineFunction& ell, double cost0, double slope0,
                             double alpha_limit) {
  // Near round-off of the cost only slopes still tell: take the Newton step, unless a contact that closes
  // on the way leaves a slope worse than the one at the start.
  if (-slope0 < 1e-30 + 1e-15 * std::abs(cost0)) {
    const LineSearchResult full{std::min(1.0, alpha_limit), 1};
    if (ell(full.alpha).first <= -slope0) return full;
    return search_loosely(ell, cost0, slope0, alpha_limit);
  }
  switch (kind) {
    case LineSearchKind::kLoose:
      return search_loosely(ell, cost0, slope0, alpha_limit);
    case LineSearchKind::kExact:
      return search_exactly(ell, cost0, slope0, alpha_limit);
    case LineSearchKind::kArmijo:
      return backtrack(ell, cost0, slope0, alpha_limit);
  }
  return {std::min(1.0, alpha_limit), 0};
}

}  // namespace csim
