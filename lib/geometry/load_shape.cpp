#include "geometry/load_shape.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "geometry/mass_properties.h"
#include "geometry/repair_surface.h"
#include "geometry/surface_assets.h"
#include "geometry/surface_files.h"
#include "geometry/surface_lists.h"
#include "geometry/triangle_sides.h"

namespace csim {

std::string read_surface(const std::string& file, SurfaceData* surface) {
  if (is_asset(file)) return read_asset(file, surface);
  return read_mesh_file<SurfaceData>(file, {{{"obj", &read_obj}, {"stl", &read_stl}, {"ply", &read_ply}}},
                                     surface);
}

namespace {

std::string check_outside_out(const TriangleMesh& mesh) {
  if (!mesh.closed) return {};
  // An aliasing pointer without an owner: the mesh outlives the call.
  const double v = volume(Mesh{std::shared_ptr<const TriangleMesh>(std::shared_ptr<void>(), &mesh)});
  if (v > 0) return {};
  std::ostringstream text;
  text << "the closed surface has the volume " << v
       << " m^3: it is inside out; 'csim mesh repair' turns its triangles (a negative scale in one axis "
          "mirrors and does not help)";
  return text.str();
}

/// Whether the surface is closed once what was left out is absorbed; *surface is then that.
bool close_with(const LeftOut& out, SurfaceData* surface) {
  SurfaceData whole = *surface;
  whole.triangles.insert(whole.triangles.end(), out.triangles.begin(), out.triangles.end());
  whole.place.insert(whole.place.end(), out.place.begin(), out.place.end());
  absorb_degenerate(&whole);
  Gaps gaps;
  if (!find_gaps(whole, &gaps).empty() || !gaps.closed()) return false;
  *surface = std::move(whole);
  return true;
}

/// Whether `csim mesh repair` makes a solid of the surface.
bool is_mendable(SurfaceData surface) {
  repair_surface(kMend * extent(surface), &surface);
  return !surface.triangles.empty() && is_closed(surface.triangles);
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
  if (is_mendable(surface)) text << "; 'csim mesh repair' closes it";
  return text.str();
}

std::string left_out_note(const LeftOut& out, const SurfaceData& surface, bool closes) {
  const std::size_t count = out.triangles.size();
  std::ostringstream text;
  text << count << (count > 1 ? " triangles" : " triangle") << " without area left out, "
       << (count > 1 ? "the first at " : "at ") << surface.place_word << " " << out.place.front();
  if (closes)
    text << "; the surface is closed with " << (count > 1 ? "them" : "it")
         << ", and the triangles beside were cut to meet";
  return text.str();
}

/// Corners of the hull where no face has a vertex: what a modelling program left behind is felt, not seen.
std::string unused_note(const SurfaceData& surface, const ConvexPolytope& hull) {
  using Place = std::array<double, 3>;
  const auto place = [](const Vector3& p) { return Place{p.x(), p.y(), p.z()}; };
  std::set<Place> used;
  for (const auto& triangle : surface.triangles) {
    for (const int v : triangle) used.insert(place(surface.vertices[v]));
  }
  int count = 0;
  const Vector3* first = nullptr;
  for (const Vector3& corner : hull.vertices) {
    if (used.contains(place(corner))) continue;
    if (count++ == 0) first = &corner;
  }
  if (count == 0) return {};
  std::ostringstream text;
  text << "the hull takes " << count << (count > 1 ? " vertices" : " vertex") << " that no face uses, "
       << (count > 1 ? "the first at (" : "at (") << first->x() << ", " << first->y() << ", " << first->z()
       << ") m";
  return text.str();
}

}  // namespace

LoadResult<TriangleMesh> load_triangle_mesh(const std::string& file, const Vector3& scale,
                                            std::vector<std::string>* notes, SurfaceUse use) {
  const bool is_seen = use == SurfaceUse::kSeen;
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
  const std::string wound = find_gaps(surface, &gaps);
  if (!wound.empty() && !is_seen) return fail(wound);
  mesh.closed = wound.empty() && gaps.closed();
  std::string wrong_if_merged;
  if (!mesh.closed && wound.empty()) {
    // Many programs repeat vertices along seams of texture: solids, but for their lists.
    SurfaceData welded = surface;
    weld(kWeld * extent(welded), &welded);
    Gaps left;
    wrong_if_merged = find_gaps(welded, &left);
    if (wrong_if_merged.empty()) {
      // A sheet keeps its vertices; its open edges are reported with merged vertices.
      gaps = left;
      mesh.closed = left.closed();
      if (mesh.closed) surface = std::move(welded);
    }
  }
  const bool closes = !left_out.triangles.empty() && !mesh.closed && close_with(left_out, &surface);
  mesh.closed = mesh.closed || closes;
  if (notes != nullptr) {
    if (!left_out.triangles.empty()) notes->push_back(file + ": " + left_out_note(left_out, surface, closes));
    if (!mesh.closed && !is_seen) notes->push_back(file + ": " + open_note(gaps, surface, wrong_if_merged));
  }
  mesh.vertices = std::move(surface.vertices);
  mesh.triangles = std::move(surface.triangles);
  if (std::string wrong = check_outside_out(mesh); !wrong.empty()) {
    if (!is_seen) return fail(wrong);
    mesh.closed = false;
  }
  return {std::move(mesh), {}};
}

LoadResult<ConvexPolytope> load_convex(const std::string& file, const Vector3& scale,
                                       std::vector<std::string>* notes) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<ConvexPolytope>{std::nullopt, file + ": " + what};
  };
  SurfaceData surface;
  if (std::string wrong = read_surface(file, &surface); !wrong.empty()) return fail(wrong);
  if (std::string wrong = scale_surface(scale, &surface); !wrong.empty()) return fail(wrong);
  LoadResult<ConvexPolytope> hull = convex_hull(surface.vertices);
  if (!hull.ok()) return fail(hull.error);
  if (notes != nullptr) {
    if (const std::string note = unused_note(surface, *hull.value); !note.empty())
      notes->push_back(file + ": " + note);
  }
  return hull;
}

}  // namespace csim
