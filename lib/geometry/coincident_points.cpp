#include "geometry/coincident_points.h"

#include <algorithm>
#include <numeric>

#include "geometry/bounding_volume_tree.h"

namespace csim {

std::vector<int> first_at_place(const std::vector<Vector3>& points, double tolerance) {
  std::vector<Aabb> boxes(points.size());
  for (std::size_t v = 0; v < points.size(); ++v) {
    boxes[v].add(points[v]);
    boxes[v] = boxes[v].inflated(0.5 * tolerance);
  }
  BoundingVolumeTree tree;
  tree.build(boxes);
  // A forest whose roots are the first points.
  std::vector<int> first(points.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int v) {
    while (first[v] != v) v = first[v] = first[first[v]];
    return v;
  };
  tree.query_self([&](int i, int j) {
    const int a = root(i), b = root(j);
    first[std::max(a, b)] = std::min(a, b);
  });
  for (std::size_t v = 0; v < first.size(); ++v) first[v] = root(static_cast<int>(v));
  return first;
}

}  // namespace csim
