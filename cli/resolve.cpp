#include "scene/resolve.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/load.h"

namespace csim::cli {

int resolve(const SceneOptions& options) {
  const auto loaded = load_scene_or_complain(options.scene, options.overrides);
  if (!loaded) return kInvalidInput;
  std::fputs(resolved_yaml(loaded->read.scene).c_str(), stdout);
  return kDone;
}

}  // namespace csim::cli
