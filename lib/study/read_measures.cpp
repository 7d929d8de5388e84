// The measures of a study.
#include <algorithm>

#include "scene/yaml/strict_values.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

void read_reduce(const SectionReader& reader, MeasureSpec* measure, const StudyReading& reading) {
  const YamlNode* node = reader.node("reduce");
  if (node == nullptr) return;
  const bool takes_number = node->kind == Kind::kMapping && node->entries.size() == 1;
  const std::string word = takes_number ? node->entries.front().key : node->text;
  const std::optional<Reduction> reduction = find_reduction(word);
  if (node->kind != Kind::kScalar && !takes_number) {
    reader.report("reduce", describe(*node) + ", expected a word, {crossing: LEVEL} or {at: TIME}");
  } else if (!reduction) {
    reader.report("reduce", unknown_word(word, "unknown reduction", reduction_names()));
  } else if (takes_number != has_argument(*reduction)) {
    reader.report("reduce", "'" + word + "', expected " +
                                (takes_number ? "the word alone" : "{" + word + ": a number}"));
  }
  measure->reduce = reduction.value_or(Reduction::kFinal);
  if (!takes_number || !reduction) return;
  std::string fault;
  const auto number = parse_number(node->entries.front().value, &fault);
  if (!number)
    reading.report(node->entries.front().value.mark, reader.path("reduce"), fault + ", expected a number");
  measure->argument = number.value_or(0.0);
}

void read_component(const SectionReader& reader, MeasureSpec* measure) {
  const YamlNode* node = reader.node("component");
  if (node == nullptr) return;
  static const std::vector<std::string> kWords{"x", "y", "z", "w", "norm"};
  std::string fault;
  const auto index = parse_whole_number(*node, &fault);
  const bool is_word =
      node->kind == Kind::kScalar && std::find(kWords.begin(), kWords.end(), node->text) != kWords.end();
  if (is_word || (index && *index >= 0 && *index < 1e6)) {
    measure->component = is_word ? node->text : std::to_string(static_cast<int>(*index));
  } else {
    reader.report("component", describe(*node) + ", expected x, y, z, w, norm or an index from 0");
  }
}

void read_pair(const SectionReader& reader, MeasureSpec* measure) {
  const YamlNode* node = reader.node("pair");
  if (node == nullptr) return;
  const bool good = node->kind == Kind::kSequence && node->items.size() == 2 &&
                    std::all_of(node->items.begin(), node->items.end(),
                                [](const YamlNode& item) { return item.kind == Kind::kScalar; });
  if (good) {
    measure->pair = {node->items[0].text, node->items[1].text};
  } else {
    reader.report("pair", describe(*node) + ", expected a list of two bodies or geometries");
  }
}

}  // namespace

void read_measures(const SectionReader& root, const StudyReading& reading) {
  const YamlNode* node = root.node("measure");
  if (node == nullptr) return;
  for (const YamlEntry& entry : node->entries) {
    Measure measure;
    measure.name = entry.key;
    measure.path = "measure." + entry.key;
    if (!is_name(entry.key))
      reading.report(entry.key_mark, measure.path, "expected a name of letters, digits, '_', '+', '-'");
    const auto same = [&](const Measure& other) { return other.name == entry.key; };
    if (std::any_of(reading.study->measures.begin(), reading.study->measures.end(), same))
      reading.report(entry.key_mark, measure.path, "duplicate key, expected each measure once");
    const SectionReader reader = root.entry("measure", entry);
    if (entry.value.kind != Kind::kMapping)
      reading.report(entry.value.mark, measure.path,
                     describe(entry.value) + ", expected a measure, a mapping with dataset and reduce");
    MeasureSpec& spec = measure.spec;
    spec.dataset = reader.text("dataset");
    spec.item = reader.text("item");
    read_pair(reader, &spec);
    read_component(reader, &spec);
    read_reduce(reader, &spec, reading);
    if (const std::vector<double> window = reader.numbers("window"); window.size() == 2) {
      spec.window = {window[0], window[1]};
      if (!(window[0] <= window[1])) reader.report("window", "ends before it begins, expected [from, to]");
    }
    reading.study->measures.push_back(std::move(measure));
  }
}

}  // namespace csim
