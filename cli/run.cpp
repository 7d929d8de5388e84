#include "run/run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/describe_blas.h"
#include "cli/file_errors.h"
#include "cli/load.h"
#include "cli/run_notes.h"
#include "core/log.h"
#include "core/missing_path.h"
#include "core/number_format.h"
#include "core/sha256.h"
#include "record/report/info.h"
#include "run/event_notes.h"
#include "run/frame_schedule.h"
#include "run/signals.h"
#include "scene/integrator_kinds.h"
#include "scene/resolve.h"
#include "scene/yaml/yaml_writer.h"

namespace csim::cli {
namespace {

ProgressStyle progress_style(const RunOptions& options) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  switch (options.progress) {
    case ProgressMode::kNever:
      return ProgressStyle::kNone;
    case ProgressMode::kAlways:
      return terminal ? ProgressStyle::kBar : ProgressStyle::kLines;
    case ProgressMode::kAuto:
      break;
  }
  if (options.verbosity == Verbosity::kQuiet) return ProgressStyle::kNone;
  return terminal ? ProgressStyle::kBar : ProgressStyle::kLines;
}

LogLevel log_level(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::kQuiet:
      return LogLevel::kError;
    case Verbosity::kVerbose:
      return LogLevel::kDebug;
    case Verbosity::kNormal:
      break;
  }
  return LogLevel::kInfo;
}

