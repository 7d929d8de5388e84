#include "contact/mesh/mesh_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using testing::make_surface;
using testing::random_terrain;
using testing::random_vector;
using testing::subdivided;

/// `count` unit cubes around the z axis, each in a quadrant, with one edge in common whose vertices they
/// share.
TriangleMesh cubes_around_an_edge(const std::vector<int>& quadrants) {
  TriangleMesh all;
  all.closed = true;
  const TriangleMesh cube = box_mesh(Vector3::Ones());
  for (const int quadrant : quadrants) {
    const Vector3 center((quadrant == 0 || quadrant == 3) ? 0.5 : -0.5, quadrant < 2 ? 0.5 : -0.5, 0.0);
    std::vector<int> index;
    for (const Vector3& v : cube.vertices) {
      const Vector3 p = v + center;
      int found = -1;
      for (std::size_t i = 0; i < all.vertices.size(); ++i)
        if ((all.vertices[i] - p).norm() < 1e-12) found = static_cast<int>(i);
      if (found < 0) {
        found = static_cast<int>(all.vertices.size());
        all.vertices.push_back(p);
      }
      index.push_back(found);
    }
    for (const auto& t : cube.triangles) all.triangles.push_back({index[t[0]], index[t[1]], index[t[2]]});
  }
  return all;
}

/// Where two parts of a solid touch in an edge, this is a convex edge of each, with the triangles of that
/// part alone; the inside is that of the two.
TEST(MeshSurface, AnEdgeThatPartsShareIsOneOfEach) {
  const MeshSurface surface = make_surface(cubes_around_an_edge({0, 2}));
  int num_shared = 0;
  for (int t = 0; t < 24; ++t) {
    for (int i = 0; i < 3; ++i) {
      const SurfaceEdge& edge = surface.edge(surface.edge_of(t, i));
      ASSERT_GE(edge.triangle[1], 0);
      EXPECT_EQ(edge.triangle[0] / 12, edge.triangle[1] / 12);  // of one cube
      EXPECT_NE(edge.kind, EdgeKind::kBorder);
      const Vector3 p = surface.vertex(edge.vertex[0]), q = surface.vertex(edge.vertex[1]);
      if (p.head<2>().norm() > 1e-12 || q.head<2>().norm() > 1e-12) continue;
      EXPECT_EQ(edge.kind, EdgeKind::kConvex);
      ++num_shared;
    }
  }
  EXPECT_EQ(num_shared, 4);
  std::mt19937 rng(91);
  for (int k = 0; k < 3000; ++k) {
    const Vector3 p = k % 2 ? random_vector(&rng, 1.5) : random_vector(&rng, 0.01);
    const bool inside = std::abs(p.z()) < 0.5 && p.cwiseAbs().maxCoeff() < 1.0 && p.x() * p.y() > 0.0;
    EXPECT_EQ(surface.holds(p, 0.0), inside) << p.transpose();
  }
}

/// Edges of a box may cross others, the diagonals of its sides may not; each is one triangle's own. Seen from
/// the inside of a hollow none may, but of an open surface, which has no inside.
TEST(MeshSurface, SharpEdgesThatStandOutMayCrossOthers) {
  for (const bool hollow : {false, true}) {
    for (const bool closed : {true, false}) {
      TriangleMesh mesh = box_mesh(Vector3::Ones());
      mesh.closed = closed;
      if (hollow)
        for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
      const MeshSurface surface = make_surface(std::move(mesh));
      std::multiset<int> owned, all;
      for (int t = 0; t < 12; ++t) {
        for (int i = 0; i < 3; ++i) {
          if ((surface.crossing_sides(t, true) >> i & 1u) != 0) owned.insert(surface.edge_of(t, i));
          if ((surface.crossing_sides(t, false) >> i & 1u) != 0) all.insert(surface.edge_of(t, i));
        }
      }
      const std::size_t expected = hollow && closed ? 0 : 12;
      EXPECT_EQ(owned.size(), expected);
      EXPECT_EQ(std::set<int>(owned.begin(), owned.end()).size(), expected);
      EXPECT_EQ(all.size(), 2 * expected);
      for (const int e : owned) {
        const auto& [begin, end] = surface.edge(e).vertex;
        EXPECT_DOUBLE_EQ((surface.vertex(end) - surface.vertex(begin)).norm(), 1.0);
      }
    }
  }
}

