#include "mesh/tet_mesh.h"

#include <algorithm>
#include <utility>

#include "geometry/triangle_sides.h"

namespace csim {

namespace {

/// All faces of all tets, equal ones side by side: each as its sorted vertices and 4 tet + face.
using KeyedFace = std::pair<std::array<int, 3>, int>;
std::vector<KeyedFace> sorted_faces(const TetMesh& mesh) {
  std::vector<KeyedFace> faces;
  faces.reserve(4 * mesh.tets.size());
  for (int tet = 0; tet < static_cast<int>(mesh.tets.size()); ++tet) {
    for (int face = 0; face < 4; ++face) {
      std::array<int, 3> key = tet_face(mesh, tet, face).vertices;
      std::sort(key.begin(), key.end());
      faces.emplace_back(key, 4 * tet + face);
    }
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

/// Calls visit(begin, end) for every run of equal faces.
template <typename Visit>
void for_each_face(const std::vector<KeyedFace>& faces, Visit&& visit) {
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].first == faces[begin].first) ++end;
    visit(begin, end);
  }
}

}  // namespace

double volume(const TetMesh& mesh) {
  double sum = 0.0;
  for (int tet = 0; tet < static_cast<int>(mesh.tets.size()); ++tet) sum += tet_volume(mesh, tet);
  return sum;
}

std::vector<TetFace> boundary_faces(const TetMesh& mesh) {
  const std::vector<KeyedFace> faces = sorted_faces(mesh);
  std::vector<int> single;
  for_each_face(faces, [&](std::size_t begin, std::size_t end) {
    if (end - begin == 1) single.push_back(faces[begin].second);
  });
  std::sort(single.begin(), single.end());
  std::vector<TetFace> boundary;
  boundary.reserve(single.size());
  for (const int index : single) boundary.push_back(tet_face(mesh, index / 4, index % 4));
  return boundary;
}

std::vector<std::array<int, 4>> neighbour_tets(const TetMesh& mesh) {
  std::vector<std::array<int, 4>> neighbours(mesh.tets.size(), {-1, -1, -1, -1});
  const std::vector<KeyedFace> faces = sorted_faces(mesh);
  for_each_face(faces, [&](std::size_t begin, std::size_t end) {
    if (end - begin != 2) return;
    const int a = faces[begin].second, b = faces[begin + 1].second;
    neighbours[a / 4][a % 4] = b / 4;
    neighbours[b / 4][b % 4] = a / 4;
  });
  return neighbours;
}

std::vector<int> crowded_tets(const TetMesh& mesh) {
  const std::vector<KeyedFace> faces = sorted_faces(mesh);
  std::vector<int> crowded;
  for_each_face(faces, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; end - begin > 2 && i < end; ++i) crowded.push_back(faces[i].second / 4);
  });
  std::sort(crowded.begin(), crowded.end());
  crowded.erase(std::unique(crowded.begin(), crowded.end()), crowded.end());
  return crowded;
}

std::vector<bool> boundary_vertices(const TetMesh& mesh) {
  std::vector<bool> on_boundary(mesh.vertices.size(), false);
  for (const TetFace& face : boundary_faces(mesh)) {
    for (const int v : face.vertices) on_boundary[v] = true;
  }
  return on_boundary;
}

TriangleMesh boundary_surface(const TetMesh& mesh) {
  const std::vector<TetFace> boundary = boundary_faces(mesh);
  std::vector<int> new_index(mesh.vertices.size(), -1);
  for (const TetFace& face : boundary) {
    for (const int v : face.vertices) new_index[v] = 0;
  }
  TriangleMesh surface;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (new_index[v] < 0) continue;
    new_index[v] = static_cast<int>(surface.vertices.size());
    surface.vertices.push_back(mesh.vertices[v]);
  }
  for (const TetFace& face : boundary) {
    const auto& [a, b, c] = face.vertices;
    surface.triangles.push_back({new_index[a], new_index[b], new_index[c]});
  }
  surface.closed = is_closed(surface.triangles);
  return surface;
}

}  // namespace csim
