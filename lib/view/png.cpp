#include "view/png.h"

#include <png.h>

#include "core/require.h"

namespace csim {

std::string png_bytes(const Picture& picture) {
  CSIM_REQUIRE(picture.rgb.size() == 3UL * picture.width * picture.height);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  const int written =
      png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr);
  CSIM_REQUIRE(written != 0, image.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace csim
