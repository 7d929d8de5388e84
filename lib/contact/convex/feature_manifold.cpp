#include "contact/convex/feature_manifold.h"

#include <algorithm>
#include <cmath>

namespace csim {

namespace {

// Fraction of the size within which a corner counts as inside the other outline: touching outlines keep their
// corners' names.
constexpr double kInside = 1e-12;

// Fraction of the size within which two corners are one spring.
constexpr double kMerge = 1e-4;

// Sine of the angle below which two lines are parallel.
constexpr double kParallel = 1e-4;

// Height difference over a disc, as a fraction of its radius, from which on it has a deepest direction.
constexpr double kTilt = 1e-12;

constexpr int kMaxOutline = 2 * ContactFeature::kMaxVertices;
constexpr int kMaxCorners = 4 * ContactFeature::kMaxVertices;

// A feature seen along the normal: its outline in the plane and its height above it, which is affine there.
struct Projection {
  ContactFeature::Kind kind;
  int size = 0;
  int face_id = 0;
  std::array<Vector2, ContactFeature::kMaxVertices> q;  // a polygon's loop is counterclockwise
  std::array<int, ContactFeature::kMaxVertices> id;
  Vector2 origin;  // where the height is `height`
  double height = 0.0;
  Vector2 slope = Vector2::Zero();
  Eigen::Matrix2d disc;  // columns: radius times the projected axes

