#include "support/mesh_overlap_twin.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/bounds.h"

namespace csim::testing {

namespace {

using Triangle = std::array<Vector3, 3>;

/// m, gaps between intervals below this are rounding.
constexpr double kGap = 1e-10;

/// Directions are turned by this angle: a triangle that is exactly parallel to one would have no interval.
constexpr double kTurn = 1e-7;

/// Whether the segment from p to q goes through the triangle.
bool goes_through(const Vector3& p, const Vector3& q, const Triangle& t) {
  const auto volume = [](const Vector3& x, const Vector3& y, const Vector3& z, const Vector3& w) {
    return (y - x).cross(z - x).dot(w - x) > 0.0;
  };
  if (volume(t[0], t[1], t[2], p) == volume(t[0], t[1], t[2], q)) return false;
  const bool side = volume(p, q, t[0], t[1]);
  return side == volume(p, q, t[1], t[2]) && side == volume(p, q, t[2], t[0]);
}

bool cross(const Triangle& p, const Triangle& q) {
  for (int k = 0; k < 3; ++k) {
    if (goes_through(p[k], p[(k + 1) % 3], q) || goes_through(q[k], q[(k + 1) % 3], p)) return true;
  }
  return false;
}

/// A frame whose third axis is the direction: its rows.
Matrix3 frame_along(const Vector3& direction) {
  Matrix3 R;
  R.row(2) = direction.normalized();
  R.row(0) = direction.unitOrthogonal();
  R.row(1) = R.row(2).cross(R.row(0));
  return R;
}

struct Interval {
  double low, high;
};

double cross2(const Vector3& p, const Vector3& q, const Vector3& r) {
  return (q.x() - p.x()) * (r.y() - p.y()) - (q.y() - p.y()) * (r.x() - p.x());
}

/// The t for which q, moved by t along z, touches p; false when they pass beside each other. The part of p
/// over q, seen along z, is a polygon; t is linear over it.
bool touch_interval(const Triangle& p, const Triangle& q, Interval* t) {
  for (int axis = 0; axis < 2; ++axis) {
    const auto [p0, p1] = std::minmax({p[0][axis], p[1][axis], p[2][axis]});
    const auto [q0, q1] = std::minmax({q[0][axis], q[1][axis], q[2][axis]});
    if (p0 > q1 || q0 > p1) return false;
  }
  const double area = cross2(q[0], q[1], q[2]);
  if (area == 0.0) return false;
  std::array<Vector3, 8> polygon{p[0], p[1], p[2]}, kept;
  int size = 3;
  for (int k = 0; k < 3 && size > 0; ++k) {
    const Vector3 &from = q[k], &to = q[(k + 1) % 3];
    int count = 0;
    for (int i = 0; i < size; ++i) {
      const Vector3 &x = polygon[i], &y = polygon[(i + 1) % size];
      const double f = area > 0.0 ? cross2(from, to, x) : -cross2(from, to, x);
      const double g = area > 0.0 ? cross2(from, to, y) : -cross2(from, to, y);
      if (f >= 0.0 && count < 8) kept[count++] = x;
      if (f * g < 0.0 && count < 8) kept[count++] = x + f / (f - g) * (y - x);
    }
    polygon = kept;
    size = count;
  }
  if (size < 3) return false;
  *t = {1e300, -1e300};
  const auto [z0, z1] = std::minmax({q[0].z(), q[1].z(), q[2].z()});
  for (int i = 0; i < size; ++i) {
    const Vector3& x = polygon[i];
    const double u = cross2(q[1], q[2], x) / area, v = cross2(q[2], q[0], x) / area;
    const double z = std::clamp(q[2].z() + u * (q[0].z() - q[2].z()) + v * (q[1].z() - q[2].z()), z0, z1);
    t->low = std::min(t->low, x.z() - z);
    t->high = std::max(t->high, x.z() - z);
  }
  return true;
}

}  // namespace

PlacedMesh::PlacedMesh(const TriangleMesh& mesh, const RigidTransform& X) : closed(mesh.closed) {
  for (const auto& [i, j, k] : mesh.triangles) {
    triangles.push_back({X * mesh.vertices[i], X * mesh.vertices[j], X * mesh.vertices[k]});
    const Triangle& t = triangles.back();
    normals.push_back((t[1] - t[0]).cross(t[2] - t[0]).normalized());
  }
}

bool winds_around(const PlacedMesh& mesh, const Vector3& p) {
  double angle = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = t[0] - p, b = t[1] - p, c = t[2] - p;
    const double x = a.norm(), y = b.norm(), z = c.norm();
    angle += 2.0 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
  }
  return angle > 2.0 * std::numbers::pi;
}

bool MeshOverlapTwin::holds(const Vector3& shift) const {
  return (a_.closed && winds_around(a_, b_.triangles[0][0] + shift)) ||
         (b_.closed && winds_around(b_, a_.triangles[0][0] - shift));
}

