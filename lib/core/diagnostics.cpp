#include "core/diagnostics.h"

#include <algorithm>

#include "core/json_writer.h"

namespace csim {
namespace {

constexpr size_t kWidestLine = 160;  // characters of a source line that are shown

/// Splits UTF-8 text into characters, so that a caret stands under the right one.
std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> result;
  for (char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (continues && !result.empty()) {
      result.back() += c;
    } else {
      result.emplace_back(1, c);
    }
  }
  return result;
}

/// The source line and the caret line below it.
std::string excerpt(const Diagnostic& diagnostic) {
  if (diagnostic.source_line.empty()) return "";
  const std::vector<std::string> letters = characters(diagnostic.source_line);
  const size_t caret = static_cast<size_t>(diagnostic.column - 1);
  size_t begin = 0, end = letters.size();
  if (letters.size() > kWidestLine) {
    begin = caret > kWidestLine / 2 ? caret - kWidestLine / 2 : 0;
    end = std::min(letters.size(), begin + kWidestLine);
  }
  std::string line = begin > 0 ? "…" : "", below = begin > 0 ? " " : "";
  for (size_t i = begin; i < end; ++i) line += letters[i];
  for (size_t i = begin; i < caret; ++i) below += i < letters.size() && letters[i] == "\t" ? "\t" : " ";
  if (end < letters.size()) line += "…";
  return line + "\n" + below + "^\n";
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
