#include "record/chunk_codec.h"

#ifdef CSIM_HAS_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "core/require.h"

namespace csim {

#ifdef CSIM_HAS_LIBDEFLATE

struct ChunkCodec::Compressor {
  libdeflate_compressor* const state = libdeflate_alloc_compressor(kLevel);

  Compressor() { CSIM_REQUIRE(state != nullptr); }
  ~Compressor() { libdeflate_free_compressor(state); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Bytes written to `out`; 0 when they would not fit.
  std::size_t deflate(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> out) {
    return libdeflate_zlib_compress(state, bytes.data(), bytes.size(), out.data(), out.size());
  }
};

#else

struct ChunkCodec::Compressor {
  z_stream z{};

  Compressor() {
    const int status = deflateInit(&z, kLevel);
    CSIM_REQUIRE(status == Z_OK, status);
  }
  ~Compressor() { deflateEnd(&z); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  std::size_t deflate(std::span<std::uint8_t> bytes, std::span<std::uint8_t> out) {
    deflateReset(&z);
    z.next_in = bytes.data();
    z.avail_in = static_cast<uInt>(bytes.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    return ::deflate(&z, Z_FINISH) == Z_STREAM_END ? out.size() - z.avail_out : 0;
  }
};

#endif

ChunkCodec::ChunkCodec() : compressor_(std::make_unique<Compressor>()) {}
ChunkCodec::~ChunkCodec() = default;

std::span<const std::uint8_t> ChunkCodec::encode(std::span<const std::uint8_t> chunk,
                                                 std::size_t element_size) {
  const std::size_t count = chunk.size() / element_size;
  CSIM_REQUIRE(count * element_size == chunk.size(), chunk.size(), element_size);
  shuffled_.resize(chunk.size());
  for (std::size_t byte = 0; byte < element_size; ++byte) {
    std::uint8_t* out = shuffled_.data() + byte * count;
    for (std::size_t i = 0; i < count; ++i) out[i] = chunk[i * element_size + byte];
  }

  // One byte less than the chunk is all a smaller result may take.
  deflated_.resize(chunk.size());
  const std::size_t size = compressor_->deflate(shuffled_, std::span(deflated_).first(chunk.size() - 1));
  return std::span(deflated_).first(size);
}

}  // namespace csim
