#include "record/report/diff.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <ranges>
#include <set>

#include "core/number_format.h"
#include "record/block_reader.h"
#include "record/report/diff_rows.h"
#include "record/report/diff_scale.h"
#include "record/report/diff_selection.h"
#include "record/report/row_labels.h"
#include "record/tables.h"

namespace csim {
namespace {

double relative_difference(double a, double b) {
  if (std::isnan(a) != std::isnan(b)) return std::numeric_limits<double>::infinity();
  const double scale = std::max(std::abs(a), std::abs(b));
  return std::isinf(scale) ? std::numeric_limits<double>::infinity() : std::abs(a - b) / scale;
}

bool agrees(double a, double b, const DiffTolerance& tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::abs(a - b) <= tolerance.atol + tolerance.rtol * std::max(std::abs(a), std::abs(b));
}

bool has_group(const ResultFile& file, const std::string& group) {
  const auto in_group = [&](const hdf5::ObjectInfo& dataset) {
    return dataset.path.starts_with(group + "/");
  };
  return std::ranges::any_of(file.datasets(), in_group);
}

class Comparison {
 public:
  Comparison(const ResultFile& a, const ResultFile& b, const DiffOptions& options)
      : a_(a), b_(b), selection_(a, b, options), match_(a, b, options.until), labels_(a) {}

  DiffReport run() {
    std::set<std::string> paths;
    for (const ResultFile* file : {&a_, &b_}) {
      for (const hdf5::ObjectInfo& dataset : file->datasets())
        if (selection_.contains(dataset.path)) paths.insert(dataset.path);
    }
    if (paths.empty())
      throw InvalidResultError(a_.path() + " and " + b_.path() + ": nothing is left to compare");
    take_remarks(paths);
    for (const std::string& path : paths) compare(path);
    rank();
    if (!report_.first) report_.first = report_.worst = report_.first_nan;
    report_.equal = report_.mismatches.empty() && report_.quantities.empty();
    return std::move(report_);
  }

 private:
  /// What was found about the rows of the tables that are compared, and of their owners.
  void take_remarks(const std::set<std::string>& paths) {
    std::set<Table> tables;
    for (const std::string& path : paths)
      if (const auto place = find_table(path)) tables.insert(place->table);
    for (const RaggedTable& ragged : std::views::reverse(kRaggedTables))
      if (tables.contains(ragged.table)) tables.insert(ragged.owner);
    for (const RowMatch::Remark& remark : match_.mismatches())
      if (tables.contains(remark.table)) report_.mismatches.push_back(remark.text);
    for (const RowMatch::Remark& remark : match_.notes())
      if (tables.contains(remark.table)) report_.notes.push_back(remark.text);
  }

  void compare(const std::string& path) {
    if (!a_.has(path) || !b_.has(path)) {
      // One file is older than these.
      if (path.starts_with("/event/") || path.starts_with("/warning/") || path.starts_with("/joints/") ||
          path.starts_with("/sequence/"))
        return;
      const std::string group = path.substr(0, path.rfind('/'));
      const bool is_switched_off = find_table(group + "/") && !(has_group(a_, group) && has_group(b_, group));
      const std::string& name = is_switched_off ? group : path;
      const std::string text = name + ": only in " + (a_.has(path) ? a_ : b_).path();
      if (report_.mismatches.empty() || report_.mismatches.back() != text) report_.mismatches.push_back(text);
      return;
    }
    const hdf5::ObjectInfo &in_a = a_.dataset(path), &in_b = b_.dataset(path);
    if ((in_a.type == hdf5::Type::kText) != (in_b.type == hdf5::Type::kText)) {
      report_.mismatches.push_back(path + ": text in one file, numbers in the other");
      return;
    }
    const auto place = find_table(path);
    const std::size_t fixed = place ? 1 : 0;  // axes from here on are the same in both
    if (in_a.shape.size() != in_b.shape.size() ||
        !std::equal(in_a.shape.begin() + fixed, in_a.shape.end(), in_b.shape.begin() + fixed)) {
      report_.mismatches.push_back(path + ": shape " + shape_text(in_a.shape) + " against " +
                                   shape_text(in_b.shape));
      return;
    }
    if (place) {
      const MatchedRows* matched = match_.find(place->table);
      if (matched) compare_rows(path, in_a, matched->rows);
      return;
    }
    std::vector<RowPair> all;
    for (long row = 0; row < (in_a.shape.empty() ? 1 : in_a.shape[0]); ++row) all.push_back({row, row});
    compare_rows(path, in_a, all);
  }

  void compare_rows(const std::string& path, const hdf5::ObjectInfo& info, const std::vector<RowPair>& rows) {
    info.type == hdf5::Type::kText ? compare_texts(path, rows) : compare_numbers(path, info.shape, rows);
  }

