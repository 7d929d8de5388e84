#include "unit/contact/placed_pairs.h"

#include <cmath>

namespace csim::test {
namespace {

/// How a shape bends at a point: an overlap of two points of no curvature may part sideways sooner.
enum class Bend { kFlat, kRound, kEdge, kVertex };

struct SurfacePoint {
  Vector3 p, normal;  // m and unit, frame of the shape; normal in the cone of the outward normals
  Bend bend;
};

Vector3 radial(double angle) {
  return {std::cos(angle), std::sin(angle), 0.0};
}

SurfacePoint point_on(const Cylinder& s, Random* random) {
  const double angle = uniform(random, 0.0, 2.0 * M_PI), half = 0.5 * s.length;
  switch ((*random)() % 3) {
    case 0:
      return {0.9 * s.radius * std::sqrt(uniform(random, 0.0, 1.0)) * radial(angle) + half * Vector3::UnitZ(),
              Vector3::UnitZ(), Bend::kFlat};
    case 1:
      return {s.radius * radial(angle) + uniform(random, -0.9, 0.9) * half * Vector3::UnitZ(), radial(angle),
              Bend::kRound};
    default: {
      const double tilt = uniform(random, 0.1, 0.5 * M_PI - 0.1);
      return {s.radius * radial(angle) + half * Vector3::UnitZ(),
              std::cos(tilt) * radial(angle) + std::sin(tilt) * Vector3::UnitZ(), Bend::kEdge};
    }
  }
}

SurfacePoint point_on(const Capsule& s, Random* random) {
  Vector3 normal = random_unit(random);
  double z = std::copysign(0.5 * s.length, normal.z());
  if ((*random)() % 2 == 0) {
    normal = radial(uniform(random, 0.0, 2.0 * M_PI));
    z = uniform(random, -0.45, 0.45) * s.length;
  }
  return {s.radius * normal + z * Vector3::UnitZ(), normal, Bend::kRound};
}

/// Of a polytope: inside a face, on an edge, or a vertex.
SurfacePoint point_on(const ConvexPolytope& P, Random* random) {
  const auto any = [&](std::size_t n) { return static_cast<std::size_t>((*random)() % n); };
  switch (any(3)) {
    case 0: {
      const std::size_t f = any(P.face_normals.size());
      Vector3 p = Vector3::Zero();
      double sum = 0.0;
      for (int i = P.face_begin[f]; i < P.face_begin[f + 1]; ++i) {
        const double weight = uniform(random, 0.2, 1.0);
        p += weight * P.vertices[P.face_vertices[i]];
        sum += weight;
      }
      return {p / sum, P.face_normals[f], Bend::kFlat};
    }
    case 1: {
      const auto& [i, j, f, g] = P.edges[any(P.edges.size())];
      const double t = uniform(random, 0.1, 0.9), u = uniform(random, 0.1, 0.9);
      return {(1.0 - t) * P.vertices[i] + t * P.vertices[j],
              ((1.0 - u) * P.face_normals[f] + u * P.face_normals[g]).normalized(), Bend::kEdge};
    }
    default: {
      const std::size_t v = any(P.vertices.size());
      Vector3 normal = Vector3::Zero();
      for (std::size_t f = 0; f < P.face_normals.size(); ++f) {
        if (P.face_normals[f].dot(P.vertices[v]) > P.face_offsets[f] - 1e-12)
          normal += uniform(random, 0.1, 1.0) * P.face_normals[f];
      }
      return {P.vertices[v], normal.normalized(), Bend::kVertex};
    }
  }
}

SurfacePoint point_on(const Shape& shape, Random* random) {
  if (const auto* s = std::get_if<Sphere>(&shape)) {
    const Vector3 normal = random_unit(random);
    return {s->radius * normal, normal, Bend::kRound};
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    const Vector3 normal = random_unit(random), scaled = s->semi_axes.cwiseProduct(normal);
    return {s->semi_axes.cwiseProduct(scaled) / scaled.norm(), normal, Bend::kRound};
  }
  if (const auto* s = std::get_if<Cylinder>(&shape)) return point_on(*s, random);
  if (const auto* s = std::get_if<Capsule>(&shape)) return point_on(*s, random);
  if (std::holds_alternative<HalfSpace>(shape))
    return {Vector3(uniform(random, -1, 1), uniform(random, -1, 1), 0.0), Vector3::UnitZ(), Bend::kFlat};
  if (const auto* s = std::get_if<Box>(&shape)) {
    std::vector<Vector3> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back(0.5 * s->size.cwiseProduct(Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    return point_on(*make_convex(corners).polytope, random);
  }
  return point_on(*std::get<Convex>(shape).polytope, random);
}

Shape scaled(const Shape& shape, double scale) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return Sphere{scale * s->radius};
  if (const auto* s = std::get_if<Box>(&shape)) return Box{scale * s->size};
  if (const auto* s = std::get_if<Cylinder>(&shape)) return Cylinder{scale * s->radius, scale * s->length};
  if (const auto* s = std::get_if<Capsule>(&shape)) return Capsule{scale * s->radius, scale * s->length};
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) return Ellipsoid{scale * s->semi_axes};
  if (const auto* s = std::get_if<Convex>(&shape)) {
    std::vector<Vector3> points;
    for (const Vector3& p : s->polytope->vertices) points.push_back(scale * p);
    return make_convex(points);
  }
  return shape;
}

/// A random pose that lays the surface point at p with its normal along n.
RigidTransform lay(const SurfacePoint& at, const Vector3& p, const Vector3& n, Random* random) {
  const Matrix3 R = Eigen::AngleAxisd(uniform(random, 0.0, 2.0 * M_PI), n).toRotationMatrix() *
                    Quaternion::FromTwoVectors(at.normal, n).toRotationMatrix();
  return {R, p - R * at.p};
}

bool is_sharp(const SurfacePoint& point) {
  return point.bend == Bend::kEdge || point.bend == Bend::kVertex;
}

}  // namespace

PlacedPair place_pair(const std::string& kind_a, const std::string& kind_b, double scale, double phi,
                      Random* random) {
  PlacedPair pair{scaled(random_shape(kind_a, random), scale),
                  scaled(random_shape(kind_b, random), scale),
                  {},
                  {},
                  random_unit(random),
                  phi};
  SurfacePoint on_a = point_on(pair.a, random), on_b = point_on(pair.b, random);
  while (phi < 0.0 && is_sharp(on_a) && is_sharp(on_b)) {
    on_a = point_on(pair.a, random);
    on_b = point_on(pair.b, random);
  }
  const Vector3 p = scale * random_unit(random);
  pair.X_A = lay(on_a, p, pair.normal, random);
  pair.X_B = lay(on_b, p + phi * pair.normal, -pair.normal, random);
  return pair;
}

}  // namespace csim::test
