// Which datasets `csim diff` compares, and how closely.
#pragma once

#include <string>

#include "record/reader.h"
#include "record/report/diff.h"

namespace csim {

struct DiffTolerance {
  double atol = 0.0, rtol = 0.0;
};

class DiffSelection {
 public:
  /// Throws InvalidResultError for a name in the options that no dataset of the files has and no part of the
  /// format.
  DiffSelection(const ResultFile& a, const ResultFile& b, const DiffOptions& options);

  [[nodiscard]] bool contains(const std::string& path) const;
  [[nodiscard]] DiffTolerance tolerance(const std::string& path) const;

 private:
  DiffOptions options_;  // names absolute
};

}  // namespace csim
