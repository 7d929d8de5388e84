#include <algorithm>
#include <filesystem>
#include <optional>

#include "audit/layout.h"
#include "core/csv_text.h"
#include "core/file_bytes.h"
#include "core/nearest_name.h"
#include "core/number_format.h"
#include "record/errors.h"

namespace csim::audit {
namespace {

/// A file of comma-separated values.
struct CsvFile {
  std::string path;
  CsvText csv = {};

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw InvalidResultError(path + ":" + std::to_string(csv.numbers[line]) + ": " + what);
  }
  [[nodiscard]] std::optional<std::size_t> find(const std::string& column) const { return csv.find(column); }
  [[nodiscard]] std::size_t column(const std::string& name) const {
    if (const auto index = find(name)) return *index;
    throw InvalidResultError(path + ":1: has no column '" + name + "'");
  }
  [[nodiscard]] std::size_t num_lines() const { return csv.lines.size(); }
  [[nodiscard]] const std::string& text(std::size_t line, std::size_t column) const {
    return csv.lines[line][column].text;
  }
  [[nodiscard]] double number(std::size_t line, std::size_t column) const {
    if (const auto value = csv_number_of(text(line, column))) return *value;
    fail(line, csv.columns[column].text + ": '" + text(line, column) + "', expected a number");
  }
};

CsvFile read_csv(const std::string& path) {
  std::string bytes;
  if (const std::string fault = read_file_bytes(path, &bytes); !fault.empty())
    throw InvalidResultError(path + ": " + fault);
  CsvFault fault;
  std::optional<CsvText> csv = parse_csv(bytes, &fault);
  if (!csv) throw InvalidResultError(path + ":" + std::to_string(fault.line) + ": " + fault.message);
  return {path, std::move(*csv)};
}

/// The columns of a dataset: mass; position_x, position_y, position_z.
std::vector<std::string> columns_of(const Dataset& dataset) {
  const std::string path = dataset.path, name = path.substr(path.rfind('/') + 1);
  if (dataset.width == 0) return {name};
  std::vector<std::string> columns;
  const std::vector<std::string> parts = dataset.width == 3 ? std::vector<std::string>{"x", "y", "z"}
                                         : dataset.width == 4
                                             ? std::vector<std::string>{"w", "x", "y", "z"}
                                             : std::vector<std::string>{"xx", "yy", "zz", "xy", "xz", "yz"};
  for (const std::string& part : parts) columns.push_back(name + "_" + part);
  return columns;
}

/// Refuses a column that no dataset of these axes has and that is not among `more`.
void check_columns(const CsvFile& csv, Axes axes, std::vector<std::string> more) {
  for (const Dataset& dataset : layout()) {
    if (dataset.axes != axes) continue;
    for (const std::string& column : columns_of(dataset)) more.push_back(column);
  }
  for (const std::string& column : csv.csv.names())
    if (std::find(more.begin(), more.end(), column) == more.end())
      throw InvalidResultError(csv.path + ":1: '" + column + "' is no column of it" +
                               did_you_mean(column, more));
}

/// The dataset's columns of the lines in the given order, with the leading axes `shape`; nothing where the
/// file has none of them.
std::optional<Array> read_columns(const CsvFile& csv, const Dataset& dataset,
                                  const std::vector<std::size_t>& order, std::vector<long> shape) {
  const std::vector<std::string> names = columns_of(dataset);
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return csv.find(name); }))
    return std::nullopt;
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(csv.column(name));
  if (dataset.width > 0) shape.push_back(dataset.width);
  Array array{.shape = std::move(shape), .is_text = dataset.element == Element::kText};
  for (const std::size_t line : order) {
    for (const std::size_t column : columns) {
      if (array.is_text)
        array.texts.push_back(csv.text(line, column));
      else
        array.values.push_back(csv.number(line, column));
    }
  }
  return array;
}

/// A folder while it is read.
struct Folder {
  std::filesystem::path path;
  Arrays all;
  std::vector<std::string> bodies = {};
  std::vector<double> times = {};

  [[nodiscard]] std::optional<CsvFile> open(const char* name) const {
    if (!std::filesystem::exists(path / name)) return std::nullopt;
    return read_csv((path / name).string());
  }
  void add(const CsvFile& csv, Axes axes, const std::vector<std::size_t>& order,
           const std::vector<long>& shape) {
    for (const Dataset& dataset : layout()) {
      if (dataset.axes != axes || all.arrays.count(dataset.path) > 0) continue;
      if (auto array = read_columns(csv, dataset, order, shape)) all.arrays[dataset.path] = std::move(*array);
    }
  }
  /// The index of a body by its name; -1: the world.
  [[nodiscard]] double body(const CsvFile& csv, std::size_t line, std::size_t column) const {
    const std::string& name = csv.text(line, column);
    const auto found = std::find(bodies.begin(), bodies.end(), name);
    if (found != bodies.end()) return static_cast<double>(found - bodies.begin());
    if (name == "world") return -1.0;
    csv.fail(line, csv.csv.columns[column].text + ": '" + name + "' is no body of bodies.csv, nor world" +
                       did_you_mean(name, bodies));
  }
  /// The row of a time.
  [[nodiscard]] std::size_t row(const CsvFile& csv, std::size_t line, std::size_t column) const {
    const double time = csv.number(line, column);
    const auto found = std::lower_bound(times.begin(), times.end(), time);
    if (found == times.end() || *found != time)
      csv.fail(line, "time: " + format_number(time) + " is no time of motion.csv");
    return static_cast<std::size_t>(found - times.begin());
  }
};

