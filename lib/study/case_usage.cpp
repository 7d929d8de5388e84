#include "study/case_usage.h"

#include <fstream>

#include "core/number_format.h"
#include "record/output_file.h"
#include "study/study_folder.h"

namespace csim {

std::optional<CaseUsage> read_usage(const std::string& file) {
  std::ifstream stream(file);
  CaseUsage usage;
  std::string a, b, c, d;
  if (stream >> a >> usage.exit_code >> b >> usage.cpu_seconds >> c >> usage.peak_memory &&
      a == "exit_code:" && b == "cpu_seconds:" && c == "peak_memory:") {
    if (double seconds = 0.0; stream >> d >> seconds && d == "timeout:") usage.timeout = seconds;
    return usage;
  }
  return std::nullopt;
}

void write_usage(const std::string& file, const CaseUsage& usage) {
  replace_file(file, "exit_code: " + std::to_string(usage.exit_code) +
                         "\ncpu_seconds: " + format_number(usage.cpu_seconds) +
                         "\npeak_memory: " + format_text("%.0f", usage.peak_memory) + "\n" +
                         (usage.timeout > 0.0 ? "timeout: " + format_number(usage.timeout) + "\n" : ""));
}

}  // namespace csim
