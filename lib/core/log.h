// Messages for the person who runs the program: to stderr, and to a log file when asked. Data never go
// through here.
#pragma once

#include <string>
#include <string_view>

namespace csim {

enum class LogLevel { kError, kWarning, kInfo, kDebug };

/// Chooses what is shown on stderr and, with a non-empty path, opens a log file that receives everything
/// (with times, without colour): at the end of one that is there, or anew. Throws std::runtime_error when the
/// file cannot be opened.
void configure_log(LogLevel level, const std::string& file, bool anew);

/// Writes out what is held back; what went wrong with a message since the start, or "".
std::string log_failure();

void log_error(std::string_view text);
void log_warning(std::string_view text);
void log_info(std::string_view text);

}  // namespace csim
