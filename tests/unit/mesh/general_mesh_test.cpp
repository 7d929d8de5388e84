// Meshes of unknown quality: inspection, repair, fields by distance, margins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "geometry/nearest_point.h"
#include "mesh/field_from_mesh.h"
#include "mesh/inspect_tet_mesh.h"
#include "mesh/make_compliant_mesh.h"
#include "mesh/repair_tet_mesh.h"
#include "unit/mesh/cube_grid.h"
#include "unit/mesh/sound_mesh.h"

namespace csim {
namespace {

using testing::cube_grid;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(InspectTetMesh, CountsOfABall) {
  const TetMesh ball = make_compliant_mesh(Sphere{2.0}, {1.0, 1.0}).mesh;  // level 2
  const TetMeshReport report = inspect_tet_mesh(ball);
  EXPECT_EQ(report.num_tets, 128);
  EXPECT_EQ(report.num_vertices, 67);
  EXPECT_EQ(report.num_boundary_vertices, 66);
  EXPECT_EQ(report.num_boundary_faces, 128);
  EXPECT_EQ(report.longest_edge, 2.0);
  EXPECT_DOUBLE_EQ(report.volume, volume(ball));
  EXPECT_EQ(report.bounds.upper, Vector3(2, 2, 2));
  EXPECT_TRUE(report.not_positive.empty() && report.crowded.empty() && report.coincident.empty());
  EXPECT_TRUE(report.problem.empty());
  EXPECT_EQ(report.num_nonmanifold_edges, 0);
  for (int t = 0; t < 128; ++t) {
    EXPECT_GE(tet_volume(ball, t), tet_volume(ball, report.smallest_tet));
    EXPECT_GE(tet_quality(ball, t), tet_quality(ball, report.worst_tet));
  }
}

TEST(InspectTetMesh, QualityIsOneForTheRegularTetAndFallsWithItsHeight) {
  TetMesh mesh;
  mesh.vertices = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  if (tet_volume(mesh, 0) < 0) std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_NEAR(tet_quality(mesh, 0), 1.0, 1e-15);
  for (Vector3& p : mesh.vertices) p.z() *= 0.1;
  EXPECT_LT(tet_quality(mesh, 0), 0.5);
  EXPECT_GT(tet_quality(mesh, 0), 0.0);
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_EQ(tet_quality(mesh, 0), 0.0);
}

TEST(InspectTetMesh, BoundaryThatIsNoSurface) {
  // Two cubes that share an edge only.
  const TetMesh mesh = cube_grid(2, 1.0, [](int i, int j, int k) { return k == 0 && i == j; });
  EXPECT_EQ(inspect_tet_mesh(mesh).num_nonmanifold_edges, 1);
}

TEST(ProblemSimplices, OfAGridOfCubesByBruteForce) {
  for (const int n : {1, 2, 3}) {
    const TetMesh mesh = cube_grid(n);
    const ProblemSimplices problem = find_problem_simplices(mesh);
    // On a cube's surface by its coordinates; an edge or a triangle lies on the boundary when all its
    // vertices share a face of the cube.
    const auto sides = [&](int v) {
      std::array<bool, 6> on{};
      for (int axis = 0; axis < 3; ++axis) {
        on[2 * axis] = mesh.vertices[v][axis] == 0.0;
        on[2 * axis + 1] = mesh.vertices[v][axis] == 1.0;
      }
      return on;
    };
    const auto is_problem = [&](std::vector<int> simplex) {
      std::array<bool, 6> common;
      common.fill(true);
      for (const int v : simplex) {
        const auto on = sides(v);
        if (std::find(on.begin(), on.end(), true) == on.end()) return false;
        for (int s = 0; s < 6; ++s) common[s] = common[s] && on[s];
      }
      return std::find(common.begin(), common.end(), true) == common.end();
    };
    std::set<std::set<int>> edges, triangles;
    int tets = 0;
    for (const auto& t : mesh.tets) {
      tets += is_problem({t[0], t[1], t[2], t[3]});
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < i; ++j) {
          if (is_problem({t[i], t[j]})) edges.insert({t[i], t[j]});
          for (int k = 0; k < j; ++k) {
            if (is_problem({t[i], t[j], t[k]})) triangles.insert({t[i], t[j], t[k]});
          }
        }
      }
    }
    EXPECT_EQ(problem.edges.size(), edges.size()) << n;
    EXPECT_EQ(problem.triangles.size(), triangles.size()) << n;
    EXPECT_EQ(problem.tets.size(), static_cast<std::size_t>(tets)) << n;
    EXPECT_GT(tets, 0);
  }
}

