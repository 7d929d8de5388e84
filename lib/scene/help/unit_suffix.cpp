#include "scene/help/unit_suffix.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/number_format.h"

namespace csim {
namespace {

/// A number times `times` over `over`: 10 cm are 10/100 m, to the last digit.
struct Factor {
  double times = 1.0, over = 1.0;
};

struct Named {
  const char* name;
  Factor factor;
};

constexpr Named kPrefixes[] = {{"n", {1.0, 1e9}}, {"u", {1.0, 1e6}}, {"µ", {1.0, 1e6}}, {"m", {1.0, 1e3}},
                               {"c", {1.0, 1e2}}, {"k", {1e3, 1.0}}, {"M", {1e6, 1.0}}, {"G", {1e9, 1.0}}};

/// Units that are not a prefix and the unit of the key.
struct Other {
  const char *unit, *name;
  Factor factor;
};
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr Other kOthers[] = {
    {"kg", "g", {1.0, 1e3}},
    {"kg", "mg", {1.0, 1e6}},
    {"kg", "t", {1e3, 1.0}},
    {"s", "sec", {}},
    {"s", "min", {60.0, 1.0}},
    {"s", "h", {3600.0, 1.0}},
    {"degrees", "deg", {}},
    {"degrees", "°", {}},
    {"rad", "deg", {kDegree, 1.0}},
    {"rad", "°", {kDegree, 1.0}},
    {"rad", "degrees", {kDegree, 1.0}},
    {"rad/s", "deg/s", {kDegree, 1.0}},
    {"rad/s", "°/s", {kDegree, 1.0}},
    {"rad/s", "rpm", {std::numbers::pi, 30.0}},
    {"N/m", "N/mm", {1e3, 1.0}},
    {"m/s", "km/h", {1.0, 3.6}},
    {"Pa", "bar", {1e5, 1.0}},
    {"Pa", "N/mm^2", {1e6, 1.0}},
    {"N m", "Nm", {}},
    {"N m/rad", "Nm/rad", {}},
    {"kg/m^3", "g/cm^3", {1e3, 1.0}},
    {"", "%", {1.0, 1e2}},
};

std::optional<Factor> factor_of(const std::string& suffix, const std::string& unit) {
  if (suffix == unit) return Factor{};
  for (const Other& other : kOthers)
    if (unit == other.unit && suffix == other.name) return other.factor;
  const bool takes_prefix = !unit.empty() && std::string("msNPJWH").find(unit[0]) != std::string::npos;
  for (const Named& prefix : kPrefixes)
    if (takes_prefix && suffix == prefix.name + unit) return prefix.factor;
  return std::nullopt;
}

}  // namespace

std::string number_in_unit(const std::string& text, const std::string& unit) {
  std::string plain = text;
  const bool has_comma = std::count(plain.begin(), plain.end(), ',') == 1;
  if (has_comma) plain[plain.find(',')] = '.';
  double value = 0.0;
  const char *begin = plain.data(), *const last = begin + plain.size();
  if (begin != last && *begin == '+') ++begin;
  const auto [end, error] = std::from_chars(begin, last, value);
  if (error != std::errc() || !std::isfinite(value)) return "";
  const std::size_t suffix = plain.find_first_not_of(' ', static_cast<std::size_t>(end - plain.data()));
  if (suffix == std::string::npos) return has_comma ? format_number(value) : "";
  const std::optional<Factor> factor = factor_of(plain.substr(suffix), unit);
  return factor ? format_number(value * factor->times / factor->over) : "";
}

}  // namespace csim
