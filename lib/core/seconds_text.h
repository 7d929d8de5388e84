// Times as text.
#pragma once

#include <string>

namespace csim {

/// A time in s with three digits, without exponent where it is at least 0.1 ms: "0.0123 s", "12.3 s",
/// "4210 s", "1.23e-05 s". NaN is "nan s".
[[nodiscard]] std::string seconds_text(double seconds);

/// A simulated time in s with nine digits at most: "0.35 s". What sums and products of steps leave of
/// round-off ("0.35000000000000003") is not shown.
[[nodiscard]] std::string time_text(double seconds);

}  // namespace csim
