// The storage plan of the block Cholesky: what the numeric factorisation of one pattern reads and writes, in
// the order it does so.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/linear/block_matrix.h"
#include "solver/linear/symbolic_cholesky.h"

namespace csim {

/// Rows of a strip, the unit of the numeric kernels (`tile_kernels.h`).
inline constexpr int kStripRows = 8;

/// Up to eight consecutive rows and columns of the matrix, all of one tree; numbered by elimination.
struct Chunk {
  int size;       // 1..8
  int column;     // first column within its panel
  int input_row;  // first row in H
};

/// The columns of a supernode: a dense lower trapezoid in strips.
struct Panel {
  int first_chunk, num_chunks;  // its own chunks
  /// Its strips (own chunks, then those below): numbers of chunks in PanelLayout::rows.
  int rows_begin, num_rows;
  int columns, first_column;       // width; place among all columns of L
  std::ptrdiff_t values;           // first entry of its storage
  int sources_begin, sources_end;  // in PanelLayout::sources
  int updates_begin, updates_end;  // in PanelLayout::updates

  /// From one strip to the next.
  [[nodiscard]] std::ptrdiff_t stride() const { return std::ptrdiff_t{kStripRows} * columns; }
};

/// A block of H, or the part of it that belongs to two chunks, and the tile where it goes.
struct Source {
  bool off_diagonal;          // in H.off_diagonal or in H.diagonal
  int entry;                  // first entry of the part
  int row_step, column_step;  // from a row (column) of the tile to the next one in the block
  int rows, columns;
  int row_chunk, column_chunk;
};

/// A panel before this one whose strips [first_row, end_row) belong to this panel's columns.
struct Update {
  int panel, first_row, end_row;
};

/// Built once a pattern; allocates only when it must grow.
class PanelLayout {
 public:
  void build(const BlockSymmetricMatrix& H, const SupernodalStructure& structure);

  std::vector<Chunk> chunks;
  std::vector<Panel> panels;
  std::vector<int> rows;
  std::vector<Source> sources;    // by panel
  std::vector<Update> updates;    // by panel, then by the earlier panel
  std::ptrdiff_t num_values = 0;  // doubles of storage for all panels

 private:
  void cut_chunks(const BlockSymmetricMatrix& H, const SupernodalStructure& structure);
  void lay_out_strips(const SupernodalStructure& structure);
  void find_sources(const BlockSymmetricMatrix& H, const SupernodalStructure& structure);
  void add_source(const Source& block, int row_position, int column_position);
  void find_updates();

  std::vector<int> chunk_begin_;  // [N+1] first chunk of the tree at a position
  std::vector<int> panel_of_;     // of a chunk
  std::vector<Source> unsorted_sources_;
  std::vector<Update> unsorted_updates_;
  std::vector<int> destination_;  // panel of each unsorted item
  std::vector<int> range_end_;
};

}  // namespace csim
