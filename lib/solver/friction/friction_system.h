// A problem of friction as its solvers see it: scaled, without the rows that carry no force.
#pragma once

#include <vector>

#include "solver/friction/friction_problem.h"

namespace csim {

/// One second-order cone of a contact, |r_k| <= mu r_N; a contact without friction has one without rows k,
/// with mu = 1: r_N >= 0.
struct FrictionCone {
  int contact = 0;
  int normal = 0;  // row of r_N
  int first = 0;   // row of r_k
  int size = 0;    // rows: 0, 1 or 2
  double mu = 1.0;
};

/// With D the scales of rows (one a contact, so that cones stay cones) and g the size of D q:
///   W' = D W D (mean diagonal of every contact 1),  q' = D q/g,  r = D g r',  u = D^-1 g u'
struct FrictionSystem {
  SparseMatrix W;
  VectorX q;
  std::vector<FrictionCone> cones;  // by contact
  std::vector<int> cone_begin;      // [contacts + 1]
  std::vector<int> row_begin;       // [contacts + 1]
  std::vector<int> source;          // [rows], row of the problem
  VectorX scale;                    // [rows], D g

  [[nodiscard]] int num_rows() const { return static_cast<int>(source.size()); }
  [[nodiscard]] int num_contacts() const { return static_cast<int>(row_begin.size()) - 1; }
};

[[nodiscard]] FrictionSystem make_friction_system(const FrictionProblem& problem);

/// r of the problem out of r'; rows without force are 0.
[[nodiscard]] VectorX to_problem(const FrictionSystem& system, const FrictionProblem& problem,
                                 const VectorX& scaled);

}  // namespace csim
