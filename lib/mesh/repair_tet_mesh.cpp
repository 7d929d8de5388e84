#include "mesh/repair_tet_mesh.h"

#include <algorithm>

#include "mesh/inspect_tet_mesh.h"

namespace csim {

namespace {

bool has_vertices(const std::array<int, 4>& tet, const int* vertices, std::size_t count) {
  return std::all_of(vertices, vertices + count,
                     [&](int v) { return std::find(tet.begin(), tet.end(), v) != tet.end(); });
}

/// The tet with one vertex exchanged, which keeps its orientation.
std::array<int, 4> replaced(std::array<int, 4> tet, int vertex, int by) {
  std::replace(tet.begin(), tet.end(), vertex, by);
  return tet;
}

/// Puts a vertex at the middle of each simplex, one after the other: every tet around it is replaced by one
/// per vertex of the simplex, with that vertex exchanged for the new one.
template <std::size_t N>
void split(const std::vector<std::array<int, N>>& simplices, TetMesh* mesh) {
  std::vector<std::vector<int>> tets_of(mesh->vertices.size());
  for (std::size_t t = 0; t < mesh->tets.size(); ++t) {
    for (const int v : mesh->tets[t]) tets_of[v].push_back(static_cast<int>(t));
  }
  for (const auto& simplex : simplices) {
    const int middle = static_cast<int>(mesh->vertices.size());
    Vector3 sum = Vector3::Zero();
    for (const int v : simplex) sum += mesh->vertices[v];
    mesh->vertices.push_back(sum / static_cast<double>(N));
    tets_of.emplace_back();
    const std::vector<int> candidates = tets_of[simplex[0]];
    for (const int t : candidates) {
      const std::array<int, 4> old = mesh->tets[t];
      if (!has_vertices(old, simplex.data(), N)) continue;
      // The first takes the old one's place.
      for (std::size_t i = 0; i < N; ++i) {
        const std::array<int, 4> piece = replaced(old, simplex[i], middle);
        const int index = i == 0 ? t : static_cast<int>(mesh->tets.size());
        if (i == 0) {
          mesh->tets[t] = piece;
          std::erase(tets_of[simplex[0]], t);
          tets_of[middle].push_back(t);
        } else {
          mesh->tets.push_back(piece);
          for (const int v : piece) tets_of[v].push_back(index);
        }
      }
    }
  }
}

}  // namespace

int turn_inverted_tets(TetMesh* mesh) {
  int num_turned = 0;
  for (std::size_t t = 0; t < mesh->tets.size(); ++t) {
    if (!(tet_volume(*mesh, static_cast<int>(t)) < 0.0)) continue;
    std::swap(mesh->tets[t][0], mesh->tets[t][1]);
    ++num_turned;
  }
  return num_turned;
}

SplitCounts split_problem_simplices(TetMesh* mesh) {
  // New vertices lie inside: what they belong to is no problem, and the next kind is looked for anew.
  SplitCounts counts;
  const auto edges = find_problem_simplices(*mesh).edges;
  split(edges, mesh);
  const auto triangles = find_problem_simplices(*mesh).triangles;
  split(triangles, mesh);
  std::vector<std::array<int, 4>> tets;
  for (const int t : find_problem_simplices(*mesh).tets) tets.push_back(mesh->tets[t]);
  split(tets, mesh);
  counts.edges = edges.size();
  counts.triangles = triangles.size();
  counts.tets = tets.size();
  return counts;
}

}  // namespace csim
