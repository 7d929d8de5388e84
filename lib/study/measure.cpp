#include "study/measure.h"

#include "study/measure_columns.h"

namespace csim {
namespace {

constexpr const char* kReductionNames[] = {"final",    "initial", "max",       "min",   "max_abs",
                                           "mean",     "rms",     "integral",  "range", "count",
                                           "crossing", "at",      "difference"};

}  // namespace

const char* to_string(Reduction reduction) {
  return kReductionNames[static_cast<int>(reduction)];
}

std::optional<Reduction> find_reduction(const std::string& word) {
  for (int i = 0; i < static_cast<int>(std::size(kReductionNames)); ++i)
    if (word == kReductionNames[i]) return static_cast<Reduction>(i);
  return std::nullopt;
}

std::vector<std::string> reduction_names() {
  return {std::begin(kReductionNames), std::end(kReductionNames)};
}

bool has_argument(Reduction reduction) {
  return reduction == Reduction::kCrossing || reduction == Reduction::kAt;
}

std::optional<MeasureFault> check_measure(const MeasureSpec& measure, const ResultLayout& layout) {
  MeasureFault fault;
  if (find_columns(measure, layout, &fault)) return std::nullopt;
  return fault;
}

std::string measure_unit(const MeasureSpec& measure, const ResultLayout& layout) {
  MeasureFault fault;
  const std::optional<MeasureColumns> columns = find_columns(measure, layout, &fault);
  if (!columns) return "";
  switch (measure.reduce) {
    case Reduction::kIntegral:
      return columns->unit == "1" ? "s" : columns->unit + " s";
    case Reduction::kCrossing:
      return "s";
    case Reduction::kCount:
      return "1";
    case Reduction::kDifference:
      return columns->is_quaternion ? "rad" : columns->unit;
    default:
      return columns->unit;
  }
}

RowShape row_shape(const MeasureSpec& measure, const ResultLayout& layout) {
  MeasureFault fault;
  const std::optional<MeasureColumns> columns = find_columns(measure, layout, &fault);
  if (!columns || columns->component || columns->norm) return {};
  return {columns->width, columns->is_quaternion};
}

double evaluate_measure(const MeasureSpec& measure, const ResultFile& result, const ResultFile* reference) {
  const Curve curve = read_curve(measure, result);
  if (measure.reduce != Reduction::kDifference) return reduce_curve(curve, measure.reduce, measure.argument);
  return curve_difference(within_window(curve, measure),
                          reference ? within_window(read_curve(measure, *reference), measure) : Curve{});
}

}  // namespace csim
