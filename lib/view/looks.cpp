#include "view/looks.h"

#include <array>

namespace csim {
namespace {

// As PALETTE in page/surfaces.js.
constexpr std::array<unsigned, 10> kPalette = {0x4a8fdc, 0xf0923a, 0x55b56c, 0xdc5f5f, 0x9478cf,
                                               0x36b3ae, 0xe6bf3f, 0xb87a5c, 0xd984bd, 0x8497ae};

}  // namespace

std::vector<Color> body_colors(const std::vector<char>& moves) {
  std::vector<Color> colors;
  std::size_t row = 0;
  for (const char body : moves)
    colors.push_back(color_of(body != 0 ? kPalette[row++ % kPalette.size()] : kFixedColor));
  return colors;
}

}  // namespace csim
