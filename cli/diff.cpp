#include "record/diff.h"

#include <cstdio>

#include "cli/commands.h"
#include "record/errors.h"

namespace csim::cli {

int diff(const DiffOptions& options) {
  try {
    const DiffReport report = diff_results(options.a, options.b, options.rtol, options.atol);
    std::fputs(report.text.c_str(), stdout);
    return report.equal ? kDone : kGateFailed;
  } catch (const InvalidResultError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  } catch (const IoError& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
  }
  return kInvalidInput;
}

}  // namespace csim::cli
