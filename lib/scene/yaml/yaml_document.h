// YAML text as a tree of our own nodes with their places. The only door to the YAML library, which neither
// finds duplicate keys nor keeps the places of keys, and turns text into numbers by rules of its own: here
// scalars stay text.
#pragma once

#include <string>
#include <vector>

namespace csim {

/// Where something stands: `source` 0 is the file, k > 0 the k-th command-line override; line and column are
/// 1-based, in characters.
struct Mark {
  int source = 0;
  int line = 1;
  int column = 1;
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };
  Kind kind = Kind::kNull;
  Mark mark;
  std::string text;                // kScalar
  bool quoted = false;             // kScalar: in quotes, or a block scalar: text, never a number or a word
  std::vector<YamlNode> items;     // kSequence
  std::vector<YamlEntry> entries;  // kMapping, in the order of the text, duplicates included

  /// The first value under `key` of a mapping, or nullptr.
  [[nodiscard]] const YamlNode* find(const std::string& key) const;
  [[nodiscard]] YamlNode* find(const std::string& key);
};

struct YamlEntry {
  std::string key;
  Mark key_mark;
  YamlNode value;
};

struct YamlError {
  Mark mark;
  std::string message;
};

struct YamlParse {
  YamlNode root;
  std::vector<YamlError> errors;  // empty: root is good
};

/// Parses one YAML document. Anchors and aliases are expanded (to at most a million nodes); refused are:
/// tags, keys that are not plain words, aliases to themselves, a second document, text that is not UTF-8,
/// more than 64 levels. Duplicate keys and merge keys (`<<`) are kept for the reader, which knows their
/// paths. `source` goes into the marks; an override's text starts at `first_column` of its argument.
[[nodiscard]] YamlParse parse_yaml(const std::string& text, int source = 0, int first_column = 1);

}  // namespace csim
