// Problems of the user's input, collected (never thrown one by one) and printed like a compiler's.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// One problem at a key of the scene. `path` is the key path as contract spells it:
/// `bodies.ball.geometry.shell.radius`, `materials.steel.friction`; list elements by name where they have
/// one, else by index.
struct Problem {
  std::string path;
  std::string message;  // what was found, what is expected
};

using Problems = std::vector<Problem>;

/// A problem with its place in what the user wrote.
struct Diagnostic {
  std::string file;  // as the user named it; "--set KEY" for a command-line override
  int line = 1;      // 1-based
  int column = 1;    // 1-based, in characters
  std::string path;  // key path, "" for the whole scene
  std::string message;
  std::string source_line;  // what of that line is shown (source_lines.h), "" where there is none
  int first_column = 1;     // of source_line
};

using Diagnostics = std::vector<Diagnostic>;

enum class Severity { kError, kWarning };

/// `FILE:LINE:COLUMN: error: KEYPATH: message` (or `warning`) of each, followed by the source line and a
/// caret under the place. The empty path is printed as "scene".
[[nodiscard]] std::string format_diagnostics(const Diagnostics& diagnostics,
                                             Severity severity = Severity::kError);

/// `FILE:LINE:COLUMN: KEYPATH: message`, a line for the log.
[[nodiscard]] std::string format_line(const Diagnostic& diagnostic);

/// All of them as a JSON array of {file, line, column, path, message}.
[[nodiscard]] std::string diagnostics_json(const Diagnostics& diagnostics);

}  // namespace csim
