// What a run warned of.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// A row of /warning. Kinds: kSceneWarning, kStartWarning, or the name of the kind of the events that it sums
/// up.
struct Warning {
  std::string kind;
  double time = 0.0;  // s, of the first of these events; 0 for the others
  std::string text;
};
using Warnings = std::vector<Warning>;

inline constexpr const char* kSceneWarning = "scene";  // of a key that is allowed and likely a slip
inline constexpr const char* kStartWarning = "start";  // of the initial state

/// Whether a run that is resumed keeps the row: it was there before the first step.
[[nodiscard]] inline bool is_of_start(const std::string& kind) {
  return kind == kSceneWarning || kind == kStartWarning;
}

}  // namespace csim
