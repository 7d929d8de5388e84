// Contact points of two polytopes, or of one and a half space: the corners of their overlap, seen along the
// normal, each at the depth of the two surfaces there.
#pragma once

#include "contact/convex/convex_support.h"
#include "contact/convex/narrow_phase.h"

namespace csim {

/// True of the bodies that add_overlap_corners takes.
[[nodiscard]] bool is_polytope(const ConvexSupport& body);

/// Appends the corners that carry (CornerChoice) of the overlap of two polytopes along the unit normal
/// (from a to b), phi < max_phi: vertices of one over the other's surface, and crossings of edges. `phi` (m)
/// is the separation of the two along the normal. Returns the least signed distance at any corner, chosen or
/// not (m; infinite: no corner).
double add_overlap_corners(const ConvexSupport& a, const ConvexSupport& b, const Vector3& normal, double phi,
                           double max_phi, Manifold* out);

/// The same over the half space whose plane lies at `height` (m) along its normal: vertices of b.
void add_corners_on_plane(double height, const Vector3& normal, const ConvexSupport& b, double phi,
                          double max_phi, Manifold* out);

}  // namespace csim
