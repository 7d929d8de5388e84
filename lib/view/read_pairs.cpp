#include "view/read_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace csim {

ViewPairs read_pairs(const ResultFile& result, const std::vector<double>& times, std::size_t max_rows) {
  ViewPairs all;
  if (!result.has("/pair/row_offset")) return all;  // of an older file
  const long count = result.rows().pairs;
  const auto offset = result.offsets("/pair/row_offset", times.size(), count);
  const auto a = result.integer("/pair/body_a", 0, count), b = result.integer("/pair/body_b", 0, count);
  const auto impulse = result.real("/pair/impulse", 0, count),
             peak = result.real("/pair/peak_normal_force", 0, count),
             contact_time = result.real("/pair/contact_time", 0, count);
  std::map<std::pair<std::int64_t, std::int64_t>, ViewPair> by_bodies;
  for (std::size_t f = 1; f < times.size(); ++f) {
    for (auto i = static_cast<std::size_t>(offset[f]); i < static_cast<std::size_t>(offset[f + 1]); ++i) {
      ViewPair& pair = by_bodies[{a[i], b[i]}];
      pair.body_a = static_cast<int>(a[i]);
      pair.body_b = static_cast<int>(b[i]);
      pair.row.push_back(static_cast<int>(f));
      const double span = times[f] - times[f - 1];
      for (std::size_t axis = 0; axis < 3; ++axis)
        pair.force.push_back(static_cast<float>(impulse[3 * i + axis] / span));
      pair.peak_normal_force.push_back(static_cast<float>(peak[i]));
      pair.contact_share.push_back(static_cast<float>(std::min(1.0, contact_time[i] / span)));
    }
  }
  for (auto& [bodies, pair] : by_bodies) all.pairs.push_back(std::move(pair));
  const auto largest = [](const ViewPair& pair) {
    return *std::max_element(pair.peak_normal_force.begin(), pair.peak_normal_force.end());
  };
  std::stable_sort(all.pairs.begin(), all.pairs.end(),
                   [&](const ViewPair& x, const ViewPair& y) { return largest(x) > largest(y); });
  std::size_t rows = 0, kept = 0;
  while (kept < all.pairs.size() && (kept == 0 || rows + all.pairs[kept].row.size() <= max_rows))
    rows += all.pairs[kept++].row.size();
  all.num_left_out = all.pairs.size() - kept;
  all.pairs.resize(kept);
  return all;
}

}  // namespace csim
