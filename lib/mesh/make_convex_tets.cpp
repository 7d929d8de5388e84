#include <algorithm>
#include <limits>

#include "core/require.h"
#include "geometry/load_shape.h"
#include "geometry/mass_properties.h"
#include "mesh/primitive_tets.h"

namespace csim {

namespace {

double distance_to_face(const ConvexPolytope& polytope, int face, const Vector3& p) {
  return polytope.face_offsets[face] - polytope.face_normals[face].dot(p);
}

/// The polytope whose faces lie `by` farther out. Its vertices are the faces of the hull of the dual points
/// normal/distance (about a point inside), each at the reciprocal of its face's distance.
ConvexPolytope grown(const ConvexPolytope& polytope, const Vector3& inside, double by) {
  std::vector<Vector3> dual;
  for (std::size_t f = 0; f < polytope.face_offsets.size(); ++f) {
    const double distance = distance_to_face(polytope, static_cast<int>(f), inside) + by;
    dual.push_back(polytope.face_normals[f] / distance);
  }
  const LoadResult<ConvexPolytope> dual_hull = convex_hull(dual);
  CSIM_REQUIRE(dual_hull.ok(), dual_hull.error, dual.size());
  std::vector<Vector3> vertices;
  for (std::size_t f = 0; f < dual_hull.value->face_offsets.size(); ++f) {
    vertices.push_back(inside + dual_hull.value->face_normals[f] / dual_hull.value->face_offsets[f]);
  }
  LoadResult<ConvexPolytope> hull = convex_hull(vertices);
  CSIM_REQUIRE(hull.ok(), hull.error, vertices.size());
  return *std::move(hull.value);
}

/// Where to begin a fan: the vertex of the loop whose fan's smallest triangle is largest, the first among
/// equals. A vertex in the middle of a straight side would otherwise leave a triangle without area.
std::size_t fan_apex(const std::vector<Vector3>& vertices, const std::vector<int>& loop) {
  const std::size_t n = loop.size();
  std::size_t best = 0;
  double best_area = -1.0;
  for (std::size_t apex = 0; apex < n; ++apex) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const Vector3& o = vertices[loop[apex]];
      const Vector3 p = vertices[loop[(apex + i) % n]] - o, q = vertices[loop[(apex + i + 1) % n]] - o;
      smallest = std::min(smallest, p.cross(q).norm());
    }
    if (smallest <= best_area * (1.0 + 1e-9)) continue;
    best = apex;
    best_area = smallest;
  }
  return best;
}

}  // namespace

CompliantMesh make_convex_tets(const Convex& convex, const CompliantMeshOptions& options) {
  const Vector3 center = solid_mass_properties(convex, 1.0).com;
  // The layer's depth at the nearest face decides; under farther faces the zero level lies a little inside
  // the original face, by the margin times their distance over the nearest one's less 1.
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < convex.polytope->face_offsets.size(); ++f) {
    nearest = std::min(nearest, distance_to_face(*convex.polytope, static_cast<int>(f), center));
  }
  const ConvexPolytope polytope =
      options.margin > 0.0 ? grown(*convex.polytope, center, options.margin) : *convex.polytope;

  CompliantMesh compliant;
  compliant.mesh.vertices = polytope.vertices;
  const int peak = static_cast<int>(polytope.vertices.size());
  compliant.mesh.vertices.push_back(center);
  for (std::size_t f = 0; f + 1 < polytope.face_begin.size(); ++f) {
    const std::vector<int> loop(polytope.face_vertices.begin() + polytope.face_begin[f],
                                polytope.face_vertices.begin() + polytope.face_begin[f + 1]);
    const std::size_t n = loop.size(), apex = fan_apex(polytope.vertices, loop);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      compliant.mesh.tets.push_back({peak, loop[apex], loop[(apex + i) % n], loop[(apex + i + 1) % n]});
    }
  }
  compliant.pressure.assign(polytope.vertices.size(), 0.0 - options.modulus * (options.margin / nearest));
  compliant.pressure.push_back(options.modulus);
  return compliant;
}

}  // namespace csim
