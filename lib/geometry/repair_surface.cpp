#include "geometry/repair_surface.h"

#include <algorithm>

#include "core/counted.h"
#include "core/number_format.h"
#include "geometry/bounding_volume_tree.h"
#include "geometry/surface_components.h"
#include "geometry/surface_lists.h"
#include "geometry/triangle_sides.h"

namespace csim {

namespace {

/// Keeps the triangles for which `keep[t]`; the number of the others.
long keep_triangles(const std::vector<bool>& keep, SurfaceData* surface) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < keep.size(); ++t) {
    if (!keep[t]) continue;
    surface->triangles[kept] = surface->triangles[t];
    surface->place[kept++] = surface->place[t];
  }
  surface->triangles.resize(kept);
  surface->place.resize(kept);
  return static_cast<long>(keep.size() - kept);
}

/// Whether the even permutations of the sorted vertices are the triangle's.
bool runs_up(const std::array<int, 3>& t) {
  const auto least = std::min_element(t.begin(), t.end()) - t.begin();
  return t[(least + 1) % 3] < t[(least + 2) % 3];
}

/// Copies of a triangle enclose nothing: of those of one sense one stays, and it goes with one of the other.
long drop_copies(SurfaceData* surface) {
  struct Key {
    std::array<int, 3> vertices;
    std::size_t triangle;
  };
  std::vector<Key> keys;
  for (std::size_t t = 0; t < surface->triangles.size(); ++t) {
    keys.push_back({surface->triangles[t], t});
    std::sort(keys.back().vertices.begin(), keys.back().vertices.end());
  }
  std::sort(keys.begin(), keys.end(), [](const Key& x, const Key& y) {
    return std::tie(x.vertices, x.triangle) < std::tie(y.vertices, y.triangle);
  });
  std::vector<bool> keep(keys.size(), true);
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end].vertices == keys[begin].vertices) ++end;
    if (end - begin == 1) continue;
    long up = 0, down = 0;
    for (std::size_t k = begin; k < end; ++k) ++(runs_up(surface->triangles[keys[k].triangle]) ? up : down);
    for (std::size_t k = begin; k < end; ++k)
      keep[keys[k].triangle] = up == 0 || down == 0 ? k == begin : false;
  }
  return keep_triangles(keep, surface);
}

/// One round of cuts: a triangle with vertices on an open side is cut into a fan from the opposite corner.
long cut_at_junctions(double tolerance, SurfaceData* surface) {
  std::vector<TriangleSide> open;
  std::vector<int> on_border;
  for_each_edge(surface->triangles, [&](std::span<const TriangleSide> sides) {
    if (sides.size() != 1) return;
    open.push_back(sides[0]);
    on_border.insert(on_border.end(), {sides[0].low, sides[0].high});
  });
  std::sort(on_border.begin(), on_border.end());
  on_border.erase(std::unique(on_border.begin(), on_border.end()), on_border.end());
  std::vector<Aabb> boxes(on_border.size());
  for (std::size_t k = 0; k < on_border.size(); ++k) boxes[k].add(surface->vertices[on_border[k]]);
  BoundingVolumeTree tree;
  tree.build(boxes);

  std::vector<bool> is_cut(surface->triangles.size(), false);
  std::vector<std::pair<double, int>> on_side;  // fraction of the side, vertex
  long cuts = 0;
  for (const TriangleSide& side : open) {
    const std::array<int, 3> t = surface->triangles[side.triangle];
    if (is_cut[side.triangle]) continue;
    const int a = t[side.side], b = t[(side.side + 1) % 3], c = t[(side.side + 2) % 3];
    const Vector3 origin = surface->vertices[a], along = surface->vertices[b] - origin;
    Aabb box;
    box.add(origin);
    box.add(surface->vertices[b]);
    on_side.clear();
    tree.query(box.inflated(tolerance), [&](int k) {
      const int v = on_border[k];
      if (v == a || v == b || v == c) return;
      const Vector3 d = surface->vertices[v] - origin;
      const double s = d.dot(along) / along.squaredNorm();
      if (s > 0.0 && s < 1.0 && (d - s * along).norm() <= tolerance) on_side.emplace_back(s, v);
    });
    if (on_side.empty()) continue;
    std::sort(on_side.begin(), on_side.end());
    int from = a;
    for (std::size_t k = 0; k <= on_side.size(); ++k) {
      const int to = k < on_side.size() ? on_side[k].second : b;
      if (k == 0) {
        surface->triangles[side.triangle] = {from, to, c};
      } else {
        surface->triangles.push_back({from, to, c});
        surface->place.push_back(surface->place[side.triangle]);
      }
      from = to;
    }
    is_cut[side.triangle] = true;
    cuts += static_cast<long>(on_side.size());
  }
  return cuts;
}

