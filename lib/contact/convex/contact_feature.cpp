#include "contact/convex/contact_feature.h"

#include <algorithm>
#include <cmath>

#include "core/require.h"

namespace csim {

namespace {

// cos 45 degrees: a line that is steeper touches with its end, a cylinder that is flatter with its cap.
constexpr double kSteep = 0.70710678118654752;

// An edge counts as facing n when it is within this sine of the plane normal to n (the same 25 degrees as a
// face's cosine of 0.9).
constexpr double kEdgeSlope = 0.43588989435406736;

void set_point(const Vector3& p, int id, ContactFeature* f) {
  f->kind = ContactFeature::Kind::kPoint;
  f->size = 1;
  f->vertices[0] = p;
  f->ids[0] = id;
  f->alignment = 1.0;
}

void set_segment(const Vector3& p, int id_p, const Vector3& q, int id_q, double slope, ContactFeature* f) {
  f->kind = ContactFeature::Kind::kSegment;
  f->size = 2;
  f->vertices[0] = p;
  f->vertices[1] = q;
  f->ids[0] = id_p;
  f->ids[1] = id_q;
  f->alignment = std::sqrt(std::max(0.0, 1.0 - slope * slope));
}

void find_segment(const ConvexSupport& body, const Vector3& n, ContactFeature* f) {
  const Vector3 axis = body.pose().R.col(2);
  const Vector3 half = body.half_size().z() * axis;
  const double slope = axis.dot(n);
  if (body.half_size().z() > 0.0 && std::abs(slope) < kSteep) {
    set_segment(body.pose().p - half, 0, body.pose().p + half, 1, slope, f);
  } else {
    set_point(body.pose().p + std::copysign(1.0, slope) * half, slope < 0.0 ? 0 : 1, f);
  }
}

void find_cylinder(const ConvexSupport& body, const Vector3& n, ContactFeature* f) {
  const RigidTransform& X = body.pose();
  const Vector3 axis = X.R.col(2);
  const double slope = axis.dot(n);
  const double r = body.half_size().x();
  const Vector3 half = body.half_size().z() * axis;
  if (std::abs(slope) > kSteep) {
    f->kind = ContactFeature::Kind::kDisc;
    f->size = 0;
    f->face_id = slope > 0.0 ? 1 : 0;
    f->normal = std::copysign(1.0, slope) * axis;
    f->center = X.p + std::copysign(1.0, slope) * half;
    f->axis_x = X.R.col(0);
    f->axis_y = X.R.col(1);
    f->radius = r;
    f->alignment = std::abs(slope);
    return;
  }
  const Vector3 radial = (n - slope * axis).normalized();
  const Vector3 foot = X.p + r * radial;
  set_segment(foot - half, 0, foot + half, 1, slope, f);
}

Vector3 box_corner(const ConvexSupport& body, int id) {
  const Vector3& h = body.half_size();
  return body.pose() * Vector3(id & 1 ? h.x() : -h.x(), id & 2 ? h.y() : -h.y(), id & 4 ? h.z() : -h.z());
}

void find_box(const ConvexSupport& body, const Vector3& n, double min_alignment, ContactFeature* f) {
  const Vector3 d = body.pose().R.transpose() * n;
  int axis = 0;
  d.cwiseAbs().maxCoeff(&axis);
  const int corner = (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  if (std::abs(d[axis]) >= min_alignment) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int base = corner & (1 << axis);
    const std::array<int, 4> loop = {base, base | (1 << u), base | (1 << u) | (1 << v), base | (1 << v)};
    f->kind = ContactFeature::Kind::kPolygon;
    f->size = 4;
    for (int i = 0; i < 4; ++i) {
      f->vertices[i] = box_corner(body, loop[i]);
      f->ids[i] = loop[i];
    }
    f->face_id = 2 * axis + (d[axis] > 0.0 ? 1 : 0);
    f->normal = std::copysign(1.0, d[axis]) * body.pose().R.col(axis);
    f->alignment = std::abs(d[axis]);
    return;
  }
  int edge = 0;
  d.cwiseAbs().minCoeff(&edge);
  if (std::abs(d[edge]) < kEdgeSlope) {
    const int low = corner & ~(1 << edge), high = corner | (1 << edge);
    set_segment(box_corner(body, low), low, box_corner(body, high), high, d[edge], f);
  } else {
    set_point(box_corner(body, corner), corner, f);
  }
}

void find_triangle(const ConvexSupport& body, const Vector3& n, double min_alignment, ContactFeature* f) {
  const Vector3 normal = body.triangle_normal();
  const double cosine = normal.dot(n);
  if (std::abs(cosine) >= min_alignment) {
    f->kind = ContactFeature::Kind::kPolygon;
    f->size = 3;
    for (int i = 0; i < 3; ++i) {
      f->vertices[i] = body.corner(i);
      f->ids[i] = i;
    }
    f->face_id = cosine > 0.0 ? 1 : 0;
    f->normal = std::copysign(1.0, cosine) * normal;
    f->alignment = std::abs(cosine);
    return;
  }
  int top = 0;
  for (int i = 1; i < 3; ++i) {
    if (body.corner(i).dot(n) > body.corner(top).dot(n)) top = i;
  }
  int other = -1;
  double best = kEdgeSlope;
  for (int k = 1; k < 3; ++k) {
    const int i = (top + k) % 3;
    const Vector3 edge = body.corner(i) - body.corner(top);
    if (edge.isZero(0.0)) continue;  // a line: no edge between its two corners at one end
    const double slope = std::abs(edge.normalized().dot(n));
    if (slope < best) {
      best = slope;
      other = i;
    }
  }
  if (other >= 0) {
    set_segment(body.corner(top), top, body.corner(other), other, best, f);
  } else {
    set_point(body.corner(top), top, f);
  }
}

}  // namespace

void find_contact_feature(const ConvexSupport& body, const Vector3& n, double min_alignment,
                          ContactFeature* feature) {
  switch (body.kind()) {
    case ConvexSupport::Kind::kPoint:
    case ConvexSupport::Kind::kEllipsoid:
      set_point(body.support(n), 0, feature);
      return;
    case ConvexSupport::Kind::kSegment:
      find_segment(body, n, feature);
      return;
    case ConvexSupport::Kind::kTriangle:
      find_triangle(body, n, min_alignment, feature);
      return;
    case ConvexSupport::Kind::kBox:
      find_box(body, n, min_alignment, feature);
      return;
    case ConvexSupport::Kind::kPolytope:
      CSIM_REQUIRE(false);
      return;
    case ConvexSupport::Kind::kCylinder:
      find_cylinder(body, n, feature);
      return;
  }
}

}  // namespace csim
