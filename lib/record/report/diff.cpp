#include "record/report/diff.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <ranges>
#include <set>

#include "core/number_format.h"

namespace csim {
namespace {

constexpr long kEntriesPerBlock = 1 << 20;  // read at a time

bool is_compared(const std::string& path) {
  return !is_timing(path) && !path.starts_with("/checkpoint/") && !path.starts_with("/provenance") &&
         !path.starts_with("/scene/");
}

double relative_difference(double a, double b) {
  if (std::isnan(a) != std::isnan(b)) return std::numeric_limits<double>::infinity();
  const double scale = std::max(std::abs(a), std::abs(b));
  return std::isinf(scale) ? std::numeric_limits<double>::infinity() : std::abs(a - b) / scale;
}

bool agrees(double a, double b, const DiffOptions& options) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::abs(a - b) <= options.atol + options.rtol * std::max(std::abs(a), std::abs(b));
}

/// Names the rows and columns of a file's entries.
class Labels {
 public:
  explicit Labels(const ResultFile& result)
      : result_(result),
        bodies_(result.texts("/bodies/name")),
        geometries_(result.texts("/geometries/name")) {
    times_[Table::kFrames] = result.real("/trajectory/time");
    times_[Table::kSteps] = result.real("/stats/step/time");
    if (result.has("/event/time")) times_[Table::kEvents] = result.real("/event/time");
    for (const RaggedTable& ragged : kRaggedTables)
      if (result.has(ragged.offsets)) offsets_[ragged.table] = result.integer(ragged.offsets);
  }

  [[nodiscard]] std::optional<double> time(const std::string& path, long row) const {
    auto place = find_table(path);
    if (!place) return std::nullopt;
    if (place->is_offset) --row;  // the entry that ends a row belongs to it
    const auto [table, owner_row] = owner(place->table, row);
    const auto times = times_.find(table);
    if (times == times_.end() || owner_row < 0 || owner_row >= static_cast<long>(times->second.size()))
      return std::nullopt;
    return times->second[owner_row];
  }

  [[nodiscard]] std::string label(const std::string& path, const std::vector<long>& index) const {
    const auto name = [](const std::vector<std::string>& names, long i) {
      return i >= 0 && i < static_cast<long>(names.size()) ? names[i] : std::string();
    };
    if (path.starts_with("/pair/") && !find_table(path)->is_offset) {
      return "body " + name(bodies_, result_.integer("/pair/body_a", index[0], 1).at(0)) + " with " +
             name(bodies_, result_.integer("/pair/body_b", index[0], 1).at(0));
    }
    if (path.starts_with("/contact/") || path.starts_with("/patch/")) {
      const auto place = find_table(path);
      if (!place || place->is_offset) return "";
      const bool of_contact = place->table == Table::kContacts;
      const std::string group = of_contact ? "/contact" : "/patch";
      const long row = of_contact ? index[0] : owner(place->table, index[0], Table::kPatches).second;
      const long a = result_.integer(group + "/geometry_a", row, 1).at(0),
                 b = result_.integer(group + "/geometry_b", row, 1).at(0);
      return "geometry " + name(geometries_, a) + " with " + name(geometries_, b);
    }
    if (path == "/trajectory/q" || path == "/trajectory/v")
      return column("body", bodies_, path == "/trajectory/q" ? "/bodies/q_offset" : "/bodies/v_offset",
                    index[1]);
    if (path.starts_with("/trajectory/") && index.size() == 3) return "body " + name(bodies_, index[1]);
    if (path.starts_with("/joint/")) {
      return column("joint", result_.texts("/joints/name"),
                    path == "/joint/position" ? "/joints/q_offset" : "/joints/v_offset", index[1]);
    }
    if (path.starts_with("/bodies/")) return "body " + name(bodies_, index[0]);
    if (path.starts_with("/geometries/")) return "geometry " + name(geometries_, index[0]);
    return "";
  }

 private:
  /// The last row that begins at or before `row`.
  static long owner(const std::vector<std::int64_t>& offsets, long row) {
    return static_cast<long>(std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin()) - 1;
  }

  /// The row of another table that a ragged row belongs to, in the table that is not ragged or in `upto`.
  [[nodiscard]] std::pair<Table, long> owner(Table table, long row, Table upto = Table::kFrames) const {
    for (const RaggedTable& ragged : std::views::reverse(kRaggedTables)) {
      const auto offsets = offsets_.find(table);
      if (ragged.table != table || table == upto || offsets == offsets_.end()) continue;
      row = owner(offsets->second, row);
      table = ragged.owner;
    }
    return {table, row};
  }

