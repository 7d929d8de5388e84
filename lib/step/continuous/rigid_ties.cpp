#include "step/continuous/rigid_ties.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "problem/components.h"

namespace csim {
namespace {

/// Eigenvalues and pivots of the scaled W below this are those of rows that say the same twice or nothing:
/// what 1e-9 of the lengths and angles of a loop leaves open is the square of that, and rounding 1e-16; a
/// rope of 1000 pieces has 1e-6.
constexpr double kSingular = 1e-10;

/// Coefficients that rounding leaves of nothing, m or 1: 1e-16 of lengths up to 1 km. A group of such rows
/// has no scale.
constexpr double kNothing = 1e-12;

/// What a stop that does not act lacks of its target, over the size of what it is the rest of: rounding,
/// where others hold what it would.
constexpr double kMet = 1e-9;

/// Passes of block pivoting that may make nothing better before stops are changed one at a time, which ends
/// by itself where W is regular; and passes at most, as rows that say the same twice may go in circles.
constexpr int kPatience = 3, kMostPasses = 1000;

bool is_tie(const RowOffer& offer) {
  return is_rigid(offer) && !is_stop(offer);
}

bool moves(const RowOffers& offers, const RowOffer& offer) {
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    if (std::abs(offers.terms[k].coefficient) > kNothing) return true;
  return false;
}

/// The first row of the group that a row belongs to.
int group_of(const RowOffers& offers, int row) {
  while (offers.rows[row].law.group == 0) --row;
  return row;
}

/// sum |c_k x_k|.
double size_along(const RowOffers& offers, const RowOffer& offer, const VectorX& x) {
  double sum = 0.0;
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    sum += std::abs(offers.terms[k].coefficient * x[offers.terms[k].v]);
  return sum;
}

void add_along(const RowOffers& offers, const RowOffer& offer, double factor, VectorX* v) {
  for (int k = offer.term_begin; k < offer.term_end; ++k)
    (*v)[offers.terms[k].v] += factor * offers.terms[k].coefficient;
}

/// Applies reflection i of Q = H_0 H_1 .., H_i = 1 - 2 u u^T/|u|^2, u = (0, .., 1, packed.col(i) below),
/// which is none where there is nothing below.
void reflect(const MatrixX& packed, Eigen::Index i, VectorX* x) {
  const Eigen::Index below = x->size() - i - 2;
  const auto u = packed.col(i).tail(below);
  const double norm2 = u.squaredNorm();
  if (norm2 == 0.0) return;
  const double along = 2.0 / (1.0 + norm2) * ((*x)[i + 1] + u.dot(x->tail(below)));
  (*x)[i + 1] -= along;
  x->tail(below) -= along * u;
}

}  // namespace

void RigidTies::find_islands(const RowOffers& offers) {
  for (std::size_t i = 0; i < num_islands_; ++i) islands_[i].rows.clear();
  num_islands_ = 0;
  parent_.resize(model_.trees.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  island_of_root_.assign(model_.trees.size(), -1);
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    if (!acts_[i]) continue;
    for (int k = offer.term_begin + 1; k < offer.term_end; ++k)
      join_components(offers.terms[offer.term_begin].tree, offers.terms[k].tree, &parent_);
  }
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    if (!acts_[i] || !moves(offers, offer)) continue;
    int& island = island_of_root_[find_root(&parent_, offers.terms[offer.term_begin].tree)];
    if (island < 0) {
      island = static_cast<int>(num_islands_++);
      if (islands_.size() < num_islands_) islands_.emplace_back();
    }
    islands_[island].rows.push_back(static_cast<int>(i));
  }
}

/// From the diagonal of W.
void RigidTies::set_scale(const RowOffers& offers, Island* island) {
  const auto m = static_cast<Eigen::Index>(island->rows.size());
  for (Eigen::Index i = 0, end = 0; i < m; i = end) {
    const int group = group_of(offers, island->rows[i]);
    double w = 0.0;
    for (end = i; end < m && group_of(offers, island->rows[end]) == group; ++end)
      w = std::max(w, island->W(end, end));
    island->scale.segment(i, end - i).setConstant(1.0 / std::sqrt(w));
  }
}

/// W, scaled, and the right side of its equations: what J x lacks of the targets.
void RigidTies::fill(const RowOffers& offers, const std::vector<double>& mass,
                     const std::vector<double>& factor, const VectorX& x, Island* island) {
  const auto m = static_cast<Eigen::Index>(island->rows.size());
  island->W.resize(m, m);
  island->scale.resize(m);
  island->b.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowOffer& offer = offers.rows[island->rows[i]];
    island->b[i] = targets_[island->rows[i]] - velocity_of(offers, offer, x);
    add_along(offers, offer, 1.0, &column_);
    for_each_tree(offers, offer, [&](int tree) { solve_tree(model_, tree, mass, factor, &column_); });
    for (Eigen::Index j = 0; j <= i; ++j)
      island->W(i, j) = island->W(j, i) = velocity_of(offers, offers.rows[island->rows[j]], column_);
    for_each_tree(offers, offer, [&](int tree) {
      column_.segment(model_.trees[tree].v_begin, model_.trees[tree].nv).setZero();
    });
  }
  set_scale(offers, island);
  island->W.array().colwise() *= island->scale.array();
  island->W.array().rowwise() *= island->scale.transpose().array();
  island->b.array() *= island->scale.array();
}

