// One step of a run again, alone: the one that failed, with any law and tolerance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"
#include "run/load_scene.h"
#include "step/step_outcome.h"

namespace csim {

struct Replay {
  RunStatus status = RunStatus::kRunning;  // of the run
  std::string message;                     // likewise
  long step = 0;                           // steps made before the one that is replayed
  double time = 0.0;                       // s, its start
  StepOutcome outcome;                     // of the step, with its iterations
};

/// Makes the step from the last checkpoint of a result: of a failed run that is the step that failed. The
/// scene is that of the result, with `overrides` as of --set. Nothing is written. Problems of the overrides
/// go to *diagnostics, and there is no value. Throws what ResultFile throws, InvalidResultError for a result
/// without a checkpoint, one of another model, and one that the overrides give other coordinates.
[[nodiscard]] std::optional<Replay> replay_step(const ResultFile& result,
                                                const std::vector<std::string>& overrides,
                                                Diagnostics* diagnostics);

[[nodiscard]] std::string replay_text(const Replay& replay);
[[nodiscard]] std::string replay_json(const Replay& replay);

}  // namespace csim
