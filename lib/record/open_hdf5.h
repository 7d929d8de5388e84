// Opens an HDF5 file that others have written, or that may be damaged.
#pragma once

#include <string>

#include "record/hdf5/hdf5_file.h"

namespace csim {

/// Whether a file is first read by a process that may be lost (report/trial_reading.h). That takes some
/// 20 ms, and is not needed for a file that this process has tried before, or whose writer has just said that
/// it is whole.
enum class Trial { kFirst, kNone };

/// Throws InvalidResultError for a file that is missing, empty, may not be read or is not HDF5, ReadError for
/// one whose structure cannot be read.
[[nodiscard]] hdf5::File open_hdf5(const std::string& path, Trial trial = Trial::kFirst);

/// The attribute `csim_schema` of the root, "csim-result/1"; "" where there is none.
[[nodiscard]] std::string format_of(const hdf5::File& file);

}  // namespace csim
