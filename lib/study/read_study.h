// Study files: strict, with every problem at its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "study/study.h"

namespace csim {

/// Reads a study file and expands its `vary`. `arguments`, KEY=VALUE each, stand above its `set`. All
/// problems that the file and the arguments alone show are put into *diagnostics, in the order of their
/// places; then there is no study.
[[nodiscard]] std::optional<Study> read_study(const std::string& file,
                                              const std::vector<std::string>& arguments,
                                              Diagnostics* diagnostics);

/// The same for a text; `file` names it in messages and gives the folder of relative names.
[[nodiscard]] std::optional<Study> read_study_text(const std::string& text, const std::string& file,
                                                   const std::vector<std::string>& arguments,
                                                   Diagnostics* diagnostics);

}  // namespace csim
