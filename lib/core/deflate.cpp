#include "core/deflate.h"

#include <libdeflate.h>

#include <algorithm>

#include "core/require.h"

namespace csim {
namespace {

constexpr std::size_t kHeader = 2, kChecksum = 4;  // bytes around the compressed blocks (RFC 1950)
constexpr std::size_t kBlockHeader = 5, kLargestBlock = 65535;  // of a stored block (RFC 1951, 3.2.4)

/// Writes bytes as stored blocks, none of them the last of the stream; returns the end of what it wrote.
std::uint8_t* store(std::span<const std::uint8_t> bytes, std::uint8_t* out) {
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
  return out;
}

}  // namespace

struct Deflater::Compressor {
  libdeflate_compressor* const state = libdeflate_alloc_compressor(kLevel);

  Compressor() { CSIM_REQUIRE(state != nullptr); }
  ~Compressor() { libdeflate_free_compressor(state); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
};

Deflater::Deflater() : compressor_(std::make_unique<Compressor>()) {}
Deflater::~Deflater() = default;

std::span<const std::uint8_t> Deflater::deflate(std::span<const std::uint8_t> bytes, std::size_t num_stored) {
  libdeflate_compressor* const state = compressor_->state;
  const std::span<const std::uint8_t> rest = bytes.subspan(num_stored);
  const std::size_t num_blocks = (num_stored + kLargestBlock - 1) / kLargestBlock;
  const std::size_t room = libdeflate_deflate_compress_bound(state, rest.size());
  stream_.resize(kHeader + num_stored + kBlockHeader * num_blocks + room + kChecksum);
  stream_[0] = 0x78;  // deflate with a window of 32 KB,
  stream_[1] = 0x01;  // made by the fastest method; the two are a multiple of 31
  std::uint8_t* end = store(bytes.first(num_stored), stream_.data() + kHeader);
  const std::size_t size = libdeflate_deflate_compress(state, rest.data(), rest.size(), end, room);
  CSIM_REQUIRE(size > 0, rest.size(), room);
  end += size;
  const std::uint32_t checksum = libdeflate_adler32(1, bytes.data(), bytes.size());
  for (const int shift : {24, 16, 8, 0}) *end++ = static_cast<std::uint8_t>(checksum >> shift);
  return {stream_.data(), end};
}

bool inflate(std::string_view stream, std::size_t size, std::string* out) {
  // The format cannot shrink data to less than about a thousandth: a larger claim is damage, and no reason to
  // allocate memory.
  constexpr std::size_t kLargestRatio = 1040;
  if (size > kLargestRatio * stream.size()) return false;
  const std::size_t begin = out->size();
  out->resize(begin + size);
  struct Free {
    void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  };
  const std::unique_ptr<libdeflate_decompressor, Free> state(libdeflate_alloc_decompressor());
  CSIM_REQUIRE(state != nullptr);
  // Without a place for the actual size, any other size is an error.
  return libdeflate_zlib_decompress(state.get(), stream.data(), stream.size(), out->data() + begin, size,
                                    nullptr) == LIBDEFLATE_SUCCESS;
}

}  // namespace csim
