#include "mesh/inflate.h"

#include <zlib.h>

namespace csim {

bool inflate_zlib(std::string_view stream, std::size_t size, std::string* out) {
  // The format cannot shrink data to less than about a thousandth: a larger claim is damage, not memory to
  // ask for.
  constexpr std::size_t kLargestRatio = 1040;
  if (size > kLargestRatio * stream.size()) return false;
  const std::size_t begin = out->size();
  out->resize(begin + size);
  uLongf written = size;
  const int status = uncompress(reinterpret_cast<Bytef*>(out->data() + begin), &written,
                                reinterpret_cast<const Bytef*>(stream.data()), stream.size());
  return status == Z_OK && written == size;
}

}  // namespace csim
