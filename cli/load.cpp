#include "cli/load.h"

#include <cstdio>

#include "core/number_format.h"
#include "run/frame_schedule.h"
#include "scene/integrator_kinds.h"
#include "solver/linear/linear_solver.h"

namespace csim::cli {
namespace {

/// What a valid scene can ask for and this program cannot do.
void check_limits(const Scene& scene, Problems* problems) {
  constexpr double kMaxSteps = 9007199254740992.0;  // 2^53: beyond it n h is no time any more
  if (integrator_kind(scene).has_constant_step && scene.time.end / scene.time.step > kMaxSteps) {
    problems->push_back({"time.end", "more than 2^53 steps of time.step, expected fewer"});
  }
  if (scene.solver.linear_solver == LinearSolverType::kSupernodal) {
    if (const std::string reason = load_supernodal(); !reason.empty())
      problems->push_back({"solver.linear_solver", "supernodal, which cannot be had here: " + reason +
                                                       "; expected auto, block or dense"});
  }
}

}  // namespace

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
  check_limits(loaded.read.scene, &problems);
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

std::vector<std::string> notes_of(const LoadedScene& loaded) {
  std::vector<std::string> notes = loaded.notes;
  if (!integrator_kind(loaded.read.scene).has_constant_step) return notes;
  const TimeSpec& time = loaded.read.scene.time;
  const long steps = num_steps(time.step, time.end);
  if (!is_whole_number_of_steps(time.step, time.end) || (steps == 0 && time.end > 0.0)) {
    notes.push_back("time.end is not a whole number of steps: the run makes " + std::to_string(steps) +
                    " steps, to " + format_number(static_cast<double>(steps) * time.step) + " s");
  }
  return notes;
}

}  // namespace csim::cli
