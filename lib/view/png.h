// Pictures as PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace csim {

/// Red, green, blue of every pixel, rows from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The bytes of a PNG file; the same ones for the same picture and libpng.
[[nodiscard]] std::string png_bytes(const Picture& picture);

}  // namespace csim
