// Curves that were measured, from files of other programs.
#pragma once

#include <map>
#include <string>

#include "core/csv_text.h"
#include "core/diagnostics.h"
#include "record/errors.h"
#include "study/measure.h"
#include "study/study.h"

namespace csim {

/// A measured file of comma-separated values is wrong at a place: a column (the path) of a line.
class MeasuredFieldError : public InvalidResultError {
 public:
  explicit MeasuredFieldError(const Diagnostic& problem)
      : InvalidResultError(format_line(problem)), diagnostic(problem) {}
  Diagnostic diagnostic;
};

/// Reads measured curves. Files of comma-separated values are kept: one may hold the curves of many cases.
class MeasuredReader {
 public:
  /// The measured curve of a measure whose rows have `shape`: the rows of the file in the measure's window.
  /// Of CSV the rows that `where` selects, in their order; of HDF5 datasets [rows] and [rows, width]. Throws
  /// InvalidResultError for a file that cannot be read, a missing column or dataset, a field that is no
  /// number, times that do not rise, and where no row is left; of CSV what stands at a place as
  /// MeasuredFieldError.
  [[nodiscard]] Curve read(const Measured& measured, const Measure& measure, const RowShape& shape);

 private:
  const CsvText& file(const Measured& measured);

  std::map<std::string, CsvText> files_;  // by absolute names
};

/// What a measurement is, as text: the same text, the same curves.
[[nodiscard]] std::string describe(const Measured& measured);

}  // namespace csim
