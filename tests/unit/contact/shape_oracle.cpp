#include "unit/contact/shape_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "geometry/flat_sides.h"

namespace csim::test {

double uniform(Random* random, double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>((*random)() >> 11), -53);
}

Vector3 random_unit(Random* random) {
  while (true) {
    const Vector3 v(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1));
    const double n = v.norm();
    if (n > 0.1 && n < 1.0) return v / n;
  }
}

Matrix3 random_rotation(Random* random) {
  return Eigen::AngleAxisd(uniform(random, 0.0, 2.0 * M_PI), random_unit(random)).toRotationMatrix() *
         Eigen::AngleAxisd(uniform(random, 0.0, 2.0 * M_PI), random_unit(random)).toRotationMatrix();
}

Convex make_convex(const std::vector<Vector3>& points) {
  auto P = std::make_shared<ConvexPolytope>();
  const int n = static_cast<int>(points.size());
  Vector3 mean = Vector3::Zero();
  for (const Vector3& p : points) mean += p / n;
  double scale = 0.0;
  for (const Vector3& p : points) scale = std::max(scale, (p - mean).norm());

  // Every plane through three points with all others on one side is a face; its points are sorted around it.
  std::set<std::vector<int>> faces;
  std::vector<std::vector<int>> loops;
  std::vector<Vector3> normals;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        Vector3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        if (normal.norm() < 1e-9 * scale * scale) continue;
        normal.normalize();
        if (normal.dot(points[i] - mean) < 0.0) normal = -normal;
        std::vector<int> on;
        bool hull = true;
        for (int m = 0; m < n && hull; ++m) {
          const double h = normal.dot(points[m] - points[i]);
          if (h > 1e-9 * scale) hull = false;
          if (std::abs(h) <= 1e-9 * scale) on.push_back(m);
        }
        if (!hull || !faces.insert(on).second) continue;
        Vector3 center = Vector3::Zero();
        for (const int m : on) center += points[m] / static_cast<double>(on.size());
        const Vector3 u = (points[on[0]] - center).normalized(), v = normal.cross(u);
        std::sort(on.begin(), on.end(), [&](int p, int q) {
          const Vector3 dp = points[p] - center, dq = points[q] - center;
          return std::atan2(v.dot(dp), u.dot(dp)) < std::atan2(v.dot(dq), u.dot(dq));
        });
        loops.push_back(on);
        normals.push_back(normal);
      }
    }
  }
  // Vertices in use only.
  std::map<int, int> index;
  for (const auto& loop : loops) {
    for (const int i : loop) {
      if (index.emplace(i, static_cast<int>(index.size())).second) P->vertices.push_back(points[i]);
    }
  }
  std::map<std::pair<int, int>, int> left;
  P->face_begin.push_back(0);
  for (std::size_t f = 0; f < loops.size(); ++f) {
    for (std::size_t i = 0; i < loops[f].size(); ++i) {
      const int p = index[loops[f][i]], q = index[loops[f][(i + 1) % loops[f].size()]];
      P->face_vertices.push_back(p);
      left[{p, q}] = static_cast<int>(f);
    }
    P->face_begin.push_back(static_cast<int>(P->face_vertices.size()));
    P->face_normals.push_back(normals[f]);
    P->face_offsets.push_back(normals[f].dot(points[loops[f][0]]));
  }
  std::vector<std::vector<int>> neighbors(P->vertices.size());
  for (const auto& [edge, face] : left) {
    if (edge.first < edge.second) {
      P->edges.push_back({edge.first, edge.second, face, left.at({edge.second, edge.first})});
      neighbors[edge.first].push_back(edge.second);
      neighbors[edge.second].push_back(edge.first);
    }
  }
  P->neighbor_begin.push_back(0);
  for (const auto& list : neighbors) {
    P->neighbors.insert(P->neighbors.end(), list.begin(), list.end());
    P->neighbor_begin.push_back(static_cast<int>(P->neighbors.size()));
  }
  mark_corners(P.get());
  return Convex{P};
}

Convex make_prism(int n, double radius, double height) {
  std::vector<Vector3> points;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * M_PI * i / n;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), -0.5 * height});
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0.5 * height});
  }
  return make_convex(points);
}

const std::vector<std::string>& bounded_kinds() {
  static const std::vector<std::string> kinds = {"sphere",  "box",       "cylinder",
                                                 "capsule", "ellipsoid", "convex"};
  return kinds;
}

