#include "contact/convex/separation.h"

#include <algorithm>
#include <cmath>

namespace csim {

namespace {

// Rounds of maximize_separation; the first one is enough except from poor starts.
constexpr int kMaxRounds = 4;

// rad: flat features this close to the start are candidates. Above the direction error of the searches before
// (1e-2 for EPA on smooth shapes), and small enough that few features qualify.
constexpr double kSnapAngle = 0.03;

// Newton converges from there in 3 to 5 steps; the cap bounds the work where rounding stops it.
constexpr int kMaxNewton = 20;

// A Newton step over a ridge (the axis of a rim, the next vertex) is shortened this often.
constexpr int kMaxHalvings = 12;

// Fractions of the size: separations that are equal in rounding; those where a face is preferred; points that
// lie on a body.
constexpr double kTie = 1e-15;
constexpr double kPreferFaces = 1e-13;
constexpr double kOnBody = 1e-12;

// Sine below which the cross product of two edges is mostly rounding.
constexpr double kEdgesParallel = 1e-7;

constexpr int kMaxFlats = 8;

// The flat parts of one body near a direction: outward normals of faces, unit directions of edges.
struct Flats {
  int num_faces = 0, num_edges = 0;
  std::array<Vector3, kMaxFlats> faces, edges;

  void add_face(const Vector3& normal) {
    if (num_faces < kMaxFlats) faces[num_faces++] = normal;
  }
  void add_edge(const Vector3& edge) {
    if (num_edges < kMaxFlats) edges[num_edges++] = edge;
  }
};

void find_polytope_flats(const ConvexSupport& body, const Vector3& n, Flats* flats) {
  const ConvexPolytope& P = *body.polytope();
  const Vector3 d = body.pose().R.transpose() * n;
  const double near_face = 1.0 - 0.5 * kSnapAngle * kSnapAngle;
  for (const Vector3& normal : P.face_normals) {
    if (normal.dot(d) > near_face) flats->add_face(body.pose().R * normal);
  }
  // Edges within the snap angle of the support vertex: those at it, and, where edges are short, at its
  // neighbours.
  const int v = body.support_vertex(d);
  for (int k = P.neighbor_begin[v]; k < P.neighbor_begin[v + 1]; ++k) {
    const Vector3 edge = (P.vertices[P.neighbors[k]] - P.vertices[v]).normalized();
    if (std::abs(edge.dot(d)) < kSnapAngle) flats->add_edge(body.pose().R * edge);
  }
}

void find_triangle_flats(const ConvexSupport& body, const Vector3& n, Flats* flats) {
  const Vector3 normal = body.triangle_normal();
  const double cosine = normal.dot(n);
  if (std::abs(cosine) > 1.0 - 0.5 * kSnapAngle * kSnapAngle)
    flats->add_face(std::copysign(1.0, cosine) * normal);
  for (int i = 0; i < 3; ++i) {
    const Vector3 edge = body.corner((i + 1) % 3) - body.corner(i);
    if (edge.isZero(0.0)) continue;  // a line
    const Vector3 along = edge.normalized();
    if (std::abs(along.dot(n)) < kSnapAngle) flats->add_edge(along);
  }
}

// The flats of `body` whose outward normals are near n.
void find_flats(const ConvexSupport& body, const Vector3& n, Flats* flats) {
  const Matrix3& R = body.pose().R;
  switch (body.kind()) {
    case ConvexSupport::Kind::kPoint:
    case ConvexSupport::Kind::kEllipsoid:
      return;
    case ConvexSupport::Kind::kSegment:
      if (body.half_size().z() > 0.0 && std::abs(R.col(2).dot(n)) < kSnapAngle) flats->add_edge(R.col(2));
      return;
    case ConvexSupport::Kind::kCylinder: {
      const double axial = R.col(2).dot(n);
      if (std::abs(axial) < kSnapAngle) flats->add_edge(R.col(2));
      if (std::abs(axial) > 1.0 - 0.5 * kSnapAngle * kSnapAngle)
        flats->add_face(std::copysign(1.0, axial) * R.col(2));
      return;
    }
    case ConvexSupport::Kind::kBox:
      for (int i = 0; i < 3; ++i) {
        const double c = R.col(i).dot(n);
        if (std::abs(c) < kSnapAngle) flats->add_edge(R.col(i));
        if (std::abs(c) > 1.0 - 0.5 * kSnapAngle * kSnapAngle)
          flats->add_face(std::copysign(1.0, c) * R.col(i));
      }
      return;
    case ConvexSupport::Kind::kTriangle:
      find_triangle_flats(body, n, flats);
      return;
    case ConvexSupport::Kind::kPolytope:
      find_polytope_flats(body, n, flats);
      return;
  }
}

// Adds t^T D t for the two tangents t0, t1 of n, D = dx/dn the derivative of the support point at n: (tt, tu,
// uu) of a symmetric 2x2 matrix.
void add_curvature_radii(const ConvexSupport& body, const Vector3& n, const Vector3& t0, const Vector3& t1,
                         double* k00, double* k01, double* k11) {
  const Matrix3& R = body.pose().R;
  if (body.kind() == ConvexSupport::Kind::kCylinder) {
    // The rim: x = ... + r u, u the unit radial part of n, so D = r/|n_radial| (a x u)(a x u)^T.
    const Vector3 across = R.col(2).cross(n);
    const double radial = across.norm();
    if (radial == 0.0) return;
    const double scale = body.half_size().x() / (radial * radial * radial);
    const double c0 = across.dot(t0), c1 = across.dot(t1);
    *k00 += scale * c0 * c0;
    *k01 += scale * c0 * c1;
    *k11 += scale * c1 * c1;
  } else if (body.kind() == ConvexSupport::Kind::kEllipsoid) {
    // x = S^2 n/|S n|, so D = S^2/|S n| - (S^2 n)(S^2 n)^T/|S n|^3.
    const Vector3& S = body.half_size();
    const Vector3 Sn = S.cwiseProduct(R.transpose() * n);
    const Vector3 s0 = S.cwiseProduct(R.transpose() * t0), s1 = S.cwiseProduct(R.transpose() * t1);
    const double length = Sn.norm();
    const double c0 = Sn.dot(s0) / length, c1 = Sn.dot(s1) / length;
    *k00 += (s0.squaredNorm() - c0 * c0) / length;
    *k01 += (s0.dot(s1) - c0 * c1) / length;
    *k11 += (s1.squaredNorm() - c1 * c1) / length;
  }
}

// At the rounding floor of s, which is flat about its maximum, the gradient (m) still tells which direction
// is better.
bool settles(const Separation& next, double next_gradient, const Separation& best, double gradient,
             double scale) {
  return next.value > best.value - 1e-15 * scale && std::abs(next_gradient) < 0.5 * std::abs(gradient);
}

// Halves the step from best to *next until s grows; false when it does not.
bool climb(const ConvexSupport& a, const ConvexSupport& b, const Separation& best, double scale,
           Separation* next) {
  // Equal to rounding: the top is reached.
  if (std::abs(next->value - best.value) <= 1e-14 * scale) return next->value > best.value;
  for (int halving = 0; halving < kMaxHalvings && !(next->value > best.value); ++halving) {
    *next = separation_along(a, b, (next->normal + best.normal).normalized());
  }
  return next->value > best.value;
}

// A step along the gradient (m) from 0.1 rad down, until s grows; false when it does not.
bool step_uphill(const ConvexSupport& a, const ConvexSupport& b, const Separation& best,
                 const Vector3& gradient, Separation* next) {
  const Vector3 uphill = gradient.normalized();
  for (double step = 0.1; step > 1e-7; step *= 0.25) {
    *next = separation_along(a, b, (best.normal + step * uphill).normalized());
    if (next->value > best.value) return true;
  }
  return false;
}

// Newton on the circle of directions normal to the unit vector e, from the point of it nearest to n.
Separation maximize_on_circle(const ConvexSupport& a, const ConvexSupport& b, Vector3 n, const Vector3& e,
                              double scale) {
  n = (n - e * e.dot(n)).normalized();
  Separation best = separation_along(a, b, n);
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    const Vector3 t = e.cross(best.normal);
    const double gradient = (best.p_b - best.p_a).dot(t);
    double k00 = best.value, k01 = 0.0, k11 = 0.0;
    add_curvature_radii(a, best.normal, t, e, &k00, &k01, &k11);
    add_curvature_radii(b, best.normal, t, e, &k00, &k01, &k11);
    if (std::abs(gradient) <= 1e-16 * scale) break;
    if (!(k00 > 0.0)) {
      Separation uphill;
      if (!step_uphill(a, b, best, gradient * t, &uphill)) break;
      best = uphill;
      continue;
    }
    // Normalising k n + g t takes the step g/k exactly for two points (k = s), whatever its length.
    Separation next = separation_along(a, b, (k00 * best.normal + gradient * t).normalized());
    const double next_gradient = (next.p_b - next.p_a).dot(e.cross(next.normal));
    if (!settles(next, next_gradient, best, gradient, scale) && !climb(a, b, best, scale, &next)) break;
    best = next;
  }
  return best;
}

// Newton on the sphere.
Separation maximize_on_sphere(const ConvexSupport& a, const ConvexSupport& b, const Vector3& n,
                              double scale) {
  Separation best = separation_along(a, b, n);
  for (int iteration = 0; iteration < kMaxNewton; ++iteration) {
    const Vector3 t0 = best.normal.unitOrthogonal();
    const Vector3 t1 = best.normal.cross(t0);
    const Vector3 gap = best.p_b - best.p_a;
    const double g0 = gap.dot(t0), g1 = gap.dot(t1);
    const double gradient = std::hypot(g0, g1);
    if (gradient <= 1e-16 * scale) break;
    double k00 = best.value, k01 = 0.0, k11 = best.value;
    add_curvature_radii(a, best.normal, t0, t1, &k00, &k01, &k11);
    add_curvature_radii(b, best.normal, t0, t1, &k00, &k01, &k11);
    const double determinant = k00 * k11 - k01 * k01;
    if (!(k00 + k11 > 0.0) || !(determinant > 0.0)) {
      // Corners and edges of overlapping bodies: s is a falling hillside here, with a ridge where the next
      // vertex takes over.
      Separation next;
      if (!step_uphill(a, b, best, gap - best.value * best.normal, &next)) break;
      best = next;
      continue;
    }
    // The step adj(K) g / det K, scaled by det K so that two points (K = s I) are met exactly however small s
    // is.
    const double d0 = k11 * g0 - k01 * g1, d1 = k00 * g1 - k01 * g0;
    Separation next = separation_along(a, b, (determinant * best.normal + d0 * t0 + d1 * t1).normalized());
    if (!settles(next, next.lateral, best, gradient, scale) && !climb(a, b, best, scale, &next)) break;
    best = next;
  }
  return best;
}

// Slides the support points along the edges they lie on so that they face each other along the normal.
Separation slid_along_edges(Separation s, const Vector3* edge_a, const Vector3* edge_b) {
  const Vector3 lateral = s.p_b - s.p_a - s.normal * s.value;
  if (edge_a != nullptr && edge_b != nullptr) {
    // alpha e_a - beta e_b = lateral
    const double c = edge_a->dot(*edge_b);
    const double sine2 = 1.0 - c * c;
    if (sine2 < 1e-12) return s;
    const double la = lateral.dot(*edge_a), lb = lateral.dot(*edge_b);
    s.p_a += *edge_a * ((la - c * lb) / sine2);
    s.p_b += *edge_b * ((c * la - lb) / sine2);
  } else if (edge_a != nullptr) {
    s.p_a += *edge_a * lateral.dot(*edge_a);
  } else {
    s.p_b -= *edge_b * lateral.dot(*edge_b);
  }
  s.lateral = (s.p_b - s.p_a - s.normal * s.value).norm();
  return s;
}

// The best candidate so far. Its points are the closest ones only if they lie on the bodies: a candidate
// whose points slid or were projected off them counts by its separation alone.
class Candidates {
 public:
  Candidates(const ConvexSupport& a, const ConvexSupport& b, double scale, const Separation& first)
      : a_(a), b_(b), scale_(scale), best_(first) {}

