#include "export/csv_table.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace csim {

CsvTable::CsvTable(std::string path, const std::vector<std::string>& header) : file_(std::move(path)) {
  for (const std::string& name : header) text(name);
  file_.write(line_ + "\n");
  line_.clear();
}

void CsvTable::separate() {
  if (!line_.empty()) line_ += ',';
}

CsvTable& CsvTable::number(double value) {
  separate();
  if (std::isnan(value)) {
    line_ += "nan";
    return *this;
  }
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  line_.append(digits.data(), end);
  return *this;
}

CsvTable& CsvTable::numbers(std::span<const double> values) {
  for (const double value : values) number(value);
  return *this;
}

CsvTable& CsvTable::text(const std::string& value) {
  separate();
  line_ += value;
  return *this;
}

void CsvTable::end_row() {
  line_ += '\n';
  file_.write(line_);
  line_.clear();
  ++num_rows_;
}

void CsvTable::close() {
  file_.close();
}

std::vector<std::string> column_names(const std::string& name, long width,
                                      const std::vector<std::string>& units) {
  constexpr std::array<std::string_view, 4> kAxes = {"w", "x", "y", "z"};
  std::vector<std::string> names;
  for (long k = 0; k < width; ++k) {
    std::string full = name;
    if (width == 3 || width == 4) {
      full.append("_").append(kAxes[k + (width == 3 ? 1 : 0)]);
    } else if (width > 1) {
      full += "_" + std::to_string(k);
    }
    names.push_back(full + " [" + units.at(units.size() == 1 ? 0 : k) + "]");
  }
  return names;
}

}  // namespace csim