TEST(ProblemSimplices, SplittingLeavesNoneAndKeepsTheShape) {
  for (const int n : {1, 2, 3, 5}) {
    TetMesh mesh = cube_grid(n);
    const TriangleMesh before = boundary_surface(mesh);
    const SplitCounts counts = split_problem_simplices(&mesh);
    EXPECT_GT(counts.edges + counts.triangles + counts.tets, 0u);
    EXPECT_TRUE(find_problem_simplices(mesh).empty());
    testing::expect_sound(mesh);
    EXPECT_NEAR(volume(mesh), 1.0, 1e-14);
    // The surface has the same triangles, perhaps in another order.
    TriangleMesh after = boundary_surface(mesh);
    EXPECT_EQ(after.vertices, before.vertices);
    const auto sorted = [](std::vector<std::array<int, 3>> triangles) {
      for (auto& t : triangles) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
      std::sort(triangles.begin(), triangles.end());
      return triangles;
    };
    EXPECT_EQ(sorted(after.triangles), sorted(before.triangles));
    // Every tet has pressure now.
    const auto field = field_from_distance(mesh, {}, 1.0, 0.0);
    for (const auto& t : mesh.tets) {
      double sum = 0.0;
      for (const int v : t) sum += field.value->pressure[v];
      EXPECT_GT(sum, 0.0);
    }
  }
}

TEST(ProblemSimplices, TrianglesAndTetsOfTheirOwn) {
  // Two tets on a common triangle: no interior edge, one interior triangle.
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -2}};
  mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  SplitCounts counts = split_problem_simplices(&mesh);
  EXPECT_EQ(counts.edges, 0u);
  EXPECT_EQ(counts.triangles, 1u);
  EXPECT_EQ(counts.tets, 0u);
  EXPECT_EQ(mesh.tets.size(), 6u);
  testing::expect_sound(mesh);
  // One tet.
  mesh.vertices.resize(4);
  mesh.tets = {{0, 1, 2, 3}};
  counts = split_problem_simplices(&mesh);
  EXPECT_EQ(counts.tets, 1u);
  EXPECT_EQ(mesh.tets.size(), 4u);
  testing::expect_sound(mesh);
}

TEST(TurnInvertedTets, TurnsThoseOnly) {
  TetMesh mesh = cube_grid(2);
  std::swap(mesh.tets[3][1], mesh.tets[3][2]);
  std::swap(mesh.tets[7][0], mesh.tets[7][3]);
  EXPECT_THAT(inspect_tet_mesh(mesh).not_positive, ElementsAre(3, 7));
  EXPECT_EQ(turn_inverted_tets(&mesh), 2);
  testing::expect_sound(mesh);
  EXPECT_EQ(turn_inverted_tets(&mesh), 0);
}

TEST(FieldFromDistance, IsTheDistanceToTheNearestFaceOfACube) {
  const TetMesh mesh = cube_grid(6);
  const std::vector<double> distance = distance_to_boundary(mesh);
  for (std::size_t v = 0; v < distance.size(); ++v) {
    const Vector3& p = mesh.vertices[v];
    EXPECT_NEAR(distance[v], std::min(p.minCoeff(), (1.0 - p.array()).minCoeff()), 1e-15);
  }
  const auto field = field_from_distance(mesh, {}, 3e5, 0.0);
  ASSERT_TRUE(field.ok());
  for (std::size_t v = 0; v < distance.size(); ++v)
    EXPECT_NEAR(field.value->pressure[v], 6e5 * distance[v], 1e-9);
}

