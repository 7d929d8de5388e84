#include "run/run.h"

#include <algorithm>
#include <filesystem>

#include "core/log.h"
#include "core/missing_path.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "core/sha256.h"
#include "record/errors.h"
#include "run/event_notes.h"
#include "run/exit_code.h"
#include "run/frame_schedule.h"
#include "run/leave_on_signal.h"
#include "run/run_notes.h"
#include "scene/integrator_kinds.h"
#include "scene/resolve.h"
#include "scene/yaml/yaml_writer.h"
#include "solver/linear/blas_info.h"
#include "step/make_stepper.h"

namespace csim {
namespace {

/// A result is never cut: its rows beyond the new end would belong to no run.
void require_later_end(const Scene& scene, const ResumePoint& point, const std::string& output) {
  const double h = scene.time.step, end = scene.time.end;
  const double time = std::max(point.state.time, point.last_time);
  const bool beyond = integrator_kind(scene).has_constant_step ? point.state.step > num_steps(h, end)
                                                               : time > end * (1 + 1e-12);
  if (!beyond) return;
  throw InvalidResultError(output + ": holds the motion to t = " + time_text(time) +
                           " already, beyond time.end = " + format_number(end) +
                           " s; --resume can only move the end to a later time");
}

}  // namespace

SceneText scene_text(const LoadedScene& loaded) {
  SceneText text;
  text.source = loaded.read.source.text();
  const YamlNode resolved = resolved_tree(loaded.read.scene);
  text.resolved = write_yaml(resolved);
  for (const std::string& file : named_files(loaded.read.scene))
    text.file_digests += sha256_of_file(file).value_or("");
  text.identity = scene_identity(resolved, text.file_digests);
  return text;
}

Run::Run(LoadedScene loaded, RunSettings settings)
    : loaded_(std::move(loaded)), settings_(std::move(settings)), text_(scene_text(loaded_)) {
  if (scene().output.checkpoint) settings_.wall_times.checkpoint_every = 0.0;
  if (settings_.output.empty()) settings_.output = scene().name + ".h5";
  recorder_options_ = {scene().output, settings_.force, settings_.resume == ResumeMode::kRelaxed};
}

std::string Run::find_wrong_outputs(const std::string& log_file) const {
  namespace fs = std::filesystem;
  const OutputPaths paths = output_paths(settings_.output);
  for (const std::string& written : {paths.final_path, paths.part_path, log_file}) {
    for (const std::string& input : input_files(loaded_)) {
      std::error_code none;  // a file that is not there yet is no input
      if (!written.empty() && fs::equivalent(written, input, none))
        return written + ": is an input of the run (" + input + "); it cannot be an output too";
    }
  }
  const auto place = [](const std::string& file) {
    std::error_code none;
    return fs::weakly_canonical(fs::absolute(file, none), none);
  };
  for (const std::string& written : {paths.final_path, paths.part_path}) {
    if (!log_file.empty() && place(written) == place(log_file))
      return log_file + ": is the output of the run; it cannot be the log file too";
  }
  return "";
}

void Run::find_checkpoint() {
  const std::string& output = settings_.output;
  const bool is_there = !find_resumable(output).empty();
  if (!is_there && settings_.resume == ResumeMode::kIfThere) return;
  recorder_options_.force = true;
  if (!is_there)
    throw InvalidResultError(output + ": no such file to resume from" + missing_file_hint(output));
  point_ = read_resume_point(output, loaded_.model, text_, recorder_options_);
  if (point_) require_later_end(scene(), *point_, output);
}

bool Run::is_complete() const {
  if (!point_ || point_->status != RunStatus::kComplete) return false;
  State last = point_->state;
  last.time = std::max(last.time, point_->last_time);
  return is_run_over(scene(), last);
}

void Run::make_recorder(const ResumePoint* point) {
  Provenance provenance =
      collect_provenance(settings_.argv, input_files(loaded_), settings_.threads, describe_blas());
  if (loaded_.file == kStandardInput) provenance.inputs.at(0).sha256 = sha256_hex(text_.source);
  const std::string& output = settings_.output;
  wait_on_signal();  // from here on there is a file, which has to end in order
  if (point != nullptr) {
    recorder_.emplace(output, scene(), loaded_.model, text_, provenance, recorder_options_, *point);
  } else {
    recorder_.emplace(output, scene(), loaded_.model, text_, provenance, recorder_options_);
  }
}

void Run::start(Stepper* stepper) {
  stepper->start(&loaded_.state);
  Warnings warnings;
  for (const Diagnostic& warning : loaded_.read.warnings)
    warnings.push_back({kSceneWarning, 0.0, warning.path + ": " + warning.message});
  for (const std::string& overlap :
       describe_deep_overlaps(loaded_.model, loaded_.state, stepper->contacts())) {
    log_warning(overlap);
    warnings.push_back({kStartWarning, 0.0, overlap});
  }
  if (integrator_kind(scene()).solves_contact && integrator_kind(scene()).has_constant_step)
    note_stiff_patches(loaded_.model, stepper->contacts(), scene().time.step);
  make_recorder(nullptr);
  recorder_->record_warnings(warnings);
}

void Run::go_on(Stepper* stepper) {
  const State& state = loaded_.state = point_->state;
  stepper->set_memory(point_->memory);
  if (!is_run_over(scene(), state)) point_->keep_frames(frames_on_grid(scene(), state));
  make_recorder(&*point_);
  log_info("resuming after step " + std::to_string(state.step) +
           (state.step == 0 ? ": there is no later checkpoint (output.checkpoint)" : ""));
}

/// Says that the run ends before its sequence does.
void note_phase(const Model& model, const SequenceState& sequence) {
  if (sequence.phase < 0 || sequence.is_over) return;
  const Phase& phase = model.phases[static_cast<std::size_t>(sequence.phase)];
  log_info("note: the run ends in phase '" + phase.name + "', " + std::to_string(sequence.phase + 1) +
           " of " + std::to_string(model.phases.size()) + ", which waits for " + phase.waits_for);
}

void Run::conclude(const Stepper& stepper, const Warnings& warnings, RunReport* report) {
  const EventTotals& events = recorder_->events();
  const bool failed = report->status == RunStatus::kFailed;
  const std::string spins = failed ? describe_fast_spins(loaded_.model, scene(), events) : "";
  if (!spins.empty()) report->message += "; before that, " + spins;
  recorder_->finish(report->status, exit_code_of(report->status), report->message, loaded_.state,
                    stepper.memory());
  if (failed) log_error(report->message);
  if (report->status == RunStatus::kComplete) note_phase(loaded_.model, loaded_.state.sequence);
  if (report->status == RunStatus::kInterrupted) log_warning(report->message);
  for (const Warning& warning : warnings)
    if (warning.text != spins) log_warning(warning.text);
  note_events(loaded_.model, events);
}

RunReport Run::execute() {
  const std::unique_ptr<Stepper> stepper = make_stepper(loaded_.model, scene(), settings_.threads);
  if (point_) {
    go_on(stepper.get());
  } else {
    start(stepper.get());
  }
  RunReport report;
  Warnings warnings;
  try {
    report = run_simulation(scene(), loaded_.model, stepper.get(), &loaded_.state, &*recorder_,
                            settings_.progress, settings_.wall_times);
    warnings =
        event_warnings(loaded_.model, scene(), loaded_.state, recorder_->events(), recorder_->rows().steps);
    recorder_->record_warnings(warnings);
  } catch (const IoError& error) {
    recorder_->finish(RunStatus::kFailed, kOutputFailed, error.what(), loaded_.state, stepper->memory());
    throw;
  } catch (const std::exception& error) {
    recorder_->finish(RunStatus::kFailed, kInternalError, error.what(), loaded_.state, stepper->memory());
    throw;
  }
  log_info("made " + std::to_string(report.steps) + (report.steps == 1 ? " step in " : " steps in ") +
           seconds_text(report.wall_seconds));
  conclude(*stepper, warnings, &report);
  return report;
}

}  // namespace csim
