#include "solver/linear/condition_number.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "law/lane_sum.h"

namespace csim {
namespace {

// The steps before it are not asked whether they are enough; three of them at least tell it.
constexpr int kFirstLook = 3, kLeastLooks = 3;

// A pseudo-random vector times the diagonal of H to the power +1 or -1. The ends of the spectrum belong to
// few bodies, those with the stiffest contacts and those with the least inertia, and the diagonal tells
// which. The random entries, in (-1, 1), are those of a 64-bit linear congruential generator (Knuth's MMIX
// constants): the same on every machine and every call.
void fill_start_vector(const BlockSymmetricMatrix& H, bool inverse, double* vector) {
  std::uint64_t state = 0x9E3779B97F4A7C15ull;
  for (int i = 0; i < H.num_blocks(); ++i) {
    const double* const block = H.diagonal_block(i);
    for (int j = 0; j < H.size[i]; ++j) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const double entry = static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1.0p-52;
      const double root = std::sqrt(block[j * (H.size[i] + 1)]);
      *vector++ = inverse ? entry / root : entry * root;
    }
  }
}

// Whether x is above every eigenvalue of the k x k symmetric tridiagonal matrix (alpha, beta): all pivots of
// T - x I negative.
bool above_all_eigenvalues(const std::vector<double>& alpha, const std::vector<double>& beta, int k,
                           double x) {
  double pivot = alpha[0] - x;
  for (int i = 1; i < k && pivot < 0.0; ++i) pivot = alpha[i] - x - beta[i - 1] * beta[i - 1] / pivot;
  return pivot < 0.0;
}

// Largest eigenvalue of the positive semidefinite tridiagonal matrix to 1 part in 1000, by bisection between
// its largest diagonal entry and its largest absolute row sum.
double largest_eigenvalue(const std::vector<double>& alpha, const std::vector<double>& beta, int k) {
  double low = 0.0, high = 0.0;
  for (int i = 0; i < k; ++i) {
    low = std::max(low, alpha[i]);
    high = std::max(high, alpha[i] + (i > 0 ? beta[i - 1] : 0.0) + (i + 1 < k ? beta[i] : 0.0));
  }
  while (high - low > 1e-3 * high) {
    const double middle = 0.5 * (low + high);
    (above_all_eigenvalues(alpha, beta, k, middle) ? high : low) = middle;
  }
  return low;
}

template <typename Dense>
double condition_number_by_eigenvalues(const BlockSymmetricMatrix& H) {
  const int rows = H.rows();
  if (rows == 0) return 1.0;
  Dense dense(rows, rows);
  H.copy_to_dense(dense.data());
  const Eigen::SelfAdjointEigenSolver<Dense> solver(dense, Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()[0], largest = solver.eigenvalues()[rows - 1];
  return smallest > 0.0 ? largest / smallest : std::numeric_limits<double>::infinity();
}

/// Without memory from the heap.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                  ConditionEstimator::kFewRows, ConditionEstimator::kFewRows>;

}  // namespace

template <typename Apply>
double ConditionEstimator::largest_ritz_value(int rows, int max_steps, Apply&& apply) {
  Eigen::Map<VectorX> current(current_.data(), rows), previous(previous_.data(), rows),
      next(next_.data(), rows);
  // Sums of fixed order: Eigen's depend on the alignment of what they sum.
  const auto norm = [rows](const double* x) { return std::sqrt(dot(x, x, rows)); };
  current /= norm(current.data());
  double ritz_value = 0.0, largest_alpha = 0.0;
  int small_changes = 0;
  const bool may_end_early = max_steps >= kFirstLook + kLeastLooks;
  for (int k = 1; k <= max_steps; ++k) {
    // Three-term recurrence: beta_k v_{k+1} = Op v_k - alpha_k v_k - beta_{k-1} v_{k-1}.
    apply(current.data(), next.data());
    const double alpha = dot(current.data(), next.data(), rows);
    next -= alpha * current;
    if (k > 1) next -= beta_[k - 2] * previous;
    alpha_[k - 1] = alpha;
    beta_[k - 1] = norm(next.data());
    largest_alpha = std::max(largest_alpha, alpha);
    const bool invariant = !(beta_[k - 1] > 1e-12 * largest_alpha);  // also ends on NaN
    if (invariant || k == max_steps || (may_end_early && k >= kFirstLook)) {
      const double before = ritz_value;
      ritz_value = largest_eigenvalue(alpha_, beta_, k);
      small_changes = ritz_value - before < 0.02 * ritz_value ? small_changes + 1 : 0;
      if (invariant || small_changes == 2) break;
    }
    std::swap_ranges(previous.begin(), previous.end(), current.begin());
    current = next / beta_[k - 1];
  }
  return ritz_value;
}

double ConditionEstimator::estimate(const BlockSymmetricMatrix& H, LinearSolver& solver, int max_steps) {
  const int rows = H.rows();
  if (rows <= kFewRows) return condition_number_by_eigenvalues<SmallMatrix>(H);
  for (auto* vector : {&current_, &previous_, &next_})
    if (static_cast<int>(vector->size()) < rows) vector->resize(rows);
  if (static_cast<int>(alpha_.size()) < max_steps) {
    alpha_.resize(max_steps);
    beta_.resize(max_steps);
  }
  fill_start_vector(H, /*inverse=*/false, current_.data());
  const double largest =
      largest_ritz_value(rows, max_steps, [&](const double* x, double* y) { H.multiply(x, y); });
  fill_start_vector(H, /*inverse=*/true, current_.data());
  const double inverse_of_smallest = largest_ritz_value(rows, max_steps, [&](const double* x, double* y) {
    std::copy(x, x + rows, y);
    solver.solve(y);
  });
  return std::max(1.0, largest * inverse_of_smallest);
}

double exact_condition_number(const BlockSymmetricMatrix& H) {
  return condition_number_by_eigenvalues<MatrixX>(H);
}

}  // namespace csim
