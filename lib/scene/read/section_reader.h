// Reads one mapping of the scene by its rows of the table: unknown and duplicate keys, types, bounds and
// missing keys are reported once, when the reader is made; its values are then given by the file or, where
// absent or bad, by the default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "scene/format/fields.h"
#include "scene/yaml/scene_source.h"

namespace csim {

/// Where the problems of a reading go.
class ProblemSink {
 public:
  explicit ProblemSink(const SceneSource& source) : source_(source) {}
  void report(const Mark& mark, const std::string& path, const std::string& message);
  /// What is allowed, and yet likely a slip.
  void warn(const Mark& mark, const std::string& path, const std::string& message);
  /// What a reader of the scene should know, and which is neither.
  void note(const Mark& mark, const std::string& path, const std::string& message);
  [[nodiscard]] size_t num_problems() const { return found_.size(); }
  /// Whether the value at this path was reported.
  [[nodiscard]] bool has_problem_at(std::string_view path) const;
  /// All problems in the order of their places, the file before the overrides.
  [[nodiscard]] Diagnostics sorted() const { return in_order(found_); }
  [[nodiscard]] Diagnostics sorted_warnings() const { return in_order(warnings_); }
  [[nodiscard]] Diagnostics sorted_notes() const { return in_order(notes_); }

 private:
  struct Found {
    Mark mark;
    Diagnostic diagnostic;
  };
  static Diagnostics in_order(std::vector<Found> found);

  const SceneSource& source_;
  std::vector<Found> found_, warnings_, notes_;
};

class SectionReader {
 public:
  /// `node` may be nullptr (the mapping is absent: defaults alone, nothing is missing) or of another kind
  /// (reported by the reader of the mapping around it: taken as absent).
  SectionReader(const YamlNode* node, const Section& section, std::string path, ProblemSink* sink);

  /// The key stands there with a good value.
  [[nodiscard]] bool has(std::string_view key) const;
  /// The key stands there, whatever its value; also when it is misspelt.
  [[nodiscard]] bool given(std::string_view key) const;
  /// The key stands there and was reported.
  [[nodiscard]] bool bad(std::string_view key) const { return given(key) && !has(key); }

  // Values of the file, else the defaults; 0, "" and empty lists without a default.
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  /// Texts of a list; a single one as a list of one.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] Vector3 vector3(std::string_view key) const;
  /// Numbers of a list; a single number as a list of one.
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<Vector3> points(std::string_view key) const;
  /// True when the value is a word (of the row's choices) instead of a number.
  [[nodiscard]] bool is_any_word(std::string_view key) const;
  template <typename Enum>
  [[nodiscard]] Enum choice(std::string_view key) const {
    return static_cast<Enum>(choice_index(key));
  }

  /// The mapping or list under a key, or nullptr when it is absent or of the wrong kind.
  [[nodiscard]] const YamlNode* node(std::string_view key) const;
  /// Readers of what is inside: a mapping, the element `index` of a list of mappings, an entry of a mapping
  /// of names.
  [[nodiscard]] SectionReader section(std::string_view key) const;
  /// The same with the keys of one of the row's alternative sections.
  [[nodiscard]] SectionReader alternative(std::string_view key, std::size_t index) const;
  [[nodiscard]] SectionReader element(std::string_view key, size_t index) const;
  [[nodiscard]] SectionReader entry(std::string_view key, const YamlEntry& entry) const;

  [[nodiscard]] bool has_problem_at(std::string_view path) const { return sink_->has_problem_at(path); }
  /// Of the whole reading so far.
  [[nodiscard]] size_t num_problems() const { return sink_->num_problems(); }
  [[nodiscard]] const Section& rows() const { return section_; }
  /// The mapping stands there without a key in it.
  [[nodiscard]] bool empty() const { return present_ && num_entries_ == 0; }
  [[nodiscard]] std::string path(std::string_view key) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Mark mark() const { return mark_; }
  /// Of the value of a key, or of the mapping where the key is absent.
  [[nodiscard]] Mark mark(std::string_view key) const;

  // In a mapping that is absent or no mapping at all there is nothing to report.
  /// Reports a problem at the value of a key, or at the mapping where the key is absent.
  void report(std::string_view key, const std::string& message) const;
  /// Reports a problem of the mapping as a whole.
  void report_here(const std::string& message) const;
  /// Reports a problem of what stands at a place within a value.
  void report_at(const Mark& mark, const std::string& path, const std::string& message) const;
  /// Warns of what stands at a place within a value.
  void warn(const Mark& mark, const std::string& path, const std::string& message) const;
  /// Reports a missing key: "missing, expected …".
  void report_missing(std::string_view key, const std::string& message) const;

 private:
  struct Value {
    const Field* field = nullptr;
    const YamlEntry* entry = nullptr;
    bool good = false;
  };

  void check_entries(const YamlNode& node);
  /// Reports numbers that a comma parts into two entries; returns these.
  std::vector<const YamlEntry*> report_decimal_commas(const YamlNode& node) const;
  void check_missing() const;
  void report_unknown(const YamlEntry& entry);
  void report_of_another_kind(const YamlEntry& entry, const Field& field) const;
  bool known_here(const Field& field) const;
  const Value* find(std::string_view key) const;
  const YamlNode* value_or_default(std::string_view key) const;
  int choice_index(std::string_view key) const;

  const Section& section_;
  std::string path_;
  ProblemSink* sink_;
  Mark mark_;
  bool present_ = false;
  size_t num_entries_ = 0;
  bool has_merge_ = false;  // of YAML, reported
  std::string variant_;     // value of the discriminator, "" where it is missing, bad or not supported yet
  bool variant_unknown_ = false;  // there is a discriminator, but no good value
  std::vector<Value> values_;
};

}  // namespace csim
