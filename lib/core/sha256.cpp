#include "core/sha256.h"

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <fstream>

namespace csim {
namespace {

/// A digest that is being made.
class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void add(std::string_view text) {
    sha256_update(&context_, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  }

  [[nodiscard]] std::string hex() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context_, digest.size(), digest.data());
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const std::uint8_t byte : digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15];
    }
    return text;
  }

 private:
  sha256_ctx context_;
};

}  // namespace

std::string sha256_hex(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  Sha256 sha;
  std::array<char, 1 << 16> block{};
  while (stream.read(block.data(), block.size()) || stream.gcount() > 0)
    sha.add({block.data(), static_cast<std::size_t>(stream.gcount())});
  if (!stream.eof()) return std::nullopt;
  return sha.hex();
}

}  // namespace csim
