#include "geometry/nearest_point.h"

#include <algorithm>
#include <cmath>

namespace csim {

NearestPoint nearest_on_box(const Vector3& half_size, const Vector3& x) {
  NearestPoint s;
  const Vector3 clamped = x.cwiseMax(-half_size).cwiseMin(half_size);
  const Vector3 outside = x - clamped;
  const double distance2 = outside.squaredNorm();
  if (distance2 > 0.0) {
    s.distance = std::sqrt(distance2);
    s.normal = outside / s.distance;
    s.point = clamped;
    return s;
  }
  int axis = 0;
  const double depth = (half_size - x.cwiseAbs()).minCoeff(&axis);
  s.distance = -depth;
  s.normal = Vector3::Zero();
  s.normal[axis] = std::copysign(1.0, x[axis]);
  s.point = x;
  s.point[axis] = std::copysign(half_size[axis], x[axis]);
  s.degenerate = x[axis] == 0.0;
  return s;
}

NearestPoint nearest_on_cylinder(double radius, double half_length, const Vector3& x) {
  NearestPoint s;
  const double rho = std::sqrt(x.x() * x.x() + x.y() * x.y());
  const Vector3 radial = rho > 0.0 ? Vector3(x.x() / rho, x.y() / rho, 0.0) : Vector3(1.0, 0.0, 0.0);
  const Vector3 axial(0.0, 0.0, std::copysign(1.0, x.z()));
  const double out_r = rho - radius, out_z = std::abs(x.z()) - half_length;
  if (out_r > 0.0 && out_z > 0.0) {  // the rim
    s.distance = std::sqrt(out_r * out_r + out_z * out_z);
    s.normal = (out_r * radial + out_z * axial) / s.distance;
    s.point = radius * radial + half_length * axial;
  } else if (out_r > out_z) {  // the side, from outside or inside
    s.distance = out_r;
    s.normal = radial;
    s.point = radius * radial + Vector3(0.0, 0.0, x.z());
    s.degenerate = rho == 0.0;
  } else {  // a cap
    s.distance = out_z;
    s.normal = axial;
    s.point = Vector3(x.x(), x.y(), half_length * axial.z());
    s.degenerate = x.z() == 0.0;
  }
  return s;
}

NearestPoint nearest_on_ellipsoid(const Vector3& semi_axes, const Vector3& x) {
  int shortest = 0;
  const double e_min = semi_axes.minCoeff(&shortest);
  // Coordinates so small that their squares vanish are on the plane of symmetry.
  const Vector3 y = (x.cwiseAbs().array() < 1e-150 * e_min).select(0.0, x.cwiseAbs());
  const Vector3 e2 = semi_axes.cwiseAbs2();
  // With u = t + min(e)^2 >= 0 the pole stands at u = 0, where u keeps its digits.
  const Vector3 delta = e2.array() - e_min * e_min;
  const Vector3 ey = semi_axes.cwiseProduct(y);
  NearestPoint s;
  Vector3 foot = Vector3::Zero();      // in the first octant
  Vector3 gradient = Vector3::Zero();  // x_i/e_i^2 of the foot

  // F(u) = sum (ey_i/(u + delta_i))^2 - 1 is convex and falls for u > 0; at u0 one term is 1, so u0 lies left
  // of the root.
  double u = (ey - delta).maxCoeff();
  if (u <= 0.0) {
    double at_pole = -1.0;
    for (int i = 0; i < 3; ++i) {
      if (delta[i] > 0.0) at_pole += ey[i] * ey[i] / (delta[i] * delta[i]);
    }
    if (at_pole > 0.0) {
      u = 0.0;  // the root is positive: the terms of longer axes carry it
    } else {
      // On the symmetry plane, deep inside: both sides of the shortest axis are equally near.
      for (int i = 0; i < 3; ++i) gradient[i] = delta[i] > 0.0 ? y[i] / delta[i] : 0.0;
      gradient[shortest] = std::sqrt(std::max(0.0, -at_pole)) / e_min;
      foot = e2.cwiseProduct(gradient);
      s.degenerate = true;
      u = -1.0;
    }
  }
  if (u >= 0.0) {
    for (int iteration = 0; iteration < 100; ++iteration) {
      double value = -1.0, derivative = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double d = u + delta[i];
        if (d <= 0.0) continue;
        const double term = ey[i] / d;
        value += term * term;
        derivative -= 2.0 * term * term / d;
      }
      if (!(value > 0.0) || derivative == 0.0) break;
      const double next = u - value / derivative;
      if (!(next > u)) break;
      u = next;
    }
    for (int i = 0; i < 3; ++i) gradient[i] = u + delta[i] > 0.0 ? y[i] / (u + delta[i]) : 0.0;
    foot = e2.cwiseProduct(gradient);
  }
  const double t = std::max(u, 0.0) - e_min * e_min;
  const double length = gradient.norm();
  // x - foot = t gradient
  s.distance = t * length;
  for (int i = 0; i < 3; ++i) {
    s.point[i] = std::copysign(foot[i], x[i]);
    s.normal[i] = std::copysign(gradient[i] / length, x[i]);
  }
  return s;
}

double nearest_on_segment(const Vector3& p, const Vector3& d, const Vector3& x) {
  const double length2 = d.squaredNorm();
  return length2 > 0.0 ? std::clamp(d.dot(x - p) / length2, 0.0, 1.0) : 0.0;
}

void nearest_on_segments(const Vector3& p1, const Vector3& d1, const Vector3& p2, const Vector3& d2,
                         double* s, double* t) {
  const double a = d1.squaredNorm(), e = d2.squaredNorm();
  const Vector3 r = p1 - p2;
  const double b = d1.dot(d2), c = d1.dot(r), f = d2.dot(r);
  if (a == 0.0 || e == 0.0) {
    *s = nearest_on_segment(p1, d1, p2);
    *t = nearest_on_segment(p2, d2, p1);
    return;
  }
  // r + s d1 - t d2 is along n = d1 x d2; times d2 and n that is s = -(r x d2).n/|n|^2, which keeps its
  // digits where the segments are nearly parallel and the usual a e - b^2 cancels.
  const Vector3 n = d1.cross(d2);
  const double determinant = n.squaredNorm();
  if (determinant > 1e-28 * a * e) {
    *s = std::clamp(-r.cross(d2).dot(n) / determinant, 0.0, 1.0);
  } else {
    // Parallel: the middle of the part of the first that faces the second.
    const double u0 = -c / a, u1 = (b - c) / a;
    const double low = std::max(0.0, std::min(u0, u1)), high = std::min(1.0, std::max(u0, u1));
    *s = std::clamp(0.5 * (low + high), 0.0, 1.0);
  }
  *t = (b * *s + f) / e;
  if (*t < 0.0) {
    *t = 0.0;
    *s = std::clamp(-c / a, 0.0, 1.0);
  } else if (*t > 1.0) {
    *t = 1.0;
    *s = std::clamp((b - c) / a, 0.0, 1.0);
  }
}

Vector3 nearest_on_triangle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x) {
  const Vector3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const Vector3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + ab * (d1 / (d1 - d3));
  const Vector3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double sum = va + vb + vc;
  return a + ab * (vb / sum) + ac * (vc / sum);
}

}  // namespace csim
