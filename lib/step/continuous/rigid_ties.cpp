#include "step/continuous/rigid_ties.h"

#include <algorithm>
#include <cmath>
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
  for (const RowOffer& offer : offers.rows) {
    if (!is_rigid_tie(offer)) continue;
    for (int k = offer.term_begin + 1; k < offer.term_end; ++k)
      join_components(offers.terms[offer.term_begin].tree, offers.terms[k].tree, &parent_);
  }
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    if (!is_rigid_tie(offer) || !moves(offers, offer)) continue;
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

// Rows of limits come and go; vectors of Eigen would be taken anew for each number of them.
void RigidTies::grow(std::size_t num_rows) {
  const auto n = static_cast<Eigen::Index>(num_rows);
  if (targets_.size() >= n) return;
  targets_.resize(n);
  lambda_.resize(n);
}

const VectorX& RigidTies::hold(const RowOffers& offers, const std::vector<double>& mass,
                               const std::vector<double>& factor, const VectorX& v, VectorX* accelerations) {
  grow(offers.rows.size());
  for (std::size_t i = 0; i < offers.rows.size(); ++i) {
    const RowOffer& offer = offers.rows[i];
    const double rate = velocity_of(offers, offer, v) + offer.law.bias;
    targets_[static_cast<Eigen::Index>(i)] =
        -(offer.acceleration + 2.0 * rate_ * rate + rate_ * rate_ * offer.law.g0);
  }
  move_to_targets(offers, mass, factor, accelerations);
  return lambda_;
}

const VectorX& RigidTies::stop(const RowOffers& offers, const std::vector<double>& mass,
                               const std::vector<double>& factor, VectorX* v) {
  grow(offers.rows.size());
  for (std::size_t i = 0; i < offers.rows.size(); ++i)
    targets_[static_cast<Eigen::Index>(i)] = -offers.rows[i].law.bias;
  move_to_targets(offers, mass, factor, v);
  return lambda_;
}

}  // namespace csim
