#include "record/chunk_codec.h"

#include <zlib.h>

#include "core/require.h"

namespace csim {

struct ChunkCodec::Stream {
  z_stream z{};
};

ChunkCodec::ChunkCodec() : stream_(std::make_unique<Stream>()) {
  const int status = deflateInit(&stream_->z, kLevel);
  CSIM_REQUIRE(status == Z_OK, status);
}

ChunkCodec::~ChunkCodec() {
  deflateEnd(&stream_->z);
}

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
  z_stream& z = stream_->z;
  deflateReset(&z);
  z.next_in = shuffled_.data();
  z.avail_in = static_cast<uInt>(shuffled_.size());
  z.next_out = deflated_.data();
  z.avail_out = static_cast<uInt>(deflated_.size()) - 1;
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) return {};
  return {deflated_.data(), deflated_.size() - 1 - z.avail_out};
}

}  // namespace csim
