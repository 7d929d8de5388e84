// Runs the cases of a study, one process a case.
#pragma once

#include <string>
#include <vector>

#include "run/progress.h"
#include "study/study_folder.h"

namespace csim {

struct RunCasesOptions {
  std::string program;  // csim itself
  int jobs = 1;         // processes at a time
  bool retry_failed = false;
  double timeout = 0.0;  // s of wall time of one process; 0: none
  ProgressStyle progress = ProgressStyle::kNone;
};

struct RunCasesReport {
  int num_failed = 0;  // of the cases asked for, those that have failed or timed out
  bool interrupted = false;
};

/// Runs those of the cases `which` that are not complete: anew, or from their checkpoints. A case that
/// another process runs is left to it; where that ends without a result it is taken. Cases that failed by
/// themselves (exit code 3) are repeated with `retry_failed` only. Each is tried once. A process that takes
/// longer than `timeout` is told, writes its checkpoint and counts as failed; a later run goes on from there.
/// On a signal (run/signals.h) the processes are told, write their checkpoints, and are waited for. Throws
/// IoError.
[[nodiscard]] RunCasesReport run_cases(const Study& study, const Cases& cases, const StudyFolder& folder,
                                       const std::vector<int>& which, const RunCasesOptions& options);

/// The program that runs now.
[[nodiscard]] std::string this_program();

/// How many processors this process may use.
[[nodiscard]] int num_processors();

}  // namespace csim
