// The group /checkpoint: the state a run resumes from, in two slots of fixed place, so that a kill while one
// is written leaves the other.
#pragma once

#include <optional>
#include <string>

#include "model/model.h"
#include "record/hdf5/hdf5_file.h"
#include "record/recorder.h"

namespace csim {

/// Creates the group with both slots empty. `identity`: SceneText::identity.
void create_checkpoint(hdf5::File* file, const Model& model, const std::string& identity);

/// Writes a state, with the memory of the solvers and the sums of pairs since the last row, into slot 0 or 1.
/// The rows it counts must be on disk already. A checksum over all numbers of the slot makes it valid, so
/// that a half-written slot is none.
void write_checkpoint_slot(hdf5::File* file, int slot, const State& state, const SolverMemory& memory,
                           const PairSums& pairs, const RowCounts& rows);

/// What of the group is not laid out as this program writes it: a dataset that is missing or has another
/// number of entries; "" when nothing is.
[[nodiscard]] std::string other_layout(const hdf5::File& file);

struct Checkpoint {
  State state;
  SolverMemory memory;
  PairSums pairs;
  RowCounts rows;
};

/// The valid slot of the latest step; nothing when no slot is valid. The group has this program's layout.
[[nodiscard]] std::optional<Checkpoint> read_checkpoint(const hdf5::File& file);

/// SceneText::identity of the run that wrote the file.
[[nodiscard]] std::string checkpoint_identity(const hdf5::File& file);

}  // namespace csim
