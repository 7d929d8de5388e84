// Scene files: strict, with every problem at its place.
#pragma once

#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "scene/scene.h"
#include "scene/yaml/scene_source.h"

namespace csim {

struct SceneReadResult {
  Scene scene;              // to be used only when ok()
  SceneSource source;       // gives the places of problems that are found later: source.locate(problem)
  Diagnostics diagnostics;  // all problems, in the order of their places
  Diagnostics warnings;     // what is allowed and yet likely a slip, such as degrees for radians

  Diagnostics notes;  // of models: what of their files is read and has no effect, or cannot be seen
  std::vector<std::string> model_files;  // absolute: robots' own files; their meshes are geometries'

  [[nodiscard]] bool ok() const { return diagnostics.empty(); }
};

inline constexpr const char* kStandardInput = "-";  // as the name of a scene file

/// Reads a scene file (kStandardInput: standard input, called `stdin`, with files relative to the current
/// folder) with the command line's overrides "KEY=VALUE" (KEY a path such as `bodies.ball.mass`,
/// VALUE YAML), which are laid over the file before anything is checked. A file that is missing, empty,
/// larger than 256 MiB or not YAML is a problem like any other. A file NAME.urdf is a scene of that robot
/// alone.
[[nodiscard]] SceneReadResult read_scene(const std::string& file,
                                         const std::vector<std::string>& overrides = {});

/// The same for a text; `file` names it in messages and gives the folder for relative file names and the
/// default of `name`.
[[nodiscard]] SceneReadResult read_scene_text(const std::string& text, const std::string& file,
                                              const std::vector<std::string>& overrides = {});

}  // namespace csim
