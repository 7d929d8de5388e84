#include "record/column.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/require.h"

namespace csim {
namespace {

bool is_zero(const std::vector<std::uint8_t>& bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

Column::Column(hdf5::GrowingDataset dataset, ChunkCodec* codec)
    : dataset_(std::move(dataset)),
      codec_(codec),
      row_bytes_(dataset_.row_bytes()),
      element_size_(dataset_.element_bytes()),
      chunk_rows_(dataset_.chunk_rows()),
      chunk_(row_bytes_ * static_cast<std::size_t>(chunk_rows_)) {}

void Column::append(const void* rows, long count) {
  const auto* bytes = static_cast<const std::uint8_t*>(rows);
  while (count > 0) {
    const long taken = std::min(count, chunk_rows_ - filled_);
    const std::size_t size = static_cast<std::size_t>(taken) * row_bytes_;
    if (size > 0) {
      std::memcpy(chunk_.data() + static_cast<std::size_t>(filled_) * row_bytes_, bytes, size);
      bytes += size;
    }
    filled_ += taken;
    count -= taken;
    if (filled_ == chunk_rows_) write_whole_chunk();
  }
}

std::span<const std::uint8_t> Column::encode() {
  // Of a longer one the comparison and the copies cost as much as they save, and memory.
  constexpr std::size_t kShort = 4096;  // bytes
  if (chunk_.size() > kShort) return codec_->encode(chunk_, element_size_);
  if (chunk_ != last_chunk_) {
    const auto code = codec_->encode(chunk_, element_size_);
    last_code_.assign(code.begin(), code.end());
    last_chunk_ = chunk_;
  }
  return last_code_;
}

void Column::write_chunk(bool is_final) {
  dataset_.set_rows(rows());
  on_file_ = rows();
  if (!plain_ && is_zero(chunk_)) return;
  const bool compress = is_final && !plain_;
  const auto encoded = compress ? encode() : std::span<const std::uint8_t>();
  if (encoded.empty()) {
    dataset_.write_chunk(first_row_, chunk_, hdf5::GrowingDataset::kPlain);
    plain_ = true;
  } else {
    dataset_.write_chunk(first_row_, encoded, 0);
  }
}

void Column::write_whole_chunk() {
  write_chunk(true);
  first_row_ += chunk_rows_;
  filled_ = 0;
  plain_ = false;
}

void Column::write_tail(bool is_last) {
  if (on_file_ == rows()) return;
  // Rows to come read as zeros until they are there.
  std::fill(chunk_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(filled_) * row_bytes_),
            chunk_.end(), 0);
  write_chunk(is_last);
}

void Column::copy_from(const hdf5::File& file, long count) {
  CSIM_REQUIRE(rows() == 0, rows());
  const hdf5::GrowingDataset source = file.open_growing(path());
  if (source.row_bytes() != row_bytes_ || source.type() != dataset_.type()) {
    throw InvalidResultError(file.path() + ": " + path() + " has another shape than this run's");
  }
  if (row_bytes_ == 0) {
    append(nullptr, count);
    return;
  }
  if (source.chunk_rows() == chunk_rows_) {
    while (first_row_ + chunk_rows_ <= count) {
      const hdf5::StoredChunk stored = source.read_chunk(first_row_);
      first_row_ += chunk_rows_;
      dataset_.set_rows(first_row_);
      if (!stored.bytes.empty())
        dataset_.write_chunk(first_row_ - chunk_rows_, stored.bytes, stored.filter_mask);
      on_file_ = first_row_;
    }
  }
  std::vector<std::uint8_t> rest(row_bytes_ * static_cast<std::size_t>(chunk_rows_));
  while (rows() < count) {
    const long taken = std::min(count - rows(), chunk_rows_);
    file.read_rows(path(), rows(), taken, rest.data());
    append(rest.data(), taken);
  }
}

}  // namespace csim
