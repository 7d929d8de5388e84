// What is large and what is small in a quasistatic problem: one measure for the interior point, the polish,
// the gradients and the certificate, which would otherwise take an impulse for rounding that another solves
// for.
//
// A load is what the data ask of an impulse, the larger of |b| and, of a contact or limit of the effective
// mass m = 1/(n^T A^-1 n), A = diag Q and of trees without Q diag `metric`:
//
//   m w,                      w = max(-phi/h, 1e-9 m/s): it takes this to end its overlap in the step
//   mu/max(phi/h, (mu/m)^.5)  with a barrier mu: its force at the gap, or where it has made room
//
// and of a row of a constraint or drive w/(1/m + R) with its compliance R, w = |g|/h where it holds. The
// first matters where commands are reached and nothing weighs: then |b| is rounding, or 0, and the step still
// pushes overlaps apart. An error of a joint's impulse by a part of the load moves the joint's contact by
// less than that part of its overlap.
#pragma once

#include "problem/quasistatic_problem.h"

namespace csim {

/// The load of a problem, N s; > 0 where it has rows or b is not 0.
[[nodiscard]] double load_of(const QuasistaticProblem& problem);

/// Scales of an answer, in which one rule tells rows that act (s/speed < z/impulse) from those that do not.
struct QuasistaticScale {
  double impulse = 0.0;  // N s, max(|z|, 1e-9 load): the interior point leaves that everywhere
  double speed = 0.0;    // m/s, max(|e|, |J v|, 1e-6 m/s)
};

/// `load`: of the problem; `speeds`: J v.
[[nodiscard]] QuasistaticScale scale_of(const QuasistaticProblem& problem, double load,
                                        const std::vector<double>& z, const std::vector<double>& speeds);

/// The speed of an overlap that is rounding of positions, 1e-9 m/s, and the largest impulse that ends it.
[[nodiscard]] QuasistaticScale rounding_of(const QuasistaticProblem& problem);

}  // namespace csim
