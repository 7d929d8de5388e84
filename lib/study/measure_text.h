// A measure in one word of a command line, and as a column's title.
#pragma once

#include <optional>
#include <string>

#include "study/measure.h"

namespace csim {

/// DATASET[ITEM or A,B].COMPONENT@REDUCE:ARGUMENT:FROM:TO, of which all but the dataset may be missing:
/// "energy/total" (@final), "trajectory/position[box].x@max", "contact/normal_force[ground,box]@mean:0.5:1"
/// in the window from 0.5 to 1 s, "joint/position[j1]@crossing:0.2:0:1", "trajectory/q[box].3@at:0.5".
/// Nothing for other text; *fault says why. Whether a result has such a measure: check_measure.
[[nodiscard]] std::optional<MeasureSpec> parse_measure(const std::string& text, std::string* fault);

/// The word that reads back to the measure, the same for every way to write it in a study.
[[nodiscard]] std::string measure_text(const MeasureSpec& measure);

}  // namespace csim
