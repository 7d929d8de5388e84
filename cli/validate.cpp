#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "core/counted.h"
#include "run/run_notes.h"
#include "run/scene_advice.h"
#include "step/make_stepper.h"

namespace csim::cli {

namespace {

struct ValidateOptions {
  std::vector<std::string> scenes, overrides;
  bool json = false;
};

/// "ok: 5 bodies, 3 joints", with the file where there are several.
void print_size(const std::string& file, const Scene& scene, bool with_file) {
  const std::string text =
      "ok: " + counted(scene.bodies.size(), "body", "bodies") + ", " + counted(scene.joints.size(), "joint");
  std::printf("%s\n", (with_file ? file + ": " + text : text).c_str());
}

int validate(const ValidateOptions& options) {
  Diagnostics all;
  for (const std::string& scene : options.scenes) {
    Diagnostics diagnostics;
    auto loaded = load_scene(scene, options.overrides, &diagnostics);
    all.insert(all.end(), diagnostics.begin(), diagnostics.end());
    if (!loaded) continue;
    std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
    const auto print = [&](const char* kind, const std::vector<std::string>& texts) {
      for (const std::string& text : texts)
        std::fprintf(stderr, "%s: %s: %s\n", scene.c_str(), kind, text.c_str());
    };
    for (const std::string& note : loaded->notes) std::fprintf(stderr, "%s\n", note.c_str());
    print("note", advise(loaded->read.scene, loaded->model));
    const auto stepper = make_stepper(loaded->model, loaded->read.scene, 1);
    stepper->start(&loaded->state);
    print("warning", describe_deep_overlaps(loaded->model, loaded->state, stepper->contacts()));
    if (!options.json) print_size(scene, loaded->read.scene, options.scenes.size() > 1);
  }
  std::fputs(format_diagnostics(all).c_str(), stderr);
  if (options.json) std::printf("%s\n", diagnostics_json(all).c_str());
  return all.empty() ? kDone : kInvalidInput;
}

}  // namespace

Command validate_command() {
  const auto o = std::make_shared<ValidateOptions>();
  return {.name = "validate",
          .description = "check scene files: prints every error of every file, as a compiler does",
          .options = {required({"scenes", &o->scenes, "scene files", "SCENE"}),
                      overrides_option(&o->overrides),
                      {"--json", &o->json, "problems as a JSON array on stdout"}},
          .examples =
              "  csim validate bounce.yaml\n"
              "  csim validate bounce.yaml --set contact.model=sap\n"
              "  csim validate *.yaml --json     for a program",
          .run = [o] { return validate(*o); }};
}

}  // namespace csim::cli
