// Writes trees of YamlNode as YAML.
#pragma once

#include <string>

#include "core/types.h"
#include "scene/yaml/yaml_document.h"

namespace csim {

/// Block style, with whatever fits on a line of 100 characters in flow style; text is quoted where another
/// reading is possible. What is written reads back to the same tree.
[[nodiscard]] std::string write_yaml(const YamlNode& node);

/// The same on one line, without its end.
[[nodiscard]] std::string write_flow(const YamlNode& node);

/// The text of a tree in which some scalars change, without writing the rest again.
class YamlForm {
 public:
  /// `places`: plain scalars in the tree of *root, a mapping; they lose their text.
  YamlForm(YamlNode* root, const std::vector<YamlNode*>& places);
  YamlForm(YamlForm&&) noexcept;
  YamlForm& operator=(YamlForm&&) noexcept;
  ~YamlForm();

  /// What write_yaml makes of the tree with these texts in the places.
  [[nodiscard]] std::string text(const std::vector<std::string>& values) const;

 private:
  struct Part;
  class Maker;
  std::vector<Part> parts_;
};

// Nodes from values.
[[nodiscard]] YamlNode yaml_number(double value);
[[nodiscard]] YamlNode yaml_word(const std::string& word);  // true, auto, rigid: plain
[[nodiscard]] YamlNode yaml_text(const std::string& text);
[[nodiscard]] YamlNode yaml_list(std::vector<YamlNode> items = {});
[[nodiscard]] YamlNode yaml_numbers(const std::vector<double>& values);
[[nodiscard]] YamlNode yaml_vector(const Vector3& v);
/// A number per coordinate: one alone without brackets.
[[nodiscard]] YamlNode yaml_coordinates(const std::vector<double>& values);

/// Appends a key to a mapping (a fresh node becomes one); returns the mapping for the next.
YamlNode& add_entry(YamlNode* mapping, const std::string& key, YamlNode value);

}  // namespace csim
