#include "geometry/surface_lists.h"

#include <algorithm>

#include "geometry/bounds.h"
#include "geometry/coincident_points.h"
#include "geometry/coordinate_limit.h"
#include "geometry/triangle_sides.h"

namespace csim {

namespace {

constexpr double kDegenerate = 1e-12;

/// The side of a triangle, from corner i to the next, that is longest.
int longest_side(const SurfaceData& surface, const std::array<int, 3>& t) {
  int longest = 0;
  double squared = -1.0;
  for (int i = 0; i < 3; ++i) {
    const double s = (surface.vertices[t[(i + 1) % 3]] - surface.vertices[t[i]]).squaredNorm();
    if (s <= squared) continue;
    squared = s;
    longest = i;
  }
  return longest;
}

/// The triangle alone with t across the side from its corner i, run the other way; -1: none.
std::vector<std::array<int, 3>> find_neighbours(const SurfaceData& surface) {
  std::vector<std::array<int, 3>> across(surface.triangles.size(), {-1, -1, -1});
  for_each_edge(surface.triangles, [&](std::span<const TriangleSide> sides) {
    if (sides.size() != 2 || sides[0].forward == sides[1].forward) return;
    across[sides[0].triangle][sides[0].side] = sides[1].triangle;
    across[sides[1].triangle][sides[1].side] = sides[0].triangle;
  });
  return across;
}

}  // namespace

std::string scale_surface(const Vector3& scale, SurfaceData* surface) {
  if (!scale.allFinite() || (scale.array() == 0.0).any())
    return "the scale must be finite and not zero in each axis";
  for (Vector3& p : surface->vertices) p = p.cwiseProduct(scale);
  if (scale.prod() < 0) {
    for (auto& triangle : surface->triangles) std::swap(triangle[1], triangle[2]);
  }
  return check_coordinates(surface->vertices);
}

double extent(const SurfaceData& surface) {
  Aabb bounds;
  for (const Vector3& p : surface.vertices) bounds.add(p);
  return surface.vertices.empty() ? 0.0 : (bounds.upper - bounds.lower).norm();
}

long weld(double tolerance, SurfaceData* surface) {
  const std::vector<int> first = first_at_place(surface->vertices, tolerance);
  std::vector<int> new_index(first.size());
  std::vector<Vector3> kept;
  for (std::size_t v = 0; v < first.size(); ++v) {
    const bool stays = first[v] == static_cast<int>(v);
    new_index[v] = stays ? static_cast<int>(kept.size()) : new_index[first[v]];
    if (stays) kept.push_back(surface->vertices[v]);
  }
  std::size_t num_kept = 0;
  for (std::size_t t = 0; t < surface->triangles.size(); ++t) {
    auto triangle = surface->triangles[t];
    for (int& v : triangle) v = new_index[v];
    if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
    surface->triangles[num_kept] = triangle;
    surface->place[num_kept++] = surface->place[t];
  }
  surface->triangles.resize(num_kept);
  surface->place.resize(num_kept);
  const long merged = static_cast<long>(surface->vertices.size() - kept.size());
  surface->vertices = std::move(kept);
  return merged;
}

bool is_degenerate(const SurfaceData& surface, const std::array<int, 3>& t) {
  const Vector3 a = surface.vertices[t[1]] - surface.vertices[t[0]];
  const Vector3 b = surface.vertices[t[2]] - surface.vertices[t[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
  return a.cross(b).norm() <= kDegenerate * longest;
}

LeftOut remove_degenerate(SurfaceData* surface) {
  LeftOut out;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < surface->triangles.size(); ++i) {
    if (is_degenerate(*surface, surface->triangles[i])) {
      out.triangles.push_back(surface->triangles[i]);
      out.place.push_back(surface->place[i]);
      continue;
    }
    surface->triangles[kept] = surface->triangles[i];
    surface->place[kept++] = surface->place[i];
  }
  surface->triangles.resize(kept);
  surface->place.resize(kept);
  return out;
}

/// Without area and with vertices in three places, a triangle t = (a, b, m) has m on its side ab, and with
/// its neighbour u = (b, a, x) there it fills the same as (a, x, m) and (x, b, m):
///
///        x                 x
///       / \               /|\.
///      / u \     ->      / | \.
///     b--m--a           b--m--a
///
/// Longest sides only become shorter, so that this ends: of two without area the one with the longer side
/// comes first, unless this side is longest for both.
void absorb_degenerate(SurfaceData* surface) {
  weld(kWeld * extent(*surface), surface);
  std::vector<std::array<int, 3>>& triangles = surface->triangles;
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<std::array<int, 3>> across = find_neighbours(*surface);
    std::vector<bool> stale(triangles.size(), false);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      if (stale[t] || !is_degenerate(*surface, triangles[t])) continue;
      const int side = longest_side(*surface, triangles[t]);
      const int u = across[t][side];
      if (u < 0 || stale[u]) continue;
      const int a = triangles[t][side], b = triangles[t][(side + 1) % 3], m = triangles[t][(side + 2) % 3];
      int i = 0;  // the side of u that runs from b to a
      while (triangles[u][i] != b) ++i;
      const int x = triangles[u][(i + 2) % 3];
      if (x == m || (is_degenerate(*surface, triangles[u]) && longest_side(*surface, triangles[u]) != i))
        continue;
      triangles[t] = {a, x, m};
      triangles[u] = {x, b, m};
      surface->place[t] = surface->place[u];
      stale[t] = stale[u] = changed = true;
    }
  }
  remove_degenerate(surface);
}

std::string find_gaps(const SurfaceData& surface, Gaps* gaps) {
  *gaps = {};
  std::string wrong;
  for_each_edge(surface.triangles, [&](std::span<const TriangleSide> sides) {
    const long place = surface.place[sides[0].triangle];
    if (is_shared_evenly(sides)) return;
    if (sides.size() != 2) {
      if (gaps->closed()) gaps->first_place = place;
      ++(sides.size() == 1 ? gaps->num_open : gaps->num_crowded);
    } else if (wrong.empty()) {
      wrong = surface.place_word + "s " + std::to_string(place) + " and " +
              std::to_string(surface.place[sides[1].triangle]) +
              ": neighbouring triangles are wound in opposite senses; 'csim mesh repair' orients "
              "them, counterclockwise seen from outside";
    }
  });
  return wrong;
}

}  // namespace csim
