// From all corners of the overlap of two bodies, seen along the normal, to those that carry. The rule and its
// tolerances: docs/theory.md, "Which corners carry".
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace csim {

/// The area spanned by two vectors of a plane, positive counterclockwise.
[[nodiscard]] inline double cross(const Vector2& a, const Vector2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// A corner of an overlap: its place in the plane normal to the contact's normal (m), its name, how high the
/// surface of body a stands there along the normal, and the signed distance to that of b (m).
struct OverlapCorner {
  Vector2 q;
  std::int64_t id;
  double height;
  double phi;
};

/// The tolerances of the rule, each with its reason.
struct CornerTolerances {
  /// Most corners that are taken: a face with more rests on as many springs.
  static constexpr std::size_t kMost = 8;
  /// Fraction of the width of the overlap within which the depths of corners count as equal: ten times the
  /// unevenness of files and cut parts (1e-4 of the size and less), and no more than a contact can be said to
  /// be off.
  static constexpr double kLevel = 1e-3;
  /// Fraction of the size within which two corners are one spring.
  static constexpr double kSame = 1e-4;
  /// Fraction of the size: depths that differ by less are equal, less of an overlap does not press.
  static constexpr double kRounding = 1e-12;
  /// Height of an outline's corner over the line between its neighbours, as a fraction of its shorter side,
  /// below which it is a point of an edge: the corners of a regular polygon stand out by more up to 150 of
  /// them.
  static constexpr double kStraight = 0.02;
  /// Places that are farthest from the corners taken so far to within this fraction are equal, and the first
  /// by name is taken: the corners of regular figures, moved by unevenness.
  static constexpr double kTie = 1e-3;
};

/// Keeps its memory from call to call.
class CornerChoice {
 public:
  /// Takes the memory for this many corners.
  void reserve(std::size_t num_corners);

  /// Leaves of the corners (in any order) those that carry; `size` (m) is that of the smaller body. No corner
  /// left out is deeper than the deepest one taken by more than kLevel of the width of them all. The result
  /// depends on distances and depths alone: neither the view's axes nor the corners' order matter.
  void choose(double size, std::vector<OverlapCorner>* corners);

 private:
  void merge(double size, std::vector<OverlapCorner>* corners) const;
  void find_outline(const std::vector<OverlapCorner>& corners, const std::vector<int>& members);
  void drop_straight(const std::vector<OverlapCorner>& corners);
  void fill(const std::vector<OverlapCorner>& corners, const std::vector<int>& pool, double level,
            double steep);
  void take_pressing(const std::vector<OverlapCorner>& corners, double deepest, double rounding);
  void take(const std::vector<OverlapCorner>& corners, int corner);

  std::vector<int> all_, level_, higher_;  // indices of corners
  std::vector<int> order_, outline_;       // by place or depth; counterclockwise from the first by name
  std::vector<int> taken_;
  std::vector<double> distance_;  // [corners], m, to the nearest one taken
  std::vector<OverlapCorner> kept_;
};

}  // namespace csim
