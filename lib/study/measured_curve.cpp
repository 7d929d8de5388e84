#include "study/measured_curve.h"

#include <algorithm>
#include <cmath>

#include "core/file_bytes.h"
#include "core/nearest_name.h"
#include "core/number_format.h"
#include "record/errors.h"
#include "record/hdf5/hdf5_file.h"
#include "scene/yaml/scene_source.h"

namespace csim {
namespace {

constexpr double kTimeTolerance = 1e-9;  // s, as of windows

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw InvalidResultError(where + ": " + what);
}

/// What is wrong with a field of a CSV file; the line is read again to show it.
[[noreturn]] void fail_at(const Measured& measured, int line, const CsvField& field,
                          const std::string& column, const std::string& what) {
  std::string bytes;
  static_cast<void>(read_file_bytes(measured.file, &bytes));
  throw MeasuredFieldError(SceneSource(measured.name, bytes).at({0, line, field.column}, column, what));
}

/// Times and values of all rows.
struct Rows {
  std::vector<double> time, values;
};

/// The first row whose time is not after the one before it, or -1.
long first_that_does_not_rise(const std::vector<double>& time) {
  for (std::size_t row = 0; row < time.size(); ++row)
    if (!std::isfinite(time[row]) || (row > 0 && !(time[row] > time[row - 1]))) return static_cast<long>(row);
  return -1;
}

constexpr const char* kExpectedTimes = ", expected times that rise";

class CsvRows {
 public:
  CsvRows(const Measured& measured, const CsvText& csv) : measured_(measured), csv_(csv) {
    for (const KeyValue& one : measured.where) where_.push_back(column(one.key));
  }

  [[nodiscard]] Rows read(const std::vector<std::string>& columns) const {
    const std::size_t time = column(measured_.time);
    std::vector<std::size_t> indices, lines;
    for (const std::string& name : columns) indices.push_back(column(name));
    Rows rows;
    for (std::size_t line = 0; line < csv_.lines.size(); ++line) {
      if (!is_selected(line)) continue;
      lines.push_back(line);
      rows.time.push_back(number(line, time));
      for (const std::size_t index : indices) rows.values.push_back(number(line, index));
    }
    if (const long row = first_that_does_not_rise(rows.time); row >= 0)
      fail(lines[static_cast<std::size_t>(row)], time, kExpectedTimes);
    return rows;
  }

 private:
  [[nodiscard]] std::size_t column(const std::string& name) const {
    if (const auto index = csv_.find(name)) return *index;
    fail_at(measured_, 1, {}, name, "no such column" + did_you_mean(name, csv_.names()));
  }

  [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& expected) const {
    const CsvField& field = csv_.lines[line][column];
    fail_at(measured_, csv_.numbers[line], field, csv_.columns[column].text,
            (field.text.empty() ? "nothing" : "'" + field.text + "'") + expected);
  }

  [[nodiscard]] double number(std::size_t line, std::size_t column) const {
    const auto value = csv_number_of(csv_.lines[line][column].text);
    if (!value || !std::isfinite(*value)) fail(line, column, ", expected a number");
    return *value;
  }

  [[nodiscard]] bool is_selected(std::size_t line) const {
    for (std::size_t i = 0; i < where_.size(); ++i) {
      YamlNode field;
      field.kind = YamlNode::Kind::kScalar;
      field.text = csv_.lines[line][where_[i]].text;
      if (!is_same_value(field, measured_.where[i].value)) return false;
    }
    return true;
  }

  const Measured& measured_;
  const CsvText& csv_;
  std::vector<std::size_t> where_;  // columns of the conditions
};

std::string place_of_row(const Measured& measured, long row, const std::string& dataset) {
  return measured.name + ": row " + std::to_string(row) + " of " + dataset;
}

Rows read_hdf5_rows(const Measured& measured, const std::string& dataset) {
  const hdf5::File file = hdf5::File::open_read(measured.file);
  const auto read = [&](const std::string& name, std::vector<double>* values) {
    const std::string path = name.starts_with('/')
                                 ? name
                                 : (measured.group.starts_with('/') ? "" : "/") + measured.group +
                                       (measured.group.ends_with('/') ? "" : "/") + name;
    if (!file.exists(path)) fail(measured.name, "has no dataset " + path);
    const hdf5::ObjectInfo info = file.info(path);
    if (info.is_group || info.type == hdf5::Type::kText || info.shape.empty())
      fail(measured.name, path + " is no array of numbers");
    *values = file.read_real(path, 0, info.shape[0]);
    return info.shape[0];
  };
  Rows rows;
  const long num_times = read(measured.time, &rows.time), num_rows = read(dataset, &rows.values);
  if (num_times != num_rows || rows.time.size() != static_cast<std::size_t>(num_times))
    fail(measured.name, dataset + " has " + std::to_string(num_rows) + " rows, expected " +
                            std::to_string(rows.time.size()) + " as of " + measured.time);
  if (const long row = first_that_does_not_rise(rows.time); row >= 0)
    fail(place_of_row(measured, row, measured.time),
         format_number(rows.time[static_cast<std::size_t>(row)]) + kExpectedTimes);
  return rows;
}

}  // namespace

const CsvText& MeasuredReader::file(const Measured& measured) {
  const auto known = files_.find(measured.file);
  if (known != files_.end()) return known->second;
  std::string bytes;
  if (const std::string fault = read_file_bytes(measured.file, &bytes); !fault.empty())
    fail(measured.name, fault);
  CsvFault fault;
  std::optional<CsvText> csv = parse_csv(bytes, &fault);
  if (!csv) fail_at(measured, fault.line, {"", fault.column}, "line", fault.message);
  return files_.emplace(measured.file, std::move(*csv)).first->second;
}

Curve MeasuredReader::read(const Measured& measured, const Measure& measure, const RowShape& shape) {
  const std::vector<std::string>& columns = measured.columns.at(measure.name);
  const Rows rows = measured.is_hdf5 ? read_hdf5_rows(measured, columns.front())
                                     : CsvRows(measured, file(measured)).read(columns);
  const auto width = static_cast<std::size_t>(shape.width);
  if (!rows.time.empty() && rows.values.size() != width * rows.time.size())
    fail(measured.name, std::to_string(rows.values.size() / rows.time.size()) + " numbers a row, expected " +
                            std::to_string(width) + " of measure " + measure.name);
  Curve curve;
  curve.width = shape.width;
  curve.is_quaternion = shape.is_quaternion;
  for (std::size_t row = 0; row < rows.time.size(); ++row) {
    const double time = rows.time[row];
    const auto& window = measure.spec.window;
    if (window && (time < (*window)[0] - kTimeTolerance || time > (*window)[1] + kTimeTolerance)) continue;
    for (std::size_t i = row * width; i < (row + 1) * width; ++i)
      if (!std::isfinite(rows.values[i]))
        fail(place_of_row(measured, static_cast<long>(row), columns.front()),
             format_number(rows.values[i]) + ", expected a number; leave the row out");
    curve.time.push_back(time);
    curve.values.insert(curve.values.end(), rows.values.begin() + static_cast<long>(row * width),
                        rows.values.begin() + static_cast<long>((row + 1) * width));
  }
  curve.count = static_cast<long>(curve.time.size());
  if (curve.time.empty())
    fail(measured.name, std::string("has no row") + (measure.spec.window ? " in the window" : "") +
                            (measured.where.empty() ? "" : " with " + describe(measured.where)));
  return curve;
}

std::string describe(const Measured& measured) {
  return measured.file + "\n" + measured.group + "\n" + describe(measured.where);
}

}  // namespace csim
