#include "patch/face_quadrature.h"

#include <span>

#include "patch/polygon_integrals.h"

namespace csim {
namespace {

struct FaceCorners {
  std::span<const Vector3> vertices;
  std::span<const double> pressures;
};

FaceCorners corners(const ContactSurface& surface, int face) {
  const auto begin = static_cast<std::size_t>(surface.vertex_begin[face]);
  const std::size_t count = static_cast<std::size_t>(surface.vertex_begin[face + 1]) - begin;
  return {std::span(surface.vertices).subspan(begin, count),
          std::span(surface.vertex_pressures).subspan(begin, count)};
}

bool is_inside(const FaceCorners& face, const Vector3& normal, const Vector3& x) {
  for (std::size_t i = 0; i < face.vertices.size(); ++i) {
    const Vector3& from = face.vertices[i];
    const Vector3& to = face.vertices[(i + 1) % face.vertices.size()];
    if ((to - from).cross(x - from).dot(normal) < 0.0) return false;
  }
  return true;
}

Vector3 center_of_pressure(const ContactSurface& surface, int i) {
  if (!(surface.pressure[i] > 0.0)) return surface.centroid[i];
  const FaceCorners face = corners(surface, i);
  const PolygonIntegrals integrals = integrate_polygon(face.vertices, face.pressures, surface.normal[i]);
  const Vector3 center =
      surface.centroid[i] + integrals.pressure_moment / (surface.area[i] * surface.pressure[i]);
  return is_inside(face, surface.normal[i], center) ? center : surface.centroid[i];
}

void append_three_points(const ContactSurface& surface, int i, std::vector<FacePoint>* points) {
  const FaceCorners face = corners(surface, i);
  for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
    const std::size_t corner[3] = {0, k, k + 1};
    const Vector3 &a = face.vertices[0], &b = face.vertices[k], &c = face.vertices[k + 1];
    const double area = 0.5 * (b - a).cross(c - a).dot(surface.normal[i]);
    if (!(area > 0.0)) continue;
    const Vector3 sum = a + b + c;
    const double pressure_sum = face.pressures[0] + face.pressures[k] + face.pressures[k + 1];
    for (const std::size_t near : corner) {
      points->push_back({i, sum / 6.0 + 0.5 * face.vertices[near], area / 3.0,
                         pressure_sum / 6.0 + 0.5 * face.pressures[near]});
    }
  }
}

}  // namespace

void append_face_points(const ContactSurface& surface, int begin, int end, FaceQuadrature quadrature,
                        std::vector<FacePoint>* points) {
  for (int i = begin; i < end; ++i) {
    switch (quadrature) {
      case FaceQuadrature::kCentroid:
        points->push_back({i, surface.centroid[i], surface.area[i], surface.pressure[i]});
        break;
      case FaceQuadrature::kCenterOfPressure:
        points->push_back({i, center_of_pressure(surface, i), surface.area[i], surface.pressure[i]});
        break;
      case FaceQuadrature::kThreePoint:
        append_three_points(surface, i, points);
        break;
    }
  }
}

}  // namespace csim
