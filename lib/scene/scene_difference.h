// Where two resolved scenes part.
#pragma once

#include <string>

namespace csim {

/// The first place, in the order of the texts, at which two scenes as of `resolved_yaml` differ, as a
/// sentence without an end: the key's path (list elements by name, as in --set) and both values. Keys that
/// `is_ignored` names by their path do not count. "" when there is none.
[[nodiscard]] std::string first_difference(const std::string& resolved_a, const std::string& resolved_b,
                                           bool (*is_ignored)(const std::string& path));

}  // namespace csim
