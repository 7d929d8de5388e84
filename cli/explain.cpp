#include "run/explain.h"

#include <cstdio>
#include <limits>
#include <memory>

#include "cli/commands.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

struct ExplainOptions {
  SceneOptions scene;
  bool json = false;
  int trial = 0;  // rows
};

int explain(const ExplainOptions& options) {
  auto loaded = load_scene_or_complain(options.scene);
  if (!loaded) return kInvalidInput;
  std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
  if (options.trial > 0) install_signal_handlers();  // the trial is left, and its file removed
  const SceneExplanation explanation = csim::explain(&*loaded, options.trial);
  std::fputs((options.json ? explanation_json(explanation) : explanation_text(explanation)).c_str(), stdout);
  return kDone;
}

}  // namespace

Command explain_command() {
  const auto o = std::make_shared<ExplainOptions>();
  return {.name = "explain",
          .description =
              "what a scene implies, before it runs: time scales of its contacts, size of the result, advice",
          .options = joined(scene_options(&o->scene),
                            {{"--json", &o->json, "one JSON object"},
                             {"--trial", &o->trial,
                              "run the first ROWS rows of the result (at least 128) to estimate the size "
                              "and the time of the whole run",
                              "ROWS", whole_number(1, std::numeric_limits<int>::max())}}),
          .examples =
              "  csim explain bounce.yaml --set time.step=1e-3\n"
              "  csim explain bounce.yaml --trial 256             size and time of the run",
          .run = [o] { return explain(*o); }};
}

}  // namespace csim::cli
