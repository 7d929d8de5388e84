// Forces between pairs of bodies over time, from /pair.
#pragma once

#include <cstddef>
#include <vector>

#include "record/reader.h"

namespace csim {

/// A pair of bodies that touched, at rows of /trajectory.
struct ViewPair {
  int body_a, body_b;                    // indices into ViewScene::bodies
  std::vector<int> row;                  // of /trajectory, where the pair touched since the row before
  std::vector<float> force;              // N, x, y, z a row: impulse on b over the time since the row before
  std::vector<float> peak_normal_force;  // N
  std::vector<float> contact_share;      // 0 to 1, of that time: in contact
};

/// The pairs by their largest peak, the largest first, as many as have `max_rows` rows together (one at
/// least).
struct ViewPairs {
  std::vector<ViewPair> pairs;
  std::size_t num_left_out = 0;
};
[[nodiscard]] ViewPairs read_pairs(const ResultFile& result, const std::vector<double>& times,
                                   std::size_t max_rows);

}  // namespace csim
