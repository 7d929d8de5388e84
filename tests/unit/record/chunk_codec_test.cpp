// zlib reads what the codec writes.
#include "record/hdf5/chunk_codec.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <random>

namespace csim {
namespace {

/// Inflates, checksum and all, and puts the bytes of each element together again.
std::vector<std::uint8_t> decode(std::span<const std::uint8_t> encoded, std::size_t size,
                                 std::size_t element_size) {
  std::vector<std::uint8_t> shuffled(size), plain(size);
  uLongf inflated = size;
  EXPECT_EQ(uncompress(shuffled.data(), &inflated, encoded.data(), encoded.size()), Z_OK);
  EXPECT_EQ(inflated, size);
  const std::size_t count = size / element_size;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t byte = 0; byte < element_size; ++byte)
      plain[i * element_size + byte] = shuffled[byte * count + i];
  return plain;
}

template <typename T>
std::span<const std::uint8_t> bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::size_t encoded_size(const std::vector<T>& values, std::size_t element_size = sizeof(T)) {
  ChunkCodec codec;
  const auto chunk = bytes_of(values);
  const auto encoded = codec.encode(chunk, element_size);
  if (encoded.empty()) return 0;
  EXPECT_LT(encoded.size(), chunk.size());
  const auto decoded = decode(encoded, chunk.size(), element_size);
  EXPECT_EQ(std::memcmp(decoded.data(), chunk.data(), chunk.size()), 0);
  return encoded.size();
}

TEST(ChunkCodec, MeasuredNumbersLoseTheirOrderedBytesAlone) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(1.0, 1.01);
  for (const std::size_t count : {64, 256, 1024, 3072, 100000}) {  // the last: several stored blocks
    std::vector<double> values(count);
    for (double& value : values) value = unit(random);
    const std::size_t size = encoded_size(values);
    // 52 - log2(100) = 45.36 random bits each are the limit; bytes random in part are hard to gain from.
    EXPECT_LT(size, count < 256 ? 8 * count : 6 * count + 200) << count;
    EXPECT_GT(static_cast<double>(size), 45.3 / 8 * static_cast<double>(count)) << count;
  }
}

TEST(ChunkCodec, SmoothAndConstantNumbersBecomeSmall) {
  std::vector<double> constant(1024, 0.1), counted(1024);
  std::vector<std::int32_t> index(1024);
  for (int i = 0; i < 1024; ++i) counted[i] = i, index[i] = i / 7;
  EXPECT_LT(encoded_size(constant), 200u);
  EXPECT_LT(encoded_size(counted), 2500u);
  EXPECT_LT(encoded_size(index), 1500u);
}

TEST(ChunkCodec, NoiseIsLeftToTheCaller) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> noise(1024);
  for (auto& word : noise) word = random();
  EXPECT_EQ(encoded_size(noise), 0u);
}

// A plane that looks random above one that does not: only the leading ones are stored.
TEST(ChunkCodec, StoresLeadingNoiseOnly) {
  std::mt19937_64 random(3);
  std::vector<std::uint32_t> values(2048);
  for (auto& word : values) word = static_cast<std::uint32_t>(random()) & 0xFF00FF00u;
  const std::size_t size = encoded_size(values);
  EXPECT_GT(size, 2 * 2048u);
  EXPECT_LT(size, 2 * 2048u + 300u);
}

// Numbers whose bytes are not sorted, as VTK takes them.
TEST(ChunkCodec, TakesBytesAsTheyAre) {
  std::vector<float> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.01f * static_cast<float>(i));
  EXPECT_LT(encoded_size(values, 1), 4 * values.size());
  EXPECT_GT(encoded_size(values, 1), 0u);
}

}  // namespace
}  // namespace csim
