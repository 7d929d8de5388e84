// Keys of the scene whose numbers stand alone: nothing else of the scene follows from them, and any number
// within their bounds makes a scene that can run if another one does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/format/fields.h"
#include "scene/scene.h"

namespace csim {

struct NumberKey {
  const char* keys;                         // as FieldPlace::keys
  bool (*applies)(const Scene&) = nullptr;  // nullptr: to every scene
  double least = 1e-30, most = 1e30;        // sizes of numbers that stand alone
  /// A key beside it that, when left out, follows from the number, and how; nullptr: none does.
  const char* follower = nullptr;
  double (*follow)(double) = nullptr;
};

/// All of them.
[[nodiscard]] const std::vector<NumberKey>& number_keys();

/// That of a path as in --set, or nullptr.
[[nodiscard]] const NumberKey* find_number_key(const FieldPlace& place);

/// The number of a value that stands alone: plain, within the bounds, neither 0, which often means that
/// something is not there, nor so large or small that it could overflow where numbers are combined, or that
/// sizes of one shape could be flat beside each other.
[[nodiscard]] std::optional<double> lone_number(const NumberKey& key, const Field& field,
                                                const YamlNode& value);

}  // namespace csim
