// Numbers written with a decimal comma where YAML parts them: {step: 2,0e-3} is the keys `step` and `0e-3`,
// [0, 0,5, 1] a list of four.
#pragma once

#include <string>

#include "scene/yaml/yaml_document.h"

namespace csim {

/// The number with a decimal point ("2.0e-3") whose halves are the value of `first` and the key of `second`,
/// the entry behind it, without a space between them; "" when they are not.
[[nodiscard]] std::string parted_number(const YamlEntry& first, const YamlEntry& second);

/// The first such number in a list whose other commas have a space behind them ("0.5" of [0, 0,5, 1]); ""
/// where there is none.
[[nodiscard]] std::string parted_number(const YamlNode& list);

/// "2.0e-3" as it was written, "2,0e-3".
[[nodiscard]] std::string with_comma(std::string number);

}  // namespace csim
