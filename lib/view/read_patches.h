// Contact patches of a result file: what acts in each, and its polygons where the file holds them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"
#include "record/reader.h"

namespace csim {

/// The polygons of a patch, one behind the other.
struct ViewPolygons {
  std::vector<int> end;          // of every polygon's corners
  std::vector<Vector3> corners;  // m, world
  std::vector<double> pressure;  // Pa, at every corner
};

/// A patch that is there; disjoint pieces of a pair of geometries together.
struct ViewPatch {
  Vector3 centroid;       // m, world
  Vector3 force, moment;  // N and N m, on body b, about the centroid, world axes
  int body_a, body_b;     // rows of /bodies
  ViewPolygons polygons;  // empty when the file holds none
};

/// The pressures that colours stand for: 0 to `top`. A pressure that is seldom exceeded, so that one impact
/// does not leave all else in the darkest colour; what lies beyond is drawn as `top`.
struct PressureRange {
  double top = 1.0;      // Pa
  double largest = 0.0;  // Pa, of the whole run
};

/// Patches of a frame (row of /trajectory); with their polygons when asked for and there.
[[nodiscard]] std::vector<ViewPatch> read_patches(const ResultFile& result, long row, bool polygons);

/// Over all frames of the file, from /patch/max_pressure.
[[nodiscard]] PressureRange read_pressure_range(const ResultFile& result);

/// Bytes that the polygons of these frames take in a page.
[[nodiscard]] std::size_t polygon_bytes(const ResultFile& result, const std::vector<long>& rows);

}  // namespace csim
