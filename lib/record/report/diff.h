// Compares the numbers of two result files.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"

namespace csim {

/// Two numbers agree when |a - b| <= atol + rtol max(|a|, |b|), when they are equal, or when both are NaN.
///
/// Names are those of datasets or of groups, "/contact/phi" or "contact". Statistics of steps (/stats,
/// /artefact) are compared only where `only` or `tolerances` name them, timings by their full names.
struct DiffOptions {
  double rtol = 0.0;
  double atol = 0.0;                                       // in the unit of each quantity
  std::vector<std::string> only;                           // nothing else is compared; empty: all
  std::vector<std::string> ignore;                         // not compared
  double until = std::numeric_limits<double>::infinity();  // s, last time that counts
  struct Tolerance {
    std::string name;
    double atol = 0.0;
    std::optional<double> rtol;  // none: that of the options
  };
  std::vector<Tolerance> tolerances;  // of single quantities; the longest name counts, of equal ones the last
};

/// One entry that differs.
struct DiffEntry {
  std::string path;
  std::vector<long> index;  // of the entry in its dataset
  std::string label;  // names behind the index: "body ball", "joint j1", "geometry a/shell with b/shell"; ""
                      // where there are none
  std::optional<double> time;  // s, of its row; none for datasets without rows in time
  double a = 0.0, b = 0.0;
  double relative = 0.0;  // |a - b| / max(|a|, |b|); infinite when one is NaN
  /// The size of numbers of its kind: the largest finite |a| or |b| of all that is compared in time in its
  /// unit; of a pure number, and of what does not change in time, in its dataset.
  double scale = 0.0;
  double over_scale = 0.0;  // |a - b| / scale; infinite where `relative` is
  std::string unit;
};

struct DiffReport {
  bool equal = true;
  /// The earliest difference (datasets without time come first), and the one that is the largest over its
  /// scale, both beyond tolerance and of two numbers; of a number and NaN when there are no others. Rounding
  /// of what is zero but for it has large relative differences, and small ones over the scale.
  std::optional<DiffEntry> first, worst;
  /// The earliest entry that is NaN in one file alone.
  std::optional<DiffEntry> first_nan;
  struct Quantity {
    std::string path;
    long count = 0;      // entries beyond tolerance
    long count_nan = 0;  // of these NaN in one file alone
    long total = 0;
    double largest_absolute = 0.0, largest_relative = 0.0;  // of two numbers; 0 when there are none
    std::optional<DiffEntry> worst;                         // the largest over its scale, of two numbers
  };
  /// Those with differences: the largest over its scale first, equal ones by path; those that are only NaN in
  /// one file come last.
  std::vector<Quantity> quantities;
  std::vector<std::string> mismatches;  // datasets in one file alone, other shapes, texts, ends, contacts
  std::vector<std::string> notes;       // rows left out since the other file has none at their times
  long num_compared = 0;                // entries
};

/// Compares what the two files have of the same: rows of the same time (to 1e-9 s), contacts and patches of
/// the same geometries (diff_rows.h), and what does not change in time, as names and masses. Never compared:
/// scene texts, colours, provenance, checkpoints, offsets of rows, the times themselves. A run that ends
/// earlier, and contacts that act in one file alone, are mismatches.
/// Throws InvalidResultError for a name in `options` that neither file knows, and when nothing is left.
[[nodiscard]] DiffReport diff_results(const ResultFile& a, const ResultFile& b, const DiffOptions& options);

/// Sizes or an index as text: "[10, 1, 1]".
[[nodiscard]] std::string shape_text(const std::vector<long>& shape);

/// For a person; lines end with a newline.
[[nodiscard]] std::string diff_text(const DiffReport& report, const std::string& name_a,
                                    const std::string& name_b, const DiffOptions& options);

[[nodiscard]] std::string diff_json(const DiffReport& report, const std::string& name_a,
                                    const std::string& name_b, const DiffOptions& options);

}  // namespace csim
