// A table of results as text.
#include "core/json_writer.h"
#include "core/number_format.h"
#include "study/csv_field.h"
#include "study/result_table.h"

namespace csim {
namespace {

template <typename OfNumber, typename OfText>
std::string cell_text(const TableCell& cell, const OfNumber& of_number, const OfText& of_text) {
  if (const double* number = std::get_if<double>(&cell)) return of_number(*number);
  if (const std::string* text = std::get_if<std::string>(&cell)) return of_text(*text);
  return "";
}

std::string markdown_field(const std::string& text) {
  std::string safe;
  for (const char letter : text)
    safe += letter == '|' ? std::string("\\|") : std::string(1, letter == '\n' ? ' ' : letter);
  return safe;
}

}  // namespace

std::string table_csv(const ResultTable& table) {
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + fields[i];
    text += "\n";
  };
  std::vector<std::string> fields;
  for (const std::string& title : table.titles) fields.push_back(csv_field(title));
  add_line(fields);
  for (const std::vector<TableCell>& row : table.rows) {
    fields.clear();
    for (const TableCell& cell : row) fields.push_back(cell_text(cell, csv_number, csv_field));
    add_line(fields);
  }
  return text;
}

std::string table_markdown(const ResultTable& table) {
  std::string header = "|", rule = "|", rows;
  for (std::size_t i = 0; i < table.titles.size(); ++i) {
    const bool has_unit = !table.units[i].empty() && table.units[i] != "1";
    header += " " + markdown_field(table.titles[i]) + (has_unit ? ", " + table.units[i] : "") + " |";
    rule += "---|";
  }
  const auto number = [](double value) { return format_text("%.6g", value); };
  for (const std::vector<TableCell>& row : table.rows) {
    rows += "|";
    for (const TableCell& cell : row) rows += " " + cell_text(cell, number, markdown_field) + " |";
    rows += "\n";
  }
  return header + "\n" + rule + "\n" + rows;
}

std::string table_json(const ResultTable& table) {
  JsonWriter json;
  json.begin_object().key("columns").begin_array();
  for (std::size_t i = 0; i < table.titles.size(); ++i)
    json.begin_object().member("title", table.titles[i], "unit", table.units[i]).end_object();
  json.end_array().key("rows").begin_array();
  for (const std::vector<TableCell>& row : table.rows) {
    json.begin_object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      json.key(table.titles[i]);
      if (const double* value = std::get_if<double>(&row[i])) {
        json.value(*value);
      } else if (const std::string* text = std::get_if<std::string>(&row[i])) {
        json.value(*text);
      } else {
        json.null();
      }
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

}  // namespace csim
