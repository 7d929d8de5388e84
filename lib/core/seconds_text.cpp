#include "core/seconds_text.h"

#include <cmath>

#include "core/number_format.h"

namespace csim {

std::string seconds_text(double seconds) {
  return std::abs(seconds) >= 999.5 ? format_text("%.0f s", seconds) : format_text("%.3g s", seconds);
}

std::string time_text(double seconds) {
  return format_text("%.9g s", seconds);
}

}  // namespace csim
