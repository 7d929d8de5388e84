// The table of the scene format: every key with its member in scene.h, type, unit, bounds, default and
// meaning. Reading, checking, writing (`csim resolve`), the JSON Schema and the reference page all go by it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/yaml/yaml_document.h"

namespace csim {

class SectionReader;
struct SceneReading;
struct SceneWriting;

enum class FieldType {
  kNumber,   // a real number; or one of `choices` as a word
  kInteger,  // a whole number
  kBoolean,  // true or false
  kName,     // letters, digits, _ + -, not digits alone
  kNames,    // such a name, or a list of them
  kText,     // any other text: a file, the name of something, a title
  kChoice,   // one of `choices`
  kNumbers,  // a list of numbers of one of `lengths`; with `number` also a number that stands for all; or a
             // word of `choices`
  kPoints,   // a list of lists of three numbers
  kSection,  // a mapping with the keys of `section`; with `number` also a number, with `lengths` also a list
  kSectionList,  // a list of such mappings
  kSectionMap,   // a mapping from names to such mappings; with `number` also to numbers
  kAny,          // what `expects` says; whoever reads it checks it
};

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is out
  double max = std::numeric_limits<double>::infinity();
  bool not_zero = false;

  [[nodiscard]] bool contains(double value) const;
  /// " > 0", " >= 1 and <= 5", " other than 0", or "".
  [[nodiscard]] std::string text() const;
};

struct Choice {
  std::string name;
  bool supported = true;
};

struct Section;
struct Field;

/// How a row fills its member from the file and how it writes it; `object` is the struct that the section
/// describes. Both may be empty: such a row is read by the section's `finish`, or not written.
struct Binding {
  std::function<void(const Field&, const SectionReader&, SceneReading*, void* object)> read;
  /// No value: the key is left out.
  std::function<std::optional<YamlNode>(const Field&, const void* object, const SceneWriting&)> write;
};

struct Field {
  std::string key;
  FieldType type = FieldType::kNumber;
  std::string unit;  // "" for pure numbers and everything else
  Bounds bounds;
  std::vector<int> lengths;  // kNumbers: empty for any length from 1
  bool number = false;
  std::string expects;               // kText, kAny: what the text is, for messages
  std::vector<Choice> choices;       // in the order of the enumeration in scene.h
  std::string default_text;          // YAML; "" without a default or where it depends on other keys
  std::optional<YamlNode> standard;  // the same as a node
  bool required = false;
  std::vector<std::string>
      only_for;  // values of the section's `discriminator` that know this key; empty: all
  std::vector<std::string> required_for;  // values of the discriminator that need it
  bool supported = true;                  // false: only the default value is accepted
  std::string description;
  std::string example;  // YAML
  const Section* section = nullptr;
  std::vector<const Section*>
      alternatives;  // kSection: other keys that may stand there; its reader knows which
  Binding binding;

  /// What the reader expects, for messages: "a number > 0 (s)", "3 numbers (m)", "one of sap, lagged,
  /// similar".
  [[nodiscard]] std::string expected() const;
  /// The index of a word in `choices`, or -1.
  [[nodiscard]] int choice_index(std::string_view word) const;
};

/// The keys of one kind of mapping.
struct Section {
  std::string name;   // "body": of the definition in the schema
  std::string title;  // "a body": for messages
  std::string description;
  std::string discriminator;  // the key whose value says which other keys are known ("shape"), or ""
  std::vector<Field> fields;
  /// After the rows are read: what takes more than one key. May be empty.
  std::function<void(const SectionReader&, SceneReading*, void* object)> finish;

  [[nodiscard]] const Field* find(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;
};

/// The whole scene.
[[nodiscard]] const Section& scene_section();

/// The row of a key of the scene.
struct FieldPlace {
  const Field* field = nullptr;
  std::string keys;         // without the names of elements: "bodies.pose.xyz"
  bool is_element = false;  // of the field's list of numbers
};

/// By its path as in --set (bodies.ball.pose.xyz[2]); no field where the table has none.
[[nodiscard]] FieldPlace find_field(std::string_view path);

/// A section and all below it, each once, in the order in which they first appear.
[[nodiscard]] std::vector<const Section*> sections_of(const Section& root);

/// All sections of the scene, the scene first.
[[nodiscard]] std::vector<const Section*> all_sections();

}  // namespace csim
