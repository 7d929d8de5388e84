// Compliant meshes and rigid surfaces laid out for queries, in their own frames: eight elements a block, in
// the order of a tree.
#pragma once

#include <array>
#include <iterator>
#include <vector>

#include "geometry/shape.h"
#include "mesh/pressure_field.h"
#include "patch/convex_polygon.h"
#include "patch/wide_tree.h"

namespace csim {

/// One tet, as the body whose frame a query works in reads it. Vertices and faces stand side by side.
struct alignas(64) PreparedTet {
  double x[4], y[4], z[4];  // m
  double pressure[4];       // Pa
  LinearField field;
  double steepness;               // |gradient|, Pa/m
  std::array<double, 3> unused_;  // so that a load of eight from any column stays inside
  std::array<Plane, 4> faces;     // outward
};

/// Eight tets, as the other body reads them: [vertex or face or axis][lane].
struct TetBlock {
  alignas(64) double x[4][8], y[4][8], z[4][8];
  double pressure[4][8];
  double gradient[3][8], constant[8], steepness[8];
  double face_x[4][8], face_y[4][8], face_z[4][8], face_offset[4][8];
};

/// Eight triangles.
struct TriangleBlock {
  alignas(64) double x[3][8], y[3][8], z[3][8];
  double normal[3][8], offset[8];  // unit, outward; m
};

/// A compliant mesh. Places 8 leaf + lane of the tree number its tets.
class PreparedField {
 public:
  explicit PreparedField(const CompliantMesh& mesh);

  /// The place of the tet whose field a polygon of this tet takes: the tet's own, or, where the polygon lies
  /// in a face that two tets share (`coplanar`, bit i for face i), that of the two whose pressure grows more
  /// along `direction` (in the mesh's frame). The two pressures are equal there, the gradients are not.
  [[nodiscard]] int steeper_place(int place, unsigned coplanar, const Vector3& direction) const;

  WideTree tree;
  std::vector<PreparedTet> tets;  // [places]
  /// [places][face]: the place of the tet beyond the face, -1 at the boundary.
  std::vector<std::array<int, 4>> neighbours;
  std::vector<TetBlock> blocks;  // [leaves]
  double radius = 0.0;           // m, of the ball around the frame's origin that holds the mesh
  int num_elements = 0;
};

/// A rigid surface; the tree holds the triangles that have an area.
class PreparedSurface {
 public:
  explicit PreparedSurface(const TriangleMesh& surface);

  WideTree tree;
  std::vector<TriangleBlock> blocks;  // [leaves]
  double radius = 0.0;
  int num_elements = 0;
};

/// The blocks in another frame: X maps to it. The faces of tets are needed later and more rarely than the
/// rest.
void transform_tets(const RigidTransform& X, const TetBlock& block, TetBlock* result);
void transform_faces(const RigidTransform& X, const TetBlock& block, TetBlock* result);
void transform_triangles(const RigidTransform& X, const TriangleBlock& block, TriangleBlock* result);

/// One triangle of a block as a polygon.
[[nodiscard]] inline ConvexPolygon triangle(const TriangleBlock& block, int lane) {
  alignas(64) double corner[3][8] = {};
  for (int k = 0; k < 3; ++k) {
    corner[0][k] = block.x[k][lane];
    corner[1][k] = block.y[k][lane];
    corner[2][k] = block.z[k][lane];
  }
  return {{Eight::load(corner[0]), Eight::load(corner[1]), Eight::load(corner[2])}, 3};
}

/// The boxes of a transformed block's elements, larger by `margin` (m), and the one around them all. `own`
/// are the boxes before the transform: their pressures stay, and lanes without an element have an empty range
/// of them, so that they meet nothing.
template <typename Block>
Box4 bound_elements(const Block& block, const Box4Lanes& own, double margin, Box4Lanes* boxes) {
  Box4 around;
  const auto set = [&](int side, Eight lower, Eight upper) {
    lower.store(boxes->lower[side]);
    upper.store(boxes->upper[side]);
    around.lower[side] = smallest(lower);
    around.upper[side] = largest(upper);
  };
  const auto bound = [&](int side, const auto& column) {
    Eight lower = Eight::load(column[0]), upper = lower;
    for (std::size_t i = 1; i < std::size(column); ++i) {
      lower = min(lower, Eight::load(column[i]));
      upper = max(upper, Eight::load(column[i]));
    }
    set(side, lower - Eight::all(margin), upper + Eight::all(margin));
  };
  bound(0, block.x);
  bound(1, block.y);
  bound(2, block.z);
  set(3, Eight::load(own.lower[3]), Eight::load(own.upper[3]));
  return around;
}

}  // namespace csim
