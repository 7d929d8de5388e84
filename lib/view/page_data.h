// The data of the page: a JSON text that names arrays in one block of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
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
  void add(JsonWriter* json, const std::vector<T>& values);

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

/// RFC 4648, with padding. Of our own: twenty lines, for which no other library of the program has a
/// function.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace csim
