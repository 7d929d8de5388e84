// Which rows of the model a step has: all but joint limits that are not near, and constraints that are
// broken.
#pragma once

#include <vector>

#include "model/body_pair.h"
#include "model/dynamics.h"
#include "problem/row_pool.h"

namespace csim {

/// One row in the model's own coordinates.
struct RowOffer {
  RowOwner owner = RowOwner::kJoint;
  int index = -1;  // CoordinateRow::index, of a row of a constraint among all of them
  int term_begin = 0, term_end = 0;
  /// Taken only when something else acts on its tree: a limit that is not near.
  bool is_optional = false;
  double sign = 1.0;        // -1: its force is the opposite of that in the results, a stop's at the upper end
  double prescribed = 0.0;  // the part of law.bias that prescribed bodies make
  double acceleration = 0.0;  // at the acceleration level: bias_accelerations, of rows between bodies
  double theta = 1.0;         // of a spring: law is theta k at g0/theta (RowStep::free_motion)
  RowLaw law;
};

/// The rows that a step may have. Trees and velocities of the terms are the model's.
struct RowOffers {
  std::vector<RowOffer> rows;
  std::vector<RowTerm> terms;

  // Work space: the poses to which the velocities of the start lead.
  Kinematics ahead;
  VectorX q_ahead, v_ahead;
  VectorX column;                      // [nv of the model]
  std::vector<double> size, tree_sum;  // of springs, by offer, and their sums by tree
};

/// c^T v of an offer.
[[nodiscard]] inline double velocity_of(const RowOffers& offers, const RowOffer& offer, const VectorX& v) {
  double sum = 0.0;
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    sum += offers.terms[k].coefficient * v[offers.terms[k].v];
  return sum;
}

/// Calls use(tree) for each tree of an offer's terms, which stand tree by tree.
template <typename Use>
void for_each_tree(const RowOffers& offers, const RowOffer& offer, const Use& use) {
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    if (k == offer.term_begin || offers.terms[k].tree != offers.terms[k - 1].tree) use(offers.terms[k].tree);
}

/// What rows are made from: the start of a step of length h (s), 0 at the acceleration level.
struct RowStep {
  const Kinematics& kinematics;
  const State& state;
  const VectorX& v_star;  // velocities without any constraint
  double h = 0.0;
  double t_end = 0.0;  // s
  /// Constraints between bodies hold at the end of the step to second order: their rows have the bias
  ///
  ///   b = (x(q0 (+) h v0, t_end) - x(q0))/h - J(q0) v0
  ///
  /// in place of that of prescribed bodies alone, with which x is that at the end of the step for velocities
  /// near v0. Without it a point that turns with w at the distance r is held at a violation of (h w)^2 r.
  bool bends = false;
  /// The step's free motion; null: springs are taken at the end of the step. With it those of joints and
  /// drives of positions are taken as its theta says, and springs between bodies where the step resolves
  /// them, too,
  ///
  ///   f = -k (g0 + theta h v),   theta = max(0, 1 - 1/a),   a = h^2 s_i sum_j s_j,   s_j = sqrt(k_j c_j^T
  ///   A^-1 c_j)
  ///
  /// over the springs that share a tree: by Cauchy and Schwarz no less than sum_j h^2 sqrt(k_i k_j) |c_i^T
  /// A^-1 c_j|. One spring of h w < 1 keeps its amplitude.
  const FreeMotion* free_motion = nullptr;
  const BodyMotions* motions = nullptr;  // of the acceleration level
};

/// Whether a row has no spring: a rigid constraint, a rope, a limit. At the acceleration level its force
/// follows from all others (step/continuous/rigid_ties.h).
[[nodiscard]] bool is_rigid(const RowOffer& offer);

/// Whether it presses one way alone, as ropes and limits do.
[[nodiscard]] bool is_stop(const RowOffer& offer);

/// Fills the offers of a step.
///   stops     the nearer end of the range, pressed to be >= 0. Those of one tree are optional when it is
///             further than 2 h max(|v0|, |v*|)
///   drives    about their commands of t_end, positions as `theta` says
///   others    about the offset; dry friction, without a spring, has none
/// With h = 0 stops with a spring are offered where they are passed, rigid ones always.
void offer_rows(const Model& model, const RowStep& step, RowOffers* offers);

}  // namespace csim
