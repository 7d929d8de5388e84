#include "record/report/deepest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr long kRowsAtOnce = 1 << 20;  // 8 MiB of a column

/// The row of a ragged table with the largest finite value that `value` makes of its columns, -1 without one.
template <typename ReadValues>
long find_largest(long rows, const ReadValues& values, double* largest) {
  long found = -1;
  *largest = -std::numeric_limits<double>::infinity();
  for (long first = 0; first < rows; first += kRowsAtOnce) {
    const std::vector<double> some = values(first, std::min(kRowsAtOnce, rows - first));
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!(std::isfinite(some[i]) && some[i] > *largest)) continue;
      *largest = some[i];
      found = first + static_cast<long>(i);
    }
  }
  return found;
}

/// Time and geometries of a row of /contact or /patch.
template <typename Place>
void find_place(const ResultFile& result, const std::string& table, long row, Place* place) {
  const auto frames = result.offsets(table + "/row_offset", static_cast<std::size_t>(result.rows().frames),
                                     result.dataset(table + "/geometry_a").shape.at(0));
  const auto frame = std::upper_bound(frames.begin(), frames.end(), row) - frames.begin() - 1;
  place->time = result.real("/trajectory/time", frame, 1).at(0);
  const std::vector<std::string> names = result.texts("/geometries/name");
  const auto name = [&](const char* side) {
    return names.at(static_cast<std::size_t>(result.index(table + side, row, 1, names.size()).at(0)));
  };
  place->geometry_a = name("/geometry_a");
  place->geometry_b = name("/geometry_b");
}

}  // namespace

DeepestPoint find_deepest_point(const ResultFile& result) {
  DeepestPoint deepest;
  deepest.recorded = result.has("/contact/phi");
  if (!deepest.recorded) return deepest;
  const long row = find_largest(
      result.rows().contacts,
      [&](long first, long count) {
        std::vector<double> depth = result.real("/contact/phi", first, count);
        const std::vector<std::int64_t> kind = result.integer("/contact/kind", first, count);
        for (std::size_t i = 0; i < depth.size(); ++i)
          depth[i] = kind[i] == 0 ? -depth[i] : 0.0;  // faces have a pressure
        return depth;
      },
      &deepest.depth);
  if (row < 0 || deepest.depth <= 0.0) {
    deepest.depth = 0.0;
    return deepest;
  }
  find_place(result, "/contact", row, &deepest);
  return deepest;
}

LargestPressure find_largest_pressure(const ResultFile& result) {
  LargestPressure largest;
  if (!result.has("/patch/max_pressure")) return largest;
  const long row = find_largest(
      result.rows().patches,
      [&](long first, long count) { return result.real("/patch/max_pressure", first, count); },
      &largest.pressure);
  largest.recorded = row >= 0;
  if (largest.recorded) find_place(result, "/patch", row, &largest);
  return largest;
}

}  // namespace csim
