#include "geometry/load_shape.h"

#include <algorithm>
#include <sstream>

#include "geometry/bounds.h"
#include "geometry/coincident_points.h"
#include "geometry/coordinate_limit.h"
#include "geometry/mass_properties.h"
#include "geometry/surface_assets.h"
#include "geometry/surface_files.h"
#include "geometry/triangle_sides.h"

namespace csim {

namespace {

/// A triangle is degenerate when twice its area is below this fraction of its longest edge squared: no normal
/// can be told from rounding.
constexpr double kDegenerate = 1e-12;

/// Reads a file by its extension into *surface; what is wrong, without the file's name, or empty.
std::string read_surface(const std::string& file, SurfaceData* surface) {
  if (is_asset(file)) return read_asset(file, surface);
  return read_mesh_file<SurfaceData>(file, {{{"obj", &read_obj}, {"stl", &read_stl}, {"ply", &read_ply}}},
                                     surface);
}

std::string scale_surface(const Vector3& scale, SurfaceData* surface) {
  if (!scale.allFinite() || (scale.array() == 0.0).any())
    return "the scale must be finite and not zero in each axis";
  for (Vector3& p : surface->vertices) p = p.cwiseProduct(scale);
  if (scale.prod() < 0) {
    for (auto& triangle : surface->triangles) std::swap(triangle[1], triangle[2]);
  }
  return check_coordinates(surface->vertices);
}

/// Vertices within this fraction of the extent of each other stand in one place.
constexpr double kWeld = 1e-9;

/// Merges the vertices of a place into its first one; triangles that lose a side thereby go.
void weld(SurfaceData* surface) {
  Aabb bounds;
  for (const Vector3& p : surface->vertices) bounds.add(p);
  const double tolerance = kWeld * (bounds.upper - bounds.lower).norm();
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
  surface->vertices = std::move(kept);
}

bool is_degenerate(const SurfaceData& surface, const std::array<int, 3>& t) {
  const Vector3 a = surface.vertices[t[1]] - surface.vertices[t[0]];
  const Vector3 b = surface.vertices[t[2]] - surface.vertices[t[0]];
  const double longest = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
  return a.cross(b).norm() <= kDegenerate * longest;
}

/// Triangles left out, and where they stand in the file.
struct LeftOut {
  std::vector<std::array<int, 3>> triangles;
  std::vector<long> place;
};

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

/// The edges that keep a surface from being closed.
struct Gaps {
  long num_open = 0;     // edges of one triangle
  long num_crowded = 0;  // edges of more than two
  long first_place = 0;  // of a triangle at the first of them

