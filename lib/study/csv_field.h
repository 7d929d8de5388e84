// Fields of comma-separated values (RFC 4180).
#pragma once

#include <string>

namespace csim {

/// In quotes where a comma, a quote or a line's end stands in it.
[[nodiscard]] std::string csv_field(const std::string& text);

/// Digits that read back to the same bits; "nan", "inf" and "-inf" as Python and pandas read them.
[[nodiscard]] std::string csv_number(double value);

}  // namespace csim
