#include "contact/convex/feature_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/convex/corner_choice.h"
#include "contact/convex/disc_view.h"

namespace csim {

namespace {

// Fraction of the size within which a corner counts as inside the other outline: touching outlines keep their
// corners' names.
constexpr double kInside = 1e-12;

// Sine of the angle below which two lines are parallel.
constexpr double kParallel = 1e-4;

// A polygon clipped by another, with room for the next two corners; other pairs have fewer.
constexpr int kMaxOutline = 2 * ContactFeature::kMaxVertices + 2;
constexpr int kMaxCorners = kMaxOutline;

// A feature seen along the normal: its outline in the plane and its height above it, which is affine there.
struct Projection {
  ContactFeature::Kind kind;
  int size = 0;
  int face_id = 0;
  std::array<Vector2, ContactFeature::kMaxVertices> q;  // a polygon's loop is counterclockwise
  std::array<int, ContactFeature::kMaxVertices> id;
  DiscView face;  // its axes: of a disc alone
};

// Not `carries`: a place that proves how deep the features reach, and is no contact.
struct Corner {
  Vector2 q;
  std::int64_t id;
  double phi;
  bool carries;
};

void project(const ContactFeature& f, const NormalView& view, Projection* out) {
  out->kind = f.kind;
  out->size = f.size;
  out->face_id = f.face_id;
  for (int i = 0; i < f.size; ++i) {
    out->q[i] = view.project(f.vertices[i]);
    out->id[i] = f.ids[i];
  }
  switch (f.kind) {
    case ContactFeature::Kind::kDisc:
      out->face = view_disc(f, view);
      break;
    case ContactFeature::Kind::kPlane:
      static_cast<PlaneView&>(out->face) = view_plane(f, f.center, view);
      break;
    case ContactFeature::Kind::kPolygon: {
      static_cast<PlaneView&>(out->face) = view_plane(f, f.vertices[0], view);
      double area = 0.0;
      for (int i = 1; i + 1 < f.size; ++i) area += cross(out->q[i] - out->q[0], out->q[i + 1] - out->q[0]);
      if (area < 0.0) {
        std::reverse(out->q.begin(), out->q.begin() + f.size);
        std::reverse(out->id.begin(), out->id.begin() + f.size);
      }
      break;
    }
    case ContactFeature::Kind::kSegment:
    case ContactFeature::Kind::kPoint: {
      out->face.origin = out->q[0];
      out->face.height = f.vertices[0].dot(view.n);
      if (f.size == 1) break;
      const Vector2 d = out->q[1] - out->q[0];
      const double length2 = d.squaredNorm();
      if (length2 > 0.0) out->face.slope = d * ((f.vertices[1] - f.vertices[0]).dot(view.n) / length2);
      break;
    }
  }
}

double size_of(const Projection& p) {
  if (p.kind == ContactFeature::Kind::kDisc) return p.face.axes.norm();
  double squared = 0.0;
  for (int i = 1; i < p.size; ++i) squared = std::max(squared, (p.q[i] - p.q[0]).squaredNorm());
  return std::sqrt(squared);
}

// The corners found so far.
struct Corners {
  int size = 0;
  std::array<Corner, kMaxCorners> corner;
  void add(const Vector2& q, std::int64_t id, bool carries = true) {
    if (size == kMaxCorners) return;
    corner[size++] = {q, id, 0.0, carries};
  }
};

// Clips polygon A by polygon B (Sutherland and Hodgman 1974), keeping for each corner the two lines it lies
// on.
void clip_polygons(const Projection& A, const Projection& B, double inside, Corners* out) {
  // A line is edge i of A (label i) or edge j of B (label kMaxVertices + j), from vertex i to i + 1.
  struct Node {
    Vector2 q;
    int in, out;  // labels of the edges before and after
  };
  std::array<Node, kMaxOutline> storage[2];
  Node *current = storage[0].data(), *next = storage[1].data();
  int count = A.size;
  for (int i = 0; i < A.size; ++i) current[i] = {A.q[i], (i + A.size - 1) % A.size, i};
  for (int j = 0; j < B.size && count > 0; ++j) {
    const Vector2 edge = B.q[(j + 1) % B.size] - B.q[j];
    const double length = edge.norm();
    if (length == 0.0) continue;
    const int label = ContactFeature::kMaxVertices + j;
    const auto depth = [&](const Vector2& q) { return cross(edge, q - B.q[j]) / length; };
    int made = 0;
    for (int i = 0; i < count && made + 2 < kMaxOutline; ++i) {
      const Node& p = current[i];
      const Node& r = current[(i + 1) % count];
      const double dp = depth(p.q), dr = depth(r.q);
      const bool p_in = dp >= -inside, r_in = dr >= -inside;
      if (p_in) next[made++] = p;
      if (p_in != r_in) {
        const Vector2 q = p.q + (r.q - p.q) * std::clamp(dp / (dp - dr), 0.0, 1.0);
        if (p_in) {
          next[made++] = {q, p.out, label};
        } else {
          next[made++] = {q, label, p.out};
        }
      }
    }
    std::swap(current, next);
    count = made;
  }
  for (int i = 0; i < count; ++i) {
    const Node& node = current[i];
    const bool in_a = node.in < ContactFeature::kMaxVertices, out_a = node.out < ContactFeature::kMaxVertices;
    const int ia = in_a ? node.in : node.in - ContactFeature::kMaxVertices;
    const int oa = out_a ? node.out : node.out - ContactFeature::kMaxVertices;
    if (in_a && out_a) {
      out->add(node.q, feature_id(FeatureType::kVertexOfA, A.id[oa], B.face_id));
    } else if (!in_a && !out_a) {
      out->add(node.q, feature_id(FeatureType::kVertexOfB, B.id[oa], A.face_id));
    } else {
      const int i_a = in_a ? ia : oa, i_b = in_a ? oa : ia;
      out->add(node.q,
               edge_pair_id(A.id[i_a], A.id[(i_a + 1) % A.size], B.id[i_b], B.id[(i_b + 1) % B.size]));
    }
  }
}

// The part of the segment S inside the polygon P; `segment_is_a` tells whose is whose.
void clip_segment(const Projection& S, const Projection& P, bool segment_is_a, double inside, Corners* out) {
  double t0 = 0.0, t1 = 1.0;
  int edge0 = -1, edge1 = -1;
  const Vector2 d = S.q[1] - S.q[0];
  for (int j = 0; j < P.size; ++j) {
    const Vector2 edge = P.q[(j + 1) % P.size] - P.q[j];
    const double length = edge.norm();
    if (length == 0.0) continue;
    const double h0 = cross(edge, S.q[0] - P.q[j]) / length, h1 = h0 + cross(edge, d) / length;
    if (h0 < -inside && h1 < -inside) return;
    if (h0 >= -inside && h1 >= -inside) continue;
    const double t = std::clamp(h0 / (h0 - h1), 0.0, 1.0);
    if (h0 < h1 && t > t0) {
      t0 = t;
      edge0 = j;
    } else if (h0 > h1 && t < t1) {
      t1 = t;
      edge1 = j;
    }
  }
  if (t0 > t1) return;
  const auto add = [&](double t, int end, int j) {
    std::int64_t id;
    if (j < 0) {
      id = feature_id(segment_is_a ? FeatureType::kVertexOfA : FeatureType::kVertexOfB, S.id[end], P.face_id);
    } else {
      const int p0 = P.id[j], p1 = P.id[(j + 1) % P.size];
      id = segment_is_a ? edge_pair_id(S.id[0], S.id[1], p0, p1) : edge_pair_id(p0, p1, S.id[0], S.id[1]);
    }
    out->add(S.q[0] + t * d, id);
  };
  add(t0, 0, edge0);
  add(t1, 1, edge1);
}

// The ends of the common part of two parallel segments, on A.
void overlap_segments(const Projection& A, const Projection& B, Corners* out) {
  const Vector2 da = A.q[1] - A.q[0], db = B.q[1] - B.q[0];
  const double la = da.norm(), lb = db.norm();
  if (la == 0.0 || lb == 0.0 || std::abs(cross(da, db)) > kParallel * la * lb) return;
  // Along the mean direction, so that neither segment leads.
  const Vector2 u = (da / la + db * (std::copysign(1.0, da.dot(db)) / lb)).normalized();
  const Vector2 m = 0.25 * (A.q[0] + A.q[1] + B.q[0] + B.q[1]);
  const auto along = [&](const Vector2& q) { return u.dot(q - m); };
  const int a0 = along(A.q[0]) <= along(A.q[1]) ? 0 : 1, b0 = along(B.q[0]) <= along(B.q[1]) ? 0 : 1;
  const double low_a = along(A.q[a0]), high_a = along(A.q[1 - a0]);
  const double low_b = along(B.q[b0]), high_b = along(B.q[1 - b0]);
  const double low = std::max(low_a, low_b), high = std::min(high_a, high_b);
  if (low > high) return;
  out->add(m + low * u, low_a >= low_b ? feature_id(FeatureType::kVertexOfA, A.id[a0])
                                       : feature_id(FeatureType::kVertexOfB, B.id[b0]));
  out->add(m + high * u, high_a <= high_b ? feature_id(FeatureType::kVertexOfA, A.id[1 - a0])
                                          : feature_id(FeatureType::kVertexOfB, B.id[1 - b0]));
}

// The part of the segment S over the disc D: its ends there, and its crossings with the rim.
void clip_disc(const Projection& D, const Projection& S, bool disc_is_a, Corners* out) {
  const FeatureType end = disc_is_a ? FeatureType::kVertexOfB : FeatureType::kVertexOfA;
  const FeatureType crossing = disc_is_a ? FeatureType::kRimOfA : FeatureType::kRimOfB;
  const Vector2 p = D.face.to_unit(S.q[0]), r = D.face.to_unit(S.q[1]);
  double t[2];
  const int count = cross_unit_circle(p, r, t);
  for (int c = 0; c < count; ++c)
    out->add(S.q[0] + t[c] * (S.q[1] - S.q[0]),
             rim_crossing_id(crossing, S.id[0], S.id[1], D.face_id, (p + t[c] * (r - p)).dot(r - p)));
  for (const int i : {0, 1}) {
    if ((i == 0 ? p : r).squaredNorm() < 1.0) out->add(S.q[i], feature_id(end, S.id[i], D.face_id));
  }
}

// The crossings of two rims: those of circles of the same radii, corrected by Newton's method where tilt
// makes them ellipses.
int cross_rims(const Projection& A, const Projection& B, double ra, double rb,
               std::array<Vector2, 2>* corners) {
  const Vector2 offset = B.face.origin - A.face.origin;
  const double distance = offset.norm();
  if (distance <= std::abs(ra - rb) || distance >= ra + rb) return 0;
  const double x = (distance * distance + ra * ra - rb * rb) / (2.0 * distance);
  const double y = std::sqrt(std::max(0.0, ra * ra - x * x));
  const Vector2 u = offset / distance, v(-u.y(), u.x());
  const Eigen::Matrix2d inverse_a = A.face.axes.inverse(), inverse_b = B.face.axes.inverse();
  int count = 0;
  for (const double sign : {1.0, -1.0}) {
    Vector2 q = A.face.origin + x * u + sign * y * v;
    double residual = 1.0;
    for (int iteration = 0; iteration < 8 && residual > 1e-14; ++iteration) {
      const Vector2 pa = inverse_a * (q - A.face.origin), pb = inverse_b * (q - B.face.origin);
      const Vector2 r(pa.squaredNorm() - 1.0, pb.squaredNorm() - 1.0);
      Eigen::Matrix2d J;
      J.row(0) = 2.0 * pa.transpose() * inverse_a;
      J.row(1) = 2.0 * pb.transpose() * inverse_b;
      residual = r.norm();
      if (std::abs(J.determinant()) < 1e-9 * J.row(0).norm() * J.row(1).norm()) break;
      q -= J.inverse() * r;
    }
    if (residual <= 1e-12) (*corners)[count++] = q;
  }
  return count;
}

// The overlap of two discs: of one that lies within the other its rim; else where the rims cross, and the
// middle of either arc over the other disc.
void clip_discs(const Projection& A, const Projection& B, const Vector2& gap_slope, Corners* out) {
  const double ra = A.face.axes.col(0).norm(), rb = B.face.axes.col(0).norm();
  const Vector2 offset = B.face.origin - A.face.origin;
  if (offset.norm() <= std::abs(ra - rb) + CornerTolerances::kSame * std::min(ra, rb)) {
    const bool inner_is_a = ra <= rb;
    const Projection &inner = inner_is_a ? A : B, &outer = inner_is_a ? B : A;
    const FeatureType rim = inner_is_a ? FeatureType::kVertexOfA : FeatureType::kVertexOfB;
    for (const RimPoint& point : whole_rim(inner.face, gap_slope)) {
      const Vector2 q = inner.face.place(point.u);
      if (outer.face.to_unit(q).norm() <= 1.0 + CornerTolerances::kSame)  // not where the outer one is steep
        out->add(q, feature_id(rim, point.id, outer.face_id));
    }
    return;
  }
  std::array<Vector2, 2> corners;
  const int num_corners = cross_rims(A, B, ra, rb, &corners);
  for (int c = 0; c < num_corners; ++c)
    out->add(corners[c], feature_id(FeatureType::kLens, A.face_id, B.face_id, c));
  const auto add_arc = [&](const Projection& over, const Projection& under, FeatureType rim) {
    const auto add = [&](const Vector2& u, bool carries) {
      const Vector2 q = over.face.place(u);
      if (under.face.contains(q)) out->add(q, feature_id(rim, 0, under.face_id), carries);
    };
    add(deepest_on_rim(over.face, gap_slope), false);
    add(middle_of_arc(over.face, under.face, gap_slope), true);
  };
  add_arc(A, B, FeatureType::kVertexOfA);
  add_arc(B, A, FeatureType::kVertexOfB);
}

// A feature over a half space (always a): all its vertices, four points of a disc's rim.
void find_corners_on_plane(const Projection& B, const Vector2& gap_slope, Corners* out) {
  for (int i = 0; i < B.size; ++i) out->add(B.q[i], feature_id(FeatureType::kVertexOfB, B.id[i]));
  if (B.kind != ContactFeature::Kind::kDisc) return;
  for (const RimPoint& point : whole_rim(B.face, gap_slope))
    out->add(B.face.place(point.u), feature_id(FeatureType::kVertexOfB, point.id, B.face_id));
}

// Joins corners that coincide, the deeper one staying.
void merge(double distance, Corners* corners) {
  int kept = 0;
  for (int i = 0; i < corners->size; ++i) {
    const Corner corner = corners->corner[i];
    int same = -1;
    for (int k = 0; k < kept && same < 0; ++k) {
      if ((corners->corner[k].q - corner.q).squaredNorm() < distance * distance) same = k;
    }
    if (same < 0) {
      corners->corner[kept++] = corner;
    } else if (corner.phi < corners->corner[same].phi) {
      corners->corner[same] = corner;
    }
  }
  corners->size = kept;
}

void find_corners(const Projection& A, const Projection& B, double size, Corners* corners) {
  using Kind = ContactFeature::Kind;
  const Vector2 gap_slope = B.face.slope - A.face.slope;
  if (A.kind == Kind::kPlane) return find_corners_on_plane(B, gap_slope, corners);
  if (A.kind == Kind::kPoint || B.kind == Kind::kPoint) return;
  if (A.kind == Kind::kDisc && B.kind == Kind::kDisc) return clip_discs(A, B, gap_slope, corners);
  if (A.kind == Kind::kDisc) return clip_disc(A, B, true, corners);
  if (B.kind == Kind::kDisc) return clip_disc(B, A, false, corners);
  if (A.kind == Kind::kPolygon && B.kind == Kind::kPolygon)
    return clip_polygons(A, B, kInside * size, corners);
  if (B.kind == Kind::kPolygon) return clip_segment(A, B, true, kInside * size, corners);
  if (A.kind == Kind::kPolygon) return clip_segment(B, A, false, kInside * size, corners);
  overlap_segments(A, B, corners);
}

}  // namespace

double add_feature_manifold(const FeaturePair& pair, double max_phi, Manifold* out) {
  const NormalView view(pair.normal);
  Projection A, B;
  project(*pair.a, view, &A);
  project(*pair.b, view, &B);
  const double size = A.kind == ContactFeature::Kind::kPlane ? size_of(B) : std::min(size_of(A), size_of(B));

  Corners corners;
  find_corners(A, B, size, &corners);
  double least = std::numeric_limits<double>::infinity();
  int offered = 0;
  for (int i = 0; i < corners.size; ++i) {
    Corner corner = corners.corner[i];
    corner.phi = B.face.height_at(corner.q) - A.face.height_at(corner.q) - pair.radius_a - pair.radius_b;
    least = std::min(least, corner.phi);
    if (corner.carries && corner.phi < max_phi) corners.corner[offered++] = corner;
  }
  corners.size = offered;
  merge(CornerTolerances::kSame * size, &corners);
  for (int i = 0; i < corners.size && out->size < Manifold::kCapacity; ++i) {
    const Corner& corner = corners.corner[i];
    ManifoldPoint& point = out->points[out->size++];
    point.p_a = view.place(corner.q, A.face.height_at(corner.q) + pair.radius_a);
    point.p_b = view.place(corner.q, B.face.height_at(corner.q) - pair.radius_b);
    point.normal = view.n;
    point.phi = corner.phi;
    point.feature = corner.id;
  }
  return least;
}

}  // namespace csim
