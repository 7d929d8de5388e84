// A measure: one number of a result, such as the largest normal force between two bodies after t = 0.5 s. It
// takes the rows of a dataset (of one body, joint or pair of bodies), which makes a curve in time, and
// reduces the curve to a number.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"
#include "study/result_layout.h"

namespace csim {

enum class Reduction {
  kFinal,
  kInitial,
  kMax,
  kMin,
  kMaxAbs,
  kMean,       // over the rows, unweighted
  kRms,        // likewise
  kIntegral,   // in time, by the trapezoid rule
  kRange,      // largest minus smallest
  kCount,      // rows; of a pair its rows in the ragged table
  kCrossing,   // s, the first time at which the curve, linear between rows, is `argument`
  kAt,         // value at the time `argument`, linear between rows
  kDifference  // rms over the rows of the distance to the reference's curve
};
/// "final", .. "max_abs", .. "difference".
[[nodiscard]] const char* to_string(Reduction reduction);
[[nodiscard]] std::optional<Reduction> find_reduction(const std::string& word);
[[nodiscard]] std::vector<std::string> reduction_names();
/// Of `crossing` and `at`, which need a number.
[[nodiscard]] bool has_argument(Reduction reduction);

struct MeasureSpec {
  std::string dataset;            // "trajectory/position", with or without a slash before it
  std::string item;               // body, joint, actuator or constraint; "": none
  std::vector<std::string> pair;  // two bodies or geometries, or none
  std::string component;          // x, y, z, w, norm or an index; "": none
  Reduction reduce = Reduction::kFinal;
  double argument = 0.0;                        // of crossing (unit of the values), of at (s)
  std::optional<std::array<double, 2>> window;  // s, first and last time that count, to 1e-9 s
};

/// What is wrong with a measure, and in which of its parts: "dataset", "item", "pair", "component", "reduce",
/// "window".
struct MeasureFault {
  std::string part, message;
};

/// Whether results of this layout have the measure: the dataset, the item, the component.
[[nodiscard]] std::optional<MeasureFault> check_measure(const MeasureSpec& measure,
                                                        const ResultLayout& layout);

/// Unit of a measure without fault: that of its dataset; of integral with s, of crossing s, of count 1, of
/// the difference of quaternions rad.
[[nodiscard]] std::string measure_unit(const MeasureSpec& measure, const ResultLayout& layout);

/// What a row of a measure's curve is.
struct RowShape {
  long width = 1;
  bool is_quaternion = false;
};

/// Of a measure without fault.
[[nodiscard]] RowShape row_shape(const MeasureSpec& measure, const ResultLayout& layout);

/// The rows of a measure in one result: those in the window whose value exists.
struct Curve {
  std::vector<double> time;    // s
  std::vector<double> values;  // [rows, width]
  long width = 1;              // more than 1 only for the difference of vectors
  bool is_quaternion = false;
  long count = 0;  // of Reduction::kCount
};

/// Reads a measure's rows. Of a pair the rows of a frame become one: force, normal_force, elastic_force, area
/// and the moments (about the first row's centroid) are added, `phi` is the smallest, of anything else the
/// largest component counts. A frame without a row is 0 where rows are added, else it has no row here.
/// Vectors of contacts are turned so that they are those on the second name of the pair (normals point to
/// it, slip is its own).
/// Throws InvalidResultError for a measure that check_measure refuses, ReadError for a damaged file. Of
/// `difference` the rows next to the window on both sides come too: between rows it is interpolated.
[[nodiscard]] Curve read_curve(const MeasureSpec& measure, const ResultFile& result);

/// The rows of a measure's curve that lie in its window.
[[nodiscard]] Curve within_window(const Curve& curve, const MeasureSpec& measure);

/// The number of a curve of width 1, all reductions but `difference`; NaN without rows (count: 0), where the
/// curve does not cross and outside the times of its rows. A NaN among the rows makes NaN, except of `final`,
/// `initial`, `count`, and of `crossing` and `at` in other intervals than those beside it.
[[nodiscard]] double reduce_curve(const Curve& curve, Reduction reduction, double argument);

/// Whether two curves have rows at the same times, to 1e-9 s.
[[nodiscard]] bool have_same_times(const Curve& a, const Curve& b);

/// Rms over the rows of the length of the difference of two curves, of quaternions the angle between them,
/// rad. NaN when their times differ or without rows.
[[nodiscard]] double curve_difference(const Curve& a, const Curve& b);

/// The components of the differences that curve_difference takes the length of, of quaternions the vector of
/// the rotation from b to a (rad), divided by the root of the number of rows: its norm is curve_difference.
/// One NaN where that is NaN.
[[nodiscard]] std::vector<double> curve_residuals(const Curve& a, const Curve& b);

/// The curve at other times, linear between its rows, of quaternions along the shortest arc at constant speed
/// (slerp). Rows within 1e-9 s of a time are taken as they are; NaN beyond the ends.
[[nodiscard]] Curve curve_at(const Curve& curve, const std::vector<double>& times);

/// read_curve and its reduction; `difference` is that to `reference`, NaN without one.
[[nodiscard]] double evaluate_measure(const MeasureSpec& measure, const ResultFile& result,
                                      const ResultFile* reference = nullptr);

}  // namespace csim
