// The process that runs one case: `csim run` with its own lock, checkpoints and result.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "study/study_folder.h"

namespace csim {

/// How the process begins.
enum class CaseStart { kAnew, kResume, kReplace };

/// Starts the process. It has a group of its own, so that a terminal's Ctrl-C reaches the study alone, which
/// tells it; it is told (SIGTERM) when the study dies. Its command and what it prints go to the case's log,
/// behind what earlier processes printed where it goes on. Throws IoError.
[[nodiscard]] pid_t start_case(const Study& study, const Case& one, const StudyFolder& folder,
                               const std::string& program, CaseStart start);

struct CaseEnd {
  pid_t process = 0;
  int exit_code = 0;  // 128 + signal where one killed it
  double cpu_seconds = 0.0;
  double peak_memory = 0.0;  // bytes
};

/// A process that has ended, or process 0 when none has.
[[nodiscard]] CaseEnd reap_case();

}  // namespace csim
