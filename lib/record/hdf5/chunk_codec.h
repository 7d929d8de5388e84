// The chunks of a dataset with HDF5's filters shuffle and deflate, made without HDF5's pipeline, which starts
// zlib anew for every chunk. The low bytes of measured numbers are noise that no compressor shortens: they
// are stored uncompressed, in a fourth of the time for the same size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/deflate.h"

namespace csim {

class ChunkCodec {
 public:
  static constexpr int kLevel = Deflater::kLevel;

  /// Shuffles elements of `element_size` bytes (all first bytes, then all second bytes, …; HDF5's filter 2)
  /// and deflates them (zlib format, HDF5's filter 1), the leading ones that look random in stored blocks.
  /// The result stays valid until the next call; it is empty when it would not be smaller than the chunk.
  [[nodiscard]] std::span<const std::uint8_t> encode(std::span<const std::uint8_t> chunk,
                                                     std::size_t element_size);

 private:
  Deflater deflater_;
  std::vector<std::uint8_t> shuffled_;
};

}  // namespace csim
