// The data of the page: a JSON text that names arrays in one block of bytes.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/json_writer.h"
#include "view/framing.h"
#include "view/view_scene.h"

namespace csim {

/// Little-endian arrays one after the other, each on a multiple of eight bytes.
class ArrayBlock {
 public:
  /// Appends an array and writes its place, {"type", "offset", "count"}, as the next JSON value.
  template <typename T>
  void add(JsonWriter* json, const std::vector<T>& values) {
    const std::string kind = std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint";
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    json->begin_object().member("type", kind + std::to_string(8 * sizeof(T)));
    json->member("offset", std::ssize(bytes_), "count", std::ssize(values)).end_object();
    const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
    bytes_.insert(bytes_.end(), first, first + values.size() * sizeof(T));
  }

  /// Members of a JSON object, pairs of a name and an array.
  template <typename T, typename... More>
  void members(JsonWriter* json, const char* name, const std::vector<T>& values, const More&... more) {
    json->key(name);
    add(json, values);
    if constexpr (sizeof...(more) > 0) members(json, more...);
  }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

struct PageData {
  std::string json;    // safe inside a <script> element
  std::string base64;  // of the arrays
};

/// Poses are float32 positions and 16-bit quaternions (within 1e-4 rad), contacts float32; a corner of a
/// patch takes 7 bytes: its place in the patch's box in steps of 1/65535, its pressure in steps of 1/255.
[[nodiscard]] PageData page_data(const ViewScene& scene, const Framing& framing);

/// A text with `by` in place of every `letter`.
[[nodiscard]] std::string replaced(const std::string& text, char letter, const char* by);

/// RFC 4648, with padding. Of our own: twenty lines, for which no other library of the program has a
/// function.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace csim