  // `moved` has the separation of `plain`, with points that may have left the bodies.
  void offer(const Separation& plain, const Separation& moved, double preference) {
    if (plain.value <= best_.value - preference * scale_) return;
    const double tolerance = kOnBody * scale_;
    const bool on_bodies = a_.contains(moved.p_a, tolerance) && b_.contains(moved.p_b, tolerance);
    const Separation& s = on_bodies ? moved : plain;
    // Among directions that are equal in rounding the one whose points face each other best.
    if (s.value > best_.value + preference * scale_ || s.lateral <= best_.lateral + tolerance) best_ = s;
  }
  const Separation& best() const { return best_; }

  // True when the points of the best candidate face each other: between disjoint bodies they are then the
  // closest ones.
  bool faces_itself() const { return best_.lateral <= kOnBody * scale_; }

 private:
  const ConvexSupport& a_;
  const ConvexSupport& b_;
  const double scale_;
  Separation best_;
};

// One round: the sphere, then the flats near the start.
Separation maximize_nearby(const ConvexSupport& a, const ConvexSupport& b, const Vector3& start,
                           double scale) {
  Flats fa, fb;
  find_flats(a, start, &fa);
  find_flats(b, -start, &fb);

  Candidates candidates(a, b, scale, separation_along(a, b, start));
  // Faces, and edges across each other: one evaluation each. Where such a pair of points lies on the bodies
  // it is a local maximum.
  for (int i = 0; i < fa.num_edges; ++i) {
    for (int j = 0; j < fb.num_edges; ++j) {
      Vector3 n = fa.edges[i].cross(fb.edges[j]);
      const double length = n.norm();
      if (length < kEdgesParallel) continue;
      n *= (n.dot(start) > 0.0 ? 1.0 : -1.0) / length;
      if (n.dot(start) < 0.9) continue;
      const Separation s = separation_along(a, b, n);
      candidates.offer(s, slid_along_edges(s, &fa.edges[i], &fb.edges[j]), kTie);
    }
  }
  for (int i = 0; i < fa.num_faces; ++i) {
    const Separation s = separation_along(a, b, fa.faces[i]);
    Separation moved = s;
    moved.p_a = s.p_b - s.value * s.normal;
    moved.lateral = 0.0;
    candidates.offer(s, moved, kPreferFaces);
  }
  for (int j = 0; j < fb.num_faces; ++j) {
    const Separation s = separation_along(a, b, -fb.faces[j]);
    Separation moved = s;
    moved.p_b = s.p_a + s.value * s.normal;
    moved.lateral = 0.0;
    candidates.offer(s, moved, kPreferFaces);
  }
  if (fa.num_faces + fb.num_faces + fa.num_edges * fb.num_edges > 0 && candidates.faces_itself())
    return candidates.best();

  const Separation on_sphere = maximize_on_sphere(a, b, start, scale);
  candidates.offer(on_sphere, on_sphere, kTie);
  if (on_sphere.value > 0.0 && candidates.faces_itself()) return candidates.best();
  for (int i = 0; i < fa.num_edges; ++i) {
    const Separation s = maximize_on_circle(a, b, start, fa.edges[i], scale);
    candidates.offer(s, slid_along_edges(s, &fa.edges[i], nullptr), kTie);
  }
  for (int j = 0; j < fb.num_edges; ++j) {
    const Separation s = maximize_on_circle(a, b, start, fb.edges[j], scale);
    candidates.offer(s, slid_along_edges(s, nullptr, &fb.edges[j]), kTie);
  }
  return candidates.best();
}

}  // namespace

Separation separation_along(const ConvexSupport& a, const ConvexSupport& b, const Vector3& normal) {
  Separation s;
  s.normal = normal;
  s.p_a = a.support(normal);
  s.p_b = b.support(-normal);
  const Vector3 gap = s.p_b - s.p_a;
  s.value = gap.dot(normal);
  s.lateral = (gap - s.value * normal).norm();
  return s;
}

Separation maximize_separation(const ConvexSupport& a, const ConvexSupport& b, const Vector3& start) {
  const double scale = a.extent() + b.extent();
  Separation best = maximize_nearby(a, b, start, scale);
  // Points that do not face each other belong to no maximum yet: the climb met flats that were not near the
  // start.
  for (int round = 1; round < kMaxRounds && best.lateral > kOnBody * scale; ++round) {
    const Separation next = maximize_nearby(a, b, best.normal, scale);
    if (!(next.value > best.value + kTie * scale || next.lateral < 0.5 * best.lateral)) break;
    best = next;
  }
  return best;
}

}  // namespace csim
