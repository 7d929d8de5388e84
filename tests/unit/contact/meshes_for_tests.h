// Surfaces for contact tests.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <numbers>

#include "unit/geometry/shapes_for_tests.h"

namespace csim::testing {

/// A square (2 half) x (2 half) at height f(x, y) over a jittered grid of n x n cells, each cut along a
/// random diagonal; the grid's rim is not jittered inwards.
inline TriangleMesh random_terrain(
    int n, double half, std::mt19937* rng,
    const std::function<double(double, double)>& height = [](double, double) { return 0.0; }) {
  TriangleMesh mesh;
  const double cell = 2 * half / n;
  std::uniform_real_distribution<double> jitter(-0.35 * cell, 0.35 * cell);
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      double x = -half + i * cell, y = -half + j * cell;
      const double dx = jitter(*rng), dy = jitter(*rng);
      if (i > 0 && i < n) x += dx;
      if (j > 0 && j < n) y += dy;
      mesh.vertices.emplace_back(x, y, height(x, y));
    }
  }
  const auto at = [&](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
      if ((*rng)() & 1) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

/// A ring around z with regular polygons of so many sides as hole and outline, a side of each across the x
/// axis.
inline TriangleMesh ring_mesh(int sides, double hole, double outer, double height) {
  TriangleMesh mesh;
  mesh.closed = true;
  for (const double radius : {outer, hole}) {
    for (const double z : {-0.5 * height, 0.5 * height}) {
      for (int i = 0; i < sides; ++i) {
        const double angle = 2.0 * std::numbers::pi * (i + 0.5) / sides;
        mesh.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
      }
    }
  }
  const auto quad = [&](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int i = 0; i < sides; ++i) {
    const int j = (i + 1) % sides, low = 0, high = sides, hole_low = 2 * sides, hole_high = 3 * sides;
    quad(low + i, low + j, high + j, high + i);
    quad(hole_low + j, hole_low + i, hole_high + i, hole_high + j);
    quad(high + i, high + j, hole_high + j, hole_high + i);
    quad(low + j, low + i, hole_low + i, hole_low + j);
  }
  return mesh;
}

/// Every triangle cut into four, `times` times.
inline TriangleMesh subdivided(TriangleMesh mesh, int times) {
  for (; times > 0; --times) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, fresh] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.vertices.size()));
      if (fresh) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      return entry->second;
    };
    std::vector<std::array<int, 3>> fine;
    for (const auto& [a, b, c] : std::vector<std::array<int, 3>>(mesh.triangles)) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      fine.insert(fine.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = fine;
  }
  return mesh;
}

/// A ball of an octahedron cut `times` times.
inline TriangleMesh ball_mesh(double radius, int times) {
  TriangleMesh mesh;
  mesh.vertices = {Vector3::UnitX(),  -Vector3::UnitX(), Vector3::UnitY(),
                   -Vector3::UnitY(), Vector3::UnitZ(),  -Vector3::UnitZ()};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  mesh.closed = true;
  mesh = subdivided(std::move(mesh), times);
  for (Vector3& v : mesh.vertices) v = radius * v.normalized();
  return mesh;
}

/// A torus around z: circles of so many points around a ring of so many.
inline TriangleMesh torus_mesh(double ring, double tube, int around, int across) {
  TriangleMesh mesh;
  mesh.closed = true;
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2.0 * std::numbers::pi * i / around, v = 2.0 * std::numbers::pi * j / across;
      const double r = ring + tube * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), tube * std::sin(v));
    }
  }
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const int k = (i + 1) % around, l = (j + 1) % across;
      const int a = i * across + j, b = k * across + j, c = k * across + l, d = i * across + l;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

}  // namespace csim::testing
