#include <cstdio>

#include "cli/commands.h"

namespace csim::cli {

int validate(const ValidateOptions& options) {
  Diagnostics all;
  for (const std::string& scene : options.scenes) {
    Diagnostics diagnostics;
    const auto loaded = load_scene(scene, {}, &diagnostics);
    all.insert(all.end(), diagnostics.begin(), diagnostics.end());
    if (!loaded) continue;
    std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
    for (const std::string& note : loaded->notes)
      std::fprintf(stderr, "%s: note: %s\n", scene.c_str(), note.c_str());
  }
  std::fputs(format_diagnostics(all).c_str(), stderr);
  if (options.json) std::printf("%s\n", diagnostics_json(all).c_str());
  return all.empty() ? kDone : kInvalidInput;
}

}  // namespace csim::cli
