// Do two triangle surfaces overlap, and what is the shortest translation that parts them? By trying all pairs
// of triangles and many directions: slow, plain, and without any code of contact/mesh.
#pragma once

#include <array>
#include <vector>

#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim::testing {

/// A surface placed in the world.
struct PlacedMesh {
  PlacedMesh(const TriangleMesh& mesh, const RigidTransform& X);

  std::vector<std::array<Vector3, 3>> triangles;  // m, world
  std::vector<Vector3> normals;                   // unit, of the triangles
  bool closed;
};

/// Solids overlap when their surfaces cross or one holds the other; where a surface is open, when the
/// surfaces cross.
class MeshOverlapTwin {
 public:
  /// Both are kept by reference.
  MeshOverlapTwin(const PlacedMesh& a, const PlacedMesh& b) : a_(a), b_(b) {}

  [[nodiscard]] bool overlap() const;

  /// The smallest t (m) in [0, reach] such that b moved by t * direction does not overlap a; `reach` when
  /// there is none. Exact for one direction. A pair of triangles touches for the t of an interval; what lies
  /// in no interval is apart, or one solid inside the other.
  [[nodiscard]] double way_out(const Vector3& direction, double reach);

  /// The least way_out() of directions all around, of the normals of triangles that cross, of the products of
  /// their sides and of `hints`, with a search around the best: an upper bound of the shortest translation,
  /// in practice within 1 % of it.
  [[nodiscard]] double least_way_out(const std::vector<Vector3>& hints, double reach);

 private:
  void find_pairs(double reach);
  [[nodiscard]] bool holds(const Vector3& shift) const;

  const PlacedMesh &a_, &b_;
  std::vector<std::array<int, 2>> pairs_;  // triangles no farther from each other than pairs_reach_
  double pairs_reach_ = -1.0;
};

/// Whether a closed surface winds around p: the sum of the solid angles of its triangles [Van Oosterom &
/// Strackee 1983].
bool winds_around(const PlacedMesh& mesh, const Vector3& p);

}  // namespace csim::testing
