// The process's exit codes (README, "Exit codes").
#pragma once

#include "record/recorder.h"

namespace csim {

enum ExitCode : int {
  kDone = 0,
  kInternalError = 1,
  kInvalidInput = 2,
  kSimulationFailed = 3,
  kOutputFailed = 4,
  kGateFailed = 5,
  kInterrupted = 75,
};

[[nodiscard]] inline ExitCode exit_code_of(RunStatus status) {
  if (status == RunStatus::kComplete) return kDone;
  return status == RunStatus::kInterrupted ? kInterrupted : kSimulationFailed;
}

}  // namespace csim
