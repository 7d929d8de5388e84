#include "core/csv_text.h"

#include <algorithm>
#include <charconv>

namespace csim {
namespace {

/// Whether a byte of UTF-8 begins a character.
bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

/// Of one line; *is_open: with a quote that does not end.
std::vector<CsvField> fields_of(std::string_view line, bool* is_open) {
  std::vector<CsvField> fields(1);
  bool quoted = false;
  int column = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (begins_character(c)) ++column;
    if (quoted && line.substr(i).starts_with("\"\""))
      fields.back().text += line[i++], ++column;
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.push_back({"", column + 1});
    else
      fields.back().text += c;
  }
  *is_open = quoted;
  return fields;
}

}  // namespace

std::optional<std::size_t> CsvText::find(std::string_view column) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const CsvField& one) { return one.text == column; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<std::string> CsvText::names() const {
  std::vector<std::string> all;
  for (const CsvField& column : columns) all.push_back(column.text);
  return all;
}

std::optional<CsvText> parse_csv(std::string_view text, CsvFault* fault) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // of spreadsheets: "this is UTF-8"
  CsvText csv;
  int number = 0;
  bool is_open = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1, ++number;
    if (csv.columns.empty()) {
      csv.columns = fields_of(line, &is_open);
      for (std::size_t i = 1; i < csv.columns.size(); ++i) {
        if (*csv.find(csv.columns[i].text) == i || csv.columns[i].text.empty()) continue;
        *fault = {number, csv.columns[i].column,
                  "has two columns '" + csv.columns[i].text + "', expected each name once"};
        return std::nullopt;
      }
    } else if (!line.empty()) {
      csv.lines.push_back(fields_of(line, &is_open));
      csv.numbers.push_back(number);
    }
    if (is_open) {
      const std::vector<CsvField>& fields = csv.lines.empty() ? csv.columns : csv.lines.back();
      *fault = {number, fields.back().column, "has a quote that does not end in the line"};
      return std::nullopt;
    }
    if (!csv.numbers.empty() && csv.numbers.back() == number) {
      const std::vector<CsvField>& fields = csv.lines.back();
      if (fields.size() == csv.columns.size()) continue;
      const std::size_t last = std::min(fields.size() - 1, csv.columns.size());  // or the first too many
      *fault = {
          number, fields[last].column,
          "has " + std::to_string(fields.size()) + " fields, expected " + std::to_string(csv.columns.size())};
      return std::nullopt;
    }
  }
  return csv;
}

std::optional<double> csv_number_of(const std::string& field) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}

}  // namespace csim