/// A block of 0.2 by 0.14 by 0.1 m, each side of 128 triangles; `uneven` (m): by which its vertices are off.
MeshSurface uneven_block(double uneven, std::mt19937* rng) {
  TriangleMesh mesh = subdivided(box_mesh(Vector3(0.2, 0.14, 0.1)), 3);
  for (Vector3& v : mesh.vertices) v += random_vector(rng, uneven);
  return make_surface(std::move(mesh));
}

/// What files and cut parts are off by makes no facets, edges or corners: a block has six, twelve and eight.
TEST(MeshSurface, AnUnevenBlockHasSixFacetsAndEightCorners) {
  std::mt19937 rng(92);
  for (const double uneven : {0.0, 1e-9, 1e-7, 1e-6, 4e-6}) {
    const MeshSurface surface = uneven_block(uneven, &rng);
    const auto num_ends = [&](const Vector3& p) {
      return (p.array().abs() > Eigen::Array3d(0.0999, 0.0699, 0.0499)).count();
    };
    std::set<int> facets;
    for (int t = 0; t < 6 * 128; ++t) {
      facets.insert(surface.facet(t));
      const double cosine = surface.normal(t).dot(surface.facet_normal(surface.facet(t)));
      EXPECT_GE(cosine, 1.0 - 0.5 * 2e-3 * 2e-3);
      EXPECT_NEAR(std::sqrt(std::max(0.0, 1.0 - cosine * cosine)), 0.0,
                  surface.unevenness(surface.facet(t)) + 1e-7);
    }
    EXPECT_EQ(facets.size(), 6) << uneven;
    for (int v = 0; v < surface.num_vertices(); ++v) {
      EXPECT_EQ(surface.is_corner(v), num_ends(surface.vertex(v)) == 3) << uneven;
      EXPECT_EQ(surface.is_flat(v), num_ends(surface.vertex(v)) == 1) << uneven;
    }
    for (int e = 0; e < surface.num_edges(); ++e) {
      const auto& [v, w] = surface.edge(e).vertex;
      const bool is_sharp = num_ends(surface.vertex(v)) >= 2 && num_ends(surface.vertex(w)) >= 2 &&
                            num_ends(0.5 * (surface.vertex(v) + surface.vertex(w))) >= 2;
      EXPECT_EQ(surface.edge(e).kind, is_sharp ? EdgeKind::kConvex : EdgeKind::kFlat) << uneven;
    }
  }
  const MeshSurface rough = uneven_block(1e-4, &rng);
  int num_corners = 0;
  for (int v = 0; v < rough.num_vertices(); ++v) num_corners += rough.is_corner(v) ? 1 : 0;
  EXPECT_GT(num_corners, 200);
}

/// A slow bend is cut: no triangle of a facet is turned from its normal by more than a flat side may be.
TEST(MeshSurface, ASlowBendIsCutIntoFacets) {
  std::mt19937 rng(93);
  const MeshSurface surface = make_surface(
      random_terrain(40, 1.0, &rng, [](double x, double) { return 0.01 * x * x; }));  // 0.04 rad in all
  std::set<int> facets;
  for (int t = 0; t < 2 * 40 * 40; ++t) {
    facets.insert(surface.facet(t));
    EXPECT_LT((surface.normal(t) - surface.facet_normal(surface.facet(t))).norm(), 2.001e-3);
  }
  EXPECT_GE(facets.size(), 10);
}

}  // namespace
}  // namespace csim