  void compare_texts(const std::string& path, const std::vector<RowPair>& rows) {
    if (a_.dataset(path).shape.empty()) {
      if (a_.text(path) != b_.text(path)) report_.mismatches.push_back(path + ": another text");
      return;
    }
    const std::vector<std::string> a = a_.texts(path), b = b_.texts(path);
    for (const RowPair& row : rows) {
      if (a.at(row.a) == b.at(row.b)) continue;
      const std::optional<double> time = labels_.time(path, row.a);
      report_.mismatches.push_back(path + ": other texts, first '" + a[row.a] + "' against '" + b[row.b] +
                                   "'" + (time ? format_text(" at t = %.9g s", *time) : ""));
      return;
    }
  }

  void compare_numbers(const std::string& path, const std::vector<long>& shape,
                       const std::vector<RowPair>& rows) {
    BlockReader reader_a(a_, path), reader_b(b_, path);
    const long per_row = reader_a.width();
    if (per_row == 0) return;
    const DiffTolerance tolerance = selection_.tolerance(path);
    DiffReport::Quantity quantity;
    quantity.path = path;
    quantity.total = static_cast<long>(rows.size()) * per_row;
    ScaleGroups scales(path, units(path));
    std::optional<Difference> first, first_nan;
    for (const RowPair& row : rows) {
      const std::span<const double> a = reader_a.row(row.a), b = reader_b.row(row.b);
      for (std::size_t i = 0; i < a.size(); ++i) {
        ScaleGroup& scale = scales.of(i);
        scale.see(a[i], b[i]);
        if (agrees(a[i], b[i], tolerance)) continue;
        ++quantity.count;
        const Difference here{row.a * per_row + static_cast<long>(i), a[i], b[i]};
        if (std::isnan(a[i]) || std::isnan(b[i])) {
          ++quantity.count_nan;
          if (!first_nan) first_nan = here;
          continue;
        }
        if (!first) first = here;
        if (!scale.worst || here.size() > scale.worst->size()) scale.worst = here;
        quantity.largest_relative = std::max(quantity.largest_relative, relative_difference(a[i], b[i]));
        quantity.largest_absolute = std::max(quantity.largest_absolute, here.size());
      }
    }
    report_.num_compared += quantity.total;
    for (const ScaleGroup& group : scales.all()) {
      double& scale = scales_[group.name];
      scale = std::max(scale, group.largest);
      if (group.worst) candidates_[path].push_back(make_entry(path, shape, *group.worst));
    }
    if (quantity.count == 0) return;
    if (first) keep_first(make_entry(path, shape, *first), &report_.first);
    if (first_nan) keep_first(make_entry(path, shape, *first_nan), &report_.first_nan);
    report_.quantities.push_back(quantity);
  }

  /// Puts the worst first, now that the scales are known.
  void rank() {
    for (auto* entry : {&report_.first, &report_.first_nan})
      if (*entry) put_to_scale(&**entry);
    for (DiffReport::Quantity& quantity : report_.quantities) {
      for (DiffEntry& entry : candidates_[quantity.path]) {
        put_to_scale(&entry);
        if (!quantity.worst || entry.over_scale > quantity.worst->over_scale) quantity.worst = entry;
      }
    }
    // NaN in one file only: below all numbers.
    const auto rank_of = [](const DiffReport::Quantity& q) { return q.worst ? q.worst->over_scale : -1.0; };
    std::ranges::stable_sort(report_.quantities, std::ranges::greater{}, rank_of);
    if (!report_.quantities.empty()) report_.worst = report_.quantities.front().worst;
  }

  void put_to_scale(DiffEntry* entry) const {
    entry->scale = scales_.at(scale_name(entry->path, entry->unit));
    const bool is_finite = std::isfinite(entry->relative);
    entry->over_scale = is_finite ? std::abs(entry->a - entry->b) / entry->scale : entry->relative;
  }

  /// One for all entries of a dataset, or one a column.
  [[nodiscard]] std::vector<std::string> units(const std::string& path) const {
    std::vector<std::string> units = a_.units(path);
    return units.empty() ? std::vector<std::string>{""} : units;
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
    const std::vector<std::string> all = units(path);
    entry.unit = all.size() == 1 ? all[0] : all.at(static_cast<std::size_t>(entry.index.back()));
    if (!entry.index.empty()) {
      entry.label = labels_.label(path, entry.index);
      entry.time = labels_.time(path, entry.index[0]);
    }
    entry.a = difference.a, entry.b = difference.b;
    entry.relative = relative_difference(difference.a, difference.b);
    return entry;
  }

  const ResultFile &a_, &b_;
  DiffSelection selection_;
  RowMatch match_;
  RowLabels labels_;
  std::map<std::string, double> scales_;                      // by scale_name()
  std::map<std::string, std::vector<DiffEntry>> candidates_;  // of a path: the worst of each of its scales
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
