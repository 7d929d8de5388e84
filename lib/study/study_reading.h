// What the parts of the study reader share.
#pragma once

#include "scene/read/section_reader.h"
#include "study/study.h"

namespace csim {

struct StudyReading {
  Study* study = nullptr;
  ProblemSink* sink = nullptr;
  std::vector<std::string> unknown_keys = {};  // of `set` and `vary`: told there, and nothing is like them
  // Sections that were told to be wrong and give nothing: what refers to them needs no word of its own.
  bool vary_is_told = false, measure_is_told = false, analysis_is_told = false;

  void report(const Mark& mark, const std::string& path, const std::string& message) const {
    sink->report(mark, path, message);
  }
};

/// A mapping from keys of the scene to values. Duplicate and empty keys are reported.
[[nodiscard]] Assignment read_assignment(const YamlNode& node, const std::string& path,
                                         const StudyReading& reading);

/// The same, of varied keys alone; others are reported with the nearest.
[[nodiscard]] Assignment read_condition(const YamlNode& node, const std::string& path,
                                        const StudyReading& reading);

/// The list `vary`, expanded.
void read_vary(const YamlNode& node, const StudyReading& reading);

/// An entry `table` of `vary`: a file of comma-separated values whose header names keys. Its name and those
/// of files in it are relative to the study's folder and to its own.
[[nodiscard]] Vary read_table(const YamlNode& node, const std::string& path, const StudyReading& reading);

void read_measures(const SectionReader& root, const StudyReading& reading);
[[nodiscard]] Reference read_reference(const YamlNode& node, const std::string& path,
                                       const StudyReading& reading);
/// Reports keys of cases' references that the study's reference does not take, and references without a file.
void check_reference_keys(const StudyReading& reading);
/// The rest of an analysis of type fit.
void read_fit(const SectionReader& reader, const StudyReading& reading, Analysis* analysis);

void read_analyses(const SectionReader& root, const StudyReading& reading);
void read_gates(const SectionReader& root, const StudyReading& reading);

/// The index of a measure, or -1 after a report at `mark`, or of `measure` as a whole before.
[[nodiscard]] int find_measure(const std::string& name, const Mark& mark, const std::string& path,
                               const StudyReading& reading);

/// Reports a word that is no varied key, with the nearest; not one whose place is taken by an unknown key, or
/// where `vary` was told to be wrong.
void report_not_varied(const std::string& word, const Mark& mark, const std::string& path,
                       const StudyReading& reading);

/// "'stpe', expected one of a, b (did you mean 'step'?)".
[[nodiscard]] std::string unknown_word(const std::string& word, const std::string& what,
                                       const std::vector<std::string>& known);

/// Reads the mappings of a list, one after the other.
template <typename Read>
void read_elements(const SectionReader& root, const char* key, const StudyReading& reading,
                   const Read& read) {
  const YamlNode* node = root.node(key);
  for (std::size_t i = 0; node != nullptr && i < node->items.size(); ++i) {
    const SectionReader reader = root.element(key, i);
    if (node->items[i].kind == YamlNode::Kind::kMapping) read(reader, reading);
  }
}

}  // namespace csim
