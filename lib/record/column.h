// One dataset of a table while it grows: rows gather in memory until a chunk is whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/hdf5/chunk_codec.h"
#include "record/hdf5/hdf5_file.h"

namespace csim {

/// Whole chunks, and the last one, are written compressed, once. A flush in between writes the rows so far as
/// a plain chunk; from then on this chunk is written plain, over itself, so that bytes which rows on disk
/// rely on never move or change [a compressed chunk would move when it grows]. A chunk of zeros alone is not
/// written: what a file does not hold reads as zeros.
class Column {
 public:
  Column(hdf5::GrowingDataset dataset, ChunkCodec* codec);

  /// Appends `count` rows, packed; the pointer may be null when rows have no entries.
  void append(const void* rows, long count);

  /// Hands the rows of the unfinished chunk to HDF5; they are on disk after the file's flush. No rows come
  /// after the last ones, whose chunk is compressed unless it has a plain place.
  void write_tail(bool is_last = false);

  /// Copies the first `count` rows of another file's dataset of the same name and shape into this empty
  /// column: whole chunks as they are.
  void copy_from(const hdf5::File& file, long count);

  [[nodiscard]] long rows() const { return first_row_ + filled_; }
  [[nodiscard]] const std::string& path() const { return dataset_.path(); }

 private:
  void write_chunk(bool is_final);
  void write_whole_chunk();
  [[nodiscard]] std::span<const std::uint8_t> encode();

  hdf5::GrowingDataset dataset_;
  ChunkCodec* codec_;
  std::size_t row_bytes_;
  std::size_t element_size_;
  long chunk_rows_;
  std::vector<std::uint8_t> chunk_;  // chunk_rows rows
  long first_row_ = 0;               // of the chunk in memory
  long filled_ = 0;                  // rows in it
  long on_file_ = 0;                 // rows handed to HDF5
  bool plain_ = false;               // the chunk in memory has a plain place in the file
  // The last chunk encoded and its code, of short ones: counts are the same for many steps.
  std::vector<std::uint8_t> last_chunk_, last_code_;
};

}  // namespace csim
