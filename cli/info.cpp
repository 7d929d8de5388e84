#include "record/report/info.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"

namespace csim::cli {

int info(const InfoOptions& options) {
  try {
    const RunInfo info = read_guarded(options.file, collect_info);
    std::fputs((options.json ? info_json(info) + "\n" : info_text(info)).c_str(), stdout);
    return kDone;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
