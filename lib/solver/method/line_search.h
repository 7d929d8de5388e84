// Step lengths: the convex function ell(v + alpha dv) of one variable, and three ways to find a point near
// its minimum.
#pragma once

#include "problem/pools.h"
#include "solver/method/newton.h"

namespace csim {

/// ell along v + alpha dv: a quadratic from A and the laws of the pools on their lines.
struct LineFunction {
  const ConvexProblem& problem;
  const Island& island;
  const PoolLines& lines;
  double cost = 0.0;       // J, of A at alpha = 0: 1/2 |v - v*|_A^2
  double slope = 0.0;      // dv . A (v - v*)
  double curvature = 0.0;  // dv . A dv
  double energy = 0.0;     // J, |v|_A^2: with the cost itself the scale of its rounding

  [[nodiscard]] LineValue operator()(double alpha) const;
};

struct LineSearchResult {
  double alpha = 1.0;
  int evaluations = 0;
};

/// A step length in (0, alpha_limit]; `slope0` = ell'(0) < 0, `cost0` = ell(0).
///   loose   |ell'(alpha)| < 0.2 |ell'(0)|, alpha <= 1: a full step wherever it is good enough
///   exact   |ell'(alpha)| < 1e-8 |ell'(0)|, alpha <= 1.5 (Castro et al. 2022, SAP, Sec. V-B)
///   armijo  backtracking by 0.8 from 1.25 while the cost falls, sufficient decrease 1e-4
[[nodiscard]] LineSearchResult search_line(LineSearchKind kind, const LineFunction& ell, double cost0,
                                           double slope0, double alpha_limit);

}  // namespace csim
