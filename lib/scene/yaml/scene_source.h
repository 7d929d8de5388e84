// What a scene was read from: the file, the command-line overrides, and the tree with the place of every key.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/diagnostics.h"
#include "core/source_lines.h"
#include "scene/yaml/yaml_document.h"

namespace csim {

class SceneSource {
 public:
  SceneSource() = default;
  /// `file` is the name for messages, `text` its content.
  SceneSource(std::string file, std::string text);

  /// Registers the override "KEY=VALUE"; returns its number for Mark::source.
  int add_override(const std::string& argument);

  /// Adds a text that the scene takes in, a robot's file, under its name in messages; returns its number for
  /// Mark::source.
  int add_text(const std::string& name, const std::string& text);
  /// What stands at a place of such a text is called `path` ("robot/link[foot]/inertial") in messages.
  void name_place(const Mark& mark, const std::string& path);

  /// A problem at a place, with its file name and source line.
  [[nodiscard]] Diagnostic at(const Mark& mark, const std::string& path, const std::string& message) const;

  /// The line of a place.
  [[nodiscard]] const std::string& line(const Mark& mark) const;

  /// A problem that is known by its key path only: at the value of the key, or of its nearest parent that
  /// stands in the scene.
  [[nodiscard]] Diagnostic locate(const Problem& problem) const;
  [[nodiscard]] Diagnostics locate(const Problems& problems) const;

  /// The file's text, verbatim.
  [[nodiscard]] const std::string& text() const { return text_; }

  YamlNode root;  // with the overrides applied

 private:
  struct Text {
    std::string name;
    SourceLines lines;
  };
  std::string text_;
  std::vector<Text> texts_;
  std::map<std::tuple<int, int, int>, std::string> place_names_;  // by source, line, column
};

/// The element of a list that a path calls `key`: by the name it gives itself, by `geometry_<i>` where it
/// gives none, or by its index. nullptr if there is none.
[[nodiscard]] const YamlNode* find_element(const YamlNode& list, std::string_view key);

/// The element that the keys from *i on name: names of a model's items may hold dots. *i becomes the last key
/// of the name.
[[nodiscard]] const YamlNode* find_element(const YamlNode& list, const std::vector<std::string>& keys,
                                           size_t* i);

/// The value of a key, by its path as in --set; nullptr and *fault ("the scene has no 'x' there (did you mean
/// ..)") where there is none.
[[nodiscard]] const YamlNode* find_value(const YamlNode& root, std::string_view path, std::string* fault);

/// The path of the element `index` of the list at `path`: by name where it has one, else by index.
[[nodiscard]] std::string element_path(const std::string& path, const YamlNode& element, size_t index);

/// The path with dots alone: "a[0].b" -> "a.0.b".
[[nodiscard]] std::string plain_path(std::string_view path);

/// "a.b.c" -> {"a", "b", "c"}.
[[nodiscard]] std::vector<std::string> split_path(std::string_view path);

}  // namespace csim
