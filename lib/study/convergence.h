// Orders of convergence from errors on a ladder of refinement.
#pragma once

#include <optional>
#include <vector>

namespace csim {

/// Whether an error has a logarithm: > 0 and finite.
[[nodiscard]] bool is_error(double e);

/// The quantile t of Student's distribution with `degrees` >= 1 degrees of freedom for which P(|T| < t) =
/// 0.95. Abramowitz & Stegun (1964), 26.7.3 and 26.7.4, inverted by bisection.
[[nodiscard]] double student_t_95(int degrees);

/// p_i = ln(e_i/e_{i+1}) / ln(h_i/h_{i+1}); NaN where an error is not > 0 and finite.
[[nodiscard]] std::vector<double> pairwise_orders(const std::vector<double>& h,
                                                  const std::vector<double>& errors);

struct OrderFit {
  double order = 0.0;               // slope of least squares of ln e over ln h
  double intercept = 0.0;           // ln e at ln h = 0
  std::optional<double> low, high;  // its 95 % interval, of three and more points
};

/// Nothing with fewer than two points, or where an error is not > 0 and finite.
[[nodiscard]] std::optional<OrderFit> fit_order(const std::vector<double>& h,
                                                const std::vector<double>& errors);

struct Extrapolation {
  double order = 0.0;
  double value = 0.0;  // f* = f_1 + (f_1 - f_2)/(r^p - 1), f_1 the finest
  double gci = 0.0;    // grid convergence index, absolute: F |f_2 - f_1|/(r^p - 1), F = 1.25, of two rungs 3
};

/// Richardson's extrapolation of the finest three values [Roache 1994], h falling; of two with the order
/// assumed. Nothing where the values do not converge monotonically, the ratio is not constant to 1e-6, or the
/// order is missing or not > 0.
[[nodiscard]] std::optional<Extrapolation> extrapolate(const std::vector<double>& h,
                                                       const std::vector<double>& values,
                                                       std::optional<double> assumed_order);

}  // namespace csim
