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
/// surface of body a stands there along the normal, the signed distance to that of b (m); not `carries`: a
/// point of a facet inside a flat side.
struct OverlapCorner {
  Vector2 q;
  std::int64_t id;
  double height;
  double phi;
  bool carries = true;
};

/// The tolerances of the rule, each with its reason.
struct CornerTolerances {
  /// Most corners that are taken of two bodies, or of a flat face of a surface. A choice among corners that
  /// carry changes the forces whenever it changes; the flat sides of turned and milled parts have fewer, and
  /// work grows with contacts alone.
  static constexpr std::size_t kMost = 64;
  /// Fraction of the size within which the depths of corners count as equal where not all are taken: ten
  /// times the unevenness of files and cut parts (1e-4 of the size and less), and no more than a contact can
  /// be said to be off.
  static constexpr double kLevel = 1e-3;
  /// Fraction of the size within which two corners are one spring.
  static constexpr double kSame = 1e-4;
  /// Fraction of the size: depths that differ by less are equal, less of an overlap does not press.
  static constexpr double kRounding = 1e-12;
  /// Places that are farthest from the corners taken so far to within this fraction are equal, and the first
  /// by name is taken: of the corners of a regular figure, which do not move on a body but by rounding.
  static constexpr double kTie = 1e-3;
};

/// Orders corners by name, and joins those at one place (kSame of `size`, m); the deeper one stays.
void join_corners(double size, std::vector<OverlapCorner>* corners);

/// Keeps its memory from call to call.
class CornerChoice {
 public:
  /// Takes the memory for this many corners.
  void reserve(std::size_t num_corners);

  /// Leaves of more than kMost corners (in the order of their names) those that carry; `size` (m) is that of
  /// the smaller body. All that press are taken as long as these are no more, so that the springs of a body
  /// have a potential. Else no corner left out is deeper than the deepest one taken by more than `level` (m).
  /// The result depends on distances, depths and names alone, not on the view's axes.
  void choose(double size, double level, std::vector<OverlapCorner>* corners);

 private:
  template <typename Rate>
  void fill(const std::vector<OverlapCorner>& corners, const std::vector<int>& pool, std::size_t most,
            double tie, const Rate& rate);
  void take(const std::vector<OverlapCorner>& corners, int corner);

  std::vector<int> pressing_, apart_;  // indices of corners, by name
  std::vector<int> taken_;
  std::vector<double> squared_distance_;  // [corners], m^2, to the nearest one taken
  std::vector<OverlapCorner> kept_;
};

}  // namespace csim
