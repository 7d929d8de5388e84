// From all the contacts of a surface with something to those that matter.
#pragma once

#include <vector>

#include "contact/contact_set.h"
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
  /// Of a flat face, whose normals differ by less than MeshTolerances::kSameFace, all contacts are kept up to
  /// this many. A choice among corners that carry changes the forces whenever it changes; the flat sides of
  /// turned and milled parts have fewer corners, and work grows with contacts alone.
  static constexpr int kFlatPoints = 64;
  /// Directions in which the farthest of more are kept: on a rim of radius R what is left out lies at most
  /// R (1 - cos(pi / 32)) = 0.005 R inside those that are kept.
  static constexpr int kFlatDirections = 32;
  /// The same of what faces one way only roughly: a rounded place, tessellated, touches at a few points.
  static constexpr int kRoundPoints = 9;
  static constexpr int kRoundDirections = 7;
  static constexpr double kDepthWeight = 30.0;

  /// Marks the contacts of one pair of geometries that matter, and gives all their `face`. Of each group,
  /// whose normals are within `same_face` (rad) of that of its deepest, and of the flat face around that
  /// normal where there are more contacts than the limit, these are the deepest, the farthest
  /// in directions around the normal, and what overlaps deepest now, which holds the most energy: the
  /// support of the contact region in directions that are fixed in the surface's frame R_WS and do not turn
  /// with what lies on it. Deeper by a length outweighs farther out by kDepthWeight times that length: around
  /// a rounded place what lies farther out is apart. Depth is else that at the end of the step: what comes
  /// down fast is deeper there than what is deepest now.
  ///
  /// Contacts whose depths differ from the deepest by less than `level` (m) are as deep as it, and of those
  /// that are as far out but for rounding the first by feature is taken: while the body lies still the choice
  /// stays, and no contact that is left out is deeper than those kept by more than `level`.
  void reduce(double same_face, double level, const Matrix3& R_WS, std::vector<SurfaceContact>* contacts);

 private:
  void keep(const std::vector<int>& group, std::size_t limit, int directions, const Vector3& face,
            std::vector<SurfaceContact>* contacts) const;

  double level_ = 0.0;  // m
  Matrix3 R_WS_;
  std::vector<int> rest_, group_, flat_;  // contacts without a group, those of one and of its flat part
};

}  // namespace csim
