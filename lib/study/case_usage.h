// What a case has used, which its result does not hold: kept beside it.
#pragma once

#include <optional>
#include <string>

namespace csim {

struct CaseUsage {
  int exit_code = 0;         // of its last process; 128 + signal where one killed it
  double cpu_seconds = 0.0;  // of all its processes
  double peak_memory = 0.0;  // bytes, of the largest of them
  double timeout = 0.0;      // s of wall time after which the last process was told to end; 0: it was not
};

/// Nothing when there is no such file or it is damaged.
[[nodiscard]] std::optional<CaseUsage> read_usage(const std::string& file);

void write_usage(const std::string& file, const CaseUsage& usage);

}  // namespace csim
