// The sides of triangles, by the edges on which they lie.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <vector>

namespace csim {

/// Side i of a triangle leads from its corner i to the next, from the edge's `low` vertex to `high` when
/// `forward`.
struct TriangleSide {
  int low, high, triangle, side;
  bool forward;
};

/// Calls visit(std::span<const TriangleSide>) for every edge, ordered by its vertices, with the sides on it,
/// ordered by triangle.
template <typename Visit>
void for_each_edge(const std::vector<std::array<int, 3>>& triangles, Visit&& visit) {
  std::vector<TriangleSide> sides;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const int v = triangles[t][i], w = triangles[t][(i + 1) % 3];
      sides.push_back({std::min(v, w), std::max(v, w), static_cast<int>(t), i, v < w});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& a, const TriangleSide& b) {
    return std::tie(a.low, a.high, a.triangle, a.side) < std::tie(b.low, b.high, b.triangle, b.side);
  });
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high)
      ++end;
    visit(std::span<const TriangleSide>(&sides[begin], end - begin));
  }
}

/// Whether as many of the sides on an edge run forward as back. Triangles all of whose edges are so bound a
/// solid: their sum is a cycle, which has a volume by the divergence theorem. Two is the rule; more where
/// parts of a solid touch in an edge.
[[nodiscard]] inline bool is_shared_evenly(std::span<const TriangleSide> sides) {
  const auto forward =
      std::count_if(sides.begin(), sides.end(), [](const TriangleSide& s) { return s.forward; });
  return 2 * static_cast<std::size_t>(forward) == sides.size();
}

/// Whether every edge is shared evenly.
[[nodiscard]] inline bool is_closed(const std::vector<std::array<int, 3>>& triangles) {
  bool closed = true;
  for_each_edge(triangles,
                [&](std::span<const TriangleSide> sides) { closed = closed && is_shared_evenly(sides); });
  return closed;
}

/// Edges without exactly two triangles of opposite sense: there the surface is no manifold.
[[nodiscard]] inline int count_nonmanifold_edges(const std::vector<std::array<int, 3>>& triangles) {
  int count = 0;
  for_each_edge(triangles, [&](std::span<const TriangleSide> sides) {
    count += !(sides.size() == 2 && is_shared_evenly(sides));
  });
  return count;
}

}  // namespace csim
