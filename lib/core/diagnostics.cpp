#include "core/diagnostics.h"

#include "core/json_writer.h"
#include "core/source_lines.h"

namespace csim {
namespace {

/// The source line and the caret line below it, in which tabs are kept.
std::string excerpt(const Diagnostic& diagnostic) {
  if (diagnostic.source_line.empty()) return "";
  std::string below;
  std::size_t byte = 0;
  for (int column = diagnostic.first_column; column < diagnostic.column; ++column) {
    below += byte < diagnostic.source_line.size() && diagnostic.source_line[byte] == '\t' ? '\t' : ' ';
    byte = next_character(diagnostic.source_line, byte);
  }
  return diagnostic.source_line + "\n" + below + "^\n";
}

std::string place(const Diagnostic& d) {
  return d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": ";
}

std::string what(const Diagnostic& d) {
  return (d.path.empty() ? "scene" : d.path) + ": " + d.message;
}

}  // namespace

std::string format_diagnostics(const Diagnostics& diagnostics, Severity severity) {
  const std::string word = severity == Severity::kError ? "error" : "warning";
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    text += place(d) + word + ": " + what(d) + "\n" + excerpt(d);
  }
  return text;
}

std::string format_line(const Diagnostic& diagnostic) {
  return place(diagnostic) + what(diagnostic);
}

std::string diagnostics_json(const Diagnostics& diagnostics) {
  JsonWriter json;
  json.begin_array();
  for (const Diagnostic& d : diagnostics) {
    json.begin_object().member("file", d.file, "line", d.line, "column", d.column);
    json.member("path", d.path, "message", d.message).end_object();
  }
  json.end_array();
  return json.text();
}

}  // namespace csim