  double height_at(const Vector2& p) const { return height + slope.dot(p - origin); }
  Vector2 to_unit_disc(const Vector2& p) const { return disc.inverse() * (p - origin); }
};

struct Frame {
  Vector3 t0, t1, n;
  Vector2 project(const Vector3& p) const { return {p.dot(t0), p.dot(t1)}; }
};

// Without initial values: arrays of these stand on the stack of every query.
struct Corner {
  Vector2 q;
  std::int64_t id;
  double phi;
};

void project(const ContactFeature& f, const Frame& frame, Projection* out) {
  out->kind = f.kind;
  out->size = f.size;
  out->face_id = f.face_id;
  for (int i = 0; i < f.size; ++i) {
    out->q[i] = frame.project(f.vertices[i]);
    out->id[i] = f.ids[i];
  }
  const bool has_center = f.kind == ContactFeature::Kind::kDisc || f.kind == ContactFeature::Kind::kPlane;
  const Vector3& anchor = has_center ? f.center : f.vertices[0];
  out->origin = frame.project(anchor);
  out->height = anchor.dot(frame.n);
  if (has_center || f.kind == ContactFeature::Kind::kPolygon) {
    const double along = f.normal.dot(frame.n);
    out->slope = -Vector2(f.normal.dot(frame.t0), f.normal.dot(frame.t1)) / along;
  }
  if (f.kind == ContactFeature::Kind::kDisc) {
    out->disc.col(0) = f.radius * frame.project(f.axis_x);
    out->disc.col(1) = f.radius * frame.project(f.axis_y);
  }
  if (f.kind == ContactFeature::Kind::kSegment) {
    const Vector2 d = out->q[1] - out->q[0];
    const double length2 = d.squaredNorm();
    if (length2 > 0.0) out->slope = d * ((f.vertices[1] - f.vertices[0]).dot(frame.n) / length2);
  }
  if (f.kind == ContactFeature::Kind::kPolygon) {
    double area = 0.0;
    for (int i = 1; i + 1 < f.size; ++i) area += cross(out->q[i] - out->q[0], out->q[i + 1] - out->q[0]);
    if (area < 0.0) {
      std::reverse(out->q.begin(), out->q.begin() + f.size);
      std::reverse(out->id.begin(), out->id.begin() + f.size);
    }
  }
}

double size_of(const Projection& p) {
  if (p.kind == ContactFeature::Kind::kDisc) return p.disc.norm();
  double squared = 0.0;
  for (int i = 1; i < p.size; ++i) squared = std::max(squared, (p.q[i] - p.q[0]).squaredNorm());
  return std::sqrt(squared);
}

// The corners found so far.
struct Corners {
  int size = 0;
  std::array<Corner, kMaxCorners> corner;
  void add(const Vector2& q, std::int64_t id) {
    if (size == kMaxCorners) return;
    corner[size].q = q;
    corner[size].id = id;
    ++size;
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

bool inside_polygon(const Projection& P, const Vector2& q, double inside) {
  for (int j = 0; j < P.size; ++j) {
    const Vector2 edge = P.q[(j + 1) % P.size] - P.q[j];
    if (cross(edge, q - P.q[j]) < -inside * edge.norm()) return false;
  }
  return true;
}

// The direction in the unit disc of D along which the gap to the other feature falls, or the disc's own first
// axis when they are parallel.
Vector2 deepest_direction(const Projection& D, const Vector2& gap_slope) {
  const Vector2 g = D.disc.transpose() * gap_slope;
  const double length = g.norm();
  if (length <= kTilt * D.disc.col(0).norm()) return {1.0, 0.0};
  return -g / length;
}

// Crossings of the unit circle with p + t (r - p), t in [0, 1].
int cross_unit_circle(const Vector2& p, const Vector2& r, double t[2]) {
  const Vector2 d = r - p;
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - 1.0;
  const double discriminant = b * b - a * c;
  if (a == 0.0 || discriminant <= 0.0) return 0;
  const double root = std::sqrt(discriminant);
  int count = 0;
  for (const double candidate : {(-b - root) / a, (-b + root) / a}) {
    if (candidate >= 0.0 && candidate <= 1.0) t[count++] = candidate;
  }
  return count;
}

// The overlap of the disc D with a polygon or a segment P.
void clip_disc(const Projection& D, const Projection& P, bool disc_is_a, const Vector2& gap_slope,
               double inside, Corners* out) {
  const FeatureType rim = disc_is_a ? FeatureType::kVertexOfA : FeatureType::kVertexOfB;
  const FeatureType other = disc_is_a ? FeatureType::kVertexOfB : FeatureType::kVertexOfA;
  const FeatureType crossing = disc_is_a ? FeatureType::kRimOfA : FeatureType::kRimOfB;
  if (P.kind == ContactFeature::Kind::kPolygon) {
    const Vector2 first = deepest_direction(D, gap_slope);
    const Vector2 second(-first.y(), first.x());
    const std::array<Vector2, 4> directions = {first, second, -first, -second};
    for (int k = 0; k < 4; ++k) {
      const Vector2 q = D.origin + D.disc * directions[k];
      if (inside_polygon(P, q, inside)) out->add(q, feature_id(rim, k, P.face_id));
    }
  }
  const int edges = P.kind == ContactFeature::Kind::kPolygon ? P.size : 1;
  for (int j = 0; j < edges; ++j) {
    const int k = (j + 1) % P.size;
    const Vector2 p = D.to_unit_disc(P.q[j]), r = D.to_unit_disc(P.q[k]);
    double t[2];
    const int count = cross_unit_circle(p, r, t);
    for (int c = 0; c < count; ++c) {
      // Entering or leaving along the edge from its lower to its higher vertex.
      const bool leaves = (p + t[c] * (r - p)).dot(r - p) > 0.0;
      const std::int64_t side = leaves == (P.id[j] < P.id[k]) ? 1 : 0;
      out->add(P.q[j] + t[c] * (P.q[k] - P.q[j]),
               feature_id(crossing, std::min(P.id[j], P.id[k]), std::max(P.id[j], P.id[k]), D.face_id, side));
    }
  }
  for (int j = 0; j < P.size; ++j) {
    if (D.to_unit_disc(P.q[j]).squaredNorm() < 1.0) out->add(P.q[j], feature_id(other, P.id[j], D.face_id));
  }
}

// The crossings of two rims: those of circles of the same radii, corrected by Newton's method where tilt
// makes them ellipses.
int cross_rims(const Projection& A, const Projection& B, double ra, double rb,
               std::array<Vector2, 2>* corners) {
  const Vector2 offset = B.origin - A.origin;
  const double distance = offset.norm();
  if (distance <= std::abs(ra - rb) || distance >= ra + rb) return 0;
  const double x = (distance * distance + ra * ra - rb * rb) / (2.0 * distance);
  const double y = std::sqrt(std::max(0.0, ra * ra - x * x));
  const Vector2 u = offset / distance, v(-u.y(), u.x());
  const Eigen::Matrix2d inverse_a = A.disc.inverse(), inverse_b = B.disc.inverse();
  int count = 0;
  for (const double sign : {1.0, -1.0}) {
    Vector2 q = A.origin + x * u + sign * y * v;
    double residual = 1.0;
    for (int iteration = 0; iteration < 8 && residual > 1e-14; ++iteration) {
      const Vector2 pa = inverse_a * (q - A.origin), pb = inverse_b * (q - B.origin);
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

// The extreme points of the overlap of two discs along four directions.
void clip_discs(const Projection& A, const Projection& B, const Vector2& gap_slope, double inside,
                Corners* out) {
  const double ra = A.disc.col(0).norm(), rb = B.disc.col(0).norm();
  const Vector2 offset = B.origin - A.origin;
  // The tilt leads, else the offset, else the smaller disc's own axis.
  Vector2 first = -gap_slope;
  if (gap_slope.norm() <= kTilt)
    first = offset.norm() > kMerge * std::min(ra, rb) ? offset : Vector2((ra <= rb ? A : B).disc.col(0));
  first.normalize();
  const Vector2 second(-first.y(), first.x());
  const std::array<Vector2, 4> directions = {first, second, -first, -second};

  std::array<Vector2, 2> corners;
  const int num_corners = cross_rims(A, B, ra, rb, &corners);
  for (int k = 0; k < 4; ++k) {
    // On the rim (as an ellipse, where the discs are tilted) the extreme point along d is E E^T d / |E^T d|.
    const auto extreme = [&](const Projection& D) {
      return Vector2(D.origin + D.disc * (D.disc.transpose() * directions[k]).normalized());
    };
    const Vector2 qa = extreme(A), qb = extreme(B);
    const double slack = 1.0 + 2.0 * inside / std::min(ra, rb);
    if (B.to_unit_disc(qa).squaredNorm() <= slack) {
      out->add(qa, feature_id(FeatureType::kVertexOfA, k, B.face_id));
    } else if (A.to_unit_disc(qb).squaredNorm() <= slack) {
      out->add(qb, feature_id(FeatureType::kVertexOfB, k, A.face_id));
    } else if (num_corners > 0) {
      const int c =
          num_corners == 1 || corners[0].dot(directions[k]) >= corners[1].dot(directions[k]) ? 0 : 1;
      out->add(corners[c], feature_id(FeatureType::kLens, A.face_id, B.face_id, c));
    }
  }
}

// A feature over a half space (always a): all its vertices, four points of a disc's rim.
void find_corners_on_plane(const Projection& B, const Vector2& gap_slope, Corners* out) {
  for (int i = 0; i < B.size; ++i) out->add(B.q[i], feature_id(FeatureType::kVertexOfB, B.id[i]));
  if (B.kind == ContactFeature::Kind::kDisc) {
    const Vector2 first = deepest_direction(B, gap_slope);
    const Vector2 second(-first.y(), first.x());
    const std::array<Vector2, 4> directions = {first, second, -first, -second};
    for (int k = 0; k < 4; ++k)
      out->add(B.origin + B.disc * directions[k], feature_id(FeatureType::kVertexOfB, k, B.face_id));
  }
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

// Keeps kMaxFeaturePoints of many: the extreme ones along evenly spread directions, fixed by `reference`, and
// the deepest.
void thin_out(const Vector2& reference, double tolerance, Corners* corners) {
  if (corners->size <= kMaxFeaturePoints) return;
  std::array<int, kMaxFeaturePoints> chosen;
  int count = 0;
  for (int k = 0; k < kMaxFeaturePoints; ++k) {
    const double angle = 2.0 * M_PI * k / kMaxFeaturePoints;
    const Vector2 d = std::cos(angle) * reference + std::sin(angle) * Vector2(-reference.y(), reference.x());
    int best = 0;
    for (int i = 1; i < corners->size; ++i) {
      const double rise = (corners->corner[i].q - corners->corner[best].q).dot(d);
      if (rise > tolerance || (rise > -tolerance && corners->corner[i].id < corners->corner[best].id))
        best = i;
    }
    if (std::find(chosen.begin(), chosen.begin() + count, best) == chosen.begin() + count)
      chosen[count++] = best;
  }
  int deepest = chosen[0];
  for (int i = 0; i < count; ++i) {
    if (corners->corner[chosen[i]].phi < corners->corner[deepest].phi) deepest = chosen[i];
  }
  for (int i = 0; i < corners->size; ++i) {
    if (corners->corner[i].phi < corners->corner[deepest].phi - 1e-3 * tolerance) deepest = i;
  }
  if (std::find(chosen.begin(), chosen.begin() + count, deepest) == chosen.begin() + count) {
    if (count < kMaxFeaturePoints) {
      chosen[count++] = deepest;
    } else {
      int nearest = 0;
      const auto distance = [&](int i) {
        return (corners->corner[chosen[i]].q - corners->corner[deepest].q).squaredNorm();
      };
      for (int i = 1; i < count; ++i) {
        if (distance(i) < distance(nearest)) nearest = i;
      }
      chosen[nearest] = deepest;
    }
  }
  std::array<Corner, kMaxFeaturePoints> kept;
  for (int i = 0; i < count; ++i) kept[i] = corners->corner[chosen[i]];
  std::copy(kept.begin(), kept.begin() + count, corners->corner.begin());
  corners->size = count;
}

void find_corners(const Projection& A, const Projection& B, double inside, Corners* corners) {
  using Kind = ContactFeature::Kind;
  const Vector2 gap_slope = B.slope - A.slope;
  if (A.kind == Kind::kPlane) return find_corners_on_plane(B, gap_slope, corners);
  if (A.kind == Kind::kPoint || B.kind == Kind::kPoint) return;
  if (A.kind == Kind::kDisc && B.kind == Kind::kDisc) return clip_discs(A, B, gap_slope, inside, corners);
  if (A.kind == Kind::kDisc) return clip_disc(A, B, true, gap_slope, inside, corners);
  if (B.kind == Kind::kDisc) return clip_disc(B, A, false, gap_slope, inside, corners);
  if (A.kind == Kind::kPolygon && B.kind == Kind::kPolygon) return clip_polygons(A, B, inside, corners);
  if (A.kind == Kind::kSegment && B.kind == Kind::kPolygon) return clip_segment(A, B, true, inside, corners);
  if (A.kind == Kind::kPolygon) return clip_segment(B, A, false, inside, corners);
  overlap_segments(A, B, corners);
}

}  // namespace

void add_feature_manifold(const FeaturePair& pair, double max_phi, Manifold* out) {
  Frame frame;
  frame.n = pair.normal;
  frame.t0 = frame.n.unitOrthogonal();
  frame.t1 = frame.n.cross(frame.t0);
  Projection A, B;
  project(*pair.a, frame, &A);
  project(*pair.b, frame, &B);
  const double size = A.kind == ContactFeature::Kind::kPlane ? size_of(B) : std::min(size_of(A), size_of(B));

  Corners corners;
  find_corners(A, B, kInside * size, &corners);
  int offered = 0;
  for (int i = 0; i < corners.size; ++i) {
    Corner corner = corners.corner[i];
    corner.phi = B.height_at(corner.q) - A.height_at(corner.q) - pair.radius_a - pair.radius_b;
    if (corner.phi < max_phi) corners.corner[offered++] = corner;
  }
  corners.size = offered;
  merge(kMerge * size, &corners);
  if (corners.size > kMaxFeaturePoints) {
    // Directions that turn with the first polygon's body.
    const Projection& lead = A.kind == ContactFeature::Kind::kPolygon ? A : B;
    thin_out((lead.q[1] - lead.q[0]).normalized(), 1e-9 * size, &corners);
  }
  for (int i = 0; i < corners.size && out->size < Manifold::kCapacity; ++i) {
    const Corner& corner = corners.corner[i];
    const Vector3 base = corner.q.x() * frame.t0 + corner.q.y() * frame.t1;
    ManifoldPoint& point = out->points[out->size++];
    point.p_a = base + (A.height_at(corner.q) + pair.radius_a) * frame.n;
    point.p_b = base + (B.height_at(corner.q) - pair.radius_b) * frame.n;
    point.normal = frame.n;
    point.phi = corner.phi;
    point.feature = corner.id;
  }
}

}  // namespace csim
