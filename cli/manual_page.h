// The manual page of the program.
#pragma once

#include <string>

#include "cli/completion.h"

namespace csim::cli {

/// csim(1) for man: every command with its arguments, options and examples, from the same words as --help.
[[nodiscard]] std::string manual_page(const CommandWords& program, const std::string& version,
                                      const std::string& exit_codes);

}  // namespace csim::cli
