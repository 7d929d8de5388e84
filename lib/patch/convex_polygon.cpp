#include "patch/convex_polygon.h"

#include <algorithm>

#include "mesh/tet_mesh.h"

namespace csim {
namespace detail {
namespace {

constexpr SliceTable make_slice_table() {
  SliceTable table;
  for (unsigned above = 1; above < 15; ++above) {
    const auto add = [&](int from, int to) {
      const int lane = table.count[above]++;
      table.edges[above].from[lane] = static_cast<std::uint8_t>(from);
      table.edges[above].to[lane] = static_cast<std::uint8_t>(to);
    };
    if (std::popcount(above) == 1) {
      // Face i runs counterclockwise seen from outside, hence clockwise seen from vertex i.
      const int top = std::countr_zero(above);
      for (int k : {0, 2, 1}) add(top, kTetFaces[top][k]);
    } else if (std::popcount(above) == 3) {
      const int bottom = std::countr_zero(~above);
      for (int k : {0, 1, 2}) add(kTetFaces[bottom][k], bottom);
    } else {
      const int u0 = std::countr_zero(above), u1 = std::bit_width(above) - 1;
      int l0 = -1, l1 = -1;
      for (int i = 0; i < 4; ++i) {
        if ((above >> i & 1) == 0) (l0 < 0 ? l0 : l1) = i;
      }
      // The ring (u0 l0)(u0 l1)(u1 l1)(u1 l0) turns that way when (u0, u1, l0, l1) is an odd permutation.
      const int order[4] = {u0, u1, l0, l1};
      int inversions = 0;
      for (int i = 0; i < 4; ++i) {
        for (int j = i + 1; j < 4; ++j) inversions += order[i] > order[j];
      }
      if (inversions % 2 == 0) {
        const int keep = l0;
        l0 = l1;
        l1 = keep;
      }
      add(u0, l0);
      add(u0, l1);
      add(u1, l1);
      add(u1, l0);
    }
  }
  return table;
}

constexpr ClipTable make_clip_table() {
  ClipTable table;
  for (int n = 3; n <= 7; ++n) {
    for (unsigned in = 1; in + 1 < (1u << n); ++in) {
      const unsigned entry = (1u << n) + in;
      const auto inside = [&](int i) { return (in >> (i % n) & 1) != 0; };
      int first = 0, num_runs = 0;
      for (int i = 0; i < n; ++i) {
        if (inside(i) && !inside(i + n - 1)) {
          first = i;
          ++num_runs;
        }
      }
      if (num_runs != 1) continue;
      int lane = 0;
      const auto add = [&](int from, int to) {
        table.edges[entry].from[lane] = static_cast<std::uint8_t>(from % n);
        table.edges[entry].to[lane] = static_cast<std::uint8_t>(to % n);
        ++lane;
      };
      int i = first;
      for (; inside(i); ++i) add(i, i);
      add(i - 1, i);
      add(first, first + n - 1);
      table.count[entry] = static_cast<std::uint8_t>(lane);
    }
  }
  return table;
}

}  // namespace

constinit const SliceTable kSlice = make_slice_table();
constinit const ClipTable kClip = make_clip_table();

}  // namespace detail

unsigned detail::all_but_highest_run(Eight h, unsigned out, int count) {
  double height[8];
  h.store(height);
  int highest = std::countr_zero(out);
  for (int i = 0; i < count; ++i) {
    if ((out >> i & 1) != 0 && height[i] > height[highest]) highest = i;
  }
  unsigned run = 0;
  for (int i = highest; (out >> (i % count) & 1) != 0; ++i) run |= 1u << (i % count);
  for (int i = highest + count; (out >> (i % count) & 1) != 0; --i) run |= 1u << (i % count);
  return ~run & ((1u << count) - 1);
}

PolygonMeasure measure(const ConvexPolygon& polygon, const Vector3& normal) {
  // Triangle k of the fan: corners 0, k, k + 1; twice its area is w_k = (x_k - x_0) x (x_{k+1} - x_0) . n.
  constexpr std::array<std::uint8_t, 8> kFirst{0, 0, 0, 0, 0, 0, 0, 0}, kNext{1, 2, 3, 4, 5, 6, 7, 0};
  const Eight3& x = polygon.corner;
  const Eight3 d{x.x - permuted(x.x, kFirst), x.y - permuted(x.y, kFirst), x.z - permuted(x.z, kFirst)};
  const Eight3 e{permuted(d.x, kNext), permuted(d.y, kNext), permuted(d.z, kNext)};
  const Eight3 cross{d.y * e.z - d.z * e.y, d.z * e.x - d.x * e.z, d.x * e.y - d.y * e.x};
  const unsigned fan = polygon.all_corners() & (polygon.all_corners() >> 1) & ~1u;
  const Eight3 n{Eight::all(normal.x()), Eight::all(normal.y()), Eight::all(normal.z())};
  const Eight w = where(fan, dot(cross, n));
  const double total = sum(w);
  const unsigned corners = polygon.all_corners();
  PolygonMeasure result;
  result.area = 0.5 * total;
  result.size = largest(where(corners, max(max(abs(d.x), abs(d.y)), abs(d.z))));
  const Vector3 from_first =
      total > 0.0
          ? Vector3(Vector3(sum(w * (d.x + e.x)), sum(w * (d.y + e.y)), sum(w * (d.z + e.z))) / (3.0 * total))
          : Vector3(Vector3(sum(where(corners, d.x)), sum(where(corners, d.y)), sum(where(corners, d.z))) /
                    polygon.count);
  double first[3][8];
  x.x.store(first[0]);
  x.y.store(first[1]);
  x.z.store(first[2]);
  result.centroid = Vector3(first[0][0], first[1][0], first[2][0]) + from_first;
  return result;
}

}  // namespace csim
