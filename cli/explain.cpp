#include "run/explain.h"

#include <cstdio>

#include "cli/commands.h"

namespace csim::cli {

int explain(const ExplainOptions& options) {
  auto loaded = load_scene_or_complain(options.scene);
  if (!loaded) return kInvalidInput;
  std::fputs(format_diagnostics(loaded->read.warnings, Severity::kWarning).c_str(), stderr);
  const SceneExplanation explanation = csim::explain(&*loaded);
  std::fputs((options.json ? explanation_json(explanation) : explanation_text(explanation)).c_str(), stdout);
  return kDone;
}

}  // namespace csim::cli
