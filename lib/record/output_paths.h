// The two names of a result file: while a run writes it, and when it has ended.
#pragma once

#include <string>

namespace csim {

/// Names of the files of an output given as NAME.h5 or NAME.h5.part.
struct OutputPaths {
  std::string final_path;  // NAME.h5
  std::string part_path;   // NAME.h5.part
};
[[nodiscard]] OutputPaths output_paths(const std::string& path);

/// Gives a file that a run ended and did not rename, as it was killed in between, its name: NAME.h5.part
/// becomes NAME.h5, over an older one. Nothing when there is no such file. Throws IoError.
void finish_renaming(const std::string& path);

/// Moves `from` to `to`. Throws OutputExistsError where `to` exists and not `replace`, else IoError.
void move_file(const std::string& from, const std::string& to, bool replace);

}  // namespace csim
