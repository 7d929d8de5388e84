#include "support/contact_surface_twin.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/bounds.h"
#include "mesh/tet_mesh.h"

namespace csim::testing {
namespace {

using Real = long double;
using V = Eigen::Matrix<Real, 3, 1>;
using M = Eigen::Matrix<Real, 3, 3>;

struct HalfPlane {
  V normal;
  Real offset;  // solid where normal . x <= offset
};

/// A convex solid with a linear pressure (compliant) or a flat polygon (rigid).
struct Element {
  int id;
  bool compliant, flat;
  V gradient;     // compliant
  Real constant;  // compliant
  V normal;       // rigid: outward
  Real offset;
  std::vector<HalfPlane> solid;  // of a compliant element
  std::vector<V> ring;           // of a rigid one; empty for a plane without end
  Aabb box;                      // where bounded
};

struct Pose {
  M R;
  V p;
  explicit Pose(const RigidTransform& X) : R(X.R.cast<Real>()), p(X.p.cast<Real>()) {}
  V operator*(const Vector3& x) const { return R * x.cast<Real>() + p; }
};

/// A little larger than the points, so that rounding parts nothing.
Aabb box_of(const std::vector<V>& points) {
  Aabb box;
  for (const V& p : points) box.add(Vector3(p.cast<double>()));
  return box.inflated(1e-9);
}

Aabb everywhere() {
  Aabb box;
  std::swap(box.lower, box.upper);
  return box;
}

std::vector<Element> elements_of(const CompliantMesh& body, const Pose& X) {
  std::vector<Element> result;
  for (std::size_t t = 0; t < body.mesh.tets.size(); ++t) {
    std::vector<V> v(4);
    Eigen::Matrix<Real, 4, 4> A;
    Eigen::Matrix<Real, 4, 1> p;
    for (int i = 0; i < 4; ++i) {
      v[i] = X * body.mesh.vertices[body.mesh.tets[t][i]];
      A.row(i) << v[i].transpose(), 1;
      p[i] = body.pressure[body.mesh.tets[t][i]];
    }
    const Eigen::Matrix<Real, 4, 1> field = A.fullPivLu().solve(p);
    Element e{static_cast<int>(t), true, false, field.head<3>(), field[3], V::Zero(), 0, {}, {}, box_of(v)};
    for (int i = 0; i < 4; ++i) {
      const V &a = v[(i + 1) % 4], &b = v[(i + 2) % 4], &c = v[(i + 3) % 4];
      V n = (b - a).cross(c - a).normalized();
      if (n.dot(v[i] - a) > 0) n = -n;
      e.solid.push_back({n, n.dot(a)});
    }
    result.push_back(e);
  }
  return result;
}

std::vector<Element> elements_of(const TriangleMesh& body, const Pose& X) {
  std::vector<Element> result;
  for (std::size_t t = 0; t < body.triangles.size(); ++t) {
    const auto& [i, j, k] = body.triangles[t];
    const V a = X * body.vertices[i], b = X * body.vertices[j], c = X * body.vertices[k];
    const V n = (b - a).cross(c - a).normalized();
    result.push_back(
        {static_cast<int>(t), false, true, V::Zero(), 0, n, n.dot(a), {}, {a, b, c}, box_of({a, b, c})});
  }
  return result;
}

std::vector<Element> elements_of(const CompliantHalfSpace& body, const Pose& X) {
  const V n = X.R.col(2);
  const Real d = n.dot(X.p);
  return {{-1,
           true,
           false,
           V(-body.slope * n),
           body.slope * d,
           V::Zero(),
           0,
           {{n, d + body.margin}},
           {},
           everywhere()}};
}

std::vector<Element> elements_of(const HalfSpace&, const Pose& X) {
  const V n = X.R.col(2);
  return {{-1, false, true, V::Zero(), 0, n, n.dot(X.p), {}, {}, everywhere()}};
}

/// A square of side 2e3 m in the plane, counterclockwise about its normal; its middle is near `near`.
std::vector<V> large_square(const V& normal, Real offset, const V& near) {
  const V u = normal.unitOrthogonal(), w = normal.cross(u);
  const V o = near + (offset - normal.dot(near)) * normal;
  const Real s = 1e3;
  return {o - s * u - s * w, o + s * u - s * w, o + s * u + s * w, o - s * u + s * w};
}

std::vector<V> cut(const std::vector<V>& ring, const HalfPlane& solid) {
  std::vector<V> result;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const V &a = ring[i], &b = ring[(i + 1) % ring.size()];
    const Real ha = solid.normal.dot(a) - solid.offset, hb = solid.normal.dot(b) - solid.offset;
    if (ha <= 0) result.push_back(a);
    if ((ha <= 0) != (hb <= 0)) result.push_back(a + ha / (ha - hb) * (b - a));
  }
  return result;
}

void add_face(const Element& a, const Element& b, const V& near, std::vector<TwinFace>* faces) {
  V n;  // from A to B
  std::vector<V> ring;
  if (a.compliant && b.compliant) {
    const V difference = b.gradient - a.gradient;
    const Real length = difference.norm();
    if (length <= 1e-13L * (a.gradient.norm() + b.gradient.norm())) return;
    n = difference / length;
    ring = large_square(n, (a.constant - b.constant) / length, near);
  } else {
    const Element& rigid = a.compliant ? b : a;
    n = a.compliant ? V(-rigid.normal) : rigid.normal;
    ring = rigid.ring.empty() ? large_square(rigid.normal, rigid.offset, near) : rigid.ring;
  }
  for (const Element* e : {&a, &b}) {
    for (const HalfPlane& solid : e->solid) ring = cut(ring, solid);
  }
  if (ring.size() < 3) return;
  V area = V::Zero(), moment = V::Zero();
  Real total = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const V w = (ring[i] - ring[0]).cross(ring[i + 1] - ring[0]) / 2;
    area += w;
    total += w.norm();
    moment += w.norm() * (ring[i] - ring[0] + ring[i + 1] - ring[0]) / 3;
  }
  if (!(total > 0)) return;
  const V centroid = ring[0] + moment / total;
  const Element& side = a.compliant && (!b.compliant || a.gradient.norm() < b.gradient.norm()) ? a : b;
  TwinFace face;
  face.element_a = a.id;
  face.element_b = b.id;
  face.area = static_cast<double>(area.norm());
  face.pressure = static_cast<double>(side.gradient.dot(centroid) + side.constant);
  face.centroid = centroid.cast<double>();
  face.normal = n.cast<double>();
  face.num_corners = static_cast<int>(ring.size());
  const double infinity = std::numeric_limits<double>::infinity();
  face.gradient_a = a.compliant ? static_cast<double>(-a.gradient.dot(n)) : infinity;
  face.gradient_b = b.compliant ? static_cast<double>(b.gradient.dot(n)) : infinity;
  face.least_cosine = 1.0;
  if (a.compliant) face.least_cosine = static_cast<double>(-a.gradient.dot(n) / a.gradient.norm());
  if (b.compliant) {
    face.least_cosine =
        std::min(face.least_cosine, static_cast<double>(b.gradient.dot(n) / b.gradient.norm()));
  }
  faces->push_back(face);
}

}  // namespace

std::vector<TwinFace> twin_surface(const TwinBody& a, const RigidTransform& X_WA, const TwinBody& b,
                                   const RigidTransform& X_WB) {
  const auto elements = [](const TwinBody& body, const RigidTransform& X) {
    return std::visit([&](const auto& it) { return elements_of(it, Pose(X)); }, body);
  };
  const bool mesh_is_a = a.index() <= 1;
  const V near = (mesh_is_a ? X_WA : X_WB).p.cast<Real>();
  std::vector<TwinFace> faces;
  const auto of_b = elements(b, X_WB);
  for (const Element& ea : elements(a, X_WA)) {
    for (const Element& eb : of_b) {
      if (ea.box.overlaps(eb.box)) add_face(ea, eb, near, &faces);
    }
  }
  return faces;
}

}  // namespace csim::testing
