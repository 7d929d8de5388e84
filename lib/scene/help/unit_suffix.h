// Numbers with a unit behind them, `10 cm` or `2kg`, or a decimal comma. Named in messages, never accepted.
#pragma once

#include <string>

namespace csim {

/// What a number written so is in the unit of a key ("m", "N/m", "degrees", "" for pure numbers): "0.1" of
/// "10 cm" in m, "0.5" of "0,5" in any. "" where it has neither unit nor comma, or a unit not known here.
[[nodiscard]] std::string number_in_unit(const std::string& text, const std::string& unit);

}  // namespace csim