long stitch(double tolerance, SurfaceData* surface) {
  long cuts = 0;
  // A triangle has three sides, and what a cut leaves of one may carry vertices of a finer neighbour.
  for (int round = 0; round < 8; ++round) {
    const long more = cut_at_junctions(tolerance, surface);
    if (more == 0) break;
    cuts += more;
  }
  return cuts;
}

long drop_unused_vertices(SurfaceData* surface) {
  std::vector<int> new_index(surface->vertices.size(), -1);
  for (const auto& triangle : surface->triangles)
    for (const int v : triangle) new_index[v] = 0;
  std::size_t kept = 0;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] < 0) continue;
    surface->vertices[kept] = surface->vertices[v];
    new_index[v] = static_cast<int>(kept++);
  }
  const long dropped = static_cast<long>(surface->vertices.size() - kept);
  surface->vertices.resize(kept);
  for (auto& triangle : surface->triangles)
    for (int& v : triangle) v = new_index[v];
  return dropped;
}

}  // namespace

std::vector<std::string> repair_surface(double tolerance, SurfaceData* surface) {
  std::vector<std::string> done;
  const auto tell = [&](long number, const std::string& what) {
    if (number > 0) done.push_back(what);
  };
  const long unused = drop_unused_vertices(surface);
  tell(unused, "left out " + counted(unused, "vertex", "vertices") + " that no triangle uses");
  const long welded = weld(tolerance, surface);
  tell(welded, "merged " + counted(welded, "vertex", "vertices") + " that stood within " +
                   format_number(tolerance) + " m of others");
  const auto is_flat = [&](const std::array<int, 3>& t) { return is_degenerate(*surface, t); };
  const long flat = std::count_if(surface->triangles.begin(), surface->triangles.end(), is_flat);
  if (flat > 0) absorb_degenerate(surface);
  tell(flat, "left out " + counted(flat, "triangle") + " without area");
  const long copies = drop_copies(surface);
  tell(copies, "left out " + counted(copies, "triangle") + " that covered others");
  const long cuts = stitch(tolerance, surface);
  tell(cuts, "cut triangles at " + counted(cuts, "vertex", "vertices") +
                 " on the side of a neighbour (T-junctions)");
  for (std::string& sentence : orient_components(surface)) done.push_back(std::move(sentence));
  drop_unused_vertices(surface);  // those of what was left out
  return done;
}

LoadResult<RepairedSurface> load_repaired(const std::string& file, const Vector3& scale, double tolerance) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<RepairedSurface>{std::nullopt, file + ": " + what};
  };
  SurfaceData surface;
  if (std::string wrong = read_surface(file, &surface); !wrong.empty()) return fail(wrong);
  if (std::string wrong = scale_surface(scale, &surface); !wrong.empty()) return fail(wrong);
  RepairedSurface repaired;
  repaired.done = repair_surface(tolerance > 0.0 ? tolerance : kMend * extent(surface), &surface);
  if (surface.triangles.empty()) return fail("no triangles with an area");
  repaired.mesh.vertices = std::move(surface.vertices);
  repaired.mesh.triangles = std::move(surface.triangles);
  repaired.mesh.closed = is_closed(repaired.mesh.triangles);
  return {std::move(repaired), {}};
}

}  // namespace csim
