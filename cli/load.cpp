#include "cli/load.h"

#include <cstdio>

namespace csim::cli {

std::optional<LoadedScene> load_scene(const std::string& file, const std::vector<std::string>& overrides,
                                      Diagnostics* diagnostics) {
  LoadedScene loaded;
  loaded.read = read_scene(file, overrides);
  if (!loaded.read.ok()) {
    *diagnostics = loaded.read.diagnostics;
    return std::nullopt;
  }
  Problems problems;
  build_model(loaded.read.scene, &loaded.model, &loaded.state, &problems, &loaded.notes);
  if (!problems.empty()) {
    *diagnostics = loaded.read.source.locate(problems);
    return std::nullopt;
  }
  return loaded;
}

std::optional<LoadedScene> load_scene_or_complain(const std::string& file,
                                                  const std::vector<std::string>& overrides) {
  Diagnostics diagnostics;
  auto loaded = load_scene(file, overrides, &diagnostics);
  if (!loaded) std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
  return loaded;
}

}  // namespace csim::cli
