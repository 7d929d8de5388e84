// Dense kernels of the block Cholesky on strips: eight rows of a panel, stored column after column.
//
// A strip of a panel with K columns is 8 K contiguous doubles, entry (row r, column p) at [8 p + r], so one
// column is one cache line and one AVX-512 register. A chunk is up to eight consecutive rows and columns of
// the matrix (a free body: six); it owns one strip, whose unused rows are zero. The rows of a panel are
// strips, one after the other; a tile is the N columns of one strip that belong to one chunk. All sums over p
// run from 0 up, in one accumulator an entry: the result does not depend on how strips are grouped.
#pragma once

#include <cmath>
#include <cstddef>

// Unrolls a loop of constant length so early that what it indexes lives in registers (GCC 12 keeps a copy on
// the stack without).
#define CSIM_UNROLL _Pragma("GCC unroll 8")

namespace csim::tile {

constexpr int kStrip = 8;

#if defined(__AVX512F__)
constexpr int kLaneDoubles = 8;
constexpr int kMaxStrips = 4;  // 4 strips x 6 columns + 4 operands = 28 of 32 registers
#elif defined(__AVX__)
constexpr int kLaneDoubles = 4;
constexpr int kMaxStrips = 1;  // 2 x 6 accumulators + 2 operands + 1 broadcast = 15 of 16 registers
#else
constexpr int kLaneDoubles = 2;
constexpr int kMaxStrips = 1;
#endif
constexpr int kLanes = kStrip / kLaneDoubles;  // registers a column of a strip

using Lane [[gnu::vector_size(kLaneDoubles * sizeof(double)), gnu::may_alias]] = double;

/// N columns of R strips in registers.
template <int R, int N>
struct Tiles {
  Lane at[R][N][kLanes];
};

template <int R, int N>
[[gnu::always_inline]] inline void load(Tiles<R, N>& c, double* const (&address)[R]) {
  CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int j = 0; j < N; ++j)
      CSIM_UNROLL for (int l = 0; l < kLanes; ++l)
          c.at[r][j][l] = *reinterpret_cast<const Lane*>(address[r] + j * kStrip + l * kLaneDoubles);
}

template <int R, int N>
[[gnu::always_inline]] inline void store(const Tiles<R, N>& c, double* const (&address)[R]) {
  CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int j = 0; j < N; ++j)
          CSIM_UNROLL for (int l = 0; l < kLanes; ++l) *
      reinterpret_cast<Lane*>(address[r] + j * kStrip + l * kLaneDoubles) = c.at[r][j][l];
}

/// C_r -= A_r B^T over `depth` columns: A_r is the strip at a + r a_stride, B the first N rows of the strip
/// at b.
template <int R, int N>
[[gnu::always_inline]] inline void subtract_products(Tiles<R, N>& c, const double* a, std::ptrdiff_t a_stride,
                                                     const double* b, int depth) {
  for (int p = 0; p < depth; ++p) {
    Lane left[R][kLanes];
    CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int l = 0; l < kLanes; ++l) left[r][l] =
        *reinterpret_cast<const Lane*>(a + r * a_stride + p * kStrip + l * kLaneDoubles);
    CSIM_UNROLL for (int j = 0; j < N; ++j) {
      const double factor = b[p * kStrip + j];
      CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int l = 0; l < kLanes; ++l) c.at[r][j][l] -=
          left[r][l] * factor;
    }
  }
}

/// A tile of another panel, C_r at target[r]: C_r -= A_r B^T.
template <int R, int N>
void update(const double* a, std::ptrdiff_t a_stride, const double* b, int depth, double* const* target) {
  double* address[R];
  CSIM_UNROLL for (int r = 0; r < R; ++r) address[r] = target[r];
  Tiles<R, N> c;
  load(c, address);
  subtract_products(c, a, a_stride, b, depth);
  store(c, address);
}

