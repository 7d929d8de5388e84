#include "geometry/polytope_topology.h"

#include <algorithm>
#include <map>

#include "geometry/flat_sides.h"

namespace csim {

namespace {

/// Keeps the used points in their order and renumbers the loops.
void compact_vertices(const std::vector<Vector3>& points, std::vector<std::vector<int>>* loops,
                      std::vector<Vector3>* vertices) {
  std::vector<int> index(points.size(), -1);
  for (const auto& loop : *loops) {
    for (int v : loop) index[v] = 0;
  }
  vertices->clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (index[i] < 0) continue;
    index[i] = static_cast<int>(vertices->size());
    vertices->push_back(points[i]);
  }
  for (auto& loop : *loops) {
    for (int& v : loop) v = index[v];
  }
}

/// Newell's normal: twice the area vector of the loop, exact for planar polygons and the best fit for others.
Vector3 loop_normal(const std::vector<Vector3>& vertices, const std::vector<int>& loop) {
  Vector3 sum = Vector3::Zero();
  const Vector3& origin = vertices[loop[0]];
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (vertices[loop[i]] - origin).cross(vertices[loop[i + 1]] - origin);
  }
  return sum.normalized();
}

void add_faces(const std::vector<std::vector<int>>& loops, ConvexPolytope* polytope) {
  polytope->face_begin.assign(1, 0);
  for (const auto& loop : loops) {
    polytope->face_vertices.insert(polytope->face_vertices.end(), loop.begin(), loop.end());
    polytope->face_begin.push_back(static_cast<int>(polytope->face_vertices.size()));
    const Vector3 normal = loop_normal(polytope->vertices, loop);
    double offset = normal.dot(polytope->vertices[0]);
    for (const Vector3& v : polytope->vertices) offset = std::max(offset, normal.dot(v));
    polytope->face_normals.push_back(normal);
    polytope->face_offsets.push_back(offset);
  }
}

/// Pairs the directed edges of the loops; false when one has no opposite or stands twice.
bool add_edges(const std::vector<std::vector<int>>& loops, ConvexPolytope* polytope) {
  std::map<std::pair<int, int>, int> face_left_of;
  for (std::size_t f = 0; f < loops.size(); ++f) {
    for (std::size_t i = 0; i < loops[f].size(); ++i) {
      const std::pair<int, int> edge(loops[f][i], loops[f][(i + 1) % loops[f].size()]);
      if (!face_left_of.emplace(edge, static_cast<int>(f)).second) return false;
    }
  }
  for (const auto& [edge, face] : face_left_of) {
    const auto opposite = face_left_of.find({edge.second, edge.first});
    if (opposite == face_left_of.end()) return false;
    if (edge.first < edge.second)
      polytope->edges.push_back({edge.first, edge.second, face, opposite->second});
  }
  return true;
}

/// Sine of the turn of a face's outline at a vertex below which its edges there do not lead on all over the
/// face: on less what the vertices of a merged face are off its plane by would decide. Regular polygons of up
/// to 60 000 corners turn by more.
constexpr double kStraight = 1e-4;

/// A climb from neighbour to neighbour must end at the highest vertex. Of a strictly convex face one of the
/// two edges at a vertex rises in each direction that does so. Merged faces have outlines with straight and
/// reentrant vertices: from these the way up leads across the face, to one of its strictly convex vertices.
void add_neighbors(const std::vector<std::vector<int>>& loops, ConvexPolytope* polytope) {
  std::vector<std::vector<int>> neighbors(polytope->vertices.size());
  for (const auto& edge : polytope->edges) {
    neighbors[edge[0]].push_back(edge[1]);
    neighbors[edge[1]].push_back(edge[0]);
  }
  for (std::size_t f = 0; f < loops.size(); ++f) {
    const std::vector<int>& loop = loops[f];
    const std::size_t n = loop.size();
    std::vector<int> convex, others;
    for (std::size_t i = 0; n > 3 && i < n; ++i) {
      const Vector3& v = polytope->vertices[loop[i]];
      const Vector3 in = v - polytope->vertices[loop[(i + n - 1) % n]],
                    out = polytope->vertices[loop[(i + 1) % n]] - v;
      const bool turns = polytope->face_normals[f].dot(in.cross(out)) > kStraight * in.norm() * out.norm();
      (turns ? convex : others).push_back(loop[i]);
    }
    for (const int v : others)
      for (const int other : convex.size() < 3 ? loop : convex)
        if (other != v) neighbors[v].push_back(other);
  }
  polytope->neighbor_begin.assign(1, 0);
  for (auto& list : neighbors) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    polytope->neighbors.insert(polytope->neighbors.end(), list.begin(), list.end());
    polytope->neighbor_begin.push_back(static_cast<int>(polytope->neighbors.size()));
  }
}

}  // namespace

std::string complete_polytope(const std::vector<Vector3>& points, std::vector<std::vector<int>> loops,
                              ConvexPolytope* polytope) {
  *polytope = {};
  compact_vertices(points, &loops, &polytope->vertices);
  for (auto& loop : loops) std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::sort(loops.begin(), loops.end());
  add_faces(loops, polytope);
  if (!add_edges(loops, polytope)) return "the faces of the hull do not close";
  add_neighbors(loops, polytope);
  mark_corners(polytope);
  return {};
}

}  // namespace csim
