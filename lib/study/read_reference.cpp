// References of a study: cases, results, measured curves, values.
#include <algorithm>

#include "scene/yaml/strict_values.h"
#include "study/reference_keys.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

void read_values(const YamlNode& node, const std::string& path, const StudyReading& reading,
                 Reference* reference) {
  if (node.kind != Kind::kMapping) {
    reading.report(node.mark, path, describe(node) + ", expected a mapping from measures to numbers");
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    std::string fault;
    const auto number = parse_number(entry.value, &fault);
    if (!number) reading.report(entry.value.mark, path + "." + entry.key, fault + ", expected a number");
    static_cast<void>(find_measure(entry.key, entry.key_mark, path + "." + entry.key, reading));
    reference->values[entry.key] = number.value_or(0.0);
  }
}

/// The names of columns of a measure: one word, or a list of words.
std::vector<std::string> read_names(const YamlEntry& entry, const std::string& path,
                                    const StudyReading& reading) {
  const YamlNode& node = entry.value;
  std::vector<std::string> names;
  const auto add = [&](const YamlNode& item) {
    if (item.kind == Kind::kScalar) names.push_back(item.text);
  };
  if (node.kind == Kind::kSequence) {
    std::for_each(node.items.begin(), node.items.end(), add);
  } else {
    add(node);
  }
  const std::size_t expected = node.kind == Kind::kSequence ? node.items.size() : 1;
  if (names.empty() || names.size() != expected)
    reading.report(node.mark, path, describe(node) + ", expected a name or a list of names");
  return names;
}

void read_columns(const YamlNode& node, const std::string& path, const StudyReading& reading,
                  Measured* measured) {
  if (node.kind != Kind::kMapping || node.entries.empty()) {
    reading.report(node.mark, path, describe(node) + ", expected a mapping from measures to columns");
    return;
  }
  for (const YamlEntry& entry : node.entries) {
    const std::string here = path + "." + entry.key;
    const int measure = find_measure(entry.key, entry.key_mark, here, reading);
    if (measure >= 0 && reading.study->measures[static_cast<std::size_t>(measure)].expression)
      reading.report(entry.key_mark, here, "an expression, expected a measure of a result");
    measured->columns[entry.key] = read_names(entry, here, reading);
    if (measured->is_hdf5 && measured->columns[entry.key].size() > 1)
      reading.report(entry.value.mark, here, "several names, expected one dataset [rows, columns]");
  }
}

void read_measured(const SectionReader& reader, const StudyReading& reading, Reference* reference) {
  reference->kind = ReferenceKind::kMeasured;
  Measured& measured = reference->measured;
  const std::vector<std::string> keys = reading.study->varied_keys();
  const bool varies_h5 = std::find(keys.begin(), keys.end(), "reference.h5") != keys.end();
  measured.is_hdf5 = reader.has("h5") || varies_h5;
  const char* file = measured.is_hdf5 ? "h5" : "csv";
  if (reader.has(file)) {
    measured.file = file_beside(*reading.study, reader.text(file));
    measured.name = name_beside(*reading.study, reader.text(file));
  }
  measured.time = reader.text("time");
  if (reader.has("group")) measured.group = reader.text("group");
  if (reader.given("group") && !measured.is_hdf5)
    reader.report("group", "of CSV, expected a reference of h5; `where` selects rows of CSV");
  if (const YamlNode* node = reader.node("columns")) {
    read_columns(*node, reader.path("columns"), reading, &measured);
  } else if (!reader.given("columns")) {
    reader.report_missing("columns", "missing, expected the columns of each measure");
  }
  if (const YamlNode* node = reader.node("where"))
    measured.where = read_assignment(*node, reader.path("where"), reading);
  if (!measured.where.empty() && measured.is_hdf5)
    reader.report("where", "of HDF5, expected a reference of csv; `group` selects the datasets of HDF5");
}

}  // namespace

Reference read_reference(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Reference reference;
  reference.path = path;
  if (node.kind == Kind::kScalar) {
    if (node.text == "finest") reference.kind = ReferenceKind::kFinest;
    if (node.text == "richardson") reference.kind = ReferenceKind::kRichardson;
    if (reference.kind == ReferenceKind::kNone)
      reading.report(node.mark, path,
                     unknown_word(node.text, "unknown reference",
                                  {"finest", "richardson", "case", "file", "csv", "h5", "values"}));
    return reference;
  }
  if (node.kind != Kind::kMapping) {
    reading.report(node.mark, path,
                   describe(node) + ", expected " + study_section().find("reference")->expected());
    return reference;
  }
  const SectionReader reader(&node, reference_section(), path, reading.sink);
  int num_kinds = 0;
  for (const char* kind : {"case", "file", "csv", "h5", "values"}) num_kinds += reader.given(kind) ? 1 : 0;
  const bool is_measured = reader.given("csv") || reader.given("h5") || reader.given("columns");
  const bool has_others = !is_measured && node.entries.size() != 1;
  if (num_kinds > 1 || (num_kinds == 0 && !is_measured) || has_others) {
    reader.report_here(std::to_string(node.entries.size()) +
                       " keys, expected one of case, file, values, or csv or h5 with columns");
    return reference;
  }
  if (is_measured) {
    read_measured(reader, reading, &reference);
  } else if (const YamlNode* changes = reader.node("case")) {
    reference.kind = ReferenceKind::kCase;
    reference.changes = read_assignment(*changes, reader.path("case"), reading);
  } else if (reader.has("file")) {
    reference.kind = ReferenceKind::kFile;
    reference.file = file_beside(*reading.study, reader.text("file"));
  } else if (const YamlNode* values = reader.node("values")) {
    reference.kind = ReferenceKind::kValues;
    read_values(*values, reader.path("values"), reading, &reference);
  }
  return reference;
}

void check_reference_keys(const StudyReading& reading) {
  Study& study = *reading.study;
  bool names_file = false;
  for (const Vary& entry : study.vary) {
    if (entry.rows.empty()) continue;
    for (const KeyValue& one : reference_values(entry.rows.front())) {
      Reference& reference = study.reference;
      if (one.key == "reference.file" && reference.kind == ReferenceKind::kNone) {
        reference.kind = ReferenceKind::kFile;
        reference.path = "reference";
      }
      const bool takes = one.key == "reference.file" ? reference.kind == ReferenceKind::kFile
                                                     : reference.kind == ReferenceKind::kMeasured;
      const bool is_of_csv = one.key == "reference.csv" || one.key.starts_with("reference.where.");
      if (!takes) {
        reading.report(one.key_mark, "vary." + one.key,
                       std::string("of a reference that the study has not, expected `reference` with ") +
                           (one.key == "reference.file" ? "file" : "columns"));
      } else if (one.key != "reference.file" && is_of_csv == reference.measured.is_hdf5) {
        reading.report(one.key_mark, "vary." + one.key,
                       std::string("of a reference of ") + (is_of_csv ? "CSV" : "HDF5") +
                           ", expected one of " + (is_of_csv ? "HDF5" : "CSV"));
      }
      names_file = names_file || is_reference_file_key(one.key);
    }
  }
  if (study.reference.kind == ReferenceKind::kMeasured && study.reference.measured.file.empty() &&
      !names_file)
    reading.report(study.source.root.find("reference")->mark, "reference",
                   "no file, expected csv or h5 here or reference.csv or reference.h5 under `vary`");
}

}  // namespace csim
