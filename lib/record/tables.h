// The tables of a result file: which datasets grow during a run, their element types, shapes and units, and
// where their rows come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "record/hdf5/hdf5_file.h"
#include "record/recorder.h"
#include "scene/scene.h"
#include "step/step_result.h"

namespace csim {

/// Frames, steps, events and warnings have rows of their own; the others are ragged, and stand after their
/// owners.
enum class Table {
  kFrames,
  kSteps,
  kEvents,
  kWarnings,
  kContacts,
  kIterations,
  kPatches,
  kFaces,
  kCorners,
  kPairs
};
inline constexpr int kNumTables = 10;

/// A table whose rows belong to the rows of another one: its group in the file, the dataset that counts the
/// rows of each owner (one row more than owners: the 0 at the start), and the table of the owners.
struct RaggedTable {
  Table table;
  const char *group, *offsets;
  Table owner;
};
inline constexpr RaggedTable kRaggedTables[] = {
    {Table::kContacts, "/contact", "/contact/row_offset", Table::kFrames},
    {Table::kIterations, "/stats/iteration", "/stats/iteration/row_offset", Table::kSteps},
    {Table::kPairs, "/pair", "/pair/row_offset", Table::kFrames},
    {Table::kPatches, "/patch", "/patch/row_offset", Table::kFrames},
    {Table::kFaces, "/patch/face", "/patch/face_offset", Table::kPatches},
    {Table::kCorners, "/patch/polygon", "/patch/polygon/vertex_offset", Table::kFaces},
};

/// Where a dataset's rows belong, by its path alone, so that a reader knows it too.
struct TablePlace {
  Table table = Table::kFrames;
  bool is_offset = false;  // it has the one row more
};
/// Nothing when `path` names no growing dataset of the format.
[[nodiscard]] std::optional<TablePlace> find_table(const std::string& path);

/// Rows of one table.
[[nodiscard]] long& table_rows(RowCounts* rows, Table table);
[[nodiscard]] long table_rows(const RowCounts& rows, Table table);

/// What rows are taken from: what was handed to the recorder last, and what follows from it.
struct RowSource {
  const Frame* frame = nullptr;
  const ContactRows* contacts = nullptr;  // of the frame
  const PatchRows* patches = nullptr;     // of the frame
  const StepStatistics* step = nullptr;
  const PairSum* pair = nullptr;
  RowCounts rows;                        // after what was appended last: the ends of ragged rows
  std::vector<double> quaternion;        // [B,4], (w,x,y,z)
  std::vector<std::int64_t> face_end;    // [patches of the frame] in the table of faces
  std::vector<std::int64_t> corner_end;  // [faces of the frame] in the table of corners
  double event_time = 0.0, event_value = 0.0, warning_time = 0.0;
  // As they are stored, padded with zeros.
  std::string event_kind, subject_a, subject_b, warning_kind, warning_text;
};

/// One growing dataset.
struct ColumnSpec {
  std::string path;
  TablePlace place;
  hdf5::Type type = hdf5::Type::kReal;
  std::vector<long> row_shape;
  std::vector<std::string> units;              // one for all entries, or one per entry of a row
  const void* (*data)(const RowSource&) = {};  // `row_shape` packed entries (of each contact …)
  std::size_t text_length = 0;                 // bytes, of kText
};

/// Bytes of /warning/text: what `run` says of events, with two names of `subject_length` bytes.
[[nodiscard]] constexpr std::size_t warning_length(std::size_t subject_length) {
  return 640 + 2 * subject_length;
}

/// The columns of all tables that `output` asks for. `subject_length`: bytes of the longest name of an
/// event's subject.
[[nodiscard]] std::vector<ColumnSpec> table_columns(const Scene& scene, const Model& model,
                                                    const OutputSpec& output, std::size_t subject_length);

/// Tables that are flushed together: frames, steps or events, with the ragged rows that these own.
[[nodiscard]] Table owner_of(Table table);

inline constexpr long kRowsPerFlush = 64;  // rows of an owner that may be in memory alone

/// Rows of a chunk: as many as are flushed at a time, fewer where rows are huge. Warnings are few and long:
/// one a chunk, which is then compressed.
[[nodiscard]] long chunk_rows(const ColumnSpec& spec);

/// Bytes of a row of a column.
[[nodiscard]] std::size_t row_bytes(const ColumnSpec& spec);

/// Bytes that so many rows take in a file at most, in whole chunks that are not compressed, with the indices
/// of the chunks.
[[nodiscard]] double bytes_of_rows(const std::vector<ColumnSpec>& columns, const RowCounts& rows);

/// Units of the coordinates of a joint: (positions, velocities, efforts), one per coordinate.
struct JointUnits {
  std::vector<std::string> position, velocity, effort;
};
[[nodiscard]] JointUnits joint_units(JointType type);

/// Units of State::q and v: the bodies' own joints, in order.
[[nodiscard]] JointUnits state_units(const Model& model);

/// Wall-clock measurements: they differ from run to run, and neither diff nor "the same bits" look at them.
[[nodiscard]] bool is_timing(const std::string& path);

}  // namespace csim
