// From all the contacts of a surface with something to those that matter.
#pragma once

#include <vector>

#include "contact/contact_set.h"
#include "contact/convex/narrow_phase.h"

namespace csim {

/// Keeps the first of contacts with one feature, or at one place (relative to `size`, m) with one normal.
void merge_contacts(double size, std::vector<ManifoldPoint>* contacts);

/// A contact of a surface, and what the reduction has to know and to say of it.
struct SurfaceContact {
  PointContact contact;
  double end_gap = 0.0;  // m, where it is foreseen at the end of the step
  Vector3 face;          // unit: the normal of the deepest of its group
  bool kept = false;
};

/// Keeps its memory from call to call.
class MeshReduction {
 public:
  static constexpr int kDirections = 7;
  static constexpr int kMaxPoints = kDirections + 2;
  static constexpr double kDepthWeight = 30.0;

  /// Marks the contacts of one pair of geometries that matter, and gives all their `face`. Of each group,
  /// whose normals are within `same_face` (rad) of that of its deepest, these are the deepest, the farthest
  /// in seven directions around the normal, and what overlaps deepest now, which holds the most energy: the
  /// support of the contact region in directions that are fixed in the surface's frame R_WS and do not turn
  /// with what lies on it. Deeper by a length outweighs farther out by kDepthWeight times that length: around
  /// a rounded place what lies farther out is apart. Depth is else that at the end of the step: what comes
  /// down fast is deeper there than what is deepest now.
  void reduce(double same_face, const Matrix3& R_WS, std::vector<SurfaceContact>* contacts);

 private:
  void keep(const Vector3& face, const Matrix3& R_WS, std::vector<SurfaceContact>* contacts) const;

  std::vector<int> rest_, group_;  // contacts without a group, those of one
};

}  // namespace csim
