// Commands for a shell.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// The word as a POSIX shell reads it back: as it is, or in single quotes.
[[nodiscard]] std::string shell_word(const std::string& word);

/// Words with spaces between them.
[[nodiscard]] std::string shell_command(const std::vector<std::string>& words);

}  // namespace csim
