// What makes a case: its complete scene and the files that this reads.
#pragma once

#include <functional>
#include <string>

#include "record/reader.h"
#include "run/load_scene.h"

namespace csim {

/// The text whose SHA-256 begins with a case's id: the resolved scene without its `name`, files named
/// relative to the scene's folder, and after it a line `# sha256 FILE DIGEST` for each file, in the scene's
/// order. `digest` gives the SHA-256 of a file by its absolute name.
[[nodiscard]] std::string identity_text(const LoadedScene& loaded,
                                        const std::function<std::string(const std::string&)>& digest);

/// Its two parts: the resolved scene as a tree, and the lines of the files.
[[nodiscard]] YamlNode identity_tree(const LoadedScene& loaded);
[[nodiscard]] std::string identity_files(const LoadedScene& loaded,
                                         const std::function<std::string(const std::string&)>& digest);

/// The same of the run that wrote a result, by what the result holds.
[[nodiscard]] std::string identity_text(const ResultFile& result);

/// Names what stands under the keys `file` with absolute names relative to `folder`.
void make_files_relative(YamlNode* node, const std::string& folder);

/// The first 12 hexadecimal digits of the SHA-256 of an identity text.
[[nodiscard]] std::string case_id(const std::string& identity);

}  // namespace csim
