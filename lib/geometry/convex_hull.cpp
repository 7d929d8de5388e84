// The one file that knows qhull.
#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>

#include "geometry/load_shape.h"
#include "geometry/polytope_topology.h"

namespace csim {

namespace {

/// Points this close to a common plane, relative to the extent, have no hull with a volume.
constexpr double kFlat = 1e-9;

/// Neighbouring facets are one face when the centre of one lies within this distance of the other's plane,
/// relative to the extent: the noise of single-precision files (6e-8) merges, a sphere of ten thousand facets
/// stays.
constexpr double kCoplanar = 1e-7;

/// A qhull context with its memory, freed with the object.
class QhullContext {
 public:
  QhullContext() : silent_(std::fopen("/dev/null", "w"), &std::fclose) { qh_zero(&qh_, silent_.get()); }
  ~QhullContext() {
    int current = 0, total = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &current, &total);
  }
  QhullContext(const QhullContext&) = delete;
  QhullContext& operator=(const QhullContext&) = delete;

  /// qhull's exit code: 0 is success. `coordinates` must outlive the context.
  int run(std::vector<double>* coordinates, std::string command) {
    return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates->size() / 3), coordinates->data(), False,
                        command.data(), silent_.get(), silent_.get());
  }
  qhT* get() { return &qh_; }

 private:
  qhT qh_;
  std::unique_ptr<FILE, int (*)(FILE*)> silent_;
};

/// The undirected edges of a facet: every pair of vertices of a triangle, the ridges of a merged facet.
std::vector<std::array<int, 2>> facet_edges(qhT* qh, facetT* facet) {
  std::vector<std::array<int, 2>> edges;
  vertexT *vertex, **vertexp;
  if (facet->simplicial) {
    std::vector<int> ids;
    FOREACHvertex_(facet->vertices) ids.push_back(qh_pointid(qh, vertex->point));
    for (std::size_t i = 0; i < ids.size(); ++i) edges.push_back({ids[i], ids[(i + 1) % ids.size()]});
    return edges;
  }
  ridgeT *ridge, **ridgep;
  FOREACHridge_(facet->ridges) {
    std::array<int, 2> ends{};
    int n = 0;
    FOREACHvertex_(ridge->vertices) {
      if (n < 2) ends[n++] = qh_pointid(qh, vertex->point);
    }
    edges.push_back(ends);
  }
  return edges;
}

/// Chains edges into one closed loop; empty when they do not form one.
std::vector<int> chain(std::vector<std::array<int, 2>> edges) {
  std::vector<int> loop{edges[0][0]};
  int end = edges[0][1];
  edges.erase(edges.begin());
  while (!edges.empty()) {
    loop.push_back(end);
    std::size_t i = 0;
    while (i < edges.size() && edges[i][0] != end && edges[i][1] != end) ++i;
    if (i == edges.size()) return {};
    end = edges[i][0] == end ? edges[i][1] : edges[i][0];
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return end == loop[0] ? loop : std::vector<int>{};
}

/// Turns the loop counterclockwise about the facet's outward normal.
void orient(const std::vector<Vector3>& points, const Vector3& outward, std::vector<int>* loop) {
  Vector3 area = Vector3::Zero();
  const Vector3& origin = points[(*loop)[0]];
  for (std::size_t i = 1; i + 1 < loop->size(); ++i) {
    area += (points[(*loop)[i]] - origin).cross(points[(*loop)[i + 1]] - origin);
  }
  if (area.dot(outward) < 0) std::reverse(loop->begin(), loop->end());
}

/// The largest extent of the points and their thickness across the plane of three far-apart ones.
struct Extent {
  double size = 0.0, thickness = 0.0;
};
Extent measure(const std::vector<Vector3>& points) {
  const auto farthest = [&](const auto& distance) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (distance(points[i]) > distance(points[best])) best = i;
    }
    return points[best];
  };
  const Vector3 p0 = points[0];
  const Vector3 p1 = farthest([&](const Vector3& p) { return (p - p0).squaredNorm(); });
  const Vector3 d = (p1 - p0).normalized();
  const Vector3 p2 = farthest([&](const Vector3& p) { return d.cross(p - p0).squaredNorm(); });
  const Vector3 n = d.cross(p2 - p0).normalized();
  const Vector3 p3 = farthest([&](const Vector3& p) { return std::abs(n.dot(p - p0)); });
  return {(p1 - p0).norm(), std::abs(n.dot(p3 - p0))};
}

}  // namespace

LoadResult<ConvexPolytope> convex_hull(const std::vector<Vector3>& points) {
  std::ostringstream error;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].allFinite()) continue;
    error << "point " << i << " is not finite";
    return {std::nullopt, error.str()};
  }
  if (points.size() < 4) {
    error << points.size() << " points, a convex hull needs at least 4";
    return {std::nullopt, error.str()};
  }
  const Extent extent = measure(points);
  if (extent.thickness <= kFlat * extent.size) {
    error << "the " << points.size() << " points lie in a plane (thickness " << extent.thickness
          << " m of an extent of " << extent.size << " m), a convex hull needs a volume";
    return {std::nullopt, error.str()};
  }

  std::vector<double> coordinates;
  for (const Vector3& p : points) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  QhullContext context;
  std::ostringstream command;
  command.precision(17);
  command << "qhull Pp C" << kCoplanar * extent.size;
  const int exit_code = context.run(&coordinates, command.str());
  if (exit_code != 0) {
    error << "qhull failed with code " << exit_code << " on " << points.size() << " points, thickness "
          << extent.thickness << " m of an extent of " << extent.size << " m";
    return {std::nullopt, error.str()};
  }
  qhT* qh = context.get();
  std::vector<std::vector<int>> loops;
  facetT* facet;
  FORALLfacets {
    std::vector<int> loop = chain(facet_edges(qh, facet));
    if (loop.size() < 3) return {std::nullopt, "a face of the hull is not a simple polygon"};
    orient(points, Eigen::Map<const Vector3>(facet->normal), &loop);
    loops.push_back(std::move(loop));
  }
  ConvexPolytope polytope;
  if (std::string wrong = complete_polytope(points, std::move(loops), &polytope); !wrong.empty()) {
    return {std::nullopt, wrong};
  }
  return {std::move(polytope), {}};
}

}  // namespace csim
