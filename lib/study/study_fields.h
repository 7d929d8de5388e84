// The table of the study format: every key with its type, bounds, default and meaning.
#pragma once

#include <string>

#include "scene/format/fields.h"

namespace csim {

/// The whole study file.
[[nodiscard]] const Section& study_section();

// The sections that the study's own reader enters by itself.
[[nodiscard]] const Section& sample_section();
[[nodiscard]] const Section& reference_section();
[[nodiscard]] const Section& expression_section();
[[nodiscard]] const Section& fit_key_section();

/// The JSON Schema (draft-07) of study files.
[[nodiscard]] std::string study_schema_json();

/// A page with a table of the keys of every mapping of a study.
[[nodiscard]] std::string study_reference_markdown();

}  // namespace csim
