// How a contact point moves on a shape while the normal turns relative to it.
//
// On a smooth shape the point whose outward normal is n moves by S dn where n turns by dn: S, m, the inverse
// of the curvature in the tangent plane, of rank two at most. A vertex has S = 0, a sphere its radius, the
// rim of a cylinder (rho/|d|) t t^T with d the part of n across the axis a and t = a x d/|d|. Along an edge
// or a generator the point is free, and on a face in every direction: S is infinite there.
#pragma once

#include "geometry/shape.h"

namespace csim {

struct LocalSurface {
  enum class Kind {
    kCurved,   // S is all
    kLine,     // infinite along `line`, else S
    kFlat,     // infinite
    kUnknown,  // what polytopes and meshes have there would have to be searched for
  };
  Kind kind = Kind::kUnknown;
  Matrix3 S = Matrix3::Zero();     // m, symmetric, S n = 0
  Vector3 line = Vector3::Zero();  // unit
};

/// At the point p of the surface, with the outward normal n of the contact, in the axes of the shape. A box
/// or a cylinder whose face has this normal is flat wherever p is, and so is a point within a face whatever
/// the normal: a contact at the edge of a floor has one that is tilted by rounding, or by a millionth.
/// `least_tilt`: sine of the angle between n and the axis of a cylinder below which the place on its rim is
/// not followed, what the normal turns by in the step.
[[nodiscard]] LocalSurface local_surface(const Shape& shape, const Vector3& p, const Vector3& n,
                                         double least_tilt);

}  // namespace csim
