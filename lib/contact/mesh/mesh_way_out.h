// The shortest translation, of some directions, that parts two triangle surfaces.
#pragma once

#include <array>
#include <vector>

#include "contact/mesh/mesh_surface.h"
#include "contact/mesh/triangle_crossing.h"

namespace csim {

/// Surface b, moved by length * direction, does not overlap a any more. Frame of a.
struct MeshWayOut {
  double length = 0.0;           // m
  Vector3 direction;             // unit
  Vector3 p_a;                   // m, where the two part last
  Vector3 normal;                // up to its length: of the plane between them there
  std::array<int, 2> triangles;  // of a and b, that part last
};

/// Exact for every direction that is tried: the depth of a contact on a way out is never more than what it
/// takes to part the two.
class MeshWayOutQuery {
 public:
  enum class State { kApart, kTouching, kOverlapping };

  /// How the two surfaces lie; `near` are all pairs of triangles that may meet, `size` (m) is that to which
  /// rounding is relative. Surfaces that only touch have a way out, too, of the size of
  /// round-off.
  State place(const MeshSurface& a, const MeshSurface& b, const RigidTransform& X_AB, double size,
              const std::vector<std::array<int, 2>>& near);

  /// After place(): pairs of triangles that cross or touch.
  [[nodiscard]] const std::vector<std::array<int, 2>>& crossing() const { return crossing_; }

  /// After place(): whether a direction was given up, so that a shorter way out may be missing.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// The way out along a unit direction replaces *best when it is shorter. True when one was found.
  bool improve(const Vector3& direction, MeshWayOut* best);

  /// The same, and from there on along the shortest ways between the planes that are met (WayOutPlanes), for
  /// as long as these promise a shorter one. Where the surface between the two is made of these planes none
  /// nearby is shorter than the last.
  bool descend(const Vector3& direction, MeshWayOut* best);

  /// Turns a way out by parts of the angle to the normal at which the two part last, for as long as that
  /// makes it shorter: on the way to that normal planes may end.
  void turn(MeshWayOut* best);

 private:
  /// What is met on a way.
  struct Touch {
    double t = 0.0;  // m, along the direction
    // Of the plane between the two there, not normalised; zero where one is inside the other.
    Vector3 normal = Vector3::Zero();
    std::array<int, 2> triangles{-1, -1};
  };
  bool leave(const Vector3& direction, MeshWayOut* best, Touch* last);
  void leave_start(const Vector3& direction, double limit, Touch* last);
  bool move_on(const Vector3& direction, double limit, Touch* last) const;
  [[nodiscard]] double inside(const Vector3& moved) const;

  const MeshSurface *a_ = nullptr, *b_ = nullptr;
  RigidTransform X_AB_;
  double rounding_ = 0.0;  // m
  double margin_ = 0.0;    // m, by which triangles that cross overlap
  bool gave_up_ = false;
  std::vector<std::array<int, 2>> crossing_;
};

}  // namespace csim
