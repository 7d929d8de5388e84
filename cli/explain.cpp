#include "run/explain.h"

#include <cstdio>
#include <memory>

#include "cli/commands.h"

namespace csim::cli {
namespace {

struct ExplainOptions {
  SceneOptions scene;
  bool json = false;
};

int explain(const ExplainOptions& options) {
  auto loaded = load_scene_or_complain(options.scene);
  if (!loaded) return kInvalidInput;
  std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
  const SceneExplanation explanation = csim::explain(&*loaded);
  std::fputs((options.json ? explanation_json(explanation) : explanation_text(explanation)).c_str(), stdout);
  return kDone;
}

}  // namespace

Command explain_command() {
  const auto o = std::make_shared<ExplainOptions>();
  return {.name = "explain",
          .description = "before a run: stiffness and time scales of the pairs in contact, sizes, advice",
          .options = joined(scene_options(&o->scene), {{"--json", &o->json, "one JSON object"}}),
          .examples = "  csim explain bounce.yaml --set time.step=1e-3",
          .run = [o] { return explain(*o); }};
}

}  // namespace csim::cli
