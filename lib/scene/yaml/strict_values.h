// Scalars of a scene, read strictly: YAML 1.2 numbers without octal, hexadecimal, underscores, units or
// quotes; true and false only.
#pragma once

#include <optional>
#include <string>

#include "scene/yaml/yaml_document.h"

namespace csim {

/// What stands there, for "what was found": a plain scalar as written, "the text 'abc'", "nothing", "a list
/// of 3", "a mapping".
[[nodiscard]] std::string describe(const YamlNode& node);

/// A finite decimal number, or no value and in *fault what was found and why it is none ("010 with a leading
/// zero").
[[nodiscard]] std::optional<double> parse_number(const YamlNode& node, std::string* fault);

/// A whole number; 1e6 and 2.0 are whole.
[[nodiscard]] std::optional<double> parse_whole_number(const YamlNode& node, std::string* fault);

[[nodiscard]] std::optional<bool> parse_boolean(const YamlNode& node, std::string* fault);

/// Letters, digits, '_', '+', '-', not digits alone.
[[nodiscard]] bool is_name(const std::string& text);

/// MODEL::ITEM, the name of an item of a model: two texts without "::" that are not empty.
[[nodiscard]] bool is_item_name(const std::string& text);

}  // namespace csim
