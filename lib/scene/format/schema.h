// The scene format in words of others: JSON Schema for editors, Markdown for readers.
#pragma once

#include <string>

namespace csim {

/// The JSON Schema (draft-07) of scene files, printed from the field table: types, bounds, units, defaults
/// and examples of every key, no other keys. What needs more than one place to judge (names that exist,
/// files, inertias) is left to `csim validate`.
[[nodiscard]] std::string scene_schema_json();

/// A page with a table of the keys of every mapping.
[[nodiscard]] std::string scene_reference_markdown();

}  // namespace csim
