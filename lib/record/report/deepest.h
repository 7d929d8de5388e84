// How deep the bodies of a run went into each other, from its recorded frames.
#pragma once

#include <string>

#include "record/reader.h"

namespace csim {

/// Where the recorded contact points overlap most, at the start of the step that ends at `time`.
struct DeepestPoint {
  bool recorded = false;  // the file has contacts (output.contacts)
  double depth = 0.0;     // m; 0: no contact point overlaps in any frame
  double time = 0.0;      // s, of the frame
  std::string geometry_a, geometry_b;
};
[[nodiscard]] DeepestPoint find_deepest_point(const ResultFile& result);

/// The largest pressure of the recorded patches.
struct LargestPressure {
  bool recorded = false;  // the file has patches, and rows of them
  double pressure = 0.0;  // Pa
  double time = 0.0;      // s, of the frame
  std::string geometry_a, geometry_b;
};
[[nodiscard]] LargestPressure find_largest_pressure(const ResultFile& result);

}  // namespace csim
