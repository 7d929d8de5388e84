// Rows of a dataset one after the other, each chunk of the file unpacked once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/reader.h"

namespace csim {

class BlockReader {
 public:
  /// Of a numeric dataset; throws InvalidResultError when there is none. `result` outlives this.
  BlockReader(const ResultFile& result, std::string path);

  /// The numbers of a row; valid until the next call. Rows are asked for in ascending order, mostly.
  [[nodiscard]] std::span<const double> row(long row);

  [[nodiscard]] long width() const { return width_; }  // numbers in a row
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const ResultFile* result_;
  std::string path_;
  long num_rows_, width_;
  long first_ = 0, end_ = 0;  // the rows held
  std::vector<double> block_;
};

/// Rows [begin, end) of a table.
struct RowSpan {
  long begin = 0, end = 0;
  [[nodiscard]] long count() const { return end - begin; }
};
/// What belongs to `rows` in the ragged table with the offsets `offset_path`.
[[nodiscard]] RowSpan ragged_rows(const ResultFile& result, const std::string& offset_path, RowSpan rows);

/// Numeric datasets directly in a group that hold a row of a table, without its offsets.
[[nodiscard]] std::vector<std::string> columns_of(const ResultFile& result, const std::string& group);

}  // namespace csim
