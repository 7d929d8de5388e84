#include "mesh/inspect_tet_mesh.h"

#include <algorithm>
#include <cmath>

#include "core/require.h"
#include "geometry/coincident_points.h"
#include "geometry/triangle_sides.h"

namespace csim {

namespace {

constexpr std::array<std::array<int, 2>, 6> kTetEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

template <typename T>
void sort_unique(std::vector<T>* items) {
  std::sort(items->begin(), items->end());
  items->erase(std::unique(items->begin(), items->end()), items->end());
}

std::vector<std::array<int, 2>> find_coincident(const TetMesh& mesh, const std::vector<TetFace>& boundary,
                                                double tolerance) {
  const std::vector<int> first = first_at_place(mesh.vertices, tolerance);
  std::vector<std::pair<std::array<int, 3>, int>> places;
  for (const TetFace& face : boundary) {
    std::array<int, 3> key{first[face.vertices[0]], first[face.vertices[1]], first[face.vertices[2]]};
    std::sort(key.begin(), key.end());
    places.emplace_back(key, face.tet);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (places[i].first == places[i + 1].first) pairs.push_back({places[i].second, places[i + 1].second});
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

ProblemSimplices find_problem_simplices(const TetMesh& mesh) {
  const std::vector<TetFace> boundary = boundary_faces(mesh);
  std::vector<bool> on_boundary(mesh.vertices.size(), false);
  std::vector<std::array<int, 2>> boundary_edges;
  std::vector<std::array<int, 3>> boundary_triangles;
  for (const TetFace& face : boundary) {
    std::array<int, 3> key = face.vertices;
    std::sort(key.begin(), key.end());
    boundary_triangles.push_back(key);
    boundary_edges.insert(boundary_edges.end(), {{key[0], key[1]}, {key[0], key[2]}, {key[1], key[2]}});
    for (const int v : key) on_boundary[v] = true;
  }
  sort_unique(&boundary_edges);
  sort_unique(&boundary_triangles);

  ProblemSimplices problem;
  for (int tet = 0; tet < static_cast<int>(mesh.tets.size()); ++tet) {
    std::array<int, 4> t = mesh.tets[tet];
    std::sort(t.begin(), t.end());
    const auto all_on = [&](const auto& simplex) {
      return std::all_of(simplex.begin(), simplex.end(), [&](int v) { return on_boundary[v]; });
    };
    if (all_on(t)) problem.tets.push_back(tet);
    for (const auto& f : kTetFaces) {
      std::array<int, 3> key{t[f[0]], t[f[1]], t[f[2]]};
      std::sort(key.begin(), key.end());
      if (all_on(key) && !std::binary_search(boundary_triangles.begin(), boundary_triangles.end(), key)) {
        problem.triangles.push_back(key);
      }
    }
    for (const auto& [i, j] : kTetEdges) {
      const std::array<int, 2> key{t[i], t[j]};
      if (all_on(key) && !std::binary_search(boundary_edges.begin(), boundary_edges.end(), key)) {
        problem.edges.push_back(key);
      }
    }
  }
  sort_unique(&problem.triangles);
  sort_unique(&problem.edges);
  return problem;
}

double tet_quality(const TetMesh& mesh, int tet) {
  const double v = tet_volume(mesh, tet);
  if (!(v > 0.0)) return 0.0;
  double squares = 0.0;
  for (const auto& [i, j] : kTetEdges) {
    squares += (mesh.vertices[mesh.tets[tet][i]] - mesh.vertices[mesh.tets[tet][j]]).squaredNorm();
  }
  return 12.0 * std::cbrt(9.0 * v * v) / squares;
}

TetMeshReport inspect_tet_mesh(const TetMesh& mesh) {
  CSIM_REQUIRE(!mesh.tets.empty());
  TetMeshReport report;
  report.num_vertices = static_cast<int>(mesh.vertices.size());
  report.num_tets = static_cast<int>(mesh.tets.size());
  for (const Vector3& p : mesh.vertices) report.bounds.add(p);

  const std::vector<TetFace> boundary = boundary_faces(mesh);
  report.num_boundary_faces = static_cast<int>(boundary.size());
  std::vector<std::array<int, 3>> triangles;
  for (const TetFace& face : boundary) triangles.push_back(face.vertices);
  const std::vector<bool> on_boundary = boundary_vertices(mesh);
  report.num_boundary_vertices = static_cast<int>(std::count(on_boundary.begin(), on_boundary.end(), true));

  double least_volume = 0.0, least_quality = 0.0, shortest2 = std::numeric_limits<double>::infinity(),
         longest2 = 0.0;
  for (int tet = 0; tet < report.num_tets; ++tet) {
    const double v = tet_volume(mesh, tet), quality = tet_quality(mesh, tet);
    report.volume += v;
    report.mean_quality += quality / report.num_tets;
    if (!(v > 0.0 && std::isfinite(v))) report.not_positive.push_back(tet);
    if (tet == 0 || v < least_volume) {
      least_volume = v;
      report.smallest_tet = tet;
    }
    if (tet == 0 || quality < least_quality) {
      least_quality = quality;
      report.worst_tet = tet;
    }
    for (const auto& [i, j] : kTetEdges) {
      const double length2 =
          (mesh.vertices[mesh.tets[tet][i]] - mesh.vertices[mesh.tets[tet][j]]).squaredNorm();
      shortest2 = std::min(shortest2, length2);
      longest2 = std::max(longest2, length2);
    }
  }
  report.shortest_edge = std::sqrt(shortest2);
  report.longest_edge = std::sqrt(longest2);

  report.crowded = crowded_tets(mesh);
  report.num_nonmanifold_edges = count_nonmanifold_edges(triangles);
  const double extent = (report.bounds.upper - report.bounds.lower).maxCoeff();
  report.coincident = find_coincident(mesh, boundary, 1e-9 * extent);
  report.problem = find_problem_simplices(mesh);
  return report;
}

}  // namespace csim
