// Which columns and rows of a result a measure takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/measure.h"

namespace csim {

/// How the rows of a pair within a frame become one.
enum class RowRule { kSum, kSmallest, kLargest };

struct MeasureColumns {
  std::string path;  // absolute
  Table table = Table::kFrames;
  long begin = 0, width = 1;      // columns of a row, all axes in one
  std::optional<long> component;  // of these columns
  bool norm = false;
  bool is_quaternion = false;
  std::string unit;  // of the values; "" where columns of several units are taken

  // Of a pair.
  RowRule rule = RowRule::kLargest;
  std::vector<bool> first, second;  // by index of a body (/pair) or geometry: whether the name means it
  bool turns = false;               // the sign changes with the order of the two
};

/// The columns of `measure`, or what is wrong with it in *fault.
[[nodiscard]] std::optional<MeasureColumns> find_columns(const MeasureSpec& measure,
                                                         const ResultLayout& layout, MeasureFault* fault);

}  // namespace csim
