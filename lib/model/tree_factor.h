// The factor of the block of a tree, of 1 to some 60 rows: Eigen's calls take longer than their work there,
// and know nothing of branches. From the last coordinate to the first, so that nothing is filled in between
// coordinates of different branches [Featherstone 2005, Efficient factorization of the joint space inertia
// matrix for branched kinematic trees]. No sum is made of parts in an order that depends on where the memory
// lies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/model.h"

namespace csim {

/// y -= a x
inline void subtract(int n, double a, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

/// use(begin, end) for the coordinates of the way from k to the root, k included: ranges of consecutive ones,
/// the last range first. k < 0: none.
template <typename Use>
inline void for_each_run(const TreeBranches& branches, int k, Use&& use) {
  if (branches.is_chain) {
    if (k >= 0) use(0, k + 1);
    return;
  }
  while (k >= 0) {
    const int begin = branches.run_begin[k];
    use(begin, k + 1);
    k = branches.parent[begin];
  }
}

[[nodiscard]] inline int parent_of(const TreeBranches& branches, int k) {
  return branches.is_chain ? k - 1 : branches.parent[k];
}

/// In place of a symmetric positive definite matrix [n, n], column-major, of which the upper triangle is read
/// and only entries of coordinates of which one is on the other's way to the root: U of U U^T there, the
/// inverses of its diagonal in the place of it, and U^T below. False where a pivot is not positive.
[[nodiscard]] inline bool factor_block(const TreeBranches& branches, double* U) {
  const int n = branches.n;
  const auto column_of = [&](int k) { return U + static_cast<std::ptrdiff_t>(k) * n; };
  for (int k = n - 1; k >= 0; --k) {
    double* const column = column_of(k);
    if (!(column[k] > 0.0)) return false;
    const double inverse = 1.0 / std::sqrt(column[k]);
    column[k] = inverse;
    for_each_run(branches, parent_of(branches, k), [&](int begin, int end) {
      for (int i = begin; i < end; ++i) column_of(i)[k] = column[i] *= inverse;
    });
    for_each_run(branches, parent_of(branches, k), [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        for_each_run(branches, i, [&](int first, int last) {
          subtract(last - first, column[i], column + first, column_of(i) + first);
        });
    });
  }
  return true;
}

/// U x = b in place, for a b that is zero but for coordinates on the way from k to the root, as x is then.
inline void solve_upwards(const TreeBranches& branches, const double* U, int k, double* x) {
  for_each_run(branches, k, [&](int begin, int end) {
    for (int i = end - 1; i >= begin; --i) {
      const double* const column = U + static_cast<std::ptrdiff_t>(i) * branches.n;
      x[i] *= column[i];
      for_each_run(branches, branches.parent[i],
                   [&](int first, int last) { subtract(last - first, x[i], column + first, x + first); });
    }
  });
}

/// U U^T x = b in place.
inline void solve_block(const TreeBranches& branches, const double* U, double* x) {
  const int n = branches.n;
  for (int k = n - 1; k >= 0; --k) {
    const double* const column = U + static_cast<std::ptrdiff_t>(k) * n;
    x[k] *= column[k];
    for_each_run(branches, branches.parent[k],
                 [&](int begin, int end) { subtract(end - begin, x[k], column + begin, x + begin); });
  }
  for (int k = 0; k < n; ++k) {
    const double* const column = U + static_cast<std::ptrdiff_t>(k) * n;
    x[k] *= column[k];
    const int end = branches.is_chain ? n : branches.branch_end[k];
    subtract(end - k - 1, x[k], column + k + 1, x + k + 1);
  }
}

}  // namespace csim
