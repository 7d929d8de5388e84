#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace csim {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kCreaseCosine = 0.766;  // cos 40 degrees

/// A point of a profile: radius and height, and the normal there in the same plane.
struct ProfilePoint {
  double r, z, normal_r, normal_z;
};

/// Turns profiles about z, each from its lower to its upper end (seen from outside: counterclockwise).
Surface revolve(const std::vector<std::vector<ProfilePoint>>& profiles, int segments) {
  Surface surface;
  surface.round = true;
  for (const std::vector<ProfilePoint>& profile : profiles) {
    const int rings = static_cast<int>(profile.size());
    const int first = static_cast<int>(surface.vertices.size());
    for (const ProfilePoint& point : profile) {
      for (int s = 0; s <= segments; ++s) {
        // The last column closes on the first to the bit.
        const double angle = 2.0 * kPi * (s % segments) / segments;
        const double c = std::cos(angle), n = std::sin(angle);
        surface.vertices.emplace_back(point.r * c, point.r * n, point.z);
        surface.normals.emplace_back(point.normal_r * c, point.normal_r * n, point.normal_z);
      }
    }
    const int columns = segments + 1;
    for (int ring = 0; ring + 1 < rings; ++ring) {
      for (int s = 0; s < segments; ++s) {
        const int a = first + ring * columns + s, b = a + 1, c = a + columns, d = c + 1;
        if (profile[ring].r > 0.0) surface.triangles.push_back({a, b, d});
        if (profile[ring + 1].r > 0.0) surface.triangles.push_back({a, d, c});
      }
    }
  }
  return surface;
}

/// Arc of radius 1 about (0, z), from one latitude to another, in `steps`.
std::vector<ProfilePoint> arc(double z, double from, double to, int steps) {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= steps; ++i) {
    const double latitude = from + (to - from) * i / steps;
    // At a pole the radius is 0 exactly, so that no slivers are made there.
    const double r = std::abs(std::abs(latitude) - 0.5 * kPi) < 1e-12 ? 0.0 : std::cos(latitude);
    points.push_back({r, z + std::sin(latitude), r, std::sin(latitude)});
  }
  return points;
}

}  // namespace

Surface box_surface() {
  Surface surface;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const Vector3 n = side * Vector3::Unit(axis);
      const Vector3 u = Vector3::Unit((axis + 1) % 3), v = n.cross(u);
      const int first = static_cast<int>(surface.vertices.size());
      for (const auto& [s, t] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
        surface.vertices.push_back(0.5 * (n + s * u + t * v));
        surface.normals.push_back(n);
      }
      surface.triangles.push_back({first, first + 1, first + 2});
      surface.triangles.push_back({first, first + 2, first + 3});
    }
  }
  return surface;
}

Surface sphere_surface(int segments) {
  return revolve({arc(0.0, -0.5 * kPi, 0.5 * kPi, segments / 2)}, segments);
}

Surface cylinder_surface(int segments) {
  return revolve({{{0, -0.5, 0, -1}, {1, -0.5, 0, -1}},
                  {{1, -0.5, 1, 0}, {1, 0.5, 1, 0}},
                  {{1, 0.5, 0, 1}, {0, 0.5, 0, 1}}},
                 segments);
}

Surface capsule_surface(double length, int segments) {
  std::vector<ProfilePoint> profile = arc(-0.5 * length, -0.5 * kPi, 0.0, segments / 4);
  const std::vector<ProfilePoint> upper = arc(0.5 * length, 0.0, 0.5 * kPi, segments / 4);
  profile.insert(profile.end(), upper.begin(), upper.end());
  return revolve({profile}, segments);
}

Surface cone_surface(int segments) {
  const double slope = std::sqrt(0.5);
  return revolve({{{0, 0, 0, -1}, {1, 0, 0, -1}}, {{1, 0, slope, slope}, {0, 1, slope, slope}}}, segments);
}

Surface creased_surface(const std::vector<Vector3>& vertices,
                        const std::vector<std::array<int, 3>>& triangles) {
  // Twice the area times the normal of every face; the faces around every vertex.
  std::vector<Vector3> face(triangles.size());
  std::vector<std::vector<int>> around(vertices.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    face[t] = (vertices[b] - vertices[a]).cross(vertices[c] - vertices[a]);
    for (const int v : triangles[t]) around[v].push_back(static_cast<int>(t));
  }
  // Corners of the same vertex with the same normal are one vertex of the surface.
  Surface surface;
  std::map<std::array<long, 4>, int> known;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const double area = face[t].norm();
    if (!(area > 0.0)) continue;
    std::array<int, 3> corners{};
    for (int k = 0; k < 3; ++k) {
      const int v = triangles[t][k];
      Vector3 normal = Vector3::Zero();
      for (const int other : around[v]) {
        if (face[other].dot(face[t]) >= kCreaseCosine * area * face[other].norm()) normal += face[other];
      }
      normal.normalize();
      const auto rounded = [&](int axis) { return std::lround(1e4 * normal[axis]); };
      const auto [place, is_new] = known.try_emplace({v, rounded(0), rounded(1), rounded(2)},
                                                     static_cast<int>(surface.vertices.size()));
      if (is_new) {
        surface.vertices.push_back(vertices[v]);
        surface.normals.push_back(normal);
      }
      corners[k] = place->second;
    }
    surface.triangles.push_back(corners);
  }
  return surface;
}

double radius_of(const Surface& surface, const Vector3& scale) {
  double squared = 0.0;
  for (const Vector3& v : surface.vertices) squared = std::max(squared, v.cwiseProduct(scale).squaredNorm());
  return std::sqrt(squared);
}

}  // namespace csim
