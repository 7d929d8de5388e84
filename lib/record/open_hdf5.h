// Opens an HDF5 file that others have written, or that may be damaged.
#pragma once

#include <string>

#include "record/hdf5/hdf5_file.h"

namespace csim {

/// Throws InvalidResultError for a file that is missing, empty, may not be read or is not HDF5, ReadError for
/// one whose structure cannot be read.
[[nodiscard]] hdf5::File open_hdf5(const std::string& path);

/// The attribute `csim_schema` of the root, "csim-result/1"; "" where there is none.
[[nodiscard]] std::string format_of(const hdf5::File& file);

}  // namespace csim