  [[nodiscard]] bool closed() const { return num_open + num_crowded == 0; }
};

/// Finds whether every edge is shared by two triangles of opposite sense. Two triangles alone at an edge that
/// run the same way along it are an error: inside and outside change places there.
std::string find_gaps(const SurfaceData& surface, Gaps* gaps) {
  *gaps = {};
  std::string wrong;
  for_each_edge(surface.triangles, [&](std::span<const TriangleSide> sides) {
    const long place = surface.place[sides[0].triangle];
    if (sides.size() != 2) {
      if (gaps->closed()) gaps->first_place = place;
      ++(sides.size() == 1 ? gaps->num_open : gaps->num_crowded);
    } else if (sides[0].forward == sides[1].forward && wrong.empty()) {
      wrong = surface.place_word + "s " + std::to_string(place) + " and " +
              std::to_string(surface.place[sides[1].triangle]) +
              ": neighbouring triangles are wound in opposite senses; orient the surface consistently, "
              "counterclockwise seen from outside";
    }
  });
  return wrong;
}

std::string check_outside_out(const TriangleMesh& mesh) {
  if (!mesh.closed) return {};
  // An aliasing pointer without an owner: the mesh outlives the call.
  const double v = volume(Mesh{std::shared_ptr<const TriangleMesh>(std::shared_ptr<void>(), &mesh)});
  if (v > 0) return {};
  std::ostringstream text;
  text << "the closed surface has the volume " << v
       << " m^3: it is inside out; reverse its triangles (a negative scale in one axis mirrors and "
          "does not help)";
  return text.str();
}

/// Whether the edges close the surface with what was left out, the vertices of a place merged or not.
bool was_closed(SurfaceData surface, const LeftOut& out) {
  surface.triangles.insert(surface.triangles.end(), out.triangles.begin(), out.triangles.end());
  surface.place.insert(surface.place.end(), out.place.begin(), out.place.end());
  Gaps gaps;
  if (find_gaps(surface, &gaps).empty() && gaps.closed()) return true;
  weld(&surface);
  return find_gaps(surface, &gaps).empty() && gaps.closed();
}

/// A sheet may be meant, a hole or a triangle too many in a solid is not: the reader can tell.
std::string open_note(const Gaps& gaps, const SurfaceData& surface, const std::string& wrong_if_merged) {
  std::ostringstream text;
  text << "an open surface, two-sided and without an inside:";
  if (gaps.num_open > 0) text << " " << gaps.num_open << " edges of one triangle";
  if (gaps.num_open > 0 && gaps.num_crowded > 0) text << " and";
  if (gaps.num_crowded > 0) text << " " << gaps.num_crowded << " edges of more than two";
  text << ", one at " << surface.place_word << " " << gaps.first_place;
  if (!wrong_if_merged.empty()) text << "; with the vertices of a place merged, " << wrong_if_merged;
  return text.str();
}

std::string left_out_note(const LeftOut& out, const SurfaceData& surface, bool opened) {
  const std::size_t count = out.triangles.size();
  std::ostringstream text;
  text << count << (count > 1 ? " triangles" : " triangle") << " without area left out, "
       << (count > 1 ? "the first at " : "at ") << surface.place_word << " " << out.place.front();
  if (opened) {
    text << "; the surface was closed with " << (count > 1 ? "them" : "it")
         << " and is open: merge or split the edges there";
  }
  return text.str();
}

}  // namespace

LoadResult<TriangleMesh> load_triangle_mesh(const std::string& file, const Vector3& scale,
                                            std::vector<std::string>* notes) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<TriangleMesh>{std::nullopt, file + ": " + what};
  };
  SurfaceData surface;
  if (std::string wrong = read_surface(file, &surface); !wrong.empty()) return fail(wrong);
  if (std::string wrong = scale_surface(scale, &surface); !wrong.empty()) return fail(wrong);
  const LeftOut left_out = remove_degenerate(&surface);
  if (surface.triangles.empty()) {
    return fail(left_out.triangles.empty()
                    ? "no triangles"
                    : "no triangles with an area, " + std::to_string(left_out.triangles.size()) + " without");
  }
  TriangleMesh mesh;
  Gaps gaps;
  if (std::string wrong = find_gaps(surface, &gaps); !wrong.empty()) return fail(wrong);
  mesh.closed = gaps.closed();
  std::string wrong_if_merged;
  if (!mesh.closed) {
    // Many programs repeat vertices along seams of texture: solids, but for their lists.
    SurfaceData welded = surface;
    weld(&welded);
    Gaps left;
    wrong_if_merged = find_gaps(welded, &left);
    if (wrong_if_merged.empty()) {
      // A sheet keeps its vertices; its open edges are reported with merged vertices.
      gaps = left;
      mesh.closed = left.closed();
      if (mesh.closed) surface = std::move(welded);
    }
  }
  if (notes != nullptr) {
    const bool opened = !left_out.triangles.empty() && !mesh.closed && was_closed(surface, left_out);
    if (!left_out.triangles.empty()) notes->push_back(file + ": " + left_out_note(left_out, surface, opened));
    if (!mesh.closed && !opened) notes->push_back(file + ": " + open_note(gaps, surface, wrong_if_merged));
  }
  mesh.vertices = std::move(surface.vertices);
  mesh.triangles = std::move(surface.triangles);
  if (std::string wrong = check_outside_out(mesh); !wrong.empty()) return fail(wrong);
  return {std::move(mesh), {}};
}

LoadResult<ConvexPolytope> load_convex(const std::string& file, const Vector3& scale) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<ConvexPolytope>{std::nullopt, file + ": " + what};
  };
  SurfaceData surface;
  if (std::string wrong = read_surface(file, &surface); !wrong.empty()) return fail(wrong);
  if (std::string wrong = scale_surface(scale, &surface); !wrong.empty()) return fail(wrong);
  LoadResult<ConvexPolytope> hull = convex_hull(surface.vertices);
  return hull.ok() ? hull : fail(hull.error);
}

}  // namespace csim
