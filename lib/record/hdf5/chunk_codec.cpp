#include "record/hdf5/chunk_codec.h"

#include <bitset>

#include "core/require.h"

namespace csim {
namespace {

/// Whether bytes are noise, judged by 256 of them: of 256 random bytes 162 +- 6 are different; fewer than 128
/// mean at most 7 random bits each.
bool looks_random(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kSamples = 256, kDifferent = 128;
  if (bytes.size() < kSamples) return false;
  std::bitset<256> seen;
  for (std::size_t i = 0; i < kSamples; ++i) seen.set(bytes[i * bytes.size() / kSamples]);
  return seen.count() >= kDifferent;
}

}  // namespace

std::span<const std::uint8_t> ChunkCodec::encode(std::span<const std::uint8_t> chunk,
                                                 std::size_t element_size) {
  const std::size_t count = chunk.size() / element_size;
  CSIM_REQUIRE(count * element_size == chunk.size(), chunk.size(), element_size);
  shuffled_.resize(chunk.size());
  for (std::size_t byte = 0; byte < element_size; ++byte) {
    std::uint8_t* out = shuffled_.data() + byte * count;
    for (std::size_t i = 0; i < count; ++i) out[i] = chunk[i * element_size + byte];
  }
  const std::span<const std::uint8_t> shuffled(shuffled_);

  // Elements of one byte have no low byte to look at.
  std::size_t num_stored = 0;
  while (element_size > 1 && num_stored < chunk.size() && looks_random(shuffled.subspan(num_stored, count)))
    num_stored += count;
  const std::span<const std::uint8_t> stream = deflater_.deflate(shuffled, num_stored);
  return stream.size() < chunk.size() ? stream : std::span<const std::uint8_t>();
}

}  // namespace csim
