#include "contact/convex/overlap_corners.h"

#include <algorithm>
#include <limits>

#include "contact/convex/contact_feature.h"
#include "contact/convex/corner_choice.h"
#include "contact/convex/disc_view.h"
#include "contact/convex/facing_part.h"
#include "contact/convex/feature_manifold.h"
#include "geometry/flat_sides.h"

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
    const FacingPart::Face* face = vertex.faces ? under.find_face(vertex.q, tolerance) : nullptr;
    if (face == nullptr) continue;
    const double height = face->height_at(vertex.q);
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
  const double slack = kTouchingOutline * std::abs(area);
  if (std::min(s, t) < std::min(0.0, area) - slack || std::max(s, t) > std::max(0.0, area) + slack) return;
  const double square = area * area / (d.squaredNorm() * e.squaredNorm());
  if (!(square > kNoCrossing * kNoCrossing)) return;
  const bool carries = edge_a.is_crease && edge_b.is_crease &&
                       !(edge_a.is_rim && edge_b.is_rim && square < kStraightOutline * kStraightOutline);
  const double height_a = p.height + s / area * (p1.height - p.height);
  const double height_b = r.height + t / area * (r1.height - r.height);
  corners->push_back(
      {p.q + s / area * d, edge_pair_id(p.id, p1.id, r.id, r1.id), height_a, height_b - height_a, carries});
}

// A disc and a part with faces: vertices over the disc, crossings of the rim with creases, and places of the
// rim over the faces.
void add_disc(const FacingPart& part, const ContactFeature& feature, const DiscView& disc, bool disc_is_a,
              double size, std::vector<OverlapCorner>* corners) {
  const auto add = [&](const Vector2& q, std::int64_t id, double height, bool carries) {
    const double of_disc = disc.height_at(q);
    const double height_a = disc_is_a ? of_disc : height, height_b = disc_is_a ? height : of_disc;
    corners->push_back({q, id, height_a, height_b - height_a, carries});
  };
  const FeatureType vertex_type = disc_is_a ? FeatureType::kVertexOfB : FeatureType::kVertexOfA;
  const FeatureType crossing_type = disc_is_a ? FeatureType::kRimOfA : FeatureType::kRimOfB;
  const FeatureType rim_type = disc_is_a ? FeatureType::kVertexOfA : FeatureType::kVertexOfB;
  for (const FacingPart::Vertex& vertex : part.vertices()) {
    if (vertex.faces && disc.to_unit(vertex.q).squaredNorm() < 1.0)
      add(vertex.q, feature_id(vertex_type, vertex.id, feature.face_id), vertex.height, vertex.is_corner);
  }
  const FacingPart::Face* below = part.find_face(disc.origin, 0.0);
  bool is_whole = below != nullptr;
  for (const FacingPart::Edge& edge : part.edges()) {
    const FacingPart::Vertex &first = part.vertices()[edge.first], &second = part.vertices()[edge.second];
    if (!cuts(disc, first.q, second.q)) continue;
    if (edge.is_crease) is_whole = false;
    double t[2];
    const Vector2 p = disc.to_unit(first.q), d = disc.to_unit(second.q) - p;
    const int count = cross_unit_circle(p, p + d, t);
    for (int c = 0; c < count; ++c) {
      add(first.q + t[c] * (second.q - first.q),
          rim_crossing_id(crossing_type, first.id, second.id, feature.face_id, (p + t[c] * d).dot(d)),
          first.height + t[c] * (second.height - first.height), edge.is_crease);
    }
  }
  // The deepest place of the rim, of those over each face.
  const double touching = kTouchingOutline * size;
  const auto gap_slope = [&](const FacingPart::Face& face) {
    return disc_is_a ? Vector2(face.slope - disc.slope) : Vector2(disc.slope - face.slope);
  };
  Vector2 slope = below != nullptr ? gap_slope(*below) : Vector2::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (const FacingPart::Face& face : part.faces()) {
    const Vector2 q = disc.place(deepest_on_rim(disc, gap_slope(face)));
    if (!part.lies_on(face, q, touching)) continue;
    add(q, feature_id(rim_type, 0, feature.face_id), face.height_at(q), false);
    if (corners->back().phi >= least) continue;
    least = corners->back().phi;
    slope = gap_slope(face);
  }
  const auto add_rim = [&](const RimPoint& point, double tolerance) {
    const Vector2 q = disc.place(point.u);
    if (const FacingPart::Face* face = part.find_face(q, tolerance))
      add(q, feature_id(rim_type, point.id, feature.face_id), face->height_at(q), true);
  };
  if (is_whole) {
    for (const RimPoint& point : whole_rim(disc, slope)) add_rim(point, CornerTolerances::kSame * size);
  } else {
    for (const RimPoint& point : fixed_rim(disc, slope)) add_rim(point, touching);
  }
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

// The vertices of each over the other, and the crossings of their edges.
void add_parts(const FacingPart& a, const FacingPart& b, double size, std::vector<OverlapCorner>* corners) {
  add_vertices(a, b, FeatureType::kVertexOfA, 1.0, kTouchingOutline * size, corners);
  add_vertices(b, a, FeatureType::kVertexOfB, -1.0, kTouchingOutline * size, corners);
  for (const FacingPart::Edge& edge_a : a.edges()) {
    for (const FacingPart::Edge& edge_b : b.edges()) add_crossing(a, edge_a, b, edge_b, corners);
  }
}

// A part with faces over what a body without faces, a or b, shows to it.
void add_smooth(const ConvexSupport& smooth, bool smooth_is_a, const FacingPart& part, const NormalView& view,
                double size, std::vector<OverlapCorner>* corners) {
  const double side = smooth_is_a ? 1.0 : -1.0;
  ContactFeature feature;
  find_contact_feature(smooth, side * view.n, 0.0, &feature);
  if (feature.kind == ContactFeature::Kind::kDisc) {
    add_disc(part, feature, view_disc(feature, view), smooth_is_a, size, corners);
  } else if (feature.kind == ContactFeature::Kind::kSegment) {
    FacingPart& line = smooth_is_a ? workspace.a : workspace.b;
    line.collect_line(feature.vertices[0], feature.vertices[1], smooth.radius(), view, side);
    add_parts(workspace.a, workspace.b, size, corners);
  }
}

}  // namespace

bool has_faces(const ConvexSupport& body) {
  return body.kind() == ConvexSupport::Kind::kBox || body.kind() == ConvexSupport::Kind::kPolytope ||
         body.kind() == ConvexSupport::Kind::kTriangle;
}

double add_overlap_corners(const ConvexSupport& a, const ConvexSupport& b, const Vector3& normal, double phi,
                           double max_phi, Manifold* out) {
  const NormalView view(normal);
  const double size = 2.0 * std::min(a.extent() + a.radius(), b.extent() + b.radius());
  const double reach = max_phi - phi + kPhiRounding * (a.extent() + b.extent());
  if (has_faces(a)) workspace.a.collect(a, view, 1.0, reach);
  if (has_faces(b)) workspace.b.collect(b, view, -1.0, reach);
  std::vector<OverlapCorner>& corners = workspace.corners;
  corners.clear();
  if (!has_faces(a)) {
    add_smooth(a, true, workspace.b, view, size, &corners);
  } else if (!has_faces(b)) {
    add_smooth(b, false, workspace.a, view, size, &corners);
  } else {
    add_parts(workspace.a, workspace.b, size, &corners);
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
