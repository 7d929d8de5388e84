// Durations on a command line.
#pragma once

#include <optional>
#include <string>

namespace csim {

/// Seconds of "90", "90s", "10m", "2h", "1d" or a sum such as "1h30m", > 0 and finite; nothing for other
/// text.
[[nodiscard]] std::optional<double> parse_duration(const std::string& text);

}  // namespace csim
