// An off-diagonal block of a symmetric block matrix.
#pragma once

namespace csim {

/// The block (row, col) of two block rows that something couples, row > col. Sorted by (col, row).
struct BlockEdge {
  int row = 0, col = 0;

  friend bool operator==(const BlockEdge&, const BlockEdge&) = default;
  friend bool operator<(const BlockEdge& a, const BlockEdge& b) {
    return a.col != b.col ? a.col < b.col : a.row < b.row;
  }
};

}  // namespace csim
