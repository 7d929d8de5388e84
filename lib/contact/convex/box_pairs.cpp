#include <cmath>
#include <limits>

#include "contact/convex/separation.h"
#include "contact/convex/shape_pairs.h"

namespace csim {

namespace {

// A cross product of edges shorter than this is a face normal to rounding.
constexpr double kParallelEdges = 1e-9;

// Fraction of the size by which an edge axis must beat the faces: resting boxes keep their face.
constexpr double kFacePreference = 1e-12;

struct Axis {
  Vector3 normal;  // unit, from a to b
  double separation = -std::numeric_limits<double>::infinity();
  bool is_edge = false;
};

// Tries the axis l (unit): the gap of the two intervals along it.
void try_axis(const Vector3& l, const Vector3& d, double reach, double handicap, bool is_edge, Axis* best) {
  const double along = l.dot(d);
  const double separation = std::abs(along) - reach;
  if (separation - handicap > best->separation) {
    best->separation = separation;
    best->normal = along >= 0.0 ? l : Vector3(-l);
    best->is_edge = is_edge;
  }
}

// The axis of largest separation among the face normals and the cross products of edges; stops at one beyond
// max_phi.
Axis find_axis(const Vector3& h_A, const Matrix3& R_A, const Vector3& h_B, const Matrix3& R_B,
               const Vector3& d, double max_phi) {
  Axis best;
  const Matrix3 C = R_A.transpose() * R_B;
  const Matrix3 Q = C.cwiseAbs();
  for (int i = 0; i < 3; ++i) {
    try_axis(R_A.col(i), d, h_A[i] + Q.row(i).dot(h_B), 0.0, false, &best);
    if (best.separation >= max_phi) return best;
  }
  for (int j = 0; j < 3; ++j) {
    try_axis(R_B.col(j), d, h_B[j] + Q.col(j).dot(h_A), 0.0, false, &best);
    if (best.separation >= max_phi) return best;
  }
  const double handicap = kFacePreference * (h_A.norm() + h_B.norm());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector3 cross = R_A.col(i).cross(R_B.col(j));
      const double sine = cross.norm();
      if (sine < kParallelEdges) continue;
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach =
          (h_A[i1] * Q(i2, j) + h_A[i2] * Q(i1, j) + h_B[j1] * Q(i, j2) + h_B[j2] * Q(i, j1)) / sine;
      try_axis(cross / sine, d, reach, handicap, true, &best);
      if (best.separation >= max_phi) return best;
    }
  }
  return best;
}

}  // namespace

void query_box_box(const Box& a, const RigidTransform& X_A, const Box& b, const RigidTransform& X_B,
                   double max_phi, Manifold* out) {
  const Axis axis = find_axis(0.5 * a.size, X_A.R, 0.5 * b.size, X_B.R, X_B.p - X_A.p, max_phi);
  if (axis.separation >= max_phi) return;
  const ConvexSupport A(a, X_A), B(b, X_B);
  // The features along an axis of overlap meet there. Along one of separation they do unless a vertex lies
  // beside the other's feature: then the distance is larger than any of these separations.
  DeepestPair deepest;
  deepest.normal = axis.normal;
  deepest.phi = axis.separation;
  if (axis.is_edge) {
    const Separation s = maximize_separation(A, B, axis.normal);
    deepest = {s.normal, s.value, s.p_a, s.p_b};
    const double tolerance = 1e-12 * (A.extent() + B.extent());
    if (s.value <= 0.0 ||
        (s.lateral <= tolerance && A.contains(s.p_a, tolerance) && B.contains(s.p_b, tolerance))) {
      add_contact_points(A, B, deepest, DeepestPolicy::kAdd, max_phi, out);
      return;
    }
  }
  if (add_contact_points(A, B, deepest, DeepestPolicy::kRequire, max_phi, out)) return;
  query_supports(A, B, max_phi, out);
}

}  // namespace csim
