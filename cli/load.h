// What `run`, `validate` and others share: from a scene file to a model, with every problem printed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "model/build_model.h"
#include "scene/read_scene.h"

namespace csim::cli {

/// A scene that was read and built.
struct LoadedScene {
  SceneReadResult read;
  Model model;
  State state;
  std::vector<std::string> notes;  // of build_model
};

/// Reads and builds; on problems of either stage returns them in *diagnostics and no scene.
[[nodiscard]] std::optional<LoadedScene> load_scene(const std::string& file,
                                                    const std::vector<std::string>& overrides,
                                                    Diagnostics* diagnostics);

/// The same, with the problems printed to stderr.
[[nodiscard]] std::optional<LoadedScene> load_scene_or_complain(const std::string& file,
                                                                const std::vector<std::string>& overrides);

/// What `run` and `validate` say of a scene that is good: what has no effect, what was left out.
[[nodiscard]] std::vector<std::string> notes_of(const LoadedScene& loaded);

}  // namespace csim::cli
