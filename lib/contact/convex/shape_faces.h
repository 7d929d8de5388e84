// Flat faces of shapes, for clipping: which face looks along a direction, and what part of a segment lies
// over it.
#pragma once

#include <optional>

#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim {

/// A piece of a segment x(s) = a + s (b - a), 0 <= s <= 1.
struct Interval {
  double begin = 0.0, end = 1.0;
};

/// A face of a shape (X_MS: shape in mesh frame): its plane, and which face it is.
struct ShapeFace {
  Vector3 normal;  // unit, outward, mesh frame
  Vector3 point;   // m, on the face
  int index = 0;   // of a polytope's face; box: axis; cylinder: 2
};

/// The flat face whose outward normal is within kFaceAngle of `direction` (unit, mesh frame); none for shapes
/// without faces.
[[nodiscard]] std::optional<ShapeFace> face_towards(const Shape& shape, const RigidTransform& X_MS,
                                                    const Vector3& direction);

/// The part of the segment ab (mesh frame) that lies over the face, projected along its normal; none when it
/// passes beside it.
[[nodiscard]] std::optional<Interval> clip_to_face(const Shape& shape, const RigidTransform& X_MS,
                                                   const ShapeFace& face, const Vector3& a, const Vector3& b);

/// rad: faces this parallel to a contact's normal are resting faces and give two points along an edge.
inline constexpr double kFaceAngle = 0.02;

}  // namespace csim
