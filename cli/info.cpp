#include "record/info.h"

#include <cstdio>

#include "cli/commands.h"
#include "record/errors.h"

namespace csim::cli {

int info(const InfoOptions& options) {
  try {
    std::fputs((options.json ? info_json(options.file) + "\n" : info_text(options.file)).c_str(), stdout);
    return kDone;
  } catch (const InvalidResultError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  } catch (const IoError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  }
  return kInvalidInput;
}

}  // namespace csim::cli
