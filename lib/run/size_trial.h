// How large the result of a run gets, and how long it takes, by its beginning.
#pragma once

#include <limits>
#include <string>

#include "run/load_scene.h"

namespace csim {

struct SizeTrial {
  long rows = 0;         // that were run
  double seconds = 0.0;  // of wall time, for them
  // Of the whole run, if all later rows are as the second half of these; NaN with a message.
  double file_bytes = std::numeric_limits<double>::quiet_NaN();
  double run_seconds = std::numeric_limits<double>::quiet_NaN();
  std::string message;  // why there is nothing to go by
};

/// Runs the first `rows` rows of all, in whole chunks of the result and two at least, into a file in the
/// folder for temporary files, which is removed.
[[nodiscard]] SizeTrial try_rows(const LoadedScene& loaded, long rows, long all_rows);

/// Bytes of a result with the initial state alone: that of a run to time 0. NaN where no file can be made.
[[nodiscard]] double bytes_of_first_row(const LoadedScene& loaded);

}  // namespace csim
