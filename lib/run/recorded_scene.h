// The scene of a result, built again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "record/reader.h"
#include "run/load_scene.h"

namespace csim {

/// The scene that a result holds, with `overrides` as of --set and without `initial`: who reads a result goes
/// on from a state of its own. A normal law that follows from the model is left out, so that another model
/// brings its own. On problems returns them in *diagnostics and no scene.
[[nodiscard]] std::optional<LoadedScene> build_recorded_scene(const ResultFile& result,
                                                              const std::vector<std::string>& overrides,
                                                              Diagnostics* diagnostics);

}  // namespace csim
