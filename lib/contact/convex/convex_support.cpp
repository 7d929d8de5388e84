#include "contact/convex/convex_support.h"

#include <algorithm>
#include <cmath>

#include "core/require.h"
#include "geometry/nearest_point.h"

namespace csim {

namespace {

// Up to this many vertices a scan is faster than the walk along edges.
constexpr int kScanVertices = 24;

// Vertices looked at for the interior point and the size of a polytope.
constexpr int kSampledVertices = 16;

// Fraction of the square of the size: twice the area that rounding gives to corners on one line.
constexpr double kOnOneLine = 1e-12;

}  // namespace

ConvexSupport::ConvexSupport(const Shape& shape, const RigidTransform& X_WG) : X_(X_WG), center_(X_WG.p) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    kind_ = Kind::kPoint;
    radius_ = sphere->radius;
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    kind_ = Kind::kBox;
    half_size_ = 0.5 * box->size;
    extent_ = half_size_.norm();
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    kind_ = Kind::kCylinder;
    half_size_ = Vector3(cylinder->radius, cylinder->radius, 0.5 * cylinder->length);
    extent_ = half_size_.tail<2>().norm();
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    kind_ = Kind::kSegment;
    half_size_ = Vector3(0.0, 0.0, 0.5 * capsule->length);
    radius_ = capsule->radius;
    extent_ = half_size_.z();
  } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    kind_ = Kind::kEllipsoid;
    half_size_ = ellipsoid->semi_axes;
    extent_ = half_size_.maxCoeff();
  } else {
    const auto* convex = std::get_if<Convex>(&shape);
    CSIM_REQUIRE(convex != nullptr && convex->polytope != nullptr, shape.index());
    kind_ = Kind::kPolytope;
    polytope_ = convex->polytope.get();
    // The mean of some vertices lies in the hull and costs the same for every polytope.
    const int n = static_cast<int>(polytope_->vertices.size());
    const int stride = std::max(1, n / kSampledVertices);
    Vector3 mean = Vector3::Zero();
    int count = 0;
    for (int i = 0; i < n; i += stride, ++count) mean += polytope_->vertices[i];
    mean /= count;
    double squared_extent = 0.0;
    for (int i = 0; i < n; i += stride) {
      squared_extent = std::max(squared_extent, (polytope_->vertices[i] - mean).squaredNorm());
    }
    extent_ = std::sqrt(squared_extent);
    center_ = X_ * mean;
  }
}

ConvexSupport ConvexSupport::triangle(const Vector3& a, const Vector3& b, const Vector3& c) {
  ConvexSupport support;
  support.kind_ = Kind::kTriangle;
  support.corners_ = {a, b, c};
  support.center_ = (a + b + c) / 3.0;
  support.X_.p = support.center_;
  for (const Vector3& corner : support.corners_) {
    support.extent_ = std::max(support.extent_, (corner - support.center_).norm());
  }
  return support;
}

Vector3 ConvexSupport::triangle_normal() const {
  const Vector3 doubled_area = (corners_[1] - corners_[0]).cross(corners_[2] - corners_[0]);
  const double length = doubled_area.norm();
  return length > kOnOneLine * extent_ * extent_ ? Vector3(doubled_area / length) : Vector3::Zero();
}

int ConvexSupport::support_vertex(const Vector3& direction) const {
  const ConvexPolytope& P = *polytope_;
  const int n = static_cast<int>(P.vertices.size());
  if (n <= kScanVertices) {
    int best = 0;
    double best_height = P.vertices[0].dot(direction);
    for (int i = 1; i < n; ++i) {
      const double height = P.vertices[i].dot(direction);
      if (height > best_height) {
        best_height = height;
        best = i;
      }
    }
    return best;
  }
  // On a convex polytope a vertex without a higher neighbour is the highest.
  int best = last_vertex_;
  double best_height = P.vertices[best].dot(direction);
  for (bool climbed = true; climbed;) {
    climbed = false;
    const int from = best;
    for (int k = P.neighbor_begin[from]; k < P.neighbor_begin[from + 1]; ++k) {
      const double height = P.vertices[P.neighbors[k]].dot(direction);
      if (height > best_height) {
        best_height = height;
        best = P.neighbors[k];
        climbed = true;
      }
    }
  }
  last_vertex_ = best;
  return best;
}