std::vector<std::size_t> all_lines(const CsvFile& csv) {
  std::vector<std::size_t> order(csv.num_lines());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

long count_of(const CsvFile& csv) {
  return static_cast<long>(csv.num_lines());
}

/// Lines of one body each; the names tell them apart.
void read_bodies(Folder* folder) {
  const CsvFile csv = read_csv((folder->path / "bodies.csv").string());
  check_columns(csv, Axes::kBodies, {});
  const std::size_t column = csv.column("name");
  for (std::size_t line = 0; line < csv.num_lines(); ++line) {
    const std::string& name = csv.text(line, column);
    if (name == "world") csv.fail(line, "name: 'world' is that of the world, expected another name");
    const auto found = std::find(folder->bodies.begin(), folder->bodies.end(), name);
    if (found != folder->bodies.end())
      csv.fail(line,
               "name: '" + name + "' is that of the body of line " +
                   std::to_string(csv.csv.numbers[static_cast<std::size_t>(found - folder->bodies.begin())]) +
                   ", expected another name");
    folder->bodies.push_back(name);
  }
  folder->add(csv, Axes::kBodies, all_lines(csv), {count_of(csv)});
}

/// Lines of one time after the other, each with every body once, in any order.
void read_motion(Folder* folder) {
  const CsvFile csv = read_csv((folder->path / "motion.csv").string());
  check_columns(csv, Axes::kRowsBodies, {"time", "body"});
  const std::size_t time = csv.column("time"), body = csv.column("body"), none = csv.num_lines();
  std::vector<std::size_t> order;
  for (std::size_t line = 0; line < csv.num_lines(); ++line) {
    const double t = csv.number(line, time);
    if (folder->times.empty() || t != folder->times.back()) {
      folder->times.push_back(t);
      order.resize(order.size() + folder->bodies.size(), none);
    }
    const double index = folder->body(csv, line, body);
    if (index < 0.0) csv.fail(line, "body: the world does not move");
    std::size_t& place = order[order.size() - folder->bodies.size() + static_cast<std::size_t>(index)];
    if (place != none) csv.fail(line, "body: '" + csv.text(line, body) + "' has a line of this time already");
    place = line;
  }
  const auto missing = std::find(order.begin(), order.end(), none);
  if (missing != order.end()) {
    const auto place = static_cast<std::size_t>(missing - order.begin());
    throw InvalidResultError(csv.path + ": has no line of body '" +
                             folder->bodies[place % folder->bodies.size()] + "' at time " +
                             format_number(folder->times[place / folder->bodies.size()]));
  }
  const auto rows = static_cast<long>(folder->times.size()),
             bodies = static_cast<long>(folder->bodies.size());
  folder->add(csv, Axes::kRowsBodies, order, {rows, bodies});
  folder->all.arrays["/time"] = Array{.shape = {rows}, .values = folder->times};
}

/// A file whose lines belong to times and pairs of bodies: contacts.csv, pairs.csv.
void read_ragged(const char* name, const std::string& group, Axes axes, Folder* folder) {
  const auto csv = folder->open(name);
  if (!csv) return;
  check_columns(*csv, axes, {"time"});
  std::vector<std::size_t> row, order = all_lines(*csv);
  std::vector<double> offset(folder->times.size() + 1, 0.0);
  for (const std::size_t line : order) {
    row.push_back(folder->row(*csv, line, csv->column("time")));
    for (std::size_t f = row.back() + 1; f < offset.size(); ++f) offset[f] += 1.0;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] < row[b]; });
  folder->all.arrays[group + "/row_offset"] =
      Array{.shape = {static_cast<long>(offset.size())}, .values = std::move(offset)};
  for (const char* side : {"/body_a", "/body_b"}) {
    Array bodies{.shape = {count_of(*csv)}};
    const std::size_t column = csv->column(side + 1);
    for (const std::size_t line : order) bodies.values.push_back(folder->body(*csv, line, column));
    folder->all.arrays[group + side] = std::move(bodies);
  }
  folder->add(*csv, axes, order, {count_of(*csv)});
}

/// energy.csv, a line a row; settings.csv, one line.
void read_rest(Folder* folder) {
  if (const auto csv = folder->open("energy.csv")) {
    check_columns(*csv, Axes::kRows, {});
    for (std::size_t line = 0; line < csv->num_lines(); ++line)
      if (folder->row(*csv, line, csv->column("time")) != line)
        csv->fail(line, "time: expected one line a time of motion.csv, in their order");
    folder->add(*csv, Axes::kRows, all_lines(*csv), {count_of(*csv)});
  }
  if (const auto csv = folder->open("settings.csv")) {
    check_columns(*csv, Axes::kNone, {"program"});
    if (csv->num_lines() != 1)
      throw InvalidResultError(csv->path + ": has " + std::to_string(csv->num_lines()) +
                               " lines below its first, expected 1");
    folder->add(*csv, Axes::kNone, {0}, {});
    if (const auto column = csv->find("program")) folder->all.program = csv->text(0, *column);
  }
}

}  // namespace

Arrays read_csv_arrays(const std::string& path) {
  Folder folder{.path = path, .all = {.file = path}};
  read_bodies(&folder);
  read_motion(&folder);
  read_ragged("contacts.csv", "/contact", Axes::kContacts, &folder);
  read_ragged("pairs.csv", "/pair", Axes::kPairs, &folder);
  read_rest(&folder);
  return std::move(folder.all);
}

}  // namespace csim::audit
