#include "solver/linear/block_cholesky.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/require.h"
#include "solver/linear/tile_kernels.h"

namespace csim {
namespace {

using tile::kMaxStrips;
static_assert(tile::kStrip == kStripRows);

// Columns of a panel: four strips of it stay in the first-level cache (24 KB of 32 or 48).
constexpr int kMaxPanelColumns = 96;

// Kernels for every number of strips and columns, both from 1: make.operator()<1>(), <2>(), ..
template <typename Make, int... K>
constexpr auto list_from_one(const Make& make, std::integer_sequence<int, K...>) {
  // The element's type is named: deduced, an array of one array would be that array itself (AVX: one strip).
  return std::array<decltype(make.template operator()<1>()), sizeof...(K)>{
      make.template operator()<K + 1>()...};
}
template <typename Make>
constexpr auto by_columns(const Make& make) {
  return list_from_one(make, std::make_integer_sequence<int, kStripRows>());
}
template <typename Make>
constexpr auto by_strips(const Make& make) {
  return list_from_one(make, std::make_integer_sequence<int, kMaxStrips>());
}
constexpr auto kUpdate =
    by_strips([]<int R>() { return by_columns([]<int N>() { return &tile::update<R, N>; }); });
constexpr auto kEliminate =
    by_strips([]<int R>() { return by_columns([]<int N>() { return &tile::eliminate<R, N>; }); });
constexpr auto kFactorDiagonal = by_columns([]<int N>() { return &tile::factor_diagonal<N>; });
constexpr auto kForward = by_columns([]<int N>() { return &tile::substitute_forward<N>; });
constexpr auto kBackward = by_columns([]<int N>() { return &tile::substitute_backward<N>; });

// Copies the entries of a block to a tile.
template <int kRows, int kColumns>
void copy_fixed(const double* block, int row_step, int column_step, double* target) {
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kRows; ++i) target[j * kStripRows + i] = block[i * row_step + j * column_step];
}

}  // namespace

void BlockCholesky::analyze(const BlockSymmetricMatrix& H) {
  if (!pattern_.change_to(H)) return;
  factored_ = false;
  symbolic_.analyze(H, kMaxPanelColumns, &structure_);
  layout_.build(H, structure_);
  values_.reserve(layout_.num_values);
  padded_.reserve(layout_.chunks.size() * kStripRows);
  strip_of_.resize(layout_.chunks.size());
  inverse_diagonal_.resize(H.rows());
  solved_.resize(H.rows());
}

bool BlockCholesky::factor(const BlockSymmetricMatrix& H) {
  return factor_panels(H, [](const Panel&) {});
}

// The forward substitution follows the factor panel by panel, while a panel is in the cache.
bool BlockCholesky::factor_and_solve(const BlockSymmetricMatrix& H, double* x) {
  spread(x);
  if (!factor_panels(H, [this](const Panel& panel) { solve_forward(panel); })) return false;
  finish_solve(x);
  return true;
}

template <typename AfterPanel>
bool BlockCholesky::factor_panels(const BlockSymmetricMatrix& H, AfterPanel&& after_panel) {
  CSIM_REQUIRE(pattern_.fits(H), H.num_blocks(), H.num_edges());
  factored_ = false;
  for (const Panel& panel : layout_.panels) {
    gather(H, panel);
    for (int u = panel.updates_begin; u < panel.updates_end; ++u)
      subtract_earlier_panel(layout_.updates[u], panel);
    if (!factor_panel(panel)) return false;
    after_panel(panel);
  }
  factored_ = true;
  return true;
}

// The panel's part of P H P^T, and the place of every chunk among its strips.
void BlockCholesky::gather(const BlockSymmetricMatrix& H, const Panel& panel) {
  for (int r = 0; r < panel.num_rows; ++r) strip_of_[layout_.rows[panel.rows_begin + r]] = r;
  double* const values = values_.data() + panel.values;
  std::fill(values, values + panel.stride() * panel.num_rows, 0.0);
  for (int at = panel.sources_begin; at < panel.sources_end; ++at) {
    const Source& source = layout_.sources[at];
    const double* block = (source.off_diagonal ? H.off_diagonal : H.diagonal).data() + source.entry;
    double* target = values + strip_of_[source.row_chunk] * panel.stride() +
                     layout_.chunks[source.column_chunk].column * kStripRows;
    if (source.rows == 6 && source.columns == 6 && source.row_step == 1) {
      copy_fixed<6, 6>(block, 1, source.column_step, target);
    } else if (source.rows == 6 && source.columns == 6) {
      copy_fixed<6, 6>(block, source.row_step, 1, target);
    } else {
      for (int j = 0; j < source.columns; ++j)
        for (int i = 0; i < source.rows; ++i)
          target[j * kStripRows + i] = block[i * source.row_step + j * source.column_step];
    }
  }
}

