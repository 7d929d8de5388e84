#include "contact/convex/point_distance.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/nearest_point.h"

namespace csim {

namespace {

/// Of a core along z, about which the body is round.
NearestPoint nearest_on_core(double half_length, const Vector3& x) {
  NearestPoint s;
  s.point = Vector3(0.0, 0.0, std::clamp(x.z(), -half_length, half_length));
  const Vector3 out = x - s.point;
  s.distance = out.norm();
  s.degenerate = s.distance == 0.0;
  s.normal = s.degenerate ? Vector3(Vector3::UnitX()) : Vector3(out / s.distance);
  return s;
}

/// The face that the point is farthest above; inside, the nearest.
NearestPoint nearest_on_faces(const ConvexPolytope& polytope, const Vector3& x) {
  NearestPoint s;
  s.distance = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < polytope.face_normals.size(); ++f) {
    const double height = polytope.face_normals[f].dot(x) - polytope.face_offsets[f];
    if (height <= s.distance) continue;
    s.distance = height;
    s.normal = polytope.face_normals[f];
  }
  s.point = x - s.distance * s.normal;
  return s;
}

NearestPoint nearest(const ConvexSupport& body, const Vector3& x) {
  const Vector3& half = body.half_size();
  switch (body.kind()) {
    case ConvexSupport::Kind::kBox:
      return nearest_on_box(half, x);
    case ConvexSupport::Kind::kCylinder:
      return nearest_on_cylinder(half.x(), half.z(), x);
    case ConvexSupport::Kind::kEllipsoid:
      return nearest_on_ellipsoid(half, x);
    case ConvexSupport::Kind::kPolytope:
      return nearest_on_faces(*body.polytope(), x);
    default:
      return nearest_on_core(half.z(), x);
  }
}

}  // namespace

SignedDistance point_distance(const Vector3& p, const ConvexSupport& body, double max_phi) {
  const NearestPoint s = nearest(body, body.pose().inverse_times(p));
  // Of a polytope's faces the highest bounds the distance from below; outside, its edges and vertices count.
  if (body.kind() == ConvexSupport::Kind::kPolytope && s.distance > 0.0 && s.distance <= max_phi)
    return signed_distance(ConvexSupport::triangle(p, p, p), body, max_phi);
  SignedDistance result;
  result.phi = s.distance - body.radius();
  result.normal = -(body.pose().R * s.normal);
  result.p_a = p;
  result.p_b = p + result.phi * result.normal;
  result.degenerate = s.degenerate;
  return result;
}

SignedDistance segment_distance(const Vector3& p, const Vector3& q, const ConvexSupport& body,
                                double max_phi) {
  for (const auto& [end, other] : {std::pair(&p, &q), std::pair(&q, &p)}) {
    const SignedDistance d = point_distance(*end, body, max_phi);
    const double other_phi = -d.normal.dot(*other - d.p_b);  // m, above the plane
    if (other_phi >= d.phi || (other_phi > max_phi && d.phi > max_phi)) return d;
  }
  return signed_distance(ConvexSupport::triangle(p, q, q), body, max_phi);
}

}  // namespace csim
