// Compressed bytes in zlib's format (RFC 1950), by libdeflate: for the chunks of results, for VTK's files and
// for meshes. It takes a third to a half of zlib's time for the same format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace csim {

class Deflater {
 public:
  static constexpr int kLevel = 1;  // higher levels are slower, and the files hardly smaller

  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// The zlib stream of `bytes`, valid until the next call. The first `num_stored` bytes, which the caller
  /// knows to be incompressible, are copied in stored blocks. The stream can be longer than `bytes`.
  [[nodiscard]] std::span<const std::uint8_t> deflate(std::span<const std::uint8_t> bytes,
                                                      std::size_t num_stored = 0);

 private:
  struct Compressor;
  std::unique_ptr<Compressor> compressor_;
  std::vector<std::uint8_t> stream_;
};

/// Appends the `size` bytes that a zlib stream holds to *out; false when the stream is damaged or holds
/// another number of bytes.
[[nodiscard]] bool inflate(std::string_view stream, std::size_t size, std::string* out);

}  // namespace csim
