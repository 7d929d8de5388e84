// zlib streams, as XML files of VTK hold them.
#pragma once

#include <string>
#include <string_view>

namespace csim {

/// Appends the `size` bytes that a zlib stream holds to *out; false when the stream is damaged or holds
/// another number of bytes.
[[nodiscard]] bool inflate_zlib(std::string_view stream, std::size_t size, std::string* out);

}  // namespace csim
