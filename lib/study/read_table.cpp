// An entry `table` of `vary`: a file of cases, a row each.
#include <algorithm>
#include <filesystem>

#include "core/csv_text.h"
#include "core/file_bytes.h"
#include "core/missing_path.h"
#include "scene/yaml/strict_values.h"
#include "study/reference_keys.h"
#include "study/study_reading.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

/// Everything of a field stands where the field does.
void set_mark(const Mark& mark, YamlNode* node) {
  node->mark = mark;
  for (YamlNode& item : node->items) set_mark(mark, &item);
  for (YamlEntry& entry : node->entries) {
    entry.key_mark = mark;
    set_mark(mark, &entry.value);
  }
}

class TableReader {
 public:
  /// `name` is relative to the study's folder, as are those that the table gets.
  TableReader(std::string name, std::string path, const StudyReading& reading)
      : name_(std::move(name)), path_(std::move(path)), reading_(reading) {}

  /// The rows of the table, as the values of keys in lockstep.
  Vary read(const std::string& bytes) {
    source_ = reading_.study->source.add_text(name_beside(*reading_.study, name_), bytes);
    CsvFault fault;
    const std::optional<CsvText> csv = parse_csv(bytes, &fault);
    if (!csv) {
      reading_.report({source_, fault.line, fault.column}, path_, fault.message);
      return {};
    }
    if (csv->lines.empty()) reading_.report({source_, 1, 1}, path_, "no row below the names of the columns");
    Vary entry;
    entry.keys = csv->names();
    for (std::size_t line = 0; line < csv->lines.size(); ++line) {
      Assignment row;
      for (std::size_t c = 0; c < csv->columns.size(); ++c) {
        const CsvField &column = csv->columns[c], &field = csv->lines[line][c];
        row.push_back(
            {column.text, value(column.text, field, csv->numbers[line]), {source_, 1, column.column}});
      }
      entry.rows.push_back(std::move(row));
    }
    return entry;
  }

 private:
  /// A field as the VALUE of --set; names of files are relative to the table.
  YamlNode value(const std::string& key, const CsvField& field, int line) {
    const Mark mark{source_, line, field.column};
    YamlParse parse = parse_yaml(field.text, source_, field.column);
    if (!parse.errors.empty()) {
      reading_.report(mark, path_ + "." + key, parse.errors.front().message);
      return {};
    }
    if (parse.root.kind == YamlNode::Kind::kNull)
      reading_.report(mark, path_ + "." + key, "nothing, expected a value");
    if (is_reference_file_key(key) && parse.root.kind == YamlNode::Kind::kScalar)
      parse.root.text = (fs::path(name_).parent_path() / parse.root.text).lexically_normal().string();
    set_mark(mark, &parse.root);
    return std::move(parse.root);
  }

  std::string name_, path_;
  const StudyReading& reading_;
  int source_ = 0;
};

}  // namespace

Vary read_table(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  if (node.kind != YamlNode::Kind::kScalar || node.text.empty()) {
    reading.report(node.mark, path,
                   describe(node) + ", expected the name of a file of comma-separated values");
    return {};
  }
  std::string bytes;
  if (const std::string fault = read_file_bytes(name_beside(*reading.study, node.text), &bytes);
      !fault.empty()) {
    reading.report(node.mark, path, "'" + node.text + "': " + fault);
    return {};
  }
  return TableReader(node.text, path, reading).read(bytes);
}

}  // namespace csim
