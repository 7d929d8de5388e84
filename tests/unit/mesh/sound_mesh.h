// What every mesh maker owes, checked by brute force: the most productive test of this module.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "mesh/pressure_field.h"
#include "mesh/tet_mesh.h"

namespace csim::testing {

/// By the divergence theorem, about a point of the surface.
inline double enclosed_volume(const TriangleMesh& surface) {
  double six_volumes = 0.0;
  const Vector3 o = surface.vertices.at(0);
  for (const auto& [a, b, c] : surface.triangles) {
    six_volumes += (surface.vertices[a] - o).dot((surface.vertices[b] - o).cross(surface.vertices[c] - o));
  }
  return six_volumes / 6.0;
}

/// Every directed edge once and its opposite once; V - E + F = 2: a sphere's topology.
inline void expect_sphere_topology(const TriangleMesh& surface) {
  std::map<std::array<int, 2>, int> edges;
  for (const auto& t : surface.triangles) {
    for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1) << edge[0] << " " << edge[1];
    ASSERT_TRUE(edges.contains({edge[1], edge[0]})) << edge[0] << " " << edge[1];
  }
  EXPECT_EQ(surface.vertices.size() + surface.triangles.size(), edges.size() / 2 + 2);
  EXPECT_TRUE(surface.closed);
}

/// All tets positive, every face shared by at most two, every vertex used, the boundary a closed sphere whose
/// volume the tets fill.
inline void expect_sound(const TetMesh& mesh) {
  std::map<std::array<int, 3>, int> faces;
  std::vector<bool> used(mesh.vertices.size(), false);
  double sum = 0.0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const double v = tet_volume(mesh, static_cast<int>(t));
    ASSERT_GT(v, 0.0) << "tet " << t;
    sum += v;
    for (int f = 0; f < 4; ++f) {
      auto key = tet_face(mesh, static_cast<int>(t), f).vertices;
      std::sort(key.begin(), key.end());
      ASSERT_LE(++faces[key], 2) << "tet " << t << " face " << f;
    }
    for (const int v_index : mesh.tets[t]) used.at(v_index) = true;
  }
  for (std::size_t v = 0; v < used.size(); ++v) ASSERT_TRUE(used[v]) << "vertex " << v;
  const TriangleMesh surface = boundary_surface(mesh);
  expect_sphere_topology(surface);
  // Sums of the same few thousand products in two orders.
  EXPECT_NEAR(enclosed_volume(surface), sum, 1e-12 * sum);
}

/// The pressure at a point, by the tet that holds it.
inline double pressure_at(const CompliantMesh& compliant, const Vector3& x) {
  const auto& v = compliant.mesh.vertices;
  const std::vector<LinearField> fields = linear_fields(compliant);
  for (std::size_t t = 0; t < compliant.mesh.tets.size(); ++t) {
    const auto& [a, b, c, d] = compliant.mesh.tets[t];
    const double whole = tet_volume(v[a], v[b], v[c], v[d]), least = -1e-12 * whole;
    if (tet_volume(x, v[b], v[c], v[d]) >= least && tet_volume(v[a], x, v[c], v[d]) >= least &&
        tet_volume(v[a], v[b], x, v[d]) >= least && tet_volume(v[a], v[b], v[c], x) >= least) {
      return fields[t].at(x);
    }
  }
  ADD_FAILURE() << "no tet holds " << x.transpose();
  return NAN;
}

}  // namespace csim::testing
