#include "scene/resolve.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"

namespace csim::cli {

std::optional<LoadedScene> load_scene_or_complain(const SceneOptions& options) {
  Diagnostics diagnostics;
  auto loaded = load_scene(options.scene, options.overrides, &diagnostics);
  if (!loaded) std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
  return loaded;
}

std::vector<Option> scene_options(SceneOptions* options) {
  return {required({"scene", &options->scene, "scene file (YAML); - for standard input", "SCENE"}),
          overrides_option(&options->overrides)};
}

Command resolve_command() {
  const auto o = std::make_shared<SceneOptions>();
  return {.name = "resolve",
          .description = "print the complete scene with every default, as YAML",
          .options = scene_options(o.get()),
          .examples = "  csim resolve bounce.yaml --set contact.model=sap > sap.yaml",
          .run = [o] {
            const auto loaded = load_scene_or_complain(*o);
            if (!loaded) return kInvalidInput;
            std::fputs(resolved_yaml(loaded->read.scene).c_str(), stdout);
            return kDone;
          }};
}

}  // namespace csim::cli
