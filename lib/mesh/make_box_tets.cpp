#include <algorithm>

#include "mesh/primitive_tets.h"
#include "mesh/tet_cells.h"

namespace csim {

namespace {

/// A box in the making: corners 0..7 (bit k of the number: the upper side along axis k), then the medial
/// vertices, then the centres of the faces.
struct BoxMesh {
  TetMesh mesh;
  std::array<int, 8> medial;  // [corner] its vertex on the medial axis
  int num_medial = 0;
};

Vector3 corner_of(const Vector3& half, int corner) {
  return {corner & 1 ? half.x() : -half.x(), corner & 2 ? half.y() : -half.y(),
          corner & 4 ? half.z() : -half.z()};
}

/// Where a corner's image lies H away from the three faces that meet there. Along an axis with no room
/// between the two sides they coincide.
BoxMesh corners_and_medial_axis(const Vector3& half) {
  const double H = half.minCoeff();
  const Vector3 medial = (half.array() - H <= 1e-14 * H).select(0.0, half.array() - H);
  BoxMesh box;
  for (int corner = 0; corner < 8; ++corner) box.mesh.vertices.push_back(corner_of(half, corner));
  for (int corner = 0; corner < 8; ++corner) {
    int first = corner;  // the lowest corner with the same image
    for (int axis = 0; axis < 3; ++axis) {
      if (medial[axis] == 0.0) first &= ~(1 << axis);
    }
    if (first == corner) {
      box.medial[corner] = static_cast<int>(box.mesh.vertices.size());
      box.mesh.vertices.push_back(corner_of(medial, corner));
      ++box.num_medial;
    } else {
      box.medial[corner] = box.medial[first];
    }
  }
  return box;
}

/// Tets from the centre of a face to the triangles of the wall that rises from the edge between two of its
/// corners to the medial axis. The wall's diagonal leaves from the lower corner, whichever of the two faces
/// asks.
void add_wall(int center, int corner_a, int corner_b, BoxMesh* box) {
  const int low = std::min(corner_a, corner_b), high = std::max(corner_a, corner_b);
  const int medial_low = box->medial[low], medial_high = box->medial[high];
  add_oriented_tet(center, low, high, medial_high, &box->mesh);
  if (medial_low != medial_high) add_oriented_tet(center, low, medial_high, medial_low, &box->mesh);
}

}  // namespace

CompliantMesh make_box_tets(const Box& box_shape, const CompliantMeshOptions& options) {
  const Vector3 half = 0.5 * box_shape.size.array() + options.margin;
  BoxMesh box = corners_and_medial_axis(half);
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const int center = static_cast<int>(box.mesh.vertices.size());
      Vector3 p = Vector3::Zero();
      p[axis] = side ? half[axis] : -half[axis];
      box.mesh.vertices.push_back(p);
      // Corners around the face, from the one at the lower sides of the other two axes.
      const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
      const std::array<int, 4> ring{base, base | u, base | u | v, base | v};
      for (int i = 0; i < 4; ++i) add_wall(center, ring[i], ring[(i + 1) % 4], &box);
      // The medial rectangle, cut alike from both sides.
      std::array<int, 4> top;
      for (int i = 0; i < 4; ++i) top[i] = box.medial[ring[i]];
      if (top[0] != top[1] && top[1] != top[2]) {
        add_oriented_tet(center, top[0], top[1], top[2], &box.mesh);
        add_oriented_tet(center, top[0], top[2], top[3], &box.mesh);
      }
    }
  }
  // All medial vertices lie H from the surface. Measured in the grown box, (distance - margin)/(H' - margin)
  // is the distance in the box itself over its H.
  const double H = 0.5 * box_shape.size.minCoeff();
  CompliantMesh compliant;
  compliant.pressure.assign(box.mesh.vertices.size(), 0.0 - options.modulus * (options.margin / H));
  std::fill_n(compliant.pressure.begin() + 8, box.num_medial, options.modulus);
  compliant.mesh = std::move(box.mesh);
  return compliant;
}

}  // namespace csim
