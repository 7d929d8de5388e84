// The tables of a result file: which datasets grow during a run, their element types, shapes and units, and
// where their rows come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/hdf5/hdf5_file.h"
#include "record/recorder.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim {

enum class Table { kFrames, kSteps, kContacts, kIterations, kPatches, kFaces, kCorners, kEvents };
inline constexpr Table kAllTables[] = {Table::kFrames,  Table::kSteps, Table::kContacts, Table::kIterations,
                                       Table::kPatches, Table::kFaces, Table::kCorners,  Table::kEvents};

/// One growing dataset. Offsets of ragged tables have one row more than their table: the 0 at the start.
struct ColumnSpec {
  std::string path;
  hdf5::Type type = hdf5::Type::kReal;
  std::vector<long> row_shape;
  std::vector<std::string> units;  // one for all entries, or one per entry of a row
  bool is_offset = false;
  std::size_t text_length = 0;  // bytes, of kText
};

/// A dataset and how a row of it is read from what the run hands over: a pointer to `row_shape` packed
/// entries (one such row per contact …).
template <typename Source>
struct BoundColumn {
  ColumnSpec spec;
  const void* (*data)(const Source&);
};

/// What a row of the frames' table is taken from.
struct FrameSource {
  const Frame* frame = nullptr;
  std::vector<double> quaternion;  // [B,4], (w,x,y,z)
  std::int64_t contact_end = 0;    // rows of /contact after this frame
  std::int64_t patch_end = 0;      // rows of /patch after this frame
};

/// What the patches' tables are taken from: one frame's rows, and their ends in the tables of faces and
/// corners.
struct PatchSource {
  const PatchRows* rows = nullptr;
  std::vector<std::int64_t> face_end;    // [patches]
  std::vector<std::int64_t> corner_end;  // [faces]
};

/// What a row of the steps' table is taken from.
struct StepSource {
  const StepStatistics* step = nullptr;
  std::int64_t num_contacts = 0, num_constraints = 0, num_faces = 0, num_patches = 0, factor_nonzeros = 0;
  std::int32_t status = 0;
  std::int64_t iteration_end = 0;  // rows of /stats/iteration after this step
};

/// What a row of the events' table is taken from: its texts as they are stored, padded with zeros.
struct EventSource {
  double time = 0.0, value = 0.0;
  std::string kind, subject_a, subject_b;
};

[[nodiscard]] std::vector<BoundColumn<FrameSource>> frame_columns(const Scene& scene, const Model& model,
                                                                  bool contacts, bool patches);
[[nodiscard]] std::vector<BoundColumn<StepSource>> step_columns(bool iterations);
[[nodiscard]] std::vector<BoundColumn<ContactRows>> contact_columns();
[[nodiscard]] std::vector<BoundColumn<StepStatistics>> iteration_columns();
[[nodiscard]] std::vector<BoundColumn<PatchSource>> patch_columns(bool faces);
[[nodiscard]] std::vector<BoundColumn<PatchSource>> face_columns();
[[nodiscard]] std::vector<BoundColumn<PatchSource>> corner_columns();

/// `subject_length`: bytes of the longest name of a subject.
[[nodiscard]] std::vector<BoundColumn<EventSource>> event_columns(std::size_t subject_length);

/// Units of the coordinates of a joint: (positions, velocities, efforts), one per coordinate.
struct JointUnits {
  std::vector<std::string> position, velocity, effort;
};
[[nodiscard]] JointUnits joint_units(JointType type);

/// Units of State::q and v: the bodies' own joints, in order.
struct StateUnits {
  std::vector<std::string> q, v;
};
[[nodiscard]] StateUnits state_units(const Model& model);

/// The table a dataset's rows belong to, and whether it has the one row more; by path alone, so that a reader
/// knows it too.
struct TablePlace {
  Table table = Table::kFrames;
  bool is_offset = false;
};
/// False when `path` names no growing dataset of the format.
[[nodiscard]] bool find_table(const std::string& path, TablePlace* place);

/// Rows of one table.
[[nodiscard]] long table_rows(const RowCounts& rows, Table table);

/// Wall-clock measurements: they differ from run to run, and neither diff nor "the same bits" look at them.
[[nodiscard]] bool is_timing(const std::string& path);

}  // namespace csim
