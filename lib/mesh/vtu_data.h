// The arrays of VTK's XML files in their encodings: text, base64, appended bytes, zlib. Base64 is decoded
// here, since VTK writes encoded pieces one after the other: common decoders stop at the padding between
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/file_cursor.h"

namespace csim {

/// What the root element says of all arrays.
struct VtuEncoding {
  Encoding byte_order = Encoding::kLittleEndian;
  ScalarType header_type = ScalarType::kUint32;  // of the counts before the data
  bool compressed = false;                       // zlib
};

/// The bytes of base64 text; white space is passed over, padding may stand in the middle, where two encoded
/// pieces follow each other. Stops at the first other character.
[[nodiscard]] std::string decode_base64(std::string_view text);

/// The numbers of an array in binary form: a header with the count of bytes and the data, or, compressed,
/// [blocks, size of a block, size of the last or 0, compressed sizes…] and the zlib streams. What follows is
/// ignored. Throws FileFault.
[[nodiscard]] std::vector<double> read_vtu_binary(std::string_view bytes, const VtuEncoding& encoding,
                                                  ScalarType type);

/// The numbers of an array in text form, to its end. Throws FileFault.
[[nodiscard]] std::vector<double> read_vtu_text(std::string_view text);

}  // namespace csim
