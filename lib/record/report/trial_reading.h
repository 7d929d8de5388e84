// A look at a file by a process that may be lost.
#pragma once

#include <string>

namespace csim {

/// Reads the structure of an HDF5 file, its attributes, and the first and last row of each dataset in a
/// process of its own. The HDF5 library trusts lengths and indices that a file holds: a damaged one can make
/// it crash, or never come to an end [1.10.8: texts of attributes, of which an object of the heap has size
/// 0]. Returns how it ended, "HDF5 crashed (Segmentation fault)" or "HDF5 did not come to an end"; "" where
/// it ended by itself, with an error or without one.
[[nodiscard]] std::string try_reading(const std::string& path);

}  // namespace csim
