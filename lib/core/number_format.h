// Numbers as text.
#pragma once

#include <string>

namespace csim {

/// The shortest decimal form that reads back to the same double (std::to_chars). A form with exponent gets a
/// point, "1.0e+06", since YAML 1.1 readers such as PyYAML take "1e+06" for text. -0 is "-0"; infinities and
/// NaN are the YAML words ".inf", "-.inf", ".nan".
[[nodiscard]] std::string format_number(double value);

/// Text by printf's formats, of any length.
[[nodiscard]] [[gnu::format(printf, 1, 2)]] std::string format_text(const char* format, ...);

}  // namespace csim