/// The diagonal tile of a chunk whose strip is at `strip` and whose first column is `depth`: subtracts the
/// products of the columns before, factors the N x N block, zeroes above the diagonal and writes 1 / l_jj to
/// inverse_diagonal[0..N). False when a pivot is not positive or not finite.
template <int N>
bool factor_diagonal(double* strip, int depth, double* inverse_diagonal) {
  double* const address[1] = {strip + static_cast<std::ptrdiff_t>(depth) * kStrip};
  Tiles<1, N> c;
  load(c, address);
  subtract_products(c, strip, 0, strip, depth);
  // L D L^T with the square roots off the critical path: column j of L is c_j / sqrt(d_j), and c_k -= c_j
  // (c_j)_k / d_j.
  double pivot[N];
  CSIM_UNROLL for (int j = 0; j < N; ++j) {
    pivot[j] = c.at[0][j][j / kLaneDoubles][j % kLaneDoubles];
    const double inverse = 1.0 / pivot[j];
    CSIM_UNROLL for (int k = j + 1; k < N; ++k) {
      const double factor = c.at[0][j][k / kLaneDoubles][k % kLaneDoubles] * inverse;
      CSIM_UNROLL for (int l = 0; l < kLanes; ++l) c.at[0][k][l] -= c.at[0][j][l] * factor;
    }
  }
  bool positive = true;
  CSIM_UNROLL for (int j = 0; j < N; ++j) {
    positive = positive && pivot[j] > 0.0 && pivot[j] < HUGE_VAL;
    const double root = std::sqrt(pivot[j]);
    inverse_diagonal[j] = 1.0 / root;
    CSIM_UNROLL for (int l = 0; l < kLanes; ++l) c.at[0][j][l] *= inverse_diagonal[j];
    CSIM_UNROLL for (int r = 0; r < j; ++r) c.at[0][j][r / kLaneDoubles][r % kLaneDoubles] = 0.0;
    c.at[0][j][j / kLaneDoubles][j % kLaneDoubles] = root;
  }
  store(c, address);
  return positive;
}

/// R strips below a chunk's diagonal tile, of the same panel, at a + r a_stride; the chunk's strip is at `b`,
/// its first column `depth`. Subtracts the products of the columns before and multiplies by the inverse
/// transpose of the factored diagonal tile.
template <int R, int N>
void eliminate(double* a, std::ptrdiff_t a_stride, const double* b, int depth,
               const double* inverse_diagonal) {
  double* address[R];
  CSIM_UNROLL for (int r = 0; r < R; ++r) address[r] =
      a + r * a_stride + static_cast<std::ptrdiff_t>(depth) * kStrip;
  Tiles<R, N> c;
  load(c, address);
  subtract_products(c, a, a_stride, b, depth);
  const double* triangle = b + static_cast<std::ptrdiff_t>(depth) * kStrip;
  CSIM_UNROLL for (int j = 0; j < N; ++j) {
    CSIM_UNROLL for (int i = 0; i < j; ++i) {
      const double factor = triangle[i * kStrip + j];
      CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int l = 0; l < kLanes; ++l) c.at[r][j][l] -=
          c.at[r][i][l] * factor;
    }
    CSIM_UNROLL for (int r = 0; r < R; ++r) CSIM_UNROLL for (int l = 0; l < kLanes; ++l) c.at[r][j][l] *=
        inverse_diagonal[j];
  }
  store(c, address);
}

/// y - A x in registers: strip A of `depth` columns, y its eight rows.
struct StripRows {
  Lane at[kLanes];
};

[[gnu::always_inline]] inline StripRows subtract_product(const double* a, const double* x, int depth,
                                                         const double* y) {
  constexpr int kSums = 4;  // independent sums hide the latency of the multiply-add
  Lane sum[kSums][kLanes] = {};
  int p = 0;
  for (; p + kSums <= depth; p += kSums)
    for (int q = 0; q < kSums; ++q)
      CSIM_UNROLL for (int l = 0; l < kLanes; ++l) sum[q][l] +=
          *reinterpret_cast<const Lane*>(a + (p + q) * kStrip + l * kLaneDoubles) * x[p + q];
  for (; p < depth; ++p)
    CSIM_UNROLL for (int l = 0; l < kLanes; ++l) sum[0][l] +=
        *reinterpret_cast<const Lane*>(a + p * kStrip + l * kLaneDoubles) * x[p];
  StripRows rows;
  CSIM_UNROLL for (int l = 0; l < kLanes; ++l) rows.at[l] =
      *reinterpret_cast<const Lane*>(y + l * kLaneDoubles) -
      ((sum[0][l] + sum[1][l]) + (sum[2][l] + sum[3][l]));
  return rows;
}

