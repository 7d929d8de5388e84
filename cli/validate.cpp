#include <cstdio>

#include "cli/commands.h"
#include "run/run_notes.h"
#include "run/scene_advice.h"

namespace csim::cli {

int validate(const ValidateOptions& options) {
  Diagnostics all;
  for (const std::string& scene : options.scenes) {
    Diagnostics diagnostics;
    auto loaded = load_scene(scene, {}, &diagnostics);
    all.insert(all.end(), diagnostics.begin(), diagnostics.end());
    if (!loaded) continue;
    std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
    const auto print = [&](const char* kind, const std::vector<std::string>& texts) {
      for (const std::string& text : texts)
        std::fprintf(stderr, "%s: %s: %s\n", scene.c_str(), kind, text.c_str());
    };
    print("note", loaded->notes);
    print("note", advise(loaded->read.scene, loaded->model));
    const auto stepper = make_stepper(loaded->model, loaded->read.scene, 1);
    stepper->start(&loaded->state);
    print("warning", describe_deep_overlaps(loaded->model, stepper->contacts()));
  }
  std::fputs(format_diagnostics(all).c_str(), stderr);
  if (options.json) std::printf("%s\n", diagnostics_json(all).c_str());
  return all.empty() ? kDone : kInvalidInput;
}

}  // namespace csim::cli