Shape random_shape(const std::string& kind, Random* random) {
  const auto length = [&] { return uniform(random, 0.2, 1.0); };
  if (kind == "sphere") return Sphere{length()};
  if (kind == "box") return Box{Vector3(length(), length(), length())};
  if (kind == "cylinder") return Cylinder{0.5 * length(), length()};
  if (kind == "capsule") return Capsule{0.5 * length(), length()};
  if (kind == "ellipsoid") return Ellipsoid{0.5 * Vector3(length(), length(), length())};
  if (kind == "half_space") return HalfSpace{};
  std::vector<Vector3> points;
  const int n = 8 + static_cast<int>((*random)() % 8);
  for (int i = 0; i < n; ++i) points.push_back(0.5 * random_unit(random));
  return make_convex(points);
}

double support_height(const Shape& shape, const RigidTransform& X, const Vector3& direction) {
  const Vector3 d = X.R.transpose() * direction;
  double h = 0.0;
  if (const auto* s = std::get_if<Sphere>(&shape)) h = s->radius * d.norm();
  if (const auto* s = std::get_if<Box>(&shape)) h = 0.5 * s->size.dot(d.cwiseAbs());
  if (const auto* s = std::get_if<Cylinder>(&shape))
    h = s->radius * std::hypot(d.x(), d.y()) + 0.5 * s->length * std::abs(d.z());
  if (const auto* s = std::get_if<Capsule>(&shape))
    h = s->radius * d.norm() + 0.5 * s->length * std::abs(d.z());
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) h = s->semi_axes.cwiseProduct(d).norm();
  if (std::holds_alternative<HalfSpace>(shape)) {
    h = (d - Vector3::UnitZ()).norm() < 1e-12 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  if (const auto* s = std::get_if<Convex>(&shape)) {
    h = -std::numeric_limits<double>::infinity();
    for (const Vector3& v : s->polytope->vertices) h = std::max(h, v.dot(d));
  }
  return h + X.p.dot(direction);
}

double outside(const Shape& shape, const RigidTransform& X, const Vector3& x) {
  const Vector3 y = X.inverse_times(x);
  if (const auto* s = std::get_if<Sphere>(&shape)) return y.norm() - s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return (y.cwiseAbs() - 0.5 * s->size).maxCoeff();
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    return std::max(std::hypot(y.x(), y.y()) - s->radius, std::abs(y.z()) - 0.5 * s->length);
  }
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    const double half = 0.5 * s->length;
    return (y - Vector3(0, 0, std::clamp(y.z(), -half, half))).norm() - s->radius;
  }
  if (const auto* s = std::get_if<Ellipsoid>(&shape)) {
    // First-order distance: (|S^-1 y| - 1)/|gradient|.
    const double level = y.cwiseQuotient(s->semi_axes).norm();
    const double gradient = y.cwiseQuotient(s->semi_axes.cwiseAbs2()).norm() / std::max(level, 1e-300);
    return (level - 1.0) / std::max(gradient, 1e-300);
  }
  if (std::holds_alternative<HalfSpace>(shape)) return y.z();
  const ConvexPolytope& P = *std::get<Convex>(shape).polytope;
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < P.face_normals.size(); ++f)
    worst = std::max(worst, P.face_normals[f].dot(y) - P.face_offsets[f]);
  return worst;
}

double separation(const Shape& a, const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B,
                  const Vector3& n) {
  return -support_height(b, X_B, -n) - support_height(a, X_A, n);
}

double sampled_separation(const Shape& a, const RigidTransform& X_A, const Shape& b,
                          const RigidTransform& X_B, int samples) {
  Vector3 best = Vector3::UnitZ();
  double value = -std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vector3& n) {
    const double s = separation(a, X_A, b, X_B, n);
    if (s > value) {
      value = s;
      best = n;
      return true;
    }
    return false;
  };
  // Fibonacci's spiral, then a compass search on the sphere.
  for (int i = 0; i < samples; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / samples, r = std::sqrt(1.0 - z * z),
                 angle = 2.399963229728653 * i;
    offer({r * std::cos(angle), r * std::sin(angle), z});
  }
  for (double step = 2.0 / std::sqrt(samples); step > 1e-9; step *= 0.5) {
    for (bool moved = true; moved;) {
      moved = false;
      const Vector3 t0 = best.unitOrthogonal(), t1 = best.cross(t0);
      for (int k = 0; k < 12 && !moved; ++k) {
        const double angle = 2.0 * M_PI * k / 12;
        moved = offer((best + step * (std::cos(angle) * t0 + std::sin(angle) * t1)).normalized());
      }
    }
  }
  return value;
}

double size_of(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return 0.0;
  double size = 0.0;
  for (int i = 0; i < 3; ++i) size = std::max(size, support_height(shape, {}, Vector3::Unit(i)));
  return size;
}

const ManifoldPoint& deepest(const Manifold& manifold) {
  return *std::min_element(manifold.begin(), manifold.end(),
                           [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.phi < y.phi; });
}

}  // namespace csim::test
