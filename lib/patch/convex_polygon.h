// Convex polygons of at most eight corners, one corner a lane: slices of tets, cut by half spaces.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/types.h"
#include "patch/lanes.h"

namespace csim {

/// Corners in lanes 0 to count - 1, counterclockwise about the normal of the plane; the other lanes are
/// finite and mean nothing.
struct ConvexPolygon {
  Eight3 corner;  // m
  int count = 0;

  [[nodiscard]] unsigned all_corners() const { return (1u << count) - 1; }
};

/// Solid where normal . x <= offset.
struct Plane {
  double x, y, z;  // unit normal
  double offset;   // m
};

/// Distances above the plane.
[[nodiscard]] [[gnu::always_inline]] inline Eight heights(const Eight3& points, const Plane& plane) {
  return points.x * Eight::all(plane.x) + points.y * Eight::all(plane.y) +
         (points.z * Eight::all(plane.z) - Eight::all(plane.offset));
}

namespace detail {

/// Lane k of a new polygon lies between two corners of the old one; where both are the same it is that
/// corner.
struct Between {
  std::array<std::uint8_t, 8> from{}, to{};
};

/// For a positive tet and each set of vertices above the plane: the edges that the plane cuts, `from` above,
/// counterclockwise seen from above.
struct SliceTable {
  std::array<Between, 16> edges{};
  std::array<std::uint8_t, 16> count{};
};
extern const SliceTable kSlice;

/// For a polygon of n corners and the set of corners inside: entry 2^n + set. The corners inside are a run of
/// the ring; the new polygon is the run, the point on the edge that leaves it and the point on the edge that
/// comes back. Sets of two or more runs, which rounding makes, have the count 0.
struct ClipTable {
  std::array<Between, 256> edges{};
  std::array<std::uint8_t, 256> count{};
};
extern const ClipTable kClip;

/// The corners inside, of a set `out` of corners in several runs, all but one of which are out by rounding:
/// that with the highest corner is not.
[[nodiscard]] unsigned all_but_highest_run(Eight h, unsigned out, int count);

/// from + t (to - from), t = h_from / (h_from - h_to) where the lanes differ.
[[gnu::always_inline]] inline void interpolate(const Between& between, Eight h, unsigned new_points,
                                               Eight3* x) {
  const Eight h_from = permuted(h, between.from), h_to = permuted(h, between.to);
  const Eight t = where(new_points, h_from / (h_from - h_to));
  const auto blend = [&](Eight a) {
    const Eight from = permuted(a, between.from);
    return from + t * (permuted(a, between.to) - from);
  };
  *x = {blend(x->x), blend(x->y), blend(x->z)};
}

}  // namespace detail

/// The part of a positive tet (vertices in lanes 0 to 3) at height 0, counterclockwise about the direction in
/// which heights grow. `above` is the set of vertices with h > 0, neither empty nor full.
[[nodiscard]] [[gnu::always_inline]] inline ConvexPolygon slice(const Eight3& vertices, Eight h,
                                                                unsigned above) {
  ConvexPolygon polygon{vertices, detail::kSlice.count[above]};
  detail::interpolate(detail::kSlice.edges[above], h, polygon.all_corners(), &polygon.corner);
  return polygon;
}

/// Cuts away the corners `out`, those of h > 0, a set neither empty nor full. At most seven corners before.
[[gnu::always_inline]] inline void clip(Eight h, unsigned out, ConvexPolygon* polygon) {
  unsigned in = ~out & polygon->all_corners();
  unsigned entry = (1u << polygon->count) + in;
  if (detail::kClip.count[entry] == 0) [[unlikely]] {
    in = detail::all_but_highest_run(h, out, polygon->count);
    entry = (1u << polygon->count) + in;
  }
  const int kept = std::popcount(in);
  detail::interpolate(detail::kClip.edges[entry], h, 3u << kept, &polygon->corner);
  polygon->count = detail::kClip.count[entry];
}

/// Cuts away what lies above any of the planes, in their order; false when nothing is left. Planes whose bit
/// in `coplanar` is set hold the polygon but for rounding, and are passed over.
template <int num_planes>
[[nodiscard]] [[gnu::always_inline]] inline bool clip_by(const std::array<Plane, num_planes>& planes,
                                                         unsigned coplanar, ConvexPolygon* polygon) {
  const Eight zero = Eight::all(0.0);
  // Most polygons lie wholly above one of the planes; a plane with nothing above it never cuts.
  std::array<unsigned, num_planes> out;
  unsigned misses = 0;
  for (int i = 0; i < num_planes; ++i) {
    out[i] = (heights(polygon->corner, planes[i]) > zero) & polygon->all_corners();
    misses |= static_cast<unsigned>(out[i] == polygon->all_corners()) << i;
  }
  if ((misses & ~coplanar) != 0) return false;
  for (int i = 0; i < num_planes; ++i) {
    if (out[i] == 0 || (coplanar >> i & 1) != 0) continue;
    const Eight h = heights(polygon->corner, planes[i]);
    const unsigned above = (h > zero) & polygon->all_corners();
    if (above == polygon->all_corners()) return false;
    if (above != 0) clip(h, above, polygon);
  }
  return true;
}

/// How a plane parts the four vertices of a tet, from their heights over it.
struct Parting {
  unsigned above;     // the vertices with h > 0
  unsigned coplanar;  // the faces (opposite their vertex) whose three vertices are at height 0
  Eight h;
  [[nodiscard]] bool cuts() const { return above != 0 && above != 0xf; }
};

/// Three vertices within `tolerance` of the plane count as in it, which leaves the polygon to the tet above
/// of the two that share their face. Otherwise signs are taken as they come: two tets find the same at a
/// vertex that they share, and so part a polygon between them without gap or overlap.
[[nodiscard]] [[gnu::always_inline]] inline Parting part(Eight h, Eight tolerance) {
  const unsigned level = (abs(h) <= tolerance) & 0xf;
  if (std::popcount(level) < 3) return {(h > Eight::all(0.0)) & 0xf, 0, h};
  // Face i is coplanar when all but vertex i are level.
  const unsigned coplanar = level == 0xf ? 0xf : 0xf & ~level;
  return {(h > tolerance) & 0xf, coplanar, where(0xf & ~level, h)};
}

struct PolygonMeasure {
  double area;       // m^2
  Vector3 centroid;  // m
  double size;       // m, the largest coordinate difference from corner 0
};

/// Of a polygon in a plane of the given normal, as a fan from corner 0. Without area the centroid is the mean
/// corner.
[[nodiscard]] PolygonMeasure measure(const ConvexPolygon& polygon, const Vector3& normal);

}  // namespace csim
