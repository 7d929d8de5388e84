// The shortest way between planes that were met on other ways.
#pragma once

#include <array>
#include <optional>

#include "core/rigid_transform.h"

namespace csim {

/// Where the surface between two parts is flat at the places that hold them, each place asks of a
/// translation x that normal . x >= height. The shortest x that satisfies all is the foot of one plane, of
/// the line of two, or the point of three: what a search that turns towards one plane at a time does not
/// find. The last few planes count; earlier ones may belong to places that were left far behind.
class WayOutPlanes {
 public:
  /// The plane through x (m) with the normal, of any length and either sense.
  void add(const Vector3& normal, const Vector3& x);

  /// The shortest translation (m) beyond all planes; none when there is no such thing.
  [[nodiscard]] std::optional<Vector3> nearest() const;

 private:
  /// Three decide where the way out ends, the others keep it from going back.
  static constexpr int kPlanes = 6;

  struct Plane {
    Vector3 normal;  // unit
    double height;   // m, >= 0
  };
  [[nodiscard]] bool clears(const Vector3& x) const;
  [[nodiscard]] static std::optional<Vector3> foot(const Plane& p, const Plane& q);
  [[nodiscard]] static std::optional<Vector3> corner(const Plane& p, const Plane& q, const Plane& r);

  std::array<Plane, kPlanes> planes_;
  int count_ = 0, oldest_ = 0;
};

}  // namespace csim
