// The measures of a study.
#include <algorithm>

#include "core/nearest_name.h"
#include "core/source_lines.h"
#include "scene/yaml/strict_values.h"
#include "study/study_fields.h"
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

void read_of_result(const SectionReader& reader, MeasureSpec* spec, const StudyReading& reading) {
  spec->dataset = reader.text("dataset");
  spec->item = reader.text("item");
  read_pair(reader, spec);
  read_component(reader, spec);
  read_reduce(reader, spec, reading);
  if (const std::vector<double> window = reader.numbers("window"); window.size() == 2) {
    spec->window = {window[0], window[1]};
    if (!(window[0] <= window[1])) reader.report("window", "ends before it begins, expected [from, to]");
  }
}

/// The key may be misspelt.
bool is_expression(const YamlNode& node) {
  return std::any_of(node.entries.begin(), node.entries.end(),
                     [](const YamlEntry& entry) { return !nearest_name(entry.key, {"expression"}).empty(); });
}

/// The place of a byte of a scalar's text, where its line shows the text as it is; else where it begins.
Mark place_in(const YamlNode& node, int position, const SceneSource& source) {
  const std::string& line = source.line(node.mark);
  std::size_t begin = 0;
  for (int column = 1; column < node.mark.column; ++column) begin = next_character(line, begin);
  const int quote = node.quoted ? 1 : 0;
  if (line.compare(std::min(begin + quote, line.size()), node.text.size(), node.text) != 0) return node.mark;
  return {node.mark.source, node.mark.line, node.mark.column + quote + position};
}

/// Expressions refer to measures that stand anywhere: this is done when all are read.
class ExpressionLinker {
 public:
  explicit ExpressionLinker(const StudyReading& reading) : reading_(reading) {}

  void link(const YamlNode& measures) {
    for (std::size_t m = 0; m < all().size(); ++m) {
      const YamlNode* node = measures.entries[m].value.find("expression");
      nodes_.push_back(node);
      if (all()[m].expression) find_operands(static_cast<int>(m));
    }
    states_.assign(all().size(), State::kNew);
    for (std::size_t m = 0; m < all().size(); ++m) visit(static_cast<int>(m));
  }

 private:
  enum class State { kNew, kOpen, kDone };

  std::vector<Measure>& all() const { return reading_.study->measures; }

  Mark place_of(int measure, std::size_t name) const {
    const Measure& what = all()[static_cast<std::size_t>(measure)];
    return place_in(*nodes_[static_cast<std::size_t>(measure)], what.expression->names[name].position,
                    reading_.study->source);
  }

  void find_operands(int measure) {
    Measure& what = all()[static_cast<std::size_t>(measure)];
    for (std::size_t n = 0; n < what.expression->names.size(); ++n)
      what.operands.push_back(find_measure(what.expression->names[n].text, place_of(measure, n),
                                           what.path + ".expression", reading_));
  }

  /// Depth first; an operand that is open is a cycle.
  void visit(int measure) {
    State& state = states_[static_cast<std::size_t>(measure)];
    Measure& what = all()[static_cast<std::size_t>(measure)];
    if (state == State::kDone || !what.expression) return;
    state = State::kOpen;
    for (std::size_t n = 0; n < what.operands.size(); ++n) {
      int& operand = what.operands[n];
      if (operand < 0) continue;
      if (states_[static_cast<std::size_t>(operand)] == State::kOpen) {
        reading_.report(place_of(measure, n), what.path + ".expression",
                        "'" + all()[static_cast<std::size_t>(operand)].name +
                            "' depends on this expression itself, expected no cycle");
        operand = -1;
      } else {
        visit(operand);
      }
    }
    state = State::kDone;
    reading_.study->expressions.push_back(measure);
  }

  const StudyReading& reading_;
  std::vector<const YamlNode*> nodes_;
  std::vector<State> states_;
};

void read_expression(const YamlNode& node, Measure* measure, const StudyReading& reading) {
  const SectionReader reader(&node, expression_section(), measure->path, reading.sink);
  measure->units = reader.text("units");
  if (!reader.has("expression")) return;
  ExpressionFault fault;
  measure->expression = parse_expression(reader.text("expression"), &fault);
  if (!measure->expression)
    reading.report(place_in(*node.find("expression"), fault.position, reading.study->source),
                   reader.path("expression"), fault.message);
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
    if (entry.value.kind != Kind::kMapping)
      reading.report(entry.value.mark, measure.path,
                     describe(entry.value) +
                         ", expected a measure, a mapping with dataset and reduce, or with expression");
    if (is_expression(entry.value)) {
      read_expression(entry.value, &measure, reading);
    } else {
      read_of_result(root.entry("measure", entry), &measure.spec, reading);
    }
    reading.study->measures.push_back(std::move(measure));
  }
  ExpressionLinker(reading).link(*node);
}

}  // namespace csim
