// The flat sides of a polytope or a surface: facets that unevenness has made of one face.
#pragma once

#include <span>
#include <vector>

#include "geometry/shape.h"

namespace csim {

/// Angle (rad) between normals below which facets belong to one side. Files and cut parts are uneven by up to
/// 1e-4 of their size, facets of a flat side about a tenth of it wide: what stands out of a side is at most
/// a thousandth of the side's width high.
inline constexpr double kFlatSide = 2e-3;

/// Sine of the angle below which two edges that meet or cross are one straight outline: sides of regular
/// polygons of up to 300 corners turn by more.
inline constexpr double kStraightOutline = 0.02;

/// The side [F] of each facet, named by one of its facets, from the facets' unit normals [F], areas [F] (m^2)
/// and connections [F]: from the largest facet that has none yet, all that are connected to it and whose
/// normals are within kFlatSide of its own. Equal areas: the first facet.
[[nodiscard]] std::vector<int> grow_flat_sides(std::span<const Vector3> normals,
                                               std::span<const double> areas,
                                               const std::vector<std::vector<int>>& neighbors);

/// The same of the faces of a polytope.
[[nodiscard]] std::vector<int> find_flat_sides(const ConvexPolytope& polytope);

/// Sets is_corner (a vertex of three sides or more; of two it lies on their common edge, of one inside it)
/// and is_crease (an edge between two sides).
void mark_corners(ConvexPolytope* polytope);

}  // namespace csim
