// What messages say of a file or folder that is not there.
#pragma once

#include <filesystem>
#include <string>

namespace csim {

/// What of the folder of `path` is not there, its topmost part: "no such folder 'result' (did you mean
/// 'results'?)", or "'ball.h5' is a file, expected a folder"; "" when the folder is there, or cannot be told.
/// A relative path begins at `base`, or in the current folder.
[[nodiscard]] std::string missing_folder(const std::filesystem::path& path,
                                         const std::filesystem::path& base = {});

/// What goes on the words "no such file" of `path`: " (did you mean 'ball.yaml'?)" of the files beside it,
/// ": no such folder 'scene' (did you mean 'scenes'?)", or "".
[[nodiscard]] std::string missing_file_hint(const std::filesystem::path& path,
                                            const std::filesystem::path& base = {});

}  // namespace csim
