// Where a run resumes from.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/sha256.h"
#include "record/checkpoint.h"
#include "record/reader.h"
#include "record/recorder.h"
#include "record/same_layout.h"
#include "record/tables.h"
#include "scene/scene_difference.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

/// Whether the output's groups are those of the options.
bool same_groups(const ResultFile& result, const RecorderOptions& options) {
  return result.file().exists("/contact") == options.contacts &&
         result.file().exists("/patch") == (options.patches != PatchOutput::kNone) &&
         result.file().exists("/patch/face") == (options.patches == PatchOutput::kFull) &&
         result.file().exists("/stats/iteration") == options.iterations &&
         result.file().exists("/gradient") == options.gradients;
}

bool may_differ(const std::string& path) {
  return path == "time.end" || path == "output.checkpoint";
}
bool may_differ_relaxed(const std::string& path) {
  return path == "solver" || may_differ(path);
}

/// The inputs after the scene, ": " before them, that have other bytes than the run read, as far as they are
/// found by the names of then.
std::string changed_files(const Provenance& by) {
  std::string names;
  for (std::size_t i = 1; i < by.inputs.size(); ++i) {
    const std::optional<std::string> now = sha256_of_file(by.inputs[i].path);
    if (now && *now != by.inputs[i].sha256) names += (names.empty() ? ": " : ", ") + by.inputs[i].path;
  }
  return names;
}

/// What makes the scene of a result another one; "" when it is the same.
std::string other_scene(const ResultFile& result, const SceneText& text, bool any_solver) {
  const std::string theirs = result.text("/scene/resolved"), identity = checkpoint_identity(result.file());
  if (identity == text.identity) return "";
  const std::string first =
      first_difference(theirs, text.resolved, any_solver ? may_differ_relaxed : may_differ);
  if (any_solver && first.empty() && identity == scene_identity(parse_yaml(theirs).root, text.file_digests))
    return "";
  if (first.empty()) {
    return "a file of the scene holds other bytes than the run began with" +
           changed_files(result.provenance()) +
           "; put the first ones back to resume, or start the run anew with --force";
  }
  return "another scene: " + first + "; only time.end and output.checkpoint may differ to resume" +
         (any_solver ? ", and keys of solver with --resume=relax" : "");
}

/// The first `count` rows of /event.
EventTotals read_events(const ResultFile& result, const Model& model, long count) {
  EventTotals totals;
  const auto times = result.real("/event/time", 0, count), values = result.real("/event/value", 0, count);
  const auto kinds = result.texts("/event/kind"), a = result.texts("/event/subject_a"),
             b = result.texts("/event/subject_b");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::optional<EventKind> kind = parse_event_kind(kinds.at(i));
    if (!kind) throw ReadError(result.path() + ": is damaged: /event/kind holds \"" + kinds[i] + "\"");
    totals.add({*kind, find_subject(model, *kind, a.at(i)), find_subject(model, *kind, b.at(i)), values[i]},
               times[i]);
  }
  return totals;
}

/// Rows of /warning before the first step: the others follow from /event, at the end of a run.
long num_start_warnings(const ResultFile& result) {
  const std::vector<std::string> kinds = result.texts("/warning/kind");
  return std::find_if_not(kinds.begin(), kinds.end(), is_of_start) - kinds.begin();
}

std::optional<ResumePoint> read_point(const std::string& name, const Model& model, const SceneText& text,
                                      const RecorderOptions& options) {
  OutputLock lock = OutputLock::when_free(name);
  const ResultFile result(name);
  if (const std::string what = other_layout(result.file()); !what.empty())
    throw another_version(name, result.provenance(), what);
  if (const std::string what = other_scene(result, text, options.any_solver); !what.empty())
    throw InvalidResultError(name + ": " + what);
  if (!same_groups(result, options))
    throw InvalidResultError(name + ": holds other groups than this scene's output asks for");
  std::optional<Checkpoint> checkpoint = read_checkpoint(result.file());
  if (!checkpoint) return std::nullopt;
  if (checkpoint->state.q.size() != model.nq || checkpoint->state.v.size() != model.nv) {
    throw InvalidResultError(name + ": holds a state of another model");
  }
  checkpoint->rows.warnings = num_start_warnings(result);
  // The rows of faces and corners follow from those of patches.
  for (const Table table : {Table::kFrames, Table::kSteps, Table::kContacts, Table::kIterations,
                            Table::kPatches, Table::kEvents}) {
    if (table_rows(checkpoint->rows, table) > table_rows(result.rows(), table))
      throw ReadError(name + ": rows before its last checkpoint are missing");
  }
  const long frames = result.rows().frames;
  const double last_time = frames > 0 ? result.real("/trajectory/time", frames - 1, 1).front() : 0.0;
  return ResumePoint{checkpoint->state, checkpoint->memory,
                     checkpoint->rows,  read_events(result, model, checkpoint->rows.events),
                     checkpoint->pairs, result.status(),
                     last_time,         std::move(lock)};
}

}  // namespace

std::string scene_identity(YamlNode resolved, const std::string& file_digests) {
  // A run may go on to another end, with other checkpoints.
  *resolved.find("time")->find("end") = yaml_number(0.0);
  *resolved.find("output")->find("checkpoint") = yaml_word("none");
  // Files count by their bytes: a run does not go on with another shape.
  return sha256_hex(write_yaml(resolved) + file_digests);
}

std::string find_resumable(const std::string& path) {
  const OutputPaths paths = output_paths(path);
  if (std::filesystem::exists(paths.part_path)) return paths.part_path;
  return std::filesystem::exists(paths.final_path) ? paths.final_path : "";
}

std::optional<ResumePoint> read_resume_point(const std::string& path, const Model& model,
                                             const SceneText& text, const RecorderOptions& options) {
  const std::string name = find_resumable(path);
  if (name.empty()) return std::nullopt;
  return reading(name, [&] { return read_point(name, model, text, options); });
}

}  // namespace csim
