#include "study/duration.h"

#include <charconv>
#include <cmath>

namespace csim {
namespace {

/// Seconds of a unit's letter; 0 for none.
double unit_seconds(char letter) {
  return letter == 's' ? 1.0 : letter == 'm' ? 60.0 : letter == 'h' ? 3600.0 : letter == 'd' ? 86400.0 : 0.0;
}

}  // namespace

std::optional<double> parse_duration(const std::string& text) {
  const char *at = text.data(), *const end = at + text.size();
  double total = 0.0, last_unit = INFINITY;
  while (at != end) {
    double number = 0.0;
    const auto read = std::from_chars(at, end, number, std::chars_format::fixed);
    if (read.ec != std::errc() || !(number >= 0.0)) return std::nullopt;
    const bool alone = read.ptr == end && at == text.data();  // without a unit: seconds
    const double unit = alone ? 1.0 : read.ptr != end ? unit_seconds(*read.ptr) : 0.0;
    if (unit == 0.0 || unit >= last_unit) return std::nullopt;  // larger units stand first
    total += number * unit;
    last_unit = unit;
    at = read.ptr + (alone ? 0 : 1);
  }
  return total > 0.0 && std::isfinite(total) ? std::optional(total) : std::nullopt;
}

}  // namespace csim