/// The files of the scene's meshes, each once, in the scene's order.
std::vector<std::string> mesh_files(const Scene& scene) {
  std::vector<std::string> files;
  for (const BodySpec& body : scene.bodies) {
    for (const GeometrySpec& geometry : body.geometry) {
      const std::string& file = geometry.shape.resolved_file;
      if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

/// The texts that the result file keeps, and the scene's identity for --resume.
SceneText scene_text(const LoadedScene& loaded) {
  SceneText text;
  text.source = loaded.read.source.text();
  YamlNode resolved = resolved_tree(loaded.read.scene);
  text.resolved = write_yaml(resolved);
  // A run may go on to another end, with other checkpoints.
  *resolved.find("time")->find("end") = yaml_number(0.0);
  *resolved.find("output")->find("checkpoint") = yaml_word("none");
  // Meshes count by their bytes: a run does not go on with another shape.
  std::string identity = write_yaml(resolved);
  for (const std::string& file : mesh_files(loaded.read.scene)) identity += sha256_of_file(file).value_or("");
  text.identity = sha256_hex(identity);
  return text;
}

/// The scene's file and its meshes.
std::vector<std::string> input_files(const RunOptions& options, const Scene& scene) {
  std::vector<std::string> files{options.scene.scene};
  for (const std::string& file : mesh_files(scene)) files.push_back(file);
  return files;
}

int exit_code_of(RunStatus status) {
  switch (status) {
    case RunStatus::kComplete:
      return kDone;
    case RunStatus::kInterrupted:
      return kInterrupted;
    case RunStatus::kFailed:
    case RunStatus::kRunning:
      break;
  }
  return kSimulationFailed;
}

void print_summary(const RunOptions& options, const std::string& path) {
  if (options.json) {
    std::printf("%s\n", info_json(collect_info(ResultFile(path))).c_str());
  } else if (options.verbosity != Verbosity::kQuiet) {
    std::fputs(info_text(collect_info(ResultFile(path))).c_str(), stdout);
  }
}

/// What is wrong when the output, its .part or the log would be written over a file that the run reads, or
/// the log over the output; "" for nothing.
std::string wrong_outputs(const RunOptions& options, const Scene& scene, const std::string& output) {
  const OutputPaths paths = output_paths(output);
  for (const std::string& written : {paths.final_path, paths.part_path, options.log_file}) {
    for (const std::string& input : input_files(options, scene)) {
      std::error_code none;  // a file that is not there yet is no input
      if (!written.empty() && std::filesystem::equivalent(written, input, none))
        return written + ": is an input of the run (" + input + "); it cannot be an output too";
    }
  }
  namespace fs = std::filesystem;
  const auto place = [](const std::string& file) {
    std::error_code none;
    return fs::weakly_canonical(fs::absolute(file, none), none);
  };
  for (const std::string& written : {paths.final_path, paths.part_path}) {
    if (!options.log_file.empty() && place(written) == place(options.log_file))
      return options.log_file + ": is the output of the run; it cannot be the log file too";
  }
  return "";
}

/// A result is never cut: its rows beyond the new end would belong to no run.
void require_later_end(const Scene& scene, const State& state, const std::string& output) {
  const double h = scene.time.step, end = scene.time.end;
  const bool beyond = integrator_kind(scene).has_constant_step ? state.step > num_steps(h, end)
                                                               : state.time > end * (1 + 1e-12);
  if (!beyond) return;
  throw InvalidResultError(output + ": holds the motion to t = " + format_number(state.time) +
                           " s already, beyond time.end = " + format_number(end) +
                           " s; --resume can only move the end to a later time");
}

/// The steps of a run whose scene is loaded; throws what the recorder throws.
int simulate(const RunOptions& options, LoadedScene* loaded, const std::string& output) {
  const Scene& scene = loaded->read.scene;
  const SceneText text = scene_text(*loaded);
  RecorderOptions recorder_settings = recorder_options(scene.output, options.force);
  const Provenance provenance =
      collect_provenance(options.argv, input_files(options, scene), options.threads, describe_blas());
  const std::unique_ptr<Stepper> stepper = make_stepper(loaded->model, scene, options.threads);

  // A resumed run goes on from the last checkpoint; without one (killed before its first step) it starts
  // anew.
  std::optional<Recorder> recorder;
  std::optional<ResumePoint> point;
  std::optional<CrashGuard> guard;
  if (options.resume) {
    guard.emplace(output);
    if (find_resumable(output).empty())
      throw InvalidResultError(output + ": no such file to resume from" + missing_file_hint(output));
    recorder_settings.force = true;
    point = read_resume_point(output, loaded->model, text, recorder_settings);
    if (point) require_later_end(scene, point->state, output);
  }
  if (point && point->status == RunStatus::kComplete && is_run_over(scene, point->state)) {
    log_info(output + " is complete: nothing to resume");
    print_summary(options, output_paths(output).final_path);
    return kDone;
  }
  if (point) {
    loaded->state = point->state;
    stepper->set_memory(point->memory);
    if (!is_run_over(scene, point->state))
      point->rows.frames = std::min(point->rows.frames, frames_on_grid(scene, point->state));
    recorder.emplace(output, scene, loaded->model, text, provenance, recorder_settings, *point);
    log_info("resuming after step " + std::to_string(point->state.step) +
             (point->state.step == 0 ? ": there is no later checkpoint (output.checkpoint)" : ""));
    if (point->status == RunStatus::kComplete && !integrator_kind(scene).has_constant_step &&
        !is_on_grid(scene, point->state)) {
      log_info(
          "note: the earlier run ended between two rows of output.period: from there on the steps are other "
          "than those of a run that did not end there");
    }
  } else {
    stepper->start(&loaded->state);
    warn_about_deep_overlaps(loaded->model, stepper->contacts());
    if (integrator_kind(scene).solves_contact)
      note_stiff_patches(loaded->model, stepper->contacts(), scene.time.step);
    recorder.emplace(output, scene, loaded->model, text, provenance, recorder_settings);
  }

  guard.reset();

  RunReport report;
  try {
    report = run_simulation(scene, stepper.get(), &loaded->state, &*recorder, progress_style(options));
  } catch (const IoError& error) {
    recorder->finish(RunStatus::kFailed, kOutputFailed, error.what(), loaded->state, stepper->memory());
    throw;
  } catch (const std::exception& error) {
    recorder->finish(RunStatus::kFailed, kInternalError, error.what(), loaded->state, stepper->memory());
    throw;
  }
  log_info("made " + std::to_string(report.steps) + " steps in " + format_number(report.wall_seconds) + " s");
  const std::string spins = describe_fast_spins(loaded->model, scene, recorder->events());
  const bool failed = report.status == RunStatus::kFailed;
  if (failed && !spins.empty()) report.message += "; before that, " + spins;
  const int exit_code = exit_code_of(report.status);
  recorder->finish(report.status, exit_code, report.message, loaded->state, stepper->memory());
  if (failed) log_error(report.message);
  if (report.status == RunStatus::kInterrupted) log_warning(report.message);
  log_events(loaded->model, scene, recorder->events(), recorder->rows().steps);
  if (!failed && !spins.empty()) log_warning(spins);
  print_summary(options, recorder->paths().final_path);
  return exit_code;
}

}  // namespace

int run(const RunOptions& options) {
  std::vector<std::string> overrides = options.scene.overrides;
  if (options.end) overrides.push_back("time.end=" + format_number(*options.end));
  auto loaded = load_scene_or_complain(options.scene.scene, overrides);
  if (!loaded) return kInvalidInput;
  const std::string output = options.output.empty() ? loaded->read.scene.name + ".h5" : options.output;
  if (const std::string mistake = wrong_outputs(options, loaded->read.scene, output); !mistake.empty()) {
    std::fprintf(stderr, "csim: error: %s\n", mistake.c_str());
    return kInvalidInput;
  }
  try {
    configure_log(log_level(options.verbosity), options.log_file, options.force);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
    return kOutputFailed;
  }
  log_info("running " + options.scene.scene);
  for (const Diagnostic& warning : loaded->read.warnings) log_warning(format_line(warning));
  for (const std::string& note : notes_of(*loaded)) log_info("note: " + note);
  install_signal_handlers();
  try {
    return simulate(options, &*loaded, output);
  } catch (...) {
    return report_file_error("; --force overwrites it, --resume goes on from it");
  }
}

}  // namespace csim::cli
