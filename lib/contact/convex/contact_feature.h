// The part of a body that faces a direction: a vertex, an edge or generator, a face, the cap of a cylinder,
// or the plane of a half space.
#pragma once

#include <array>

#include "contact/convex/convex_support.h"

namespace csim {

/// A feature of a core (m, world). Ids of vertices and faces belong to the body, so that contact points keep
/// their names from step to step.
struct ContactFeature {
  static constexpr int kMaxVertices = 4;

  enum class Kind { kPoint, kSegment, kPolygon, kDisc, kPlane };
  Kind kind = Kind::kPoint;
  int size = 0;  // vertices: 1, 2, or the loop of a polygon (either sense); 0 for a disc or plane
  std::array<Vector3, kMaxVertices> vertices;
  std::array<int, kMaxVertices> ids;
  int face_id = 0;
  Vector3 normal;  // polygon, disc, plane: unit, outward
  /// Cosine of the angle between the direction and the normal of the feature nearest to it.
  double alignment = 0.0;
  Vector3 center;          // disc: centre; plane: a point of it (m)
  Vector3 axis_x, axis_y;  // disc: axes fixed in the body that span it (unit)
  double radius = 0.0;     // disc: m
};

/// The widest feature of `body` at its support along the unit direction n: of a box or triangle the face at
/// the support vertex whose normal is nearest to n (an edge or vertex when that is steeper than
/// `min_alignment`); of a cylinder the cap when its axis is within 45 degrees of n, else the generator; of a
/// segment the whole when it is within 45 degrees of normal to n, else the end. Not of a polytope, whose
/// faces may be uneven (facing_part.h).
void find_contact_feature(const ConvexSupport& body, const Vector3& n, double min_alignment,
                          ContactFeature* feature);

}  // namespace csim
