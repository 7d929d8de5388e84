// From a scene file to a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "model/build_model.h"
#include "scene/read_scene.h"

namespace csim {

/// A scene that was read and built.
struct LoadedScene {
  std::string file;
  SceneReadResult read;
  Model model;
  State state;                     // initial
  std::vector<std::string> notes;  // what has no effect, what was left out: "FILE:LINE:COLUMN: note: text"
};

/// Reads and builds; on problems of either stage returns them in *diagnostics and no scene.
[[nodiscard]] std::optional<LoadedScene> load_scene(const std::string& file,
                                                    const std::vector<std::string>& overrides,
                                                    Diagnostics* diagnostics);

/// The same of a scene that is read already; `file` names it.
[[nodiscard]] std::optional<LoadedScene> build_scene(SceneReadResult read, const std::string& file,
                                                     Diagnostics* diagnostics);

/// The files that the scene names, each once: its meshes in the scene's order, the files of
/// its models, the result it starts from.
[[nodiscard]] std::vector<std::string> named_files(const Scene& scene);

/// The scene's file ("-": standard input) and those that it names.
[[nodiscard]] std::vector<std::string> input_files(const LoadedScene& loaded);

}  // namespace csim
