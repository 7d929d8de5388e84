// The factor of the block of a tree, of 1 to some 60 rows: Eigen's calls take longer than their work there.
// No sum is made of parts in an order that depends on where the memory lies.
#pragma once

#include <cmath>
#include <cstddef>

namespace csim {

/// y -= a x
inline void subtract(int n, double a, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

/// In place of a symmetric positive definite matrix [n, n], column-major, of which the lower triangle is
/// read: L of L L^T there, the inverses of its diagonal in the place of it, and L^T above. False where a
/// pivot is not positive.
[[nodiscard]] inline bool factor_dense(int n, double* L) {
  const auto column_of = [&](int k) { return L + static_cast<std::ptrdiff_t>(k) * n; };
  for (int k = 0; k < n; ++k) {
    double* const column = column_of(k);
    if (!(column[k] > 0.0)) return false;
    const double inverse = 1.0 / std::sqrt(column[k]);
    column[k] = inverse;
    for (int i = k + 1; i < n; ++i) column_of(i)[k] = column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) subtract(n - j, column[j], column + j, column_of(j) + j);
  }
  return true;
}

/// L x = b in place, for a b whose first `begin` entries are zero.
inline void solve_lower(int n, const double* L, int begin, double* x) {
  for (int k = begin; k < n; ++k) {
    const double* const column = L + static_cast<std::ptrdiff_t>(k) * n;
    x[k] *= column[k];
    subtract(n - k - 1, x[k], column + k + 1, x + k + 1);
  }
}

/// L L^T x = b in place.
inline void solve_dense(int n, const double* L, double* x) {
  solve_lower(n, L, 0, x);
  for (int k = n - 1; k >= 0; --k) {
    const double* const column = L + static_cast<std::ptrdiff_t>(k) * n;
    x[k] *= column[k];
    subtract(k, x[k], column, x);
  }
}

}  // namespace csim