bool MeshOverlapTwin::overlap() const {
  for (const Triangle& p : a_.triangles) {
    Aabb box;
    for (const Vector3& x : p) box.add(x);
    for (const Triangle& q : b_.triangles) {
      Aabb other;
      for (const Vector3& x : q) other.add(x);
      if (box.overlaps(other) && cross(p, q)) return true;
    }
  }
  return holds(Vector3::Zero());
}

void MeshOverlapTwin::find_pairs(double reach) {
  pairs_.clear();
  pairs_reach_ = reach;
  std::vector<Aabb> boxes;
  for (const Triangle& q : b_.triangles) {
    boxes.emplace_back();
    for (const Vector3& x : q) boxes.back().add(x);
  }
  for (std::size_t i = 0; i < a_.triangles.size(); ++i) {
    Aabb box;
    for (const Vector3& x : a_.triangles[i]) box.add(x);
    box = box.inflated(reach);
    for (std::size_t j = 0; j < boxes.size(); ++j) {
      if (box.overlaps(boxes[j])) pairs_.push_back({static_cast<int>(i), static_cast<int>(j)});
    }
  }
}

double MeshOverlapTwin::way_out(const Vector3& direction, double reach) {
  if (pairs_reach_ < reach) find_pairs(reach);
  const Matrix3 R = frame_along((direction + kTurn * Vector3(0.3, 0.5, -0.7)).normalized());
  std::vector<Interval> intervals;
  Triangle p;
  int placed = -1;
  for (const auto& [i, j] : pairs_) {
    if (i != placed) {
      for (int k = 0; k < 3; ++k) p[k] = R * a_.triangles[i][k];
      placed = i;
    }
    const Triangle& q = b_.triangles[j];
    Interval t{};
    if (touch_interval(p, {R * q[0], R * q[1], R * q[2]}, &t) && t.high >= 0.0 && t.low <= reach)
      intervals.push_back(t);
  }
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& x, const Interval& y) { return x.low < y.low; });
  double t = 0.0;
  for (const Interval& next : intervals) {
    if (next.low > t + kGap && !holds(0.5 * (t + next.low) * R.row(2).transpose())) return std::min(t, reach);
    t = std::max(t, next.high);
    if (t >= reach) return reach;
  }
  return holds((t + kGap) * R.row(2).transpose()) ? reach : t;
}

double MeshOverlapTwin::least_way_out(const std::vector<Vector3>& hints, double reach) {
  double best = reach;
  Vector3 along = Vector3::UnitZ();
  const auto attempt = [&](const Vector3& direction) {
    if (!(direction.squaredNorm() > 1e-20)) return false;
    const Vector3 unit = direction.normalized();
    const double t = way_out(unit, best);
    if (t >= best) return false;
    best = t;
    along = unit;
    return true;
  };
  const auto both = [&](const Vector3& direction) {
    attempt(direction);
    attempt(-direction);
  };
  for (const Vector3& hint : hints) both(hint);
  constexpr int kAround = 120;
  for (int i = 0; i < kAround; ++i) {  // spiral of equal areas
    const double z = 1.0 - (2.0 * i + 1.0) / kAround, angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
    attempt({std::sqrt(1.0 - z * z) * std::cos(angle), std::sqrt(1.0 - z * z) * std::sin(angle), z});
  }
  // Normals and sides of triangles that cross; of many a part.
  std::vector<Vector3> sides_a, sides_b, normals;
  for (const auto& [i, j] : pairs_) {
    const Triangle &p = a_.triangles[i], &q = b_.triangles[j];
    if (normals.size() > 200 || !cross(p, q)) continue;
    normals.push_back(a_.normals[i]);
    normals.push_back(b_.normals[j]);
    for (int k = 0; k < 3 && sides_a.size() < 12; ++k) {
      sides_a.push_back(p[(k + 1) % 3] - p[k]);
      sides_b.push_back(q[(k + 1) % 3] - q[k]);
    }
  }
  for (std::size_t i = 0; i < normals.size(); ++i) {
    const auto same = [&](const Vector3& n) { return (n - normals[i]).norm() < 1e-9; };
    if (std::none_of(normals.begin(), normals.begin() + static_cast<std::ptrdiff_t>(i), same))
      both(normals[i]);
  }
  for (const Vector3& u : sides_a)
    for (const Vector3& v : sides_b) both(u.cross(v));
  // Around the best, ever closer.
  for (double step = 0.2; step > 1e-4 && best > 0.0; step *= 0.5) {
    for (int again = 0; again < 4; ++again) {
      const Matrix3 R = frame_along(along);
      bool better = false;
      for (int k = 0; k < 8; ++k) {
        const double angle = 0.25 * std::numbers::pi * k;
        const Vector3 beside =
            std::cos(angle) * R.row(0).transpose() + std::sin(angle) * R.row(1).transpose();
        better = attempt(along + step * beside) || better;
      }
      if (!better) break;
    }
  }
  return best;
}

}  // namespace csim::testing
