// A contact of a triangle surface and the id of the two features that meet in it.
#pragma once

#include "contact/convex/narrow_phase.h"

namespace csim {

/// What meets, of a query's enumeration, and which of each side: all three within one id.
struct MeshFeature {
  static constexpr int kBits = 29;  // of i and of j

  [[nodiscard]] static std::int64_t id(int kind, int i, int j) {
    return (std::int64_t{kind} << (2 * kBits)) | (std::int64_t{i} << kBits) | std::int64_t{j};
  }
  [[nodiscard]] static int kind(std::int64_t id) { return static_cast<int>(id >> (2 * kBits)); }
  [[nodiscard]] static int i(std::int64_t id) { return j(id >> kBits); }
  [[nodiscard]] static int j(std::int64_t id) {
    return static_cast<int>(id & ((std::int64_t{1} << kBits) - 1));
  }
};

/// A contact at p_a whose other point is phi (m) from there along the unit normal.
[[nodiscard]] inline ManifoldPoint mesh_point(std::int64_t feature, const Vector3& p_a, const Vector3& normal,
                                              double phi) {
  ManifoldPoint point;
  point.p_a = p_a;
  point.p_b = p_a + phi * normal;
  point.normal = normal;
  point.phi = phi;
  point.feature = feature;
  return point;
}

[[nodiscard]] inline ManifoldPoint transformed(const RigidTransform& X, ManifoldPoint point) {
  point.p_a = X * point.p_a;
  point.p_b = X * point.p_b;
  point.normal = X.R * point.normal;
  return point;
}

}  // namespace csim
