#include "record/info.h"

#include <cstdio>

#include "cli/commands.h"
#include "record/errors.h"

namespace csim::cli {

int info(const InfoOptions& options) {
  try {
    const RunInfo info = read_result(options.file, collect_info);
    std::fputs((options.json ? info_json(info) + "\n" : info_text(info)).c_str(), stdout);
    return kDone;
  } catch (const InvalidResultError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  } catch (const IoError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  }
  return kInvalidInput;
}

}  // namespace csim::cli