  [[nodiscard]] std::string column(const std::string& kind, const std::vector<std::string>& names,
                                   const std::string& offsets, long index) const {
    const long i = owner(result_.integer(offsets), index);
    return i >= 0 && i < static_cast<long>(names.size()) ? kind + " " + names[i] : "";
  }

  const ResultFile& result_;
  std::vector<std::string> bodies_, geometries_;
  std::map<Table, std::vector<double>> times_;  // s, of each row
  std::map<Table, std::vector<std::int64_t>> offsets_;
};

/// The leading entries that two lists share.
template <typename T>
long num_shared(const std::vector<T>& a, const std::vector<T>& b) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::mismatch(a.begin(), a.begin() + count, b.begin()).first - a.begin();
}

/// An entry of a dataset, counted row after row, that differs.
struct Difference {
  long entry;
  double a, b, relative;
};

class Comparison {
 public:
  Comparison(const ResultFile& a, const ResultFile& b, const DiffOptions& options)
      : a_(a), b_(b), options_(options), labels_(a) {}

  DiffReport run() {
    std::set<std::string> paths;
    for (const ResultFile* file : {&a_, &b_}) {
      for (const hdf5::ObjectInfo& dataset : file->datasets()) {
        if (is_compared(dataset.path)) paths.insert(dataset.path);
      }
    }
    for (const RaggedTable& ragged : kRaggedTables) match_rows(ragged);
    for (const std::string& path : paths) compare(path);
    std::stable_sort(report_.quantities.begin(), report_.quantities.end(),
                     [](const auto& p, const auto& q) { return p.largest_relative > q.largest_relative; });
    if (!report_.first) report_.first = report_.worst = report_.first_nan;
    report_.equal = report_.mismatches.empty() && report_.quantities.empty();
    return std::move(report_);
  }

 private:
  /// Finds the leading rows of a ragged table that stand for the same things in both files: of owners with
  /// as many rows, for contacts and patches also of the same geometries. What follows is a mismatch.
  void match_rows(const RaggedTable& ragged) {
    if (!a_.has(ragged.offsets) || !b_.has(ragged.offsets)) return;
    std::vector<std::int64_t> a = a_.integer(ragged.offsets), b = b_.integer(ragged.offsets);
    if (a.empty() || b.empty() || a.front() != 0) return;
    const long all_a = a.back(), all_b = b.back();
    if (const auto owners = matched_.find(ragged.owner); owners != matched_.end())
      a.resize(std::min(a.size(), static_cast<std::size_t>(owners->second) + 1));
    long rows = std::max<long>(0, a.at(static_cast<std::size_t>(std::max(1L, num_shared(a, b)) - 1)));
    if (ragged.owner == Table::kFrames) {
      for (const char* side : {"/geometry_a", "/geometry_b"}) {
        const std::string path = ragged.group + std::string(side);
        if (a_.has(path) && b_.has(path))
          rows = std::min(rows, num_shared(a_.integer(path), b_.integer(path)));
      }
      rows = *std::prev(std::upper_bound(a.begin(), a.end(), rows));  // whole frames
    }
    matched_[ragged.table] = rows;
    if (rows == all_a && rows == all_b) return;
    const std::string group = ragged.group;
    const std::optional<double> end = rows < all_a ? labels_.time(group + "/", rows) : std::nullopt;
    const std::string until = end ? format_text(", those before t = %.9g s,", *end) : "";
    report_.mismatches.push_back(group + ": " + std::to_string(all_a) + " rows against " +
                                 std::to_string(all_b) + "; the first " + std::to_string(rows) + until +
                                 " are of the same things and compared");
  }

  void compare(const std::string& path) {
    if (!a_.has(path) || !b_.has(path)) {
      if (path.starts_with("/event/")) return;  // one file is older than the group
      report_.mismatches.push_back(path + ": only in " + (a_.has(path) ? a_ : b_).path());
      return;
    }
    const hdf5::ObjectInfo &in_a = a_.dataset(path), &in_b = b_.dataset(path);
    if ((in_a.type == hdf5::Type::kText) != (in_b.type == hdf5::Type::kText)) {
      report_.mismatches.push_back(path + ": text in one file, numbers in the other");
      return;
    }
    const auto place = find_table(path);
    const auto matched = place && !place->is_offset ? matched_.find(place->table) : matched_.end();
    if (in_a.shape != in_b.shape && matched == matched_.end())
      report_.mismatches.push_back(path + ": shape " + shape_text(in_a.shape) + " against " +
                                   shape_text(in_b.shape));
    if (in_a.type == hdf5::Type::kText) {
      if (in_a.shape == in_b.shape && a_.texts(path) != b_.texts(path))
        report_.mismatches.push_back(path + ": other texts" + first_text(path));
      return;
    }
    const bool same_rows =
        in_a.shape.size() == in_b.shape.size() &&
        (in_a.shape.empty() || std::equal(in_a.shape.begin() + 1, in_a.shape.end(), in_b.shape.begin() + 1));
    if (!same_rows) return;
    long rows = in_a.shape.empty() ? 1 : std::min(in_a.shape[0], in_b.shape[0]);
    if (matched != matched_.end()) rows = std::min(rows, matched->second);
    compare_numbers(path, in_a.shape, rows);
  }

