#include "cli/load.h"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <set>
#include <sstream>

#include "core/number_format.h"
#include "run/frame_schedule.h"
#include "solver/linear_solver.h"

namespace csim::cli {
namespace {

/// What a valid scene can ask for and this program cannot do.
void check_limits(const Scene& scene, Problems* problems) {
  constexpr double kMaxSteps = 9007199254740992.0;  // 2^53: beyond it n h is no time any more
  if (scene.integrator.type == IntegratorType::kDiscrete && scene.time.end / scene.time.step > kMaxSteps) {
    problems->push_back({"time.end", "more than 2^53 steps of time.step, expected fewer"});
  }
  if (scene.solver.linear_solver == LinearSolverType::kSupernodal) {
    if (const std::string reason = load_supernodal(); !reason.empty())
      problems->push_back({"solver.linear_solver", "supernodal, which cannot be had here: " + reason +
                                                       "; expected auto, block or dense"});
  }
}

/// SAP's gap between bodies that slide (eq 41) is worth a note from this many metres at 1 m/s on.
constexpr double kVisibleGlide = 0.01;

void note_gliding(const LoadedScene& loaded, std::vector<std::string>* notes) {
  if (loaded.read.scene.contact.model != ContactModel::kSap) return;
  const Model& model = loaded.model;
  std::vector<std::set<int>> groups(model.pairs.num_classes);  // that have a geometry of the class
  for (const Geometry& geometry : model.geometries) {
    if (geometry.pair_class >= 0) groups[geometry.pair_class].insert(model.bodies[geometry.body].weld_group);
  }
  double gap = 0.0;  // m at 1 m/s
  for (int a = 0; a < model.pairs.num_classes; ++a) {
    for (int b = 0; b < model.pairs.num_classes; ++b) {
      const PairRule& rule = model.pairs.rule(a, b);
      const bool alone = groups[a].size() == 1 && groups[a] == groups[b];
      if (rule.collide && !alone)
        gap = std::max(gap, rule.friction * (loaded.read.scene.time.step + rule.relaxation_time));
    }
  }
  if (gap < kVisibleGlide) return;
  std::ostringstream text;
  text << std::setprecision(3)
       << "contact.model sap holds bodies that slide apart by friction (time.step + relaxation times) times "
          "their speed: here by up to "
       << gap
       << " m at 1 m/s (/artefact/gliding_distance); a smaller relaxation_time, lagged or similar let them "
          "touch";
  notes->push_back(text.str());
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
  if (loaded.read.scene.integrator.type != IntegratorType::kDiscrete) return notes;
  note_gliding(loaded, &notes);
  const TimeSpec& time = loaded.read.scene.time;
  const long steps = num_steps(time.step, time.end);
  if (!is_whole_number_of_steps(time.step, time.end) || (steps == 0 && time.end > 0.0)) {
    notes.push_back("time.end is not a whole number of steps: the run makes " + std::to_string(steps) +
                    " steps, to " + format_number(static_cast<double>(steps) * time.step) + " s");
  }
  return notes;
}

}  // namespace csim::cli
