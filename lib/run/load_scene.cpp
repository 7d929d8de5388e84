#include "run/load_scene.h"

#include <algorithm>
#include <limits>

#include "contact/engine/load_fcl.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "run/frame_schedule.h"
#include "run/initial_state.h"
#include "run/prescribed_pairs.h"
#include "scene/integrator_kinds.h"
#include "solver/linear/linear_solver.h"

namespace csim {
namespace {

/// What a valid scene can ask for and this program cannot do.
void check_limits(const Scene& scene, Problems* problems) {
  constexpr double kMaxSteps = 9007199254740992.0;  // 2^53: beyond it n h is no longer exact
  const bool is_constant = integrator_kind(scene).has_constant_step;
  const double longest = is_constant
                             ? scene.time.step
                             : scene.integrator.max_step.value_or(std::numeric_limits<double>::infinity());
  if (scene.time.end / longest > kMaxSteps)
    problems->push_back({"time.end", std::string("more than 2^53 steps of ") +
                                         (is_constant ? "time.step" : "integrator.max_step") +
                                         ", expected fewer"});
  if (scene.solver.linear_solver == LinearSolverKind::kSupernodal) {
    if (const std::string reason = load_supernodal(); !reason.empty())
      problems->push_back({"solver.linear_solver", "supernodal, which is not available in this build: " +
                                                       reason + "; expected auto, block or dense"});
  }
  if (scene.contact.engine == ContactEngine::kFcl) {
    if (const std::string reason = load_fcl(); !reason.empty())
      problems->push_back(
          {"contact.engine", "fcl, which is not available in this build: " + reason + "; expected native"});
  }
}

void note_number_of_steps(const Scene& scene, std::vector<std::string>* notes) {
  const TimeSpec& time = scene.time;
  if (!integrator_kind(scene).has_constant_step) return;
  const long steps = num_steps(time.step, time.end);
  if (is_whole_number_of_steps(time.step, time.end) && (steps > 0 || time.end == 0.0)) return;
  notes->push_back("time.end is not a whole number of steps: the run makes " + std::to_string(steps) +
                   " steps, to " + time_text(static_cast<double>(steps) * time.step));
}

/// Puts the place before each note, which begins with the path of its key; the file alone where it does not.
void place_notes(const LoadedScene& loaded, std::vector<std::string>* notes) {
  const SceneSource& source = loaded.read.source;
  for (std::string& note : *notes) {
    const std::string path = plain_path(note.substr(0, note.find_first_of(" :")));
    const std::vector<std::string> keys = split_path(path);
    const bool has_place = !keys.empty() && source.root.find(keys.front()) != nullptr;
    const Diagnostic d = source.locate({path, ""});
    const std::string place =
        has_place ? d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) : loaded.file;
    note = place + ": note: " + note;
  }
}

}  // namespace

std::optional<LoadedScene> load_scene(const std::string& file, const std::vector<std::string>& overrides,
                                      Diagnostics* diagnostics) {
  return build_scene(read_scene(file, overrides), file, diagnostics);
}

std::optional<LoadedScene> build_scene(SceneReadResult read, const std::string& file,
                                       Diagnostics* diagnostics) {
  LoadedScene loaded;
  loaded.file = file;
  loaded.read = std::move(read);
  if (!loaded.read.ok()) {
    *diagnostics = loaded.read.diagnostics;
    return std::nullopt;
  }
  Problems problems;
  build_model(loaded.read.scene, &loaded.model, &loaded.state, &problems, &loaded.notes);
  check_limits(loaded.read.scene, &problems);
  if (problems.empty())
    set_initial_state(loaded.read.scene, loaded.model, &loaded.state, &problems, &loaded.notes);
  if (!problems.empty()) {
    *diagnostics = loaded.read.source.locate(problems);
    return std::nullopt;
  }
  note_number_of_steps(loaded.read.scene, &loaded.notes);
  for (const std::string& note :
       describe_prescribed_pairs(loaded.model, loaded.state, loaded.read.scene.time.end))
    loaded.notes.push_back(note);
  place_notes(loaded, &loaded.notes);
  for (const Diagnostic& note : loaded.read.notes)
    loaded.notes.push_back(note.file + ":" + std::to_string(note.line) + ":" + std::to_string(note.column) +
                           ": note: " + note.path + ": " + note.message);
  return loaded;
}

std::vector<std::string> named_files(const Scene& scene) {
  std::vector<std::string> files;
  for (const BodySpec& body : scene.bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      const std::string& file = geometry.shape.resolved_file;
      if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  if (!scene.initial.from.empty()) files.push_back(scene.initial.resolved_from);
  return files;
}

std::vector<std::string> input_files(const LoadedScene& loaded) {
  std::vector<std::string> files{loaded.file};
  for (const std::string& file : named_files(loaded.read.scene)) files.push_back(file);
  for (const std::string& file : loaded.read.model_files) {
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  return files;
}

}  // namespace csim
