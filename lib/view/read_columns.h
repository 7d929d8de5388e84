// What a page plots of a body, a joint or an actuator that is picked: their columns over time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/reader.h"

namespace csim {

/// Curves that share a plot.
struct ViewColumnGroup {
  std::string title, unit;
  std::vector<std::string> curves;

  bool operator==(const ViewColumnGroup&) const = default;
};

/// Something with columns.
struct ViewColumnItem {
  enum class Kind { kBody, kJoint, kActuator };
  Kind kind;
  std::string name;
  int row = 0;                          // of /bodies, /joints or /actuator/name
  std::vector<ViewColumnGroup> groups;  // position, velocity, ..
  std::vector<float> values;            // curve after curve, one number a time each
};

struct ViewColumns {
  std::vector<double> time;  // s
  std::vector<ViewColumnItem> items;
};

/// Columns of the bodies in `bodies`, of all joints and of all actuators, in the rows from `first` to `last`
/// of /trajectory: every row, or every n-th, the least n with at most `max_bytes` (0: no limit).
[[nodiscard]] ViewColumns read_columns(const ResultFile& result, const std::vector<int>& bodies, long first,
                                       long last, std::size_t max_bytes);

}  // namespace csim
