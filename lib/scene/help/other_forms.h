// Keys and values in the form of other tools, `halfextents: [0.1, 0.1, 0.1]` or `type: static`, and how this
// format says the same. Named in messages, never accepted.
#pragma once

#include <string>
#include <vector>

#include "scene/format/fields.h"

namespace csim {

/// What an unknown key of a section with its value means here, where it has the keys `known`; no hint: not
/// known.
struct OtherForm {
  std::string hint;   // " (did you mean ...?)"
  std::string meant;  // the key that stands for it in this section, or ""
};
[[nodiscard]] OtherForm other_form(const YamlEntry& entry, const Section& section,
                                   const std::vector<std::string>& known);

/// " (did you mean ...?)" for a value of another form than the key takes, such as a pose as three numbers, an
/// inertia with `ixx`; or "".
[[nodiscard]] std::string other_form_of_value(const Field& field, const YamlNode& value);

/// How to make tetrahedra of a surface file: the commands, for a message.
[[nodiscard]] std::string tetrahedra_of(const std::string& file);

}  // namespace csim
