// Writes one run's result file, format "csim-result/1" (schemas/results.md).
//
// While the run goes on the file is NAME.h5.part; it opens at any moment, after SIGKILL too, and then lacks
// at most the rows since the last flush: every table is flushed after 64 of its rows, and all of them when 5
// s of wall time have passed. An orderly end renames it to NAME.h5, whatever the outcome was. When rows reach
// the disk never changes what the finished file holds.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/errors.h"
#include "record/hdf5/output_lock.h"
#include "record/output_paths.h"
#include "record/provenance.h"
#include "record/warning.h"
#include "scene/scene.h"
#include "scene/yaml/yaml_document.h"
#include "solver/solver_memory.h"
#include "step/account/pair_sums.h"
#include "step/event.h"
#include "step/step_result.h"

namespace csim {

enum class RunStatus { kRunning, kComplete, kFailed, kInterrupted };

/// The root attribute's word: "running", "complete", "failed", "interrupted".
[[nodiscard]] const char* to_string(RunStatus status);

/// Its inverse; any other word is kRunning.
[[nodiscard]] RunStatus parse_run_status(const std::string& word);

/// The scene as text, stored verbatim.
struct SceneText {
  std::string source;    // the file as the user wrote it
  std::string resolved;  // complete: every default, every --set
  /// sha256 of the resolved text of the same scene with `time.end` = 0 and no `output.checkpoint`: a run
  /// resumes only under the same one, so that the end of a run may be moved and all else stays.
  std::string identity;
  std::string file_digests;  // sha256 of the files that the scene names, one after the other
};

/// SceneText::identity of a scene as of `resolved_tree`.
[[nodiscard]] std::string scene_identity(YamlNode resolved, const std::string& file_digests);

/// What the scene's `output` asks for (its groups are in the file or not), and `force`: replace an existing
/// result and an existing .part; `any_solver`: go on with a run of other keys of `solver`.
struct RecorderOptions : OutputSpec {
  bool force = false;
  bool any_solver = false;
};

/// How many rows each table holds.
struct RowCounts {
  /// /trajectory, /energy, /joint, /actuator; the row_offset of /contact, /patch, /pair have one more.
  long frames = 0;
  long steps = 0;       // /stats/step, /artefact; /stats/iteration/row_offset has one more
  long contacts = 0;    // /contact
  long iterations = 0;  // /stats/iteration
  long patches = 0;     // /patch; /patch/face_offset has one more
  long faces = 0;       // /patch/face; /patch/polygon/vertex_offset has one more
  long corners = 0;     // /patch/polygon
  long events = 0;      // /event
  long warnings = 0;    // /warning
  long pairs = 0;       // /pair
};

/// What a resumed run starts from.
struct ResumePoint {
  State state;
  SolverMemory memory;
  RowCounts rows;                          // the file's rows that belong to this state
  EventTotals events;                      // of these rows of /event
  PairSums pairs;                          // since its last row
  RunStatus status = RunStatus::kRunning;  // how the earlier run ended; kRunning: it was killed
  double last_time = 0.0;                  // s, of the file's last row: later than the state where the end
                                           // cut a step short
  /// Takes back a closing row off the grid of `output.period`, with its contacts: the sums of pairs go on.
  void keep_frames(long frames) {
    if (frames >= rows.frames) return;
    rows.frames = frames;
    pairs.recorded = false;
  }

  OutputLock lock;  // of the earlier file: two runs never go on with the same one
};

/// The file to resume from for the output NAME.h5: its .part (an unfinished run), else NAME.h5 itself; empty
/// when there is neither. `path` may be either name.
[[nodiscard]] std::string find_resumable(const std::string& path);

/// The last checkpoint of the output `path` (NAME.h5 or NAME.h5.part, see find_resumable); nothing when there
/// is no such file, or when the run was killed before its first checkpoint and so starts anew (with
/// options.force). Throws InvalidResultError, with the first key that differs, when the file comes from
/// another scene
/// (`text.identity`), another model size or other output options, or was laid out by another version of csim,
/// OutputBusyError when a run is still writing it, IoError when it cannot be read.
[[nodiscard]] std::optional<ResumePoint> read_resume_point(const std::string& path, const Model& model,
                                                           const SceneText& text,
                                                           const RecorderOptions& options);

class Recorder {
 public:
  /// Creates NAME.h5.part with everything that does not change during the run, and every table with zero
  /// rows. The model must outlive the recorder. Throws OutputExistsError when NAME.h5 or NAME.h5.part exists
  /// (unless options.force), OutputBusyError when another run is writing the latter, IoError when it cannot
  /// be written.
  Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
           const Provenance& provenance, const RecorderOptions& options);

  /// Goes on with the output of an earlier run from `point` (read_resume_point): the next rows follow the
  /// point's. The rows are copied to a new file
  /// that takes the old one's place when it is complete, so that a kill in between loses nothing. Throws
  /// InvalidResultError, with the first dataset that differs, when the earlier file was laid out by another
  /// version of csim.
  Recorder(const std::string& path, const Scene& scene, const Model& model, const SceneText& text,
           const Provenance& provenance, const RecorderOptions& options, const ResumePoint& point);

  ~Recorder();  // without finish() the file stays NAME.h5.part with status "running" and the rows of the last
                // flush
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Appends one row to the tables of frames, with its contacts. Sizes must be those of the model. Throws
  /// IoError.
  void record_frame(const Frame& frame);

  /// Appends one row to the tables of steps, with its iterations. Throws IoError.
  void record_step(const StepStatistics& statistics);

  /// Appends a row an event of the step that ends at `time` (s), failed ones included. Throws IoError.
  void record_events(double time, const std::vector<Event>& events);

  /// Appends a row a warning. A text beyond warning_length() is cut, with "..". Throws IoError.
  void record_warnings(const Warnings& warnings);

  /// Adds the pairs of a step to the sums that the next row of the tables of frames gets.
  void record_pairs(const PairList& pairs);

  /// Writes everything to disk and then the state, with the memory of the solvers, so that a run resumed from
  /// here goes on with the same bits. The runner calls it once before the first step, then at the
  /// `output.checkpoint` periods; finish() does it at the end. Throws IoError.
  void write_checkpoint(const State& state, const SolverMemory& memory);

  /// Writes the one that stays: later ones, that of finish() too, bring the rows to disk alone. For an end of
  /// the run that cuts a step short: a longer run goes on before that step, and its rows are not those of the
  /// longer run. Throws IoError.
  void write_last_checkpoint(const State& state, const SolverMemory& memory);

  /// After it, checkpoints are written again: of a run that fails on the cut steps, whose last one is to be
  /// the state before the step that failed.
  void reopen_checkpoints();

  /// Brings all rows to disk now.
  void flush();

  /// Ends the file: all rows, a checkpoint of `state`, the root attributes, the end time; renames
  /// NAME.h5.part to NAME.h5. After an IoError of an earlier call it saves what can be saved: the rows of the
  /// last flush and the attributes. Throws IoError when the file could not be ended.
  void finish(RunStatus status, int exit_code, const std::string& message, const State& state,
              const SolverMemory& memory);

  [[nodiscard]] RowCounts rows() const;
  /// All events of the run, those before it was resumed included.
  [[nodiscard]] const EventTotals& events() const;
  [[nodiscard]] const OutputPaths& paths() const;

 private:
  struct Impl;
  void make_file(const OutputPaths& paths, const Scene& scene, const Model& model, const SceneText& text,
                 const Provenance& provenance, const RecorderOptions& options, bool replace,
                 const std::function<void()>& fill);

  std::unique_ptr<Impl> impl_;
};

}  // namespace csim
