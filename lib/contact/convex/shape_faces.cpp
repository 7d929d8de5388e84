#include "contact/convex/shape_faces.h"

#include <algorithm>
#include <cmath>

namespace csim {

namespace {

/// Keeps the part of *interval where f0 + s (f1 - f0) <= 0; false when nothing is left.
bool clip_below(double f0, double f1, Interval* interval) {
  const double slope = f1 - f0;
  if (slope == 0.0) return f0 <= 0.0;
  const double root = -f0 / slope;
  if (slope > 0.0) {
    interval->end = std::min(interval->end, root);
  } else {
    interval->begin = std::max(interval->begin, root);
  }
  return interval->begin <= interval->end;
}

std::optional<Interval> clip_to_box(const Vector3& half, int axis, const Vector3& a, const Vector3& b) {
  Interval interval;
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    if (!clip_below(a[k] - half[k], b[k] - half[k], &interval)) return std::nullopt;
    if (!clip_below(-a[k] - half[k], -b[k] - half[k], &interval)) return std::nullopt;
  }
  return interval;
}

std::optional<Interval> clip_to_loop(const ConvexPolytope& p, int face, const Vector3& a, const Vector3& b) {
  Interval interval;
  const int begin = p.face_begin[face], size = p.face_begin[face + 1] - begin;
  for (int i = 0; i < size; ++i) {
    const Vector3& v = p.vertices[p.face_vertices[begin + i]];
    const Vector3& w = p.vertices[p.face_vertices[begin + (i + 1) % size]];
    const Vector3 outward = (w - v).cross(p.face_normals[face]);
    if (!clip_below(outward.dot(a - v), outward.dot(b - v), &interval)) return std::nullopt;
  }
  return interval;
}

std::optional<Interval> clip_to_disk(double radius, const Vector3& a, const Vector3& b) {
  const Vector2 p = a.head<2>(), d = b.head<2>() - p;
  // |p + s d|^2 = r^2
  const double dd = d.squaredNorm(), pd = p.dot(d), inside = p.squaredNorm() - radius * radius;
  if (dd == 0.0) return inside <= 0.0 ? std::optional(Interval{}) : std::nullopt;
  const double discriminant = pd * pd - dd * inside;
  if (discriminant < 0.0) return std::nullopt;
  const double root = std::sqrt(discriminant);
  const Interval interval{std::max(0.0, (-pd - root) / dd), std::min(1.0, (-pd + root) / dd)};
  return interval.begin <= interval.end ? std::optional(interval) : std::nullopt;
}

const double kCosFaceAngle = std::cos(kFaceAngle);

}  // namespace

std::optional<ShapeFace> face_towards(const Shape& shape, const RigidTransform& X_MS,
                                      const Vector3& direction) {
  const Vector3 d = X_MS.R.transpose() * direction;
  Vector3 normal = Vector3::Zero(), point = Vector3::Zero();
  int index = 0;
  if (const Box* box = std::get_if<Box>(&shape)) {
    d.cwiseAbs().maxCoeff(&index);
    normal[index] = d[index] > 0.0 ? 1.0 : -1.0;
    point = 0.5 * normal.cwiseProduct(box->size);
  } else if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
    index = 2;
    normal.z() = d.z() > 0.0 ? 1.0 : -1.0;
    point.z() = 0.5 * normal.z() * cylinder->length;
  } else if (const Convex* convex = std::get_if<Convex>(&shape)) {
    const ConvexPolytope& p = *convex->polytope;
    for (std::size_t f = 1; f < p.face_normals.size(); ++f) {
      if (p.face_normals[f].dot(d) > p.face_normals[index].dot(d)) index = static_cast<int>(f);
    }
    normal = p.face_normals[index];
    point = p.face_offsets[index] * normal;
  } else {
    return std::nullopt;
  }
  if (normal.dot(d) < kCosFaceAngle) return std::nullopt;
  return ShapeFace{X_MS.R * normal, X_MS * point, index};
}

std::optional<Interval> clip_to_face(const Shape& shape, const RigidTransform& X_MS, const ShapeFace& face,
                                     const Vector3& a, const Vector3& b) {
  const Vector3 a_S = X_MS.inverse_times(a), b_S = X_MS.inverse_times(b);
  if (const Box* box = std::get_if<Box>(&shape)) return clip_to_box(0.5 * box->size, face.index, a_S, b_S);
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
    return clip_to_disk(cylinder->radius, a_S, b_S);
  return clip_to_loop(*std::get<Convex>(shape).polytope, face.index, a_S, b_S);
}

}  // namespace csim
