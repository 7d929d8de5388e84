#include "record/block_reader.h"

#include <algorithm>
#include <utility>

namespace csim {
namespace {

// Rows of a block: as many as a chunk of the file holds; more of narrow tables, whose calls would take longer
// than their numbers.
constexpr long kLeastRows = 64, kNumbersAtOnce = 1 << 14;

}  // namespace

BlockReader::BlockReader(const ResultFile& result, std::string path)
    : result_(&result), path_(std::move(path)), num_rows_(1), width_(1) {
  const std::vector<long>& shape = result.dataset(path_).shape;
  if (!shape.empty()) num_rows_ = shape[0];
  for (std::size_t axis = 1; axis < shape.size(); ++axis) width_ *= shape[axis];
}

std::span<const double> BlockReader::row(long row) {
  if (row < first_ || row >= end_) {
    const long rows = std::max(kLeastRows, kNumbersAtOnce / std::max(1L, width_) / kLeastRows * kLeastRows);
    first_ = row / rows * rows;
    end_ = std::min(first_ + rows, num_rows_);
    if (width_ > 0) block_ = result_->real(path_, first_, end_ - first_);
  }
  return std::span(block_).subspan((row - first_) * width_, width_);
}

RowSpan ragged_rows(const ResultFile& result, const std::string& offset_path, RowSpan rows) {
  const auto at = [&](long row) { return static_cast<long>(result.integer(offset_path, row, 1).at(0)); };
  return {at(rows.begin), at(rows.end)};
}

std::vector<std::string> columns_of(const ResultFile& result, const std::string& group) {
  std::vector<std::string> paths;
  for (const hdf5::ObjectInfo& dataset : result.datasets()) {
    const bool inside = dataset.path.starts_with(group + "/") &&
                        dataset.path.find('/', group.size() + 1) == std::string::npos;
    const bool is_column =
        dataset.type != hdf5::Type::kText && !dataset.shape.empty() && !dataset.path.ends_with("_offset");
    if (inside && is_column) paths.push_back(dataset.path);
  }
  return paths;
}

}  // namespace csim
