// What may be wrong with the vertices and triangles that a file lists, and how lists are mended without
// moving the surface.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "geometry/surface_files.h"

namespace csim {

/// Multiplies the vertices by a factor per axis; a mirroring one turns the triangles over. What is wrong with
/// the factors or the coordinates (kLargestCoordinate), or "".
[[nodiscard]] std::string scale_surface(const Vector3& scale, SurfaceData* surface);

/// m: the diagonal of the box around the vertices.
[[nodiscard]] double extent(const SurfaceData& surface);

/// Vertices within this fraction of the extent of each other stand in one place.
inline constexpr double kWeld = 1e-9;

/// Merges the vertices within `tolerance` (m) of each other into the first of them; triangles that lose a
/// side thereby go. The number of vertices that went.
long weld(double tolerance, SurfaceData* surface);

/// Whether twice the triangle's area is below 1e-12 of its longest side squared: no normal can be told from
/// rounding.
[[nodiscard]] bool is_degenerate(const SurfaceData& surface, const std::array<int, 3>& triangle);

/// Triangles left out, and where they stand in the file.
struct LeftOut {
  std::vector<std::array<int, 3>> triangles;
  std::vector<long> place;
};
LeftOut remove_degenerate(SurfaceData* surface);

/// The same, so that what the triangles join stays joined: vertices of a place are merged (kWeld), and a
/// triangle whose corner lies on its longest side gives this corner to the neighbour there, which is cut in
/// two. Triangles without such a neighbour are left out.
void absorb_degenerate(SurfaceData* surface);

/// The edges that keep a surface from being closed.
struct Gaps {
  long num_open = 0;     // edges of one triangle
  long num_crowded = 0;  // edges of more than two, not as many in one sense as in the other
  long first_place = 0;  // of a triangle at the first of them

  [[nodiscard]] bool closed() const { return num_open + num_crowded == 0; }
};

/// Finds whether every edge is shared by as many triangles of one sense as of the other: then they bound a
/// solid. Two triangles alone at an edge that run the same way along it are an error, which is returned:
/// inside and outside change places there.
[[nodiscard]] std::string find_gaps(const SurfaceData& surface, Gaps* gaps);

}  // namespace csim
