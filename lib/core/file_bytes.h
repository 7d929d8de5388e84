// Whole files, and what their names say of them.
#pragma once

#include <string>

namespace csim {

/// What follows the last dot of a file's name, in lower case; empty without a dot.
[[nodiscard]] std::string lower_extension(const std::string& file);

/// "cannot be opened: ", the reason that errno gives, and which file may be meant where there is none.
[[nodiscard]] std::string describe_open_failure(const std::string& file);

/// The content of a file. Returns what is wrong, without the file's name, or an empty string; an empty file
/// and a folder are wrong.
[[nodiscard]] std::string read_file_bytes(const std::string& file, std::string* bytes);

/// Whether content begins as that of an HDF5 file.
[[nodiscard]] bool is_hdf5(const std::string& bytes);

}  // namespace csim
