#include "contact/convex/overlap_corners.h"

#include <algorithm>
#include <limits>

#include "contact/convex/corner_choice.h"
#include "contact/convex/facing_part.h"
#include "contact/convex/feature_manifold.h"

namespace csim {

namespace {

// Fraction of the size within which a vertex beside the partner counts as over it: touching outlines keep
// their corners' names.
constexpr double kTouchingOutline = 1e-12;

// Fraction of the size: rounding of the separation, by which the parts are taken larger.
constexpr double kPhiRounding = 1e-12;

// Sine below which the place where two lines cross is rounding: then the ends of their common part are
// vertices of the one over the other.
constexpr double kNoCrossing = 1e-9;

// Sine of the angle below which the rims of two bodies that cross are one straight outline: sides of regular
// polygons of up to 300 corners turn by more.
constexpr double kStraight = 0.02;

// Most vertices of a shape, and corners of an overlap, for which a thread takes its memory at its first
// query; larger ones make it grow.
constexpr std::size_t kUsualVertices = 64, kUsualCorners = 256;

// Queries stand on the stack of many threads; these keep their memory from query to query.
struct Workspace {
  Workspace() {
    for (FacingPart* part : {&a, &b}) part->reserve(kUsualVertices);
    corners.reserve(kUsualCorners);
    choice.reserve(kUsualCorners);
  }

  FacingPart a, b;
  std::vector<OverlapCorner> corners;
  CornerChoice choice;
};
thread_local Workspace workspace;

void add_vertices(const FacingPart& over, const FacingPart& under, FeatureType type, double side,
                  double tolerance, std::vector<OverlapCorner>* corners) {
  for (const FacingPart::Vertex& vertex : over.vertices()) {
    double height = 0.0;
    if (!vertex.faces || !under.find_height(vertex.q, tolerance, &height)) continue;
    const double height_a = side > 0.0 ? vertex.height : height;
    corners->push_back(
        {vertex.q, feature_id(type, vertex.id), height_a, side * (height - vertex.height), vertex.is_corner});
  }
}

void add_crossing(const FacingPart& a, const FacingPart::Edge& edge_a, const FacingPart& b,
                  const FacingPart::Edge& edge_b, std::vector<OverlapCorner>* corners) {
  const FacingPart::Vertex &p = a.vertices()[edge_a.first], &p1 = a.vertices()[edge_a.second],
                           &r = b.vertices()[edge_b.first], &r1 = b.vertices()[edge_b.second];
  const Vector2 d = p1.q - p.q, e = r1.q - r.q, gap = r.q - p.q;
  const double area = cross(d, e), s = cross(gap, e), t = cross(gap, d);
  if (area > 0.0 ? s < 0.0 || s > area || t < 0.0 || t > area : s > 0.0 || s < area || t > 0.0 || t < area)
    return;
  const double square = area * area / (d.squaredNorm() * e.squaredNorm());
  if (!(square > kNoCrossing * kNoCrossing)) return;
  const bool carries = edge_a.is_crease && edge_b.is_crease &&
                       !(edge_a.is_rim && edge_b.is_rim && square < kStraight * kStraight);
  const double height_a = p.height + s / area * (p1.height - p.height);
  const double height_b = r.height + t / area * (r1.height - r.height);
  corners->push_back(
      {p.q + s / area * d, edge_pair_id(p.id, p1.id, r.id, r1.id), height_a, height_b - height_a, carries});
}

// Leaves of the workspace's corners those below max_phi that carry, appends them, and returns the least phi.
double finish(const NormalView& view, double size, double max_phi, Manifold* out) {
  std::vector<OverlapCorner>& corners = workspace.corners;
  double least = std::numeric_limits<double>::infinity();
  for (const OverlapCorner& corner : corners) least = std::min(least, corner.phi);
  std::erase_if(corners,
                [&](const OverlapCorner& corner) { return !corner.carries || !(corner.phi < max_phi); });
  join_corners(size, &corners);
  workspace.choice.choose(size, CornerTolerances::kLevel * size, &corners);
  for (const OverlapCorner& corner : corners) {
    if (out->size == Manifold::kCapacity) break;
    ManifoldPoint& point = out->points[out->size++];
    point.p_a = view.place(corner.q, corner.height);
    point.p_b = view.place(corner.q, corner.height + corner.phi);
    point.normal = view.n;
    point.phi = corner.phi;
    point.feature = corner.id;
  }
  return least;
}

}  // namespace

bool is_polytope(const ConvexSupport& body) {
  return body.kind() == ConvexSupport::Kind::kBox || body.kind() == ConvexSupport::Kind::kPolytope;
}

double add_overlap_corners(const ConvexSupport& a, const ConvexSupport& b, const Vector3& normal, double phi,
                           double max_phi, Manifold* out) {
  const NormalView view(normal);
  const double size = 2.0 * std::min(a.extent(), b.extent());
  const double reach = max_phi - phi + kPhiRounding * (a.extent() + b.extent());
  FacingPart &part_a = workspace.a, &part_b = workspace.b;
  part_a.collect(a, view, 1.0, reach);
  part_b.collect(b, view, -1.0, reach);
  std::vector<OverlapCorner>& corners = workspace.corners;
  corners.clear();
  add_vertices(part_a, part_b, FeatureType::kVertexOfA, 1.0, kTouchingOutline * size, &corners);
  add_vertices(part_b, part_a, FeatureType::kVertexOfB, -1.0, kTouchingOutline * size, &corners);
  for (const FacingPart::Edge& edge_a : part_a.edges()) {
    for (const FacingPart::Edge& edge_b : part_b.edges())
      add_crossing(part_a, edge_a, part_b, edge_b, &corners);
  }
  return finish(view, size, max_phi, out);
}

void add_corners_on_plane(double height, const Vector3& normal, const ConvexSupport& b, double phi,
                          double max_phi, Manifold* out) {
  const NormalView view(normal);
  workspace.b.collect(b, view, -1.0, max_phi - phi + kPhiRounding * b.extent());
  std::vector<OverlapCorner>& corners = workspace.corners;
  corners.clear();
  for (const FacingPart::Vertex& vertex : workspace.b.vertices()) {
    if (!vertex.faces) continue;
    corners.push_back({vertex.q, feature_id(FeatureType::kVertexOfB, vertex.id), height,
                       vertex.height - height, vertex.is_corner});
  }
  finish(view, 2.0 * b.extent(), max_phi, out);
}

}  // namespace csim
