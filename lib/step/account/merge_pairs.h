// Rows of pairs of bodies, one row a pair.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

namespace csim {

/// Order of rows with members body_a and body_b.
template <typename Row, typename Other>
bool precedes(const Row& x, const Other& y) {
  return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
}

/// Sorts the rows by their bodies and leaves one of each pair, to which `add(row, &sum)` has added the
/// others.
template <typename Row, typename Add>
void merge_pairs(std::vector<Row>* rows, const Add& add) {
  // Points are sorted by bodies, and faces are: sorting is an exception or the meeting of the two.
  if (!std::is_sorted(rows->begin(), rows->end(), precedes<Row, Row>))
    std::sort(rows->begin(), rows->end(), precedes<Row, Row>);
  std::size_t n = 0;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const Row row = (*rows)[i];
    if (n > 0 && !precedes((*rows)[n - 1], row)) {
      add(row, &(*rows)[n - 1]);
    } else {
      (*rows)[n++] = row;
    }
  }
  rows->resize(n);
}

}  // namespace csim
