#include "run/replay.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {

int replay(const ReplayOptions& options) {
  try {
    Diagnostics diagnostics;
    const auto replay = read_guarded(options.file, [&](const ResultFile& result) {
      diagnostics.clear();
      return replay_step(result, options.overrides, &diagnostics);
    });
    std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
    if (!replay) return kInvalidInput;
    std::fputs((options.json ? replay_json(*replay) : replay_text(*replay)).c_str(), stdout);
    return replay->outcome.ok ? kDone : kSimulationFailed;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
