// The scene format in words of others: JSON Schema for editors, Markdown for readers.
#pragma once

#include <string>

#include "scene/format/fields.h"

namespace csim {

/// The JSON Schema (draft-07) of files whose keys are those of `root`, printed from its rows: types, bounds,
/// units, defaults and examples of every key, no other keys.
[[nodiscard]] std::string schema_json(const Section& root, const std::string& title);

/// That of scene files. What needs more than one place to judge (names that exist, files, inertias) is left
/// to `csim validate`.
[[nodiscard]] std::string scene_schema_json();

/// What a key means, for which values of the discriminator it is, what is not supported yet.
[[nodiscard]] std::string field_meaning(const Field& field);

/// Tables of the keys of a mapping and of all below it.
[[nodiscard]] std::string reference_markdown(const Section& root);

/// A page with a table of the keys of every mapping of a scene.
[[nodiscard]] std::string scene_reference_markdown();

}  // namespace csim
