#include "core/sha256.h"

#include <sys/types.h>
// It takes the types above from the files that include it.
#include <sha2.h>

#include <cstdint>

namespace csim {

std::string sha256_hex(std::string_view text) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digest);
  return digest;
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  char digest[SHA256_DIGEST_STRING_LENGTH];
  if (SHA256File(path.c_str(), digest) == nullptr) return std::nullopt;
  return digest;
}

}  // namespace csim