  /// ", first 'a' against 'b' at t = .. s" of texts in a table; "" of others.
  [[nodiscard]] std::string first_text(const std::string& path) const {
    const std::vector<std::string> a = a_.texts(path), b = b_.texts(path);
    const long row = num_shared(a, b);
    const std::optional<double> time = labels_.time(path, row);
    if (!time) return "";
    const auto i = static_cast<std::size_t>(row);
    return ", first '" + a[i] + "' against '" + b[i] + format_text("' at t = %.9g s", *time);
  }

  void compare_numbers(const std::string& path, const std::vector<long>& shape, long rows) {
    long per_row = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) per_row *= shape[i];
    if (per_row == 0) return;
    DiffReport::Quantity quantity;
    quantity.path = path;
    quantity.total = rows * per_row;
    const long block = std::max(1L, kEntriesPerBlock / per_row);
    std::optional<Difference> first, worst, first_nan;
    for (long row = 0; row < rows; row += block) {
      const long count = std::min(block, rows - row);
      const std::vector<double> a = a_.real(path, row, count), b = b_.real(path, row, count);
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (agrees(a[i], b[i], options_)) continue;
        ++quantity.count;
        const Difference here{row * per_row + static_cast<long>(i), a[i], b[i],
                              relative_difference(a[i], b[i])};
        if (std::isnan(a[i]) || std::isnan(b[i])) {
          ++quantity.count_nan;
          if (!first_nan) first_nan = here;
          continue;
        }
        if (!first) first = here;
        if (!worst || here.relative > worst->relative) worst = here;
        quantity.largest_absolute = std::max(quantity.largest_absolute, std::abs(a[i] - b[i]));
      }
    }
    report_.num_compared += quantity.total;
    if (quantity.count == 0) return;
    if (worst) {
      quantity.largest_relative = worst->relative;
      keep_first(make_entry(path, shape, *first), &report_.first);
      const DiffEntry entry = make_entry(path, shape, *worst);
      if (!report_.worst || entry.relative > report_.worst->relative) report_.worst = entry;
    }
    if (first_nan) keep_first(make_entry(path, shape, *first_nan), &report_.first_nan);
    report_.quantities.push_back(quantity);
  }

  static void keep_first(const DiffEntry& entry, std::optional<DiffEntry>* first) {
    constexpr double kBeforeAll = -std::numeric_limits<double>::infinity();
    if (!*first || entry.time.value_or(kBeforeAll) < (*first)->time.value_or(kBeforeAll)) *first = entry;
  }

  [[nodiscard]] DiffEntry make_entry(const std::string& path, const std::vector<long>& shape,
                                     const Difference& difference) const {
    DiffEntry entry;
    long number = difference.entry;
    entry.path = path;
    entry.index.resize(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      entry.index[axis] = axis == 0 ? number : number % shape[axis];
      if (axis > 0) number /= shape[axis];
    }
    const std::vector<std::string> units = a_.units(path);
    if (!units.empty())
      entry.unit = units.size() == 1 ? units[0] : units.at(static_cast<std::size_t>(entry.index.back()));
    if (!entry.index.empty()) {
      entry.label = labels_.label(path, entry.index);
      entry.time = labels_.time(path, entry.index[0]);
    }
    entry.a = difference.a, entry.b = difference.b;
    entry.relative = difference.relative;
    return entry;
  }

  const ResultFile &a_, &b_;
  DiffOptions options_;
  Labels labels_;
  std::map<Table, long> matched_;  // rows of ragged tables that are compared
  DiffReport report_;
};

}  // namespace

std::string shape_text(const std::vector<long>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

DiffReport diff_results(const ResultFile& a, const ResultFile& b, const DiffOptions& options) {
  return Comparison(a, b, options).run();
}

}  // namespace csim
