// Rows of a result as the curve of a measure.
#include <algorithm>
#include <cmath>
#include <optional>

#include "record/block_reader.h"
#include "record/errors.h"
#include "record/tables.h"
#include "study/measure.h"
#include "study/measure_columns.h"

namespace csim {
namespace {

constexpr double kEndTolerance = 1e-9;  // s, of the ends of a window

const char* time_path(Table table) {
  return table == Table::kSteps      ? "/stats/step/time"
         : table == Table::kEvents   ? "/event/time"
         : table == Table::kWarnings ? "/warning/time"
                                     : "/trajectory/time";
}

bool is_inside(const std::optional<std::array<double, 2>>& window, double time) {
  return !window || (time >= (*window)[0] - kEndTolerance && time <= (*window)[1] + kEndTolerance);
}

/// Whether an end of the window lies between two times, or on one of them.
bool is_across(const std::optional<std::array<double, 2>>& window, double a, double b) {
  return std::any_of(window->begin(), window->end(),
                     [&](double end) { return (a - end) * (b - end) <= 0.0; });
}

/// What a row counts as: the component, the norm, or all of it.
void append_value(const MeasureColumns& columns, std::span<const double> row, std::vector<double>* values) {
  if (columns.norm) {
    double squared = 0.0;
    for (const double value : row) squared += value * value;
    values->push_back(std::sqrt(squared));
  } else if (columns.component) {
    values->push_back(row[*columns.component]);
  } else {
    values->insert(values->end(), row.begin(), row.end());
  }
}

/// The rows of a pair of bodies or geometries, frame by frame.
class PairRows {
 public:
  PairRows(const ResultFile& result, const MeasureColumns& columns)
      : columns_(columns), values_(result, columns.path) {
    const bool of_bodies = columns.table == Table::kPairs;
    const std::string group = columns.path.substr(0, columns.path.rfind('/'));
    offsets_ = result.integer(group + "/row_offset");
    a_ = result.index(group + (of_bodies ? "/body_a" : "/geometry_a"), columns.first.size());
    b_ = result.index(group + (of_bodies ? "/body_b" : "/geometry_b"), columns.first.size());
    const bool is_elastic = columns.path.ends_with("/elastic_moment");
    if (is_elastic || columns.path.ends_with("/moment")) {
      centroids_.emplace(result, group + "/centroid");
      forces_.emplace(result, group + (is_elastic ? "/elastic_force" : "/force"));
    }
  }

  /// Appends what the rows of a frame make, if they make something; returns their number.
  long append_frame(long frame, std::vector<double>* values) {
    frame_.assign(static_cast<std::size_t>(columns_.width), 0.0);
    reduced_.clear();
    long count = 0;
    for (long row = offsets_.at(frame); row < offsets_.at(frame + 1); ++row) {
      const double sign = sign_of(row);
      if (sign == 0.0) continue;
      take_row(row, sign, ++count == 1);
    }
    if (columns_.rule != RowRule::kSum) {
      values->insert(values->end(), reduced_.begin(), reduced_.end());
    } else {
      append_value(columns_, frame_, values);
    }
    return count;
  }

 private:
  /// 1 when the row is of the pair in its order, -1 in the other order, 0 when it is not of the pair.
  [[nodiscard]] double sign_of(long row) const {
    const auto a = static_cast<std::size_t>(a_.at(row)), b = static_cast<std::size_t>(b_.at(row));
    if (columns_.first[a] && columns_.second[b]) return 1.0;
    return columns_.second[a] && columns_.first[b] ? -1.0 : 0.0;
  }

  void take_row(long row, double sign, bool is_first) {
    row_.assign(values_.row(row).begin(), values_.row(row).end());
    if (forces_) move_moment(row, is_first);
    if (columns_.turns)
      for (double& value : row_) value *= sign;
    if (columns_.rule == RowRule::kSum) {
      for (std::size_t i = 0; i < row_.size(); ++i) frame_[i] += row_[i];
      return;
    }
    scalars_.clear();
    append_value(columns_, row_, &scalars_);
    if (is_first) reduced_ = scalars_;
    const bool smallest = columns_.rule == RowRule::kSmallest;
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      const double value = scalars_[i];
      if (std::isnan(value) || (smallest ? value < reduced_[i] : value > reduced_[i])) reduced_[i] = value;
    }
  }

  /// About the first row's centroid c0 instead of its own c: m + (c - c0) x f.
  void move_moment(long row, bool is_first) {
    const std::span<const double> c = centroids_->row(row), f = forces_->row(row);
    if (is_first) origin_ = {c[0], c[1], c[2]};
    const double x = c[0] - origin_[0], y = c[1] - origin_[1], z = c[2] - origin_[2];
    row_[0] += y * f[2] - z * f[1];
    row_[1] += z * f[0] - x * f[2];
    row_[2] += x * f[1] - y * f[0];
  }

  const MeasureColumns& columns_;
  BlockReader values_;
  std::optional<BlockReader> centroids_, forces_;  // of moments
  std::vector<std::int64_t> offsets_, a_, b_;
  std::array<double, 3> origin_{};
  std::vector<double> row_, frame_, scalars_, reduced_;
};

}  // namespace

Curve within_window(const Curve& curve, const MeasureSpec& measure) {
  if (!measure.window) return curve;
  Curve inside;
  inside.width = curve.width;
  inside.is_quaternion = curve.is_quaternion;
  for (std::size_t row = 0; row < curve.time.size(); ++row) {
    if (!is_inside(measure.window, curve.time[row])) continue;
    const auto begin = curve.values.begin() + static_cast<long>(row) * curve.width;
    inside.time.push_back(curve.time[row]);
    inside.values.insert(inside.values.end(), begin, begin + curve.width);
  }
  inside.count = static_cast<long>(inside.time.size());
  return inside;
}

Curve read_curve(const MeasureSpec& measure, const ResultFile& result) {
  MeasureFault fault;
  const std::optional<MeasureColumns> columns = find_columns(measure, layout_of(result), &fault);
  if (!columns) throw InvalidResultError(result.path() + ": measure: " + fault.part + ": " + fault.message);
  Curve curve;
  curve.width = columns->component || columns->norm ? 1 : columns->width;
  curve.is_quaternion = columns->is_quaternion;
  std::optional<PairRows> pair;
  std::optional<BlockReader> rows;
  if (!columns->first.empty()) {
    pair.emplace(result, *columns);
  } else {
    rows.emplace(result, columns->path);
  }
  const std::vector<double> times = result.real(time_path(columns->table));
  const bool brackets = measure.reduce == Reduction::kDifference;  // to interpolate in all of the window
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto is_near = [&](std::size_t other) {
      return brackets && is_across(measure.window, times[i], times[other]);
    };
    if (!is_inside(measure.window, times[i]) && !(i > 0 && is_near(i - 1)) &&
        !(i + 1 < times.size() && is_near(i + 1)))
      continue;
    const long row = static_cast<long>(i);
    const std::size_t before = curve.values.size();
    if (pair) {
      curve.count += pair->append_frame(row, &curve.values);
    } else {
      append_value(*columns, rows->row(row).subspan(columns->begin, columns->width), &curve.values);
      ++curve.count;
    }
    if (curve.values.size() > before) curve.time.push_back(times[i]);
  }
  return curve;
}

}  // namespace csim
