#include "record/report/info.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {
namespace {

struct InfoOptions {
  std::string file;
  bool json = false, verbose = false;
};

int info(const InfoOptions& options) {
  try {
    const RunInfo info = read_guarded(options.file, collect_info);
    std::fputs((options.json ? info_json(info) + "\n" : info_text(info, options.verbose)).c_str(), stdout);
    return kDone;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace

Command info_command() {
  const auto o = std::make_shared<InfoOptions>();
  return {.name = "info",
          .description = "summarise a result file",
          .options = {required({"file", &o->file, "result file", "FILE.h5"}),
                      {"--json", &o->json, "one JSON object"},
                      {"-v,--verbose", &o->verbose,
                       "tables too: solver, events, artefacts, energy, where the time went"}},
          .examples =
              "  csim info bounce.h5\n"
              "  csim info bounce.h5 -v     with the tables of the solver",
          .run = [o] { return info(*o); }};
}

}  // namespace csim::cli
