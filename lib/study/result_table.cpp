#include "study/result_table.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/nearest_name.h"
#include "record/errors.h"
#include "record/report/info.h"
#include "scene/integrator_kinds.h"
#include "scene/yaml/scene_source.h"
#include "scene/yaml/strict_values.h"
#include "scene/yaml/yaml_writer.h"
#include "study/measure_text.h"

namespace csim {
namespace {

/// "a,b[c,d],e" -> "a", "b[c,d]", "e".
std::vector<std::string> split_columns(const std::string& text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char letter : text) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == ',' && depth <= 0) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

/// Length of "TITLE=" at the start, 0 without one.
std::size_t title_length(const std::string& word) {
  const auto is_letter = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '-';
  };
  const std::size_t end = std::find_if_not(word.begin(), word.end(), is_letter) - word.begin();
  return end > 0 && end < word.size() && word[end] == '=' ? end + 1 : 0;
}

std::optional<TableColumn> parse_column(const std::string& word, std::string* fault) {
  const std::size_t begin = title_length(word);
  TableColumn column;
  column.key = word.substr(begin);
  column.title = begin > 0 ? word.substr(0, begin - 1) : word;
  constexpr std::pair<const char*, TableColumn::Kind> kWords[] = {{"file", TableColumn::Kind::kFile},
                                                                  {"status", TableColumn::Kind::kStatus},
                                                                  {"message", TableColumn::Kind::kMessage},
                                                                  {"seconds", TableColumn::Kind::kSeconds},
                                                                  {"warnings", TableColumn::Kind::kWarnings}};
  for (const auto& [name, kind] : kWords)
    if (column.key == name) column.kind = kind;
  if (column.key.empty()) {
    *fault = "a column without a name";
    return std::nullopt;
  }
  const std::string path = column.key.substr(0, column.key.find('['));
  if (path.find('/') == std::string::npos && column.key.find('@') == std::string::npos) return column;
  column.kind = TableColumn::Kind::kMeasure;
  const std::optional<MeasureSpec> measure = parse_measure(column.key, fault);
  if (!measure) {
    *fault = "'" + column.key + "': " + *fault;
    return std::nullopt;
  }
  column.measure = *measure;
  return column;
}

TableCell value_of(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::kScalar) return write_flow(node);
  std::string ignored;
  if (const std::optional<double> number = parse_number(node, &ignored)) return *number;
  return node.text;
}

/// One file's part of the table.
class RowMaker {
 public:
  RowMaker(const ResultFile& result, const ResultFile* reference)
      : result_(result), reference_(reference), layout_(layout_of(result)) {
    scene_ = parse_yaml(result.text("/scene/resolved")).root;
  }

  /// The cell; nothing and *fault where the file has no such column.
  TableCell cell(const TableColumn& column, std::string* fault) const {
    switch (column.kind) {
      case TableColumn::Kind::kFile:
        return result_.path();
      case TableColumn::Kind::kStatus:
        return std::string(to_string(result_.status()));
      case TableColumn::Kind::kMessage:
        return result_.message();
      case TableColumn::Kind::kSeconds: {
        const std::vector<double> seconds = result_.real("/stats/step/seconds_total");
        return std::accumulate(seconds.begin(), seconds.end(), 0.0);
      }
      case TableColumn::Kind::kWarnings:
        return static_cast<double>(collect_warnings(result_).size());
      case TableColumn::Kind::kKey: {
        const YamlNode* value = find_value(scene_, column.key, fault);
        if (column.key == "contact.model" && !solves_contact()) return {};
        return value ? value_of(*value) : TableCell();
      }
      case TableColumn::Kind::kMeasure:
        break;
    }
    if (const auto measure_fault = check_measure(column.measure, layout_)) {
      *fault = measure_fault->part + ": " + measure_fault->message;
      return {};
    }
    return evaluate_measure(column.measure, result_, reference_);
  }

  [[nodiscard]] std::string unit(const TableColumn& column) const {
    if (column.kind == TableColumn::Kind::kSeconds) return "s";
    if (column.kind == TableColumn::Kind::kWarnings) return "1";
    return column.kind == TableColumn::Kind::kMeasure ? measure_unit(column.measure, layout_) : "";
  }

 private:
  /// Whether steps are problems of contact.model; else the resolved scene holds its default, which nothing
  /// reads.
  [[nodiscard]] bool solves_contact() const {
    std::string fault;
    const YamlNode* type = find_value(scene_, "integrator.type", &fault);
    return std::any_of(kIntegratorKinds.begin(), kIntegratorKinds.end(), [&](const IntegratorKind& kind) {
      return type && type->text == kind.name && kind.solves_contact;
    });
  }

  const ResultFile& result_;
  const ResultFile* reference_;
  ResultLayout layout_;
  YamlNode scene_;
};

/// Fills the table, and remembers what is wrong with a column until a file has it.
class TableMaker {
 public:
  explicit TableMaker(const std::vector<TableColumn>& columns)
      : columns_(columns), faults_(columns.size()), found_(columns.size(), false) {
    for (const TableColumn& column : columns) table_.titles.push_back(column.title);
    table_.units.resize(columns.size());
  }

  void add(const std::string& file, const ResultFile* reference) {
    table_.rows.push_back(read_result(file, [&](const ResultFile& result) {
      const RowMaker maker(result, reference);
      std::vector<TableCell> row;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::string fault;
        row.push_back(maker.cell(columns_[i], &fault));
        if (!fault.empty()) {
          if (faults_[i].empty()) faults_[i] = fault;
          continue;
        }
        found_[i] = true;
        table_.units[i] = maker.unit(columns_[i]);
      }
      return row;
    }));
  }

  ResultTable finish() {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (!found_[i]) throw InvalidResultError("column '" + columns_[i].key + "': " + faults_[i]);
    return std::move(table_);
  }

 private:
  const std::vector<TableColumn>& columns_;
  std::vector<std::string> faults_;
  std::vector<bool> found_;
  ResultTable table_;
};

}  // namespace

std::optional<std::vector<TableColumn>> parse_columns(const std::string& text, std::string* fault) {
  std::vector<TableColumn> columns;
  for (const std::string& word : split_columns(text)) {
    const std::optional<TableColumn> column = parse_column(word, fault);
    if (!column) return std::nullopt;
    columns.push_back(*column);
  }
  return columns;
}

ResultTable make_table(const std::vector<std::string>& files, const std::vector<TableColumn>& columns,
                       const std::string& reference) {
  const auto fill = [&](const ResultFile* against) {
    TableMaker maker(columns);
    for (const std::string& file : files) maker.add(file, against);
    return maker.finish();
  };
  if (reference.empty()) return fill(nullptr);
  return read_result(reference, [&](const ResultFile& against) { return fill(&against); });
}

}  // namespace csim
