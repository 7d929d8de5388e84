#include "core/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <vector>

namespace csim {
namespace {

// First 32 bits of the fractional parts of the cube roots of the first 64 primes [FIPS 180-4, 4.2.2].
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::compress(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) {
    w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | std::uint32_t{block[4 * t + 3]};
  }
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t S1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + S1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t S0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] += sum[i];
}

void Sha256::update(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  while (size > 0) {
    const std::size_t used = length_ % 64;
    if (used == 0 && size >= 64) {
      compress(bytes);
      bytes += 64, size -= 64, length_ += 64;
      continue;
    }
    const std::size_t taken = std::min(size, 64 - used);
    std::memcpy(block_.data() + used, bytes, taken);
    bytes += taken, size -= taken, length_ += taken;
    if (length_ % 64 == 0) compress(block_.data());
  }
}

std::string Sha256::hex_digest() {
  // The message, a one bit, zeros, and its length in bits as 64 bits big-endian fill whole blocks.
  const std::uint64_t bits = 8 * length_;
  std::array<std::uint8_t, 72> padding{0x80};
  const std::size_t zeros = (119 - length_ % 64) % 64;
  for (int i = 0; i < 8; ++i) padding[1 + zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  update(padding.data(), 9 + zeros);

  std::string hex;
  for (const std::uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  }
  return hex;
}

std::string sha256_hex(std::string_view text) {
  Sha256 sha;
  sha.update(text.data(), text.size());
  return sha.hex_digest();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  Sha256 sha;
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    sha.update(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return std::nullopt;
  return sha.hex_digest();
}

}  // namespace csim
