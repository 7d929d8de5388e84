// SHA-256 (FIPS 180-4), the same digests as `sha256sum`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace csim {

/// Digest of bytes fed in pieces.
class Sha256 {
 public:
  void update(const void* data, std::size_t size);

  /// Ends the message: 64 lower-case hexadecimal digits. Once per object.
  [[nodiscard]] std::string hex_digest();

 private:
  void compress(const std::uint8_t* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::uint64_t length_ = 0;  // bytes so far
};

[[nodiscard]] std::string sha256_hex(std::string_view text);

/// Of a file's bytes; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> sha256_of_file(const std::string& path);

}  // namespace csim
