#include "mesh/vtu_data.h"

#include <array>

#include "core/deflate.h"

namespace csim {

namespace {

constexpr const char* kCutOff = "the data end early: the file is cut off or damaged";

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/// The inflated blocks of a compressed array. *cursor stands behind the first number of the header.
std::string inflate_blocks(std::int64_t num_blocks, ScalarType header_type, FileCursor* cursor,
                           std::string* data) {
  std::int64_t block_size = 0, last_size = 0;
  std::vector<double> compressed;
  if (!cursor->count(header_type, &block_size) || !cursor->count(header_type, &last_size) ||
      !cursor->numbers(header_type, static_cast<std::size_t>(num_blocks), &compressed)) {
    return kCutOff;
  }
  for (std::int64_t i = 0; i < num_blocks; ++i) {
    const std::string_view rest = cursor->rest();
    if (!(compressed[i] <= static_cast<double>(rest.size()))) return kCutOff;
    const auto size = static_cast<std::size_t>(compressed[i]);
    const bool is_last = i + 1 == num_blocks && last_size != 0;
    if (!inflate(rest.substr(0, size), static_cast<std::size_t>(is_last ? last_size : block_size), data)) {
      return "block " + std::to_string(i) + " is not a zlib stream of the size that its header states";
    }
    if (!cursor->skip(size)) return kCutOff;
  }
  return {};
}

std::string all_numbers(std::string_view bytes, Encoding order, ScalarType type,
                        std::vector<double>* values) {
  const std::size_t size = size_of(type);
  if (bytes.size() % size != 0) {
    return std::to_string(bytes.size()) + " bytes are not a multiple of the size of a number, " +
           std::to_string(size);
  }
  FileCursor cursor(bytes, order);
  return cursor.numbers(type, bytes.size() / size, values) ? "" : kCutOff;
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

std::string read_vtu_binary(std::string_view bytes, const VtuEncoding& encoding, ScalarType type,
                            std::vector<double>* values) {
  FileCursor cursor(bytes, encoding.byte_order);
  std::int64_t first = 0;
  if (!cursor.count(encoding.header_type, &first)) return kCutOff;
  if (!encoding.compressed) {
    const std::string_view rest = cursor.rest();
    if (static_cast<std::uint64_t>(first) > rest.size()) return kCutOff;
    return all_numbers(rest.substr(0, static_cast<std::size_t>(first)), encoding.byte_order, type, values);
  }
  std::string data;
  values->clear();
  if (first == 0) return {};  // an empty array
  if (std::string wrong = inflate_blocks(first, encoding.header_type, &cursor, &data); !wrong.empty())
    return wrong;
  return all_numbers(data, encoding.byte_order, type, values);
}

std::string read_vtu_text(std::string_view text, std::vector<double>* values) {
  FileCursor cursor(text);
  values->clear();
  cursor.skip_white_space();
  while (!cursor.at_end()) {
    double value = 0.0;
    FileCursor ahead = cursor;
    if (!cursor.number(ScalarType::kDouble, &value)) {
      return "'" + std::string(ahead.word().substr(0, 20)) + "' is not a number";
    }
    values->push_back(value);
    cursor.skip_white_space();
  }
  return {};
}

}  // namespace csim
