#include "study/array_index.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace csim {

std::optional<int> array_index(std::string* fault) {
  struct Variable {
    const char* name;
    int first;
  };
  constexpr Variable kVariables[] = {{"SLURM_ARRAY_TASK_ID", 0},
                                     {"PBS_ARRAY_INDEX", 0},
                                     {"SGE_TASK_ID", 1},
                                     {"LSB_JOBINDEX", 1},
                                     {"PARALLEL_SEQ", 1}};
  for (const Variable& variable : kVariables) {
    const char* set = std::getenv(variable.name);
    const std::string_view text = set != nullptr ? set : "";
    if (text.empty() || text == "undefined") continue;
    int value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && value >= variable.first)
      return value - variable.first;
    *fault = std::string(variable.name) + " is '" + std::string(text) +
             "', expected a whole number >= " + std::to_string(variable.first);
    return std::nullopt;
  }
  *fault =
      "no task of an array: none of SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, SGE_TASK_ID, LSB_JOBINDEX, "
      "PARALLEL_SEQ is set";
  return std::nullopt;
}

}  // namespace csim
