// From all the contacts of a surface with something to those that matter.
#pragma once

#include <vector>

#include "contact/contact_set.h"
#include "contact/convex/corner_choice.h"
#include "contact/convex/narrow_phase.h"

namespace csim {

/// Keeps its memory from call to call; the work is that of sorting.
class ContactMerger {
 public:
  /// Keeps the first of contacts with one feature, or at one place (relative to `size`, m) with one normal.
  void merge(double size, std::vector<ManifoldPoint>* contacts);

 private:
  std::vector<int> by_feature_, by_place_, rank_;  // contacts in their orders; where each stands in by_place_
  std::vector<char> kept_;
};

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
  /// Most contacts of what faces one way only roughly: a rounded place, tessellated, touches at a few points.
  static constexpr int kRoundPoints = 9;
  static constexpr int kRoundDirections = 7;
  static constexpr double kDepthWeight = 30.0;

  /// Marks the contacts of one pair of geometries that matter, and gives all their `face`. Each group has
  /// normals within `same_face` (rad) of that of its deepest. Of the flat face around that normal
  /// (MeshTolerances::kSameFace) those are taken that CornerChoice takes. Of a group of more than
  /// kRoundPoints that is not flat these are the deepest, the farthest in directions around the normal, and
  /// what overlaps deepest now, which holds the most energy: the support of the contact region in directions
  /// that are fixed in the surface's frame R_WS and do not turn with what lies on it. Deeper by a length
  /// outweighs farther out by kDepthWeight times that length: around a rounded place what lies farther out is
  /// apart. Depth is that at the end of the step: what comes down fast is deeper there than what is deepest
  /// now.
  ///
  /// Contacts whose depths differ from the deepest by less than `level` (m) are as deep as it, and of those
  /// that are as far out (in a group that is not flat: but for rounding) the first by feature is taken: while
  /// the body lies still the choice stays, and no contact that is left out is deeper than those kept by more
  /// than `level`.
  void reduce(double same_face, double level, const Matrix3& R_WS, std::vector<SurfaceContact>* contacts);

 private:
  void keep_flat(const std::vector<int>& group, const Vector3& face, std::vector<SurfaceContact>* contacts);
  void keep_round(const std::vector<int>& group, const Vector3& face,
                  std::vector<SurfaceContact>* contacts) const;

  double level_ = 0.0;  // m
  Matrix3 R_WS_;
  std::vector<OverlapCorner> corners_;
  CornerChoice choice_;
  std::vector<int> rest_, group_, flat_;  // contacts without a group, those of one and of its flat part
};

}  // namespace csim
