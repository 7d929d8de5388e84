#include "record/report/diff.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {

int diff(const DiffCommand& command) {
  const CrashGuard guard(command.a + " or " + command.b);
  try {
    const DiffOptions& options = command.options;
    const DiffReport report = read_result(command.a, [&](const ResultFile& a) {
      return read_result(command.b, [&](const ResultFile& b) { return diff_results(a, b, options); });
    });
    const std::string text = command.json ? diff_json(report, command.a, command.b, options) + "\n"
                                          : diff_text(report, command.a, command.b, options);
    std::fputs(text.c_str(), stdout);
    return report.equal ? kDone : kGateFailed;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
