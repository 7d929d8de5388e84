// Counts with their nouns.
#pragma once

#include <concepts>
#include <string>

namespace csim {

/// "1 body", "2 bodies", "0 bodies"; `many` is `one` and an s where it is left out.
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace csim
