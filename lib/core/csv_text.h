// Comma-separated values (RFC 4180, without line ends in quotes) whose first line names the columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace csim {

struct CsvField {
  std::string text;
  int column = 1;  // where it begins in its line, 1-based, in characters
};

struct CsvText {
  std::vector<CsvField> columns;             // their names
  std::vector<std::vector<CsvField>> lines;  // those that are not empty, a field a column
  std::vector<int> numbers;                  // of each of these lines in the text; the first of all is 1

  /// The index of a column.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;
  [[nodiscard]] std::vector<std::string> names() const;
};

struct CsvFault {
  int line = 1, column = 1;  // of the field
  std::string message;
};

/// Reads `text`; nothing and what is wrong with it in *fault: a line of another number of fields, a quote
/// that does not end, two columns of one name.
[[nodiscard]] std::optional<CsvText> parse_csv(std::string_view text, CsvFault* fault);

/// The number that a field is as a whole: "0.5", "nan", "-inf".
[[nodiscard]] std::optional<double> csv_number_of(const std::string& field);

}  // namespace csim
