// Which rows of the model a step has: all but joint limits that are not near.
#pragma once

#include <vector>

#include "model/model.h"
#include "problem/row_pool.h"

namespace csim {

/// One row in the model's own coordinates.
struct RowOffer {
  RowOwner owner = RowOwner::kJoint;
  int index = -1;  // CoordinateRow::index
  int term_begin = 0, term_end = 0;
  /// Taken only when something else acts on its tree: a limit that is not near.
  bool is_optional = false;
  RowLaw law;
};

/// The rows that a step may have. Trees and velocities of the terms are the model's.
struct RowOffers {
  std::vector<RowOffer> rows;
  std::vector<RowTerm> terms;
};

/// Fills the offers of the step of length h (s) from `state`; v_star: velocities without any constraint.
///   stops     the nearer end of the range, pressed to be >= 0 with the relaxation time h. Optional when it
///   is
///             further than 2 h max(|v0|, |v*|)
///   drives    about their commands of t_end (s), positions as `theta` says (FreeMotion::theta; empty: all 1)
///   others    about the offset; dry friction, without a spring, has none
/// With h = 0 (the acceleration level) stops are offered where they are passed.
void offer_rows(const Model& model, const State& state, const VectorX& v_star, const VectorX& theta, double h,
                double t_end, RowOffers* offers);

}  // namespace csim
