// From all the contacts of a surface with something to those that matter.
#pragma once

#include <vector>

#include "contact/narrow_phase.h"

namespace csim {

/// Keeps its memory from call to call.
class MeshReduction {
 public:
  static constexpr int kMaxPoints = 8;
  static constexpr double kDepthWeight = 30.0;

  /// Keeps the first of contacts with one feature, or at one place (relative to `size`, m) with one normal.
  static void merge(double size, std::vector<ManifoldPoint>* contacts);

  /// Of each group of contacts whose normals are within `same_face` (rad) of that of its first keeps the
  /// deepest and the farthest in seven directions around the normal: the support of the contact region in
  /// directions that do not turn with what lies on it. Deeper by a length outweighs farther out by
  /// kDepthWeight times that length: around a rounded place what lies farther out is apart.
  void reduce(double same_face, std::vector<ManifoldPoint>* contacts);

 private:
  std::vector<ManifoldPoint> group_, kept_;
};

}  // namespace csim
