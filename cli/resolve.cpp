#include "scene/resolve.h"

#include <cstdio>

#include "cli/commands.h"

namespace csim::cli {

std::optional<LoadedScene> load_scene_or_complain(const SceneOptions& options) {
  Diagnostics diagnostics;
  auto loaded = load_scene(options.scene, options.overrides, &diagnostics);
  if (!loaded) std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
  return loaded;
}

int resolve(const SceneOptions& options) {
  const auto loaded = load_scene_or_complain(options);
  if (!loaded) return kInvalidInput;
  std::fputs(resolved_yaml(loaded->read.scene).c_str(), stdout);
  return kDone;
}

}  // namespace csim::cli
