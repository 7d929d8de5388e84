#include "geometry/flat_sides.h"

#include <algorithm>
#include <numeric>

namespace csim {

namespace {

double face_area(const ConvexPolytope& P, std::size_t face) {
  Vector3 twice = Vector3::Zero();
  const Vector3& origin = P.vertices[P.face_vertices[P.face_begin[face]]];
  for (int k = P.face_begin[face] + 1; k + 1 < P.face_begin[face + 1]; ++k) {
    twice += (P.vertices[P.face_vertices[k]] - origin).cross(P.vertices[P.face_vertices[k + 1]] - origin);
  }
  return 0.5 * twice.norm();
}

std::vector<std::vector<int>> find_face_neighbors(const ConvexPolytope& P) {
  std::vector<std::vector<int>> neighbors(P.face_normals.size());
  for (const auto& [v, w, f, g] : P.edges) {
    neighbors[f].push_back(g);
    neighbors[g].push_back(f);
  }
  return neighbors;
}

}  // namespace

std::vector<int> grow_flat_sides(std::span<const Vector3> normals, std::span<const double> areas,
                                 const std::vector<std::vector<int>>& neighbors) {
  std::vector<int> seeds(normals.size());
  std::iota(seeds.begin(), seeds.end(), 0);
  std::stable_sort(seeds.begin(), seeds.end(), [&](int f, int g) { return areas[f] > areas[g]; });

  std::vector<int> side(normals.size(), -1), open;
  for (const int seed : seeds) {
    if (side[seed] >= 0) continue;
    side[seed] = seed;
    open.assign(1, seed);
    while (!open.empty()) {
      const int facet = open.back();
      open.pop_back();
      for (const int next : neighbors[facet]) {
        if (side[next] >= 0 || (normals[next] - normals[seed]).squaredNorm() > kFlatSide * kFlatSide)
          continue;
        side[next] = seed;
        open.push_back(next);
      }
    }
  }
  return side;
}

std::vector<int> find_flat_sides(const ConvexPolytope& polytope) {
  std::vector<double> areas(polytope.face_normals.size());
  for (std::size_t f = 0; f < areas.size(); ++f) areas[f] = face_area(polytope, f);
  return grow_flat_sides(polytope.face_normals, areas, find_face_neighbors(polytope));
}

void mark_corners(ConvexPolytope* polytope) {
  const std::vector<int> side = find_flat_sides(*polytope);
  std::vector<std::vector<int>> sides_of(polytope->vertices.size());
  const auto add = [&](int vertex, int s) {
    std::vector<int>& of = sides_of[vertex];
    if (std::find(of.begin(), of.end(), s) == of.end()) of.push_back(s);
  };
  polytope->is_crease.clear();
  for (const auto& [v, w, f, g] : polytope->edges) {
    for (const int vertex : {v, w}) {
      add(vertex, side[f]);
      add(vertex, side[g]);
    }
    polytope->is_crease.push_back(side[f] != side[g]);
  }
  polytope->is_corner.clear();
  for (const std::vector<int>& of : sides_of) polytope->is_corner.push_back(of.size() >= 3);
}

}  // namespace csim
