// One value against its row of the table.
#pragma once

#include <string>

#include "scene/format/fields.h"
#include "scene/read/section_reader.h"

namespace csim {

/// Reports what is wrong with the value of a key (kind, type, bounds, not supported yet); true when nothing
/// is. Mappings and lists of mappings are checked for their kind only: their own readers look inside.
bool check_value(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink);

/// The default of a row as a node, or nullptr where the row has none.
[[nodiscard]] const YamlNode* default_node(const Field& field);

}  // namespace csim
