#include "mesh/vtu_data.h"

#include "core/deflate.h"
#include "geometry/surface_files.h"

namespace csim {

namespace {

[[noreturn]] void fail_cut_off() {
  throw FileFault{"the data end early: the file is cut off or damaged"};
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/// The inflated blocks of a compressed array. *cursor stands behind the first number of the header.
std::string inflate_blocks(std::int64_t num_blocks, ScalarType header_type, FileCursor* cursor) {
  std::int64_t block_size = 0, last_size = 0;
  std::vector<double> compressed;
  if (!cursor->count(header_type, &block_size) || !cursor->count(header_type, &last_size) ||
      !cursor->numbers(header_type, static_cast<std::size_t>(num_blocks), &compressed))
    fail_cut_off();
  std::string data;
  for (std::int64_t i = 0; i < num_blocks; ++i) {
    const std::string_view rest = cursor->rest();
    if (!(compressed[i] <= static_cast<double>(rest.size()))) fail_cut_off();
    const auto size = static_cast<std::size_t>(compressed[i]);
    const bool is_last = i + 1 == num_blocks && last_size != 0;
    if (!inflate(rest.substr(0, size), static_cast<std::size_t>(is_last ? last_size : block_size), &data)) {
      throw FileFault{"block " + std::to_string(i) +
                      " is not a zlib stream of the size that its header states"};
    }
    cursor->skip(size);
  }
  return data;
}

std::vector<double> all_numbers(std::string_view bytes, Encoding order, ScalarType type) {
  const std::size_t size = size_of(type);
  if (bytes.size() % size != 0) {
    throw FileFault{std::to_string(bytes.size()) + " bytes are not a multiple of the size of a number, " +
                    std::to_string(size)};
  }
  std::vector<double> values;
  if (!FileCursor(bytes, order).numbers(type, bytes.size() / size, &values)) fail_cut_off();
  return values;
}

}  // namespace

std::string decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int num_digits = 0, num_pads = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    const int digit = c == '=' ? 0 : base64_digit(c);
    if (digit < 0) break;
    num_pads += c == '=' ? 1 : 0;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (++num_digits < 4) continue;
    // Four digits are three bytes; a pad takes one away.
    for (int i = 0; i < 3 - num_pads; ++i) bytes.push_back(static_cast<char>(bits >> (16 - 8 * i) & 0xff));
    bits = 0;
    num_digits = num_pads = 0;
  }
  return bytes;
}

std::vector<double> read_vtu_binary(std::string_view bytes, const VtuEncoding& encoding, ScalarType type) {
  FileCursor cursor(bytes, encoding.byte_order);
  std::int64_t first = 0;
  if (!cursor.count(encoding.header_type, &first)) fail_cut_off();
  if (!encoding.compressed) {
    const std::string_view rest = cursor.rest();
    if (static_cast<std::uint64_t>(first) > rest.size()) fail_cut_off();
    return all_numbers(rest.substr(0, static_cast<std::size_t>(first)), encoding.byte_order, type);
  }
  if (first == 0) return {};  // an empty array
  return all_numbers(inflate_blocks(first, encoding.header_type, &cursor), encoding.byte_order, type);
}

std::vector<double> read_vtu_text(std::string_view text) {
  std::vector<double> values;
  FileCursor cursor(text);
  for (std::string_view word = cursor.word(); !word.empty(); word = cursor.word()) {
    values.push_back(0.0);
    if (!parse_number(word, &values.back()))
      throw FileFault{"'" + std::string(word.substr(0, 20)) + "' is not a number"};
  }
  return values;
}

}  // namespace csim
