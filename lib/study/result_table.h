// Results side by side: a row a file, a column a number of the result or a key of its scene.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "study/measure.h"

namespace csim {

struct TableColumn {
  std::string title;
  enum class Kind {
    kFile,      // as it was named
    kStatus,    // complete, failed, ..
    kMessage,   // of the end
    kSeconds,   // wall time of all steps, s
    kWarnings,  // their number
    kKey,       // of the scene with every default, as in --set
    kMeasure
  };
  Kind kind = Kind::kKey;
  std::string key;
  MeasureSpec measure;
};

/// Columns separated by commas (those between brackets belong to a name): "file", "status", "message",
/// "seconds", "warnings", keys of the scene such as "contact.model", and measures (measure_text.h), which
/// have a '/'. "peak=contact/normal_force[a,b]@max" has the title "peak". Nothing for other text; *fault says
/// why.
[[nodiscard]] std::optional<std::vector<TableColumn>> parse_columns(const std::string& text,
                                                                    std::string* fault);

/// Nothing where a file has no such key or measure.
using TableCell = std::variant<std::monostate, double, std::string>;

struct ResultTable {
  std::vector<std::string> titles, units;  // a column each; "" where there is no unit
  std::vector<std::vector<TableCell>> rows;
};

/// Evaluates the columns for every file. Measures of `difference` are those to the file `reference`; NaN
/// where that is "". Throws InvalidResultError for a column that no file has, and for what is no result;
/// ReadError for a damaged file.
[[nodiscard]] ResultTable make_table(const std::vector<std::string>& files,
                                     const std::vector<TableColumn>& columns, const std::string& reference);

/// RFC 4180 with a header of titles; numbers read back to the same bits, "nan" is none, "" is missing.
[[nodiscard]] std::string table_csv(const ResultTable& table);

/// A table of Markdown, titles with units, numbers to six digits.
[[nodiscard]] std::string table_markdown(const ResultTable& table);

/// {"columns": [{title, unit}], "rows": [{TITLE: value}]}; null for what is missing or NaN.
[[nodiscard]] std::string table_json(const ResultTable& table);

}  // namespace csim