TEST(FieldFromDistance, AgreesWithEveryTriangleTriedOnAnUnevenBody) {
  std::mt19937 rng(8);
  std::normal_distribution<double> normal;
  TetMesh mesh = make_compliant_mesh(Sphere{1.0}, {0.3, 1.0, 0.0, MeshStrategy::kDense}).mesh;
  for (Vector3& p : mesh.vertices) p *= 1.0 + 0.3 * std::sin(3 * p.x()) * std::cos(2 * p.y() + p.z());
  const std::vector<double> distance = distance_to_boundary(mesh);
  const auto boundary = boundary_faces(mesh);
  const auto on_boundary = boundary_vertices(mesh);
  for (std::size_t v = 0; v < distance.size(); ++v) {
    double least = 1e300;
    for (const TetFace& face : boundary) {
      const auto& [a, b, c] = face.vertices;
      least = std::min(least, (mesh.vertices[v] - nearest_on_triangle(mesh.vertices[a], mesh.vertices[b],
                                                                      mesh.vertices[c], mesh.vertices[v]))
                                  .norm());
    }
    EXPECT_EQ(distance[v], on_boundary[v] ? 0.0 : least);
  }
}

TEST(ShortestWayOut, OfCornersAgainstASearch) {
  // The corner of a cube: out along the diagonal; an edge: out between the two faces.
  const Vector3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  EXPECT_LT((*shortest_way_out({x, y, z}) - Vector3(1, 1, 1)).norm(), 1e-15);
  EXPECT_LT((*shortest_way_out({x, x, y}) - Vector3(1, 1, 0)).norm(), 1e-15);
  EXPECT_LT((*shortest_way_out({z, z, z}) - z).norm(), 1e-15);
  EXPECT_FALSE(shortest_way_out({x, -x}).has_value());
  EXPECT_FALSE(shortest_way_out({x, y, -x}).has_value());

  // Random cones of normals: feasible, and no shorter feasible vector exists among the candidates that the
  // conditions of optimality allow (one, two or three planes met exactly).
  std::mt19937 rng(9);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Vector3> normals(3 + trial % 8);
    for (Vector3& n : normals) {
      const double a = normal(rng), b = normal(rng), c = normal(rng);
      n = Vector3(a, b, c + (trial % 3)).normalized();
    }
    std::vector<Vector3> candidates(normals);
    for (std::size_t i = 0; i < normals.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        candidates.push_back((normals[i] + normals[j]) / (1.0 + normals[i].dot(normals[j])));
        for (std::size_t k = 0; k < j; ++k) {
          Matrix3 N;
          N << normals[i].transpose(), normals[j].transpose(), normals[k].transpose();
          candidates.push_back(N.fullPivLu().solve(Vector3::Ones()));
        }
      }
    }
    double least = 1e300;
    for (const Vector3& u : candidates) {
      double worst = 1e300;
      for (const Vector3& n : normals) worst = std::min(worst, n.dot(u));
      if (worst >= 1.0 - 1e-9) least = std::min(least, u.norm());
    }
    const auto way = shortest_way_out(normals);
    // Ways of thousands of margins out of needles are a matter of rounding.
    if (least > 1e3) continue;
    ASSERT_TRUE(way.has_value()) << trial << " " << least;
    for (const Vector3& n : normals) EXPECT_GE(n.dot(*way), 1.0 - 1e-6) << trial;
    EXPECT_NEAR(way->norm(), least, 1e-6 * least) << trial;
  }
}

