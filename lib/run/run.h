// A run: a scene, stepped to its end into a result file, from the start or from an earlier run's checkpoint.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/load_scene.h"
#include "run/run_loop.h"

namespace csim {

/// How a run begins: anew; from the checkpoint in its output; from it where there is an output; from it with
/// other keys of `solver`.
enum class ResumeMode { kNo, kYes, kIfThere, kRelaxed };

/// What is asked of a run beside its scene.
struct RunSettings {
  std::string output;  // empty: the scene's name with .h5 in the current folder
  int threads = 1;
  ResumeMode resume = ResumeMode::kNo;
  bool force = false;    // overwrite an existing output
  WallTimes wall_times;  // checkpoints where the scene asks for none
  ProgressStyle progress = ProgressStyle::kNone;
  std::vector<std::string> argv;  // for the provenance
};

class Run {
 public:
  Run(LoadedScene loaded, RunSettings settings);

  [[nodiscard]] const LoadedScene& loaded() const { return loaded_; }
  [[nodiscard]] const Scene& scene() const { return loaded_.read.scene; }
  [[nodiscard]] const std::string& output() const { return settings_.output; }
  /// Where the result is when the run has ended in any orderly way.
  [[nodiscard]] std::string result_path() const { return output_paths(settings_.output).final_path; }

  /// What is wrong when the output, its .part or the log would be written over a file that the run reads, or
  /// the log over the output; "" for nothing.
  [[nodiscard]] std::string find_wrong_outputs(const std::string& log_file) const;

  /// Of a run that resumes, before execute(): finds the checkpoint to go on from. Without one (killed before
  /// its first step; no file with kIfThere) the run starts anew. Throws InvalidResultError: no file, one of
  /// another scene, one that goes beyond the end.
  void find_checkpoint();

  /// Whether the output that find_checkpoint() found holds all of the run.
  [[nodiscard]] bool is_complete() const;

  /// Of such an output: gives it its name where the earlier run was killed before it could. Throws IoError.
  void finish_output() { finish_renaming(settings_.output); }

  /// Steps to the end, a failure or a signal, and ends the file. Remarks go to the log. Throws what the
  /// recorder throws, after the file is ended as far as it can be; TooManyThreadsError before there is one.
  RunReport execute();

 private:
  void start(Stepper* stepper);
  void go_on(Stepper* stepper);
  void conclude(const Stepper& stepper, const Warnings& warnings, RunReport* report);
  void make_recorder(const ResumePoint* point);

  LoadedScene loaded_;
  RunSettings settings_;
  SceneText text_;
  RecorderOptions recorder_options_;
  std::optional<ResumePoint> point_;
  std::optional<Recorder> recorder_;
};

/// The texts that the result file keeps, and the scene's identity for a resumption: everything but the end
/// and the checkpoints, meshes by their bytes.
[[nodiscard]] SceneText scene_text(const LoadedScene& loaded);

}  // namespace csim
