// One value against its row of the table.
#pragma once

#include <string>

#include "scene/format/fields.h"
#include "scene/read/section_reader.h"

namespace csim {

/// Reports what is wrong with the value of a key (kind, type, bounds, not supported yet); true when nothing
/// is. Mappings and lists of mappings are checked for their kind only: their own readers look inside.
bool check_value(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink);

}  // namespace csim
