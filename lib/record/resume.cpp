// Where a run resumes from.
#include <filesystem>

#include "record/checkpoint.h"
#include "record/recorder.h"
#include "record/static_part.h"

namespace csim {
namespace {

/// Whether the output's groups are those of the options.
bool same_groups(const hdf5::File& file, const RecorderOptions& options) {
  return file.exists("/contact") == options.contacts && file.exists("/patch") == options.patches &&
         file.exists("/stats/iteration") == options.iterations;
}

RunStatus status_of(const hdf5::File& file) {
  const std::string text = file.text_attribute("/", "status").at(0);
  for (const RunStatus status : {RunStatus::kComplete, RunStatus::kFailed, RunStatus::kInterrupted}) {
    if (text == to_string(status)) return status;
  }
  return RunStatus::kRunning;
}

}  // namespace

std::string find_resumable(const std::string& path) {
  const OutputPaths paths = output_paths(path);
  if (std::filesystem::exists(paths.part_path)) return paths.part_path;
  return std::filesystem::exists(paths.final_path) ? paths.final_path : "";
}

ResumePoint read_resume_point(const std::string& path, const Model& model, const SceneText& text,
                              const RecorderOptions& options) {
  const std::string name = find_resumable(path);
  if (name.empty()) throw InvalidResultError(path + ": there is nothing to resume from");
  const hdf5::File file = hdf5::File::open_read(name);
  if (!file.has_attribute("/", "csim_schema") ||
      file.text_attribute("/", "csim_schema").at(0) != "csim-result/1") {
    throw InvalidResultError(name + ": is no result file of the format csim-result/1");
  }
  if (checkpoint_identity(file) != text.identity) {
    throw InvalidResultError(
        name + ": comes from another scene; only time.end and output.checkpoint may differ to resume");
  }
  const std::optional<Checkpoint> checkpoint = read_checkpoint(file);
  if (!checkpoint) throw InvalidResultError(name + ": holds no checkpoint to resume from");
  const bool same_size = checkpoint->state.q.size() == model.nq && checkpoint->state.v.size() == model.nv;
  if (!same_size || !same_groups(file, options)) {
    throw InvalidResultError(name + ": holds another model or other output groups than this scene");
  }
  return {checkpoint->state, checkpoint->rows, status_of(file)};
}

}  // namespace csim
