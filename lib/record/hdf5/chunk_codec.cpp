#include "record/hdf5/chunk_codec.h"

#ifdef CSIM_HAS_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include <algorithm>
#include <bitset>

#include "core/require.h"

namespace csim {

#ifdef CSIM_HAS_LIBDEFLATE

struct ChunkCodec::Compressor {
  libdeflate_compressor* const state = libdeflate_alloc_compressor(kLevel);

  Compressor() { CSIM_REQUIRE(state != nullptr); }
  ~Compressor() { libdeflate_free_compressor(state); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Bytes of the deflate stream written to `out`; 0 when they would not fit.
  std::size_t deflate(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> out) {
    return libdeflate_deflate_compress(state, bytes.data(), bytes.size(), out.data(), out.size());
  }

  static std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
    return libdeflate_adler32(1, bytes.data(), bytes.size());
  }
};

#else

struct ChunkCodec::Compressor {
  z_stream z{};

  Compressor() {
    // A negative number of bits: the bare stream, without header and checksum.
    const int status = deflateInit2(&z, kLevel, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
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

  static std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(adler32(1, bytes.data(), static_cast<uInt>(bytes.size())));
  }
};

#endif

namespace {

constexpr std::size_t kHeader = 2, kChecksum = 4;  // bytes of the zlib format around the stream (RFC 1950)
constexpr std::size_t kBlockHeader = 5, kLargestBlock = 65535;  // of a stored block (RFC 1951, 3.2.4)

/// Whether bytes are noise as far as 256 of them tell: of so many random ones 162 +- 6 differ; fewer than 128
/// mean at most 7 bits each.
bool looks_random(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kSamples = 256, kDifferent = 128;
  if (bytes.size() < kSamples) return false;
  std::bitset<256> seen;
  for (std::size_t i = 0; i < kSamples; ++i) seen.set(bytes[i * bytes.size() / kSamples]);
  return seen.count() >= kDifferent;
}

/// Bytes as stored blocks, none the last of the stream.
void store(std::span<const std::uint8_t> bytes, std::uint8_t* out) {
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kLargestBlock);
    const auto length = static_cast<std::uint16_t>(size);
    *out++ = 0;
    *out++ = static_cast<std::uint8_t>(length);
    *out++ = static_cast<std::uint8_t>(length >> 8);
    *out++ = static_cast<std::uint8_t>(~length);
    *out++ = static_cast<std::uint8_t>(~length >> 8);
    out = std::copy_n(bytes.data(), size, out);
    bytes = bytes.subspan(size);
  }
}

}  // namespace

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
  const std::span<std::uint8_t> shuffled(shuffled_);

  // Of elements of one byte nothing is sorted: they may be numbers, noise and all, as in files of VTK.
  std::size_t num_stored = 0;
  while (element_size > 1 && num_stored < chunk.size() && looks_random(shuffled.subspan(num_stored, count)))
    num_stored += count;
  const std::size_t stored_size =
      num_stored + kBlockHeader * ((num_stored + kLargestBlock - 1) / kLargestBlock);

  // One byte less than the chunk is all a smaller result may take.
  if (kHeader + stored_size + kChecksum + 1 >= chunk.size()) return {};
  encoded_.resize(chunk.size());
  const std::span<std::uint8_t> room =
      std::span(encoded_).first(chunk.size() - 1 - kChecksum).subspan(kHeader + stored_size);
  const std::size_t size = compressor_->deflate(shuffled.subspan(num_stored), room);
  if (size == 0) return {};
  encoded_[0] = 0x78;  // deflate with a window of 32 KB,
  encoded_[1] = 0x01;  // made by the fastest method; the two are a multiple of 31
  store(shuffled.first(num_stored), encoded_.data() + kHeader);
  std::uint8_t* out = room.data() + size;
  const std::uint32_t sum = Compressor::checksum(shuffled);
  for (int shift = 24; shift >= 0; shift -= 8) *out++ = static_cast<std::uint8_t>(sum >> shift);
  return std::span(encoded_).first(kHeader + stored_size + size + kChecksum);
}

}  // namespace csim