/// y -= A x: strip A of `depth` columns, y its eight rows.
inline void subtract_strip_times_vector(const double* a, const double* x, int depth, double* y) {
  const StripRows rows = subtract_product(a, x, depth, y);
  CSIM_UNROLL for (int l = 0; l < kLanes; ++l) * reinterpret_cast<Lane*>(y + l * kLaneDoubles) = rows.at[l];
}

/// Forward substitution of a chunk whose strip is at `strip` and whose first column is `depth`: its N
/// unknowns solved[depth..depth + N) from those before and its right-hand side y. Reads all eight entries of
/// y.
template <int N>
void substitute_forward(const double* strip, int depth, const double* inverse_diagonal, const double* y,
                        double* solved) {
  StripRows rows = subtract_product(strip, solved, depth, y);
  const double* const triangle = strip + static_cast<std::ptrdiff_t>(depth) * kStrip;
  CSIM_UNROLL for (int j = 0; j < N; ++j) {
    const double value = rows.at[j / kLaneDoubles][j % kLaneDoubles] * inverse_diagonal[depth + j];
    solved[depth + j] = value;
    CSIM_UNROLL for (int l = 0; l < kLanes; ++l) rows.at[l] -=
        *reinterpret_cast<const Lane*>(triangle + j * kStrip + l * kLaneDoubles) * value;
  }
}

/// Backward substitution of the chunk that owns strip t of a panel of `num_strips`: its N columns are at `a`,
/// strip by strip a_stride apart, b is its right-hand side, y_r = y + 8 rows[r] the eight entries of the
/// solution at strip r, known for r > t. Writes y_t, zeros behind the N-th entry.
template <int N>
void substitute_backward(const double* a, std::ptrdiff_t a_stride, const int* rows, int t, int num_strips,
                         const double* inverse_diagonal, const double* b, double* y) {
  Lane sums[N][kLanes] = {};
  for (int r = t + 1; r < num_strips; ++r) {
    const double* strip = a + r * a_stride;
    const double* entries = y + static_cast<std::ptrdiff_t>(rows[r]) * kStrip;
    CSIM_UNROLL for (int l = 0; l < kLanes; ++l) {
      const Lane right = *reinterpret_cast<const Lane*>(entries + l * kLaneDoubles);
      CSIM_UNROLL for (int j = 0; j < N; ++j) sums[j][l] +=
          *reinterpret_cast<const Lane*>(strip + j * kStrip + l * kLaneDoubles) * right;
    }
  }
  double x[N];
  CSIM_UNROLL for (int j = 0; j < N; ++j) {
    double sum = 0.0;
    CSIM_UNROLL for (int r = 0; r < kStrip; ++r) sum += sums[j][r / kLaneDoubles][r % kLaneDoubles];
    x[j] = b[j] - sum;
  }
  const double* const triangle = a + t * a_stride;
  double* const own = y + static_cast<std::ptrdiff_t>(rows[t]) * kStrip;
  CSIM_UNROLL for (int j = N - 1; j >= 0; --j) {
    x[j] *= inverse_diagonal[j];
    CSIM_UNROLL for (int i = 0; i < j; ++i) x[i] -= triangle[i * kStrip + j] * x[j];
  }
  CSIM_UNROLL for (int r = 0; r < kStrip; ++r) own[r] = r < N ? x[r < N ? r : 0] : 0.0;
}

}  // namespace csim::tile

#undef CSIM_UNROLL
