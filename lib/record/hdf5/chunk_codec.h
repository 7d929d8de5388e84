// The chunks of a dataset with the filters shuffle and deflate, made without HDF5's pipeline, which starts
// zlib anew for every chunk. libdeflate, where it is installed, writes the same format in a half to a third
// of zlib's time. The low bytes of measured numbers are noise, in which no compressor finds anything: they
// are stored as they are, which takes a fourth of the time for the same size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace csim {

class ChunkCodec {
 public:
  static constexpr int kLevel = 1;  // higher ones take longer and give files that are hardly smaller

  ChunkCodec();
  ~ChunkCodec();
  ChunkCodec(const ChunkCodec&) = delete;
  ChunkCodec& operator=(const ChunkCodec&) = delete;

  /// Shuffles elements of `element_size` bytes (all first bytes, then all second bytes, …; HDF5's filter 2)
  /// and deflates them (zlib format, HDF5's filter 1), the leading ones that look random in stored blocks.
  /// The result stays valid until the next call; it is empty when it would not be smaller than the chunk.
  [[nodiscard]] std::span<const std::uint8_t> encode(std::span<const std::uint8_t> chunk,
                                                     std::size_t element_size);

 private:
  struct Compressor;
  std::unique_ptr<Compressor> compressor_;
  std::vector<std::uint8_t> shuffled_, encoded_;
};

}  // namespace csim