// T_ij -= L_i L_j^T for the chunks j of the panel's columns that are strips of the earlier panel, and all its
// strips i from j on. Four strips i stay in the first-level cache while all j pass.
void BlockCholesky::subtract_earlier_panel(const Update& update, const Panel& panel) {
  const Panel& earlier = layout_.panels[update.panel];
  const int* rows = layout_.rows.data() + earlier.rows_begin;
  const double* const strips = values_.data() + earlier.values;
  double* const values = values_.data() + panel.values;
  const std::ptrdiff_t stride = earlier.stride(), target_stride = panel.stride();
  double* strip[kMaxStrips];
  double* target[kMaxStrips];
  for (int i = update.first_row; i < earlier.num_rows; i += kMaxStrips) {
    const int num_strips = std::min(kMaxStrips, earlier.num_rows - i);
    for (int r = 0; r < num_strips; ++r) strip[r] = values + strip_of_[rows[i + r]] * target_stride;
    const int end = std::min(update.end_row, i + num_strips);
    for (int j = update.first_row; j < end; ++j) {
      const Chunk& chunk = layout_.chunks[rows[j]];
      const int skipped = std::max(0, j - i);  // strips above the diagonal
      for (int r = skipped; r < num_strips; ++r) target[r - skipped] = strip[r] + chunk.column * kStripRows;
      kUpdate[num_strips - skipped - 1][chunk.size - 1](strips + (i + skipped) * stride, stride,
                                                        strips + j * stride, earlier.columns, target);
    }
  }
}

// First the triangle of the panel's own chunks, column by column; then the strips below, four at a time
// through all columns.
bool BlockCholesky::factor_panel(const Panel& panel) {
  double* const values = values_.data() + panel.values;
  const std::ptrdiff_t stride = panel.stride();
  const Chunk* chunks = layout_.chunks.data() + panel.first_chunk;
  double* const inverse_diagonal = inverse_diagonal_.data() + panel.first_column;
  const auto eliminate = [&](int t, int begin, int num_strips) {
    kEliminate[num_strips - 1][chunks[t].size - 1](values + begin * stride, stride, values + t * stride,
                                                   chunks[t].column, inverse_diagonal + chunks[t].column);
  };
  for (int t = 0; t < panel.num_chunks; ++t) {
    if (!kFactorDiagonal[chunks[t].size - 1](values + t * stride, chunks[t].column,
                                             inverse_diagonal + chunks[t].column))
      return false;
    for (int i = t + 1; i < panel.num_chunks; i += kMaxStrips)
      eliminate(t, i, std::min(kMaxStrips, panel.num_chunks - i));
  }
  for (int i = panel.num_chunks; i < panel.num_rows; i += kMaxStrips)
    for (int t = 0; t < panel.num_chunks; ++t) eliminate(t, i, std::min(kMaxStrips, panel.num_rows - i));
  return true;
}

void BlockCholesky::solve(double* x) {
  CSIM_REQUIRE(factored_);
  spread(x);
  for (const Panel& panel : layout_.panels) {
    if (begins_with_zeros(panel)) {
      std::fill_n(solved_.data() + panel.first_column, panel.columns, 0.0);
    } else {
      solve_forward(panel);
    }
  }
  finish_solve(x);
}

// A right-hand side of few entries, as that of one contact, has nothing to do in most panels.
bool BlockCholesky::begins_with_zeros(const Panel& panel) const {
  const double* const y = padded_.data() + std::ptrdiff_t{panel.first_chunk} * kStripRows;
  return std::all_of(y, y + std::ptrdiff_t{panel.num_chunks} * kStripRows, [](double b) { return b == 0.0; });
}

// The right-hand side, one strip a chunk.
void BlockCholesky::spread(const double* x) {
  double* padded = padded_.data();
  for (const Chunk& chunk : layout_.chunks) {
    for (int r = 0; r < kStripRows; ++r) padded[r] = r < chunk.size ? x[chunk.input_row + r] : 0.0;
    padded += kStripRows;
  }
}

void BlockCholesky::finish_solve(double* x) {
  for (auto panel = layout_.panels.rbegin(); panel != layout_.panels.rend(); ++panel) solve_backward(*panel);
  const double* padded = padded_.data();
  for (const Chunk& chunk : layout_.chunks) {
    std::copy(padded, padded + chunk.size, x + chunk.input_row);
    padded += kStripRows;
  }
}

// L y = b: chunk by chunk within the panel, then the panel's columns are subtracted from the rows below.
void BlockCholesky::solve_forward(const Panel& panel) {
  const double* const values = values_.data() + panel.values;
  double* const solved = solved_.data() + panel.first_column;
  const double* const inverse_diagonal = inverse_diagonal_.data() + panel.first_column;
  const int* const rows = layout_.rows.data() + panel.rows_begin;
  for (int t = 0; t < panel.num_chunks; ++t) {
    const Chunk& chunk = layout_.chunks[panel.first_chunk + t];
    const double* const y = padded_.data() + std::ptrdiff_t{panel.first_chunk + t} * kStripRows;
    kForward[chunk.size - 1](values + t * panel.stride(), chunk.column, inverse_diagonal, y, solved);
  }
  for (int t = panel.num_chunks; t < panel.num_rows; ++t)
    tile::subtract_strip_times_vector(values + t * panel.stride(), solved, panel.columns,
                                      padded_.data() + std::ptrdiff_t{rows[t]} * kStripRows);
}

// L^T x = y: every chunk needs the strips below its own, which are solved already.
void BlockCholesky::solve_backward(const Panel& panel) {
  const double* const values = values_.data() + panel.values;
  const int* const rows = layout_.rows.data() + panel.rows_begin;
  for (int t = panel.num_chunks - 1; t >= 0; --t) {
    const Chunk& chunk = layout_.chunks[panel.first_chunk + t];
    const int column = panel.first_column + chunk.column;
    kBackward[chunk.size - 1](values + chunk.column * kStripRows, panel.stride(), rows, t, panel.num_rows,
                              inverse_diagonal_.data() + column, solved_.data() + column, padded_.data());
  }
}

}  // namespace csim
