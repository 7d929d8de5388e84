#include "study/fit_options.h"

#include <algorithm>
#include <cmath>

#include "study/sample.h"

namespace csim {

double unbounded_value_at(const FitKey& key, double place) {
  return key.is_log ? key.low * std::pow(key.high / key.low, place) : key.low + place * (key.high - key.low);
}

double value_at(const FitKey& key, double place) {
  return std::clamp(rounded_to_12_digits(unbounded_value_at(key, place)), key.low, key.high);
}

}  // namespace csim
