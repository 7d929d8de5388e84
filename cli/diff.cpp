#include "record/report/diff.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {

int diff(const DiffCommand& options) {
  const CrashGuard guard(options.a + " or " + options.b);
  try {
    const DiffOptions& tolerances = options.tolerances;
    const DiffReport report = read_result(options.a, [&](const ResultFile& a) {
      return read_result(options.b, [&](const ResultFile& b) { return diff_results(a, b, tolerances); });
    });
    const std::string text = options.json ? diff_json(report, options.a, options.b, tolerances) + "\n"
                                          : diff_text(report, options.a, options.b, tolerances);
    std::fputs(text.c_str(), stdout);
    return report.equal ? kDone : kGateFailed;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
