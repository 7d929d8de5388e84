// Contact points of a body with faces and another one, or of a polytope and a half space: the corners of
// their overlap, seen along the normal, each at the depth of the two surfaces there.
#pragma once

#include "contact/convex/convex_support.h"
#include "contact/convex/narrow_phase.h"

namespace csim {

/// True of boxes, polytopes and triangles.
[[nodiscard]] bool has_faces(const ConvexSupport& body);

/// Appends the corners that carry (CornerChoice) of the overlap of two bodies, one of which has faces, along
/// the unit normal (from a to b), phi < max_phi: vertices of one over the other's surface, crossings of
/// edges, the ends of the axis of a capsule or of the generator of a cylinder, places on the rim of its cap
/// (disc_view.h). `phi` (m) is the separation of the two along the normal. Returns the least signed distance
/// anywhere in the overlap, of what carries or not (m; infinite: there is none).
double add_overlap_corners(const ConvexSupport& a, const ConvexSupport& b, const Vector3& normal, double phi,
                           double max_phi, Manifold* out);

/// The same over the half space whose plane lies at `height` (m) along its normal: vertices of b.
void add_corners_on_plane(double height, const Vector3& normal, const ConvexSupport& b, double phi,
                          double max_phi, Manifold* out);

}  // namespace csim
