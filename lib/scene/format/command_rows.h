// The rows of a table of values over time, for every struct that holds a command.
#pragma once

#include <utility>

#include "scene/format/field_rows.h"

namespace csim::field_rows {

/// times, values and interpolation. `at(member of CommandSpec)` is that member of a T; they are written where
/// `is_table` holds.
template <class T, class At>
std::vector<Row<T>> table_rows(At at, bool (*is_table)(const T&, const SceneWriting&)) {
  return {
      numbers("times", at(&CommandSpec::times), {}, "s", kAny,
              "Times of the values, increasing; in a sequence from the start of the phase.", "[0, 1]")
          .when(is_table),
      numbers("values", at(&CommandSpec::values), {}, "", kAny, "Values at the times.", "[0, 0.5]")
          .when(is_table),
      choice("interpolation", at(&CommandSpec::interpolation), "step linear cubic smooth",
             "Between the values (default linear); cubic is the spline of slope zero at both ends, and may "
             "overshoot the values; smooth is a cubic that stays between them.",
             "smooth")
          .no_default()
          .when(is_table),
  };
}

/// `rows` after `first`.
template <class T>
std::vector<Row<T>> joined(std::vector<Row<T>> first, std::vector<Row<T>> rows) {
  for (Row<T>& row : rows) first.push_back(std::move(row));
  return first;
}

}  // namespace csim::field_rows
