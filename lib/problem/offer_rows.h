// Which scalar rows a step has: joint limits that are near, dry friction, drives with a largest effort,
// couplers.
#pragma once

#include <vector>

#include "model/model.h"
#include "problem/row_pool.h"

namespace csim {

enum class RowKind { kLimit, kFriction, kDrive, kCoupler };

/// One row in the model's own coordinates.
struct RowOffer {
  RowKind kind = RowKind::kLimit;
  int index = -1;  // in Model::limits, dry_frictions, actuators, couplers
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
///   limits    the nearer one of a joint; q - lower or upper - q, pressed to be >= 0 by k = 1e12 with the
///             relaxation time h. Optional when it is further than 2 h max(|v0|, |v*|)
///   friction  |f| <= the joint's dry friction, as stiff as the near-rigid bound lets it be
///   drives    position and velocity drives with a limit, commands those of t_end (s)
///   couplers  q_a - ratio q_b - offset
/// With h = 0 (the acceleration level) limits are offered where they are passed.
void offer_rows(const Model& model, const State& state, const VectorX& v_star, double h, double t_end,
                RowOffers* offers);

}  // namespace csim