Vector3 ConvexSupport::support(const Vector3& direction) const {
  switch (kind_) {
    case Kind::kPoint:
      return X_.p;
    case Kind::kSegment: {
      const Vector3 half = half_size_.z() * X_.R.col(2);
      return half.dot(direction) >= 0.0 ? Vector3(X_.p + half) : Vector3(X_.p - half);
    }
    case Kind::kTriangle: {
      const double h0 = corners_[0].dot(direction);
      const double h1 = corners_[1].dot(direction);
      const double h2 = corners_[2].dot(direction);
      if (h0 >= h1) return h0 >= h2 ? corners_[0] : corners_[2];
      return h1 >= h2 ? corners_[1] : corners_[2];
    }
    case Kind::kBox: {
      const Vector3 d = X_.R.transpose() * direction;
      return X_ * Vector3(std::copysign(half_size_.x(), d.x()), std::copysign(half_size_.y(), d.y()),
                          std::copysign(half_size_.z(), d.z()));
    }
    case Kind::kCylinder: {
      const Vector3 d = X_.R.transpose() * direction;
      const double radial = std::sqrt(d.x() * d.x() + d.y() * d.y());
      const double scale = radial > 0.0 ? half_size_.x() / radial : 0.0;
      return X_ * Vector3(scale * d.x(), scale * d.y(), std::copysign(half_size_.z(), d.z()));
    }
    case Kind::kEllipsoid: {
      // x = S^2 n / |S n| on the surface |S^-1 x| = 1.
      const Vector3 scaled = half_size_.cwiseProduct(X_.R.transpose() * direction);
      const double length = scaled.norm();
      if (length == 0.0) return X_.p;
      return X_ * Vector3(half_size_.cwiseProduct(scaled) / length);
    }
    case Kind::kPolytope:
      return X_ * polytope_->vertices[support_vertex(X_.R.transpose() * direction)];
  }
  return X_.p;
}

bool ConvexSupport::contains(const Vector3& x, double tolerance) const {
  const Vector3 y = X_.inverse_times(x);
  switch (kind_) {
    case Kind::kPoint:
      return y.norm() <= tolerance;
    case Kind::kSegment:
      return std::hypot(y.x(), y.y()) <= tolerance && std::abs(y.z()) <= half_size_.z() + tolerance;
    case Kind::kTriangle:
      return (nearest_on_triangle(corners_[0], corners_[1], corners_[2], x) - x).norm() <= tolerance;
    case Kind::kBox:
      return ((y.cwiseAbs() - half_size_).array() <= tolerance).all();
    case Kind::kCylinder:
      return std::hypot(y.x(), y.y()) <= half_size_.x() + tolerance &&
             std::abs(y.z()) <= half_size_.z() + tolerance;
    case Kind::kEllipsoid:
      return y.cwiseQuotient(half_size_).norm() <= 1.0 + tolerance / half_size_.minCoeff();
    case Kind::kPolytope:
      for (std::size_t f = 0; f < polytope_->face_normals.size(); ++f) {
        if (polytope_->face_normals[f].dot(y) > polytope_->face_offsets[f] + tolerance) return false;
      }
      return true;
  }
  return false;
}

ConvexSupport ConvexSupport::translated(const Vector3& offset) const {
  ConvexSupport moved = *this;
  moved.X_.p += offset;
  moved.center_ += offset;
  if (kind_ == Kind::kTriangle) {
    for (Vector3& corner : moved.corners_) corner += offset;
  }
  return moved;
}

}  // namespace csim