/// b becomes the smallest of the vectors that fit best.
void RigidTies::solve(Island* island) {
  island->cholesky.compute(island->W);
  if (island->cholesky.info() == Eigen::Success &&
      island->cholesky.matrixLLT().diagonal().minCoeff() > std::sqrt(kSingular)) {
    island->cholesky.solveInPlace(island->b);
    return;
  }
  // In these steps, since SelfAdjointEigenSolver::compute and matrixQ() allocate.
  island->tridiagonal.compute(island->W);
  island->diagonal = island->tridiagonal.diagonal();
  island->below = island->tridiagonal.subDiagonal();
  island->eigen.computeFromTridiagonal(island->diagonal, island->below);
  const MatrixX& V = island->eigen.eigenvectors();
  const Eigen::Index last = island->b.size() - 2;
  for (Eigen::Index i = 0; i <= last; ++i) reflect(island->tridiagonal.packedMatrix(), i, &island->b);
  island->parts.noalias() = V.transpose() * island->b;
  for (Eigen::Index i = 0; i < island->parts.size(); ++i) {
    const double value = island->eigen.eigenvalues()[i];
    island->parts[i] = value > kSingular ? island->parts[i] / value : 0.0;
  }
  island->b.noalias() = V * island->parts;
  for (Eigen::Index i = last; i >= 0; --i) reflect(island->tridiagonal.packedMatrix(), i, &island->b);
}

/// Fills lambda with J (x + M^-1 J^T lambda) = targets, and adds to x.
void RigidTies::move_to_targets(const RowOffers& offers, const std::vector<double>& mass,
                                const std::vector<double>& factor, VectorX* x) {
  lambda_.head(static_cast<Eigen::Index>(offers.rows.size())).setZero();
  find_islands(offers);
  if (num_islands_ == 0) return;
  column_.setZero(model_.nv);
  for (std::size_t i = 0; i < num_islands_; ++i) {
    Island& island = islands_[i];
    fill(offers, mass, factor, *x, &island);
    solve(&island);
    for (std::size_t k = 0; k < island.rows.size(); ++k)
      lambda_[island.rows[k]] = island.scale[k] * island.b[k];
  }
  for (std::size_t i = 0; i < offers.rows.size(); ++i)
    add_along(offers, offers.rows[i], lambda_[static_cast<Eigen::Index>(i)], &column_);
  solve_trees(model_, mass, factor, &column_);
  *x += column_;
}

// Rows of springs that are passed come and go; vectors of Eigen would be taken anew for each number of them.
void RigidTies::begin(const RowOffers& offers) {
  acts_.resize(offers.rows.size());
  for (std::size_t i = 0; i < acts_.size(); ++i) acts_[i] = is_tie(offers.rows[i]);
  const auto n = static_cast<Eigen::Index>(offers.rows.size());
  if (targets_.size() >= n) return;
  targets_.resize(n);
  lambda_.resize(n);
}

/// Whether a stop pulls, or does not act and misses its target.
bool RigidTies::is_wrong(const RowOffers& offers, std::size_t row, const VectorX& x) const {
  const RowOffer& offer = offers.rows[row];
  if (!is_rigid(offer) || !is_stop(offer)) return false;
  const auto i = static_cast<Eigen::Index>(row);
  if (acts_[row]) return lambda_[i] < 0.0;
  const double size = std::abs(targets_[i]) + size_along(offers, offer, free_) + size_along(offers, offer, x);
  return velocity_of(offers, offer, x) - targets_[i] < -kMet * size && moves(offers, offer);
}

/// Lets the wrong stops act or let go: all of them, or the first alone when that has made nothing better for
/// a while. Returns the fewest wrong ones so far, 0: none now.
int RigidTies::pivot(const RowOffers& offers, const VectorX& x, int fewest, int* patience) {
  wrong_.clear();
  for (std::size_t i = 0; i < offers.rows.size(); ++i)
    if (is_wrong(offers, i, x)) wrong_.push_back(i);
  const int num_wrong = static_cast<int>(wrong_.size());
  *patience = num_wrong < fewest ? kPatience : *patience - 1;
  if (*patience < 0 && num_wrong > 1) wrong_.resize(1);
  for (const std::size_t i : wrong_) acts_[i] = !acts_[i];
  return std::min(fewest, num_wrong);
}

const VectorX& RigidTies::hold(const RowOffers& offers, const std::vector<double>& mass,
                               const std::vector<double>& factor, const VectorX& v, VectorX* accelerations) {
  begin(offers);
  is_found_ = true;
  free_ = *accelerations;
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    const double rate = velocity_of(offers, offer, v) + offer.law.bias;
    double& target = targets_[static_cast<Eigen::Index>(i)];
    if (is_stop(offer)) {
      const double allowed = std::min(-0.5 * stop_rate_ * offer.law.g0, kLargestCorrection);
      target = -(offer.acceleration + 2.0 * stop_rate_ * (rate - allowed));
      // A first guess: all that are closed, so that the pull along a rope is not found link by link.
      acts_[i] = is_rigid(offer) && target + size_along(offers, offer, free_) > 0.0;
    } else {
      target = -(offer.acceleration + 2.0 * rate_ * rate + rate_ * rate_ * offer.law.g0);
    }
  }
  int fewest = std::numeric_limits<int>::max(), patience = kPatience;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    *accelerations = free_;
    move_to_targets(offers, mass, factor, accelerations);
    fewest = pivot(offers, *accelerations, fewest, &patience);
    if (wrong_.empty()) return lambda_;
  }
  is_found_ = false;
  accelerations->setConstant(std::numeric_limits<double>::quiet_NaN());
  return lambda_;
}

const VectorX& RigidTies::stop(const RowOffers& offers, const std::vector<double>& mass,
                               const std::vector<double>& factor, VectorX* v) {
  begin(offers);
  for (std::size_t i = 0; i < offers.rows.size(); ++i)
    targets_[static_cast<Eigen::Index>(i)] = -offers.rows[i].law.bias;
  move_to_targets(offers, mass, factor, v);
  return lambda_;
}

}  // namespace csim