TEST(FieldMargin, MovesTheFacesOfACubeOut) {
  const double margin = 0.02;
  TetMesh mesh = cube_grid(4);
  const auto field = field_from_distance(mesh, {}, 1e6, margin);
  ASSERT_TRUE(field.ok()) << field.error;
  testing::expect_sound(field.value->mesh);
  EXPECT_NEAR(volume(field.value->mesh), std::pow(1.0 + 2 * margin, 3), 1e-12);
  const auto on_boundary = boundary_vertices(mesh);
  for (std::size_t v = 0; v < on_boundary.size(); ++v) {
    if (on_boundary[v]) {
      EXPECT_NEAR(field.value->pressure[v], -1e6 * margin / 0.5, 1e-6);
    } else {
      EXPECT_EQ(field.value->mesh.vertices[v], mesh.vertices[v]);
    }
  }
  // Away from the edges the depth under a face is linear through the layer: zero where the face was.
  for (const double s : {0.3, 0.42, 0.57, 0.7}) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {0.0, 1.0}) {
        Vector3 x(s, 0.9 - 0.8 * s, 1.0 - s);
        x[axis] = side;
        EXPECT_NEAR(testing::pressure_at(*field.value, x), 0.0, 1e-8) << x.transpose();
      }
    }
  }
}

TEST(FieldMargin, OfBumpyBodiesIsSoundOrRefused) {
  // Moving far out of creased surfaces folds some tets: never silently.
  std::mt19937 rng(10);
  std::uniform_real_distribution<double> uniform(0.75, 1.25);
  const TetMesh ball = make_compliant_mesh(Sphere{1.0}, {0.6, 1.0, 0.0, MeshStrategy::kDense}).mesh;
  const auto on_boundary = boundary_vertices(ball);
  int num_grown = 0, num_folded = 0;
  for (int trial = 0; trial < 60; ++trial) {
    TetMesh mesh = ball;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      if (on_boundary[v]) mesh.vertices[v] *= uniform(rng);
    }
    const double margin = trial % 2 == 0 ? 1e-3 : 0.2;
    const auto field = field_from_distance(mesh, {}, 1.0, margin);
    if (!field.ok()) {
      EXPECT_THAT(field.error,
                  ::testing::AnyOf(HasSubstr("would turn over tet "), HasSubstr("no direction leads out")));
      num_folded += field.error.find("would turn over") != std::string::npos;
      continue;
    }
    ++num_grown;
    testing::expect_sound(field.value->mesh);
    // Every face's plane is left by the margin.
    for (const TetFace& face : boundary_faces(mesh)) {
      const auto& [a, b, c] = face.vertices;
      const Vector3& p = mesh.vertices[a];
      const Vector3 normal = (mesh.vertices[b] - p).cross(mesh.vertices[c] - p).normalized();
      for (const int v : face.vertices) {
        EXPECT_GE(normal.dot(field.value->mesh.vertices[v] - p), margin * (1 - 1e-6));
      }
    }
  }
  EXPECT_GT(num_grown, 10);
  EXPECT_GT(num_folded, 0);
}

TEST(FieldMargin, SlotsAndCornersThatTouch) {
  // A slot as narrow as twice the margin.
  const TetMesh slotted = cube_grid(8, 0.125, [](int i, int, int k) { return i != 3 || k < 2; });
  EXPECT_TRUE(field_from_distance(slotted, {}, 1e6, 1e-3).ok());
  // Two cubes that touch along an edge: no way out of all the faces there.
  const TetMesh touching =
      cube_grid(4, 0.25, [](int i, int j, int k) { return k < 2 && (i < 2) == (j < 2); });
  const MeshNumbers numbers{"node", "element", {}, {}};
  EXPECT_THAT(field_from_distance(touching, numbers, 1e6, 1e-3).error,
              HasSubstr("margin: no direction leads out of all faces around node "));
  EXPECT_THAT(field_from_distance(cube_grid(1), {}, 1e6, 0.0).error, HasSubstr("no vertex lies inside"));
}

}  // namespace
}  // namespace csim
