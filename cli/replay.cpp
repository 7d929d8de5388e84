#include "run/replay.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {
namespace {

struct ReplayOptions {
  std::string file;
  std::vector<std::string> overrides;  // KEY=VALUE of --set, in order
  bool json = false;
};

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

}  // namespace

Command replay_command() {
  const auto o = std::make_shared<ReplayOptions>();
  return {
      .name = "replay",
      .description =
          "repeat the step that failed, alone, with any law or tolerance; exit code 3 when it fails again",
      .options =
          {required(
               {"file", &o->file,
                "result file; where the run did not fail, the step after its last checkpoint is repeated",
                "FILE.h5"}),
           overrides_option(&o->overrides),
           {"--json", &o->json, "one JSON object, with every iteration"}},
      .examples =
          "  csim replay bounce.h5\n"
          "  csim replay bounce.h5 --set contact.model=sap --set solver.tolerance=1e-8",
      .run = [o] { return replay(*o); }};
}

}  // namespace csim::cli
