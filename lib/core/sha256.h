// SHA-256 (FIPS 180-4), the same digests as `sha256sum`, by nettle, which uses the processor's instructions
// for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace csim {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view text);

/// Of a file's bytes; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> sha256_of_file(const std::string& path);

}  // namespace csim
