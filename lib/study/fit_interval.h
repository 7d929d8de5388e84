// How well measurements determine what is fitted to them: covariances of the parameters of a nonlinear least
// squares fit, min over p of sum over c of |r_c(p)|^2, from the residuals and Jacobians at the optimum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/types.h"

namespace csim {

/// One case of a fit at the optimum.
struct CaseResiduals {
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;  // [residuals, parameters]
};

struct FitCovariance {
  Eigen::MatrixXd covariance;  // of the parameters
  int degrees = 0;             // of freedom, of Student's t
};

/// s^2 (J^T J)^-1, s^2 = |r|^2/(n - p) [Seber & Wild 1989, eq. 2.21]: right where all residuals are
/// independent and have one variance. Nothing where n <= p or J^T J is singular.
[[nodiscard]] std::optional<FitCovariance> covariance_of_rows(const std::vector<CaseResiduals>& cases);

/// The jackknife over cases, (N - 1)/N sum over c of d_c d_c^T, d_c = (J^T J - J_c^T J_c)^-1 J_c^T r_c less
/// the mean of these: what one Gauss & Newton step changes where case c is left out (exact where r is
/// linear). Right where cases are independent, whatever goes on within one [Efron & Tibshirani 1993, ch. 11].
/// N - p degrees of freedom. Nothing where N <= p or a matrix is singular.
[[nodiscard]] std::optional<FitCovariance> covariance_of_cases(const std::vector<CaseResiduals>& cases);

/// Whether residuals tell a parameter.
enum class KeyEffect {
  kOwn,         // they do
  kWithOthers,  // no residual changes when it changes together with others
  kNone         // no residual changes with it
};

/// Of each parameter, from the null space of J^T J.
[[nodiscard]] std::vector<KeyEffect> key_effects(const std::vector<CaseResiduals>& cases);

/// Half the widths of the 95 % intervals of the parameters.
struct FitInterval {
  std::vector<double> half_widths;  // empty: not determined
  bool is_over_cases = false;       // by covariance_of_cases
};

/// By the cases where there are enough of them, 4 more than parameters; else by the rows.
[[nodiscard]] FitInterval fit_interval(const std::vector<CaseResiduals>& cases);

}  // namespace csim
