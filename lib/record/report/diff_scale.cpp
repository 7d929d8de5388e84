#include "record/report/diff_scale.h"

#include <algorithm>

#include "record/tables.h"

namespace csim {

std::string scale_name(const std::string& path, const std::string& unit) {
  const bool is_pure = unit.empty() || unit == "1" || unit == "mixed";
  return is_pure || !find_table(path) ? path : unit;
}

ScaleGroups::ScaleGroups(const std::string& path, const std::vector<std::string>& units) {
  for (const std::string& unit : units) {
    const std::string name = scale_name(path, unit);
    const auto known = std::ranges::find(groups_, name, &ScaleGroup::name);
    of_column_.push_back(static_cast<std::size_t>(known - groups_.begin()));
    if (known == groups_.end()) groups_.push_back({name, 0.0, {}});
  }
}

}  // namespace csim
