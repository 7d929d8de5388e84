// Files that are there complete or not at all.
#pragma once

#include <string>
#include <string_view>

namespace csim {

/// Throws OutputExistsError when the place is taken and not `force`, IoError when it is a folder.
void check_output(const std::string& path, bool force);

/// Writes a file beside its place and renames it. Throws OutputExistsError when the place is taken and not
/// `force`, IoError with the system's reason when it cannot be written; then nothing is left behind.
void write_file(const std::string& path, std::string_view bytes, bool force);

}  // namespace csim
