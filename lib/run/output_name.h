// The name of a result from a pattern.
#pragma once

#include <optional>
#include <string>

#include "scene/yaml/yaml_document.h"

namespace csim {

/// The pattern with each {KEY} replaced by the value of that key of the resolved scene, a path as in --set:
/// "{name}_{contact.model}.h5" becomes "clutter_sap.h5". Of a value that is no part of a file's name ('/')
/// the sign becomes '_'. Nothing, and *fault, for a key that the scene has not, one without a single value,
/// and a brace without the other.
[[nodiscard]] std::optional<std::string> output_name(const std::string& pattern, const YamlNode& resolved,
                                                     std::string* fault);

}  // namespace csim
