// A tree of boxes with eight children a node and eight items a leaf, each compared with one box in a few
// instructions. The boxes have four sides: three lengths and the pressure, because equal pressures need
// overlapping ranges.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "core/rigid_transform.h"
#include "patch/lanes.h"

namespace csim {

/// x, y, z in m, pressure in Pa; sides of pressure may lie at infinity.
struct Box4 {
  std::array<double, 4> lower, upper;

  static Box4 empty() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {{kInfinity, kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity, -kInfinity}};
  }
  void add(const Box4& box) {
    for (int i = 0; i < 4; ++i) {
      lower[i] = box.lower[i] < lower[i] ? box.lower[i] : lower[i];
      upper[i] = box.upper[i] > upper[i] ? box.upper[i] : upper[i];
    }
  }
};

/// Eight boxes side by side; a lane without one overlaps nothing.
struct Box4Lanes {
  alignas(64) double lower[4][8];
  alignas(64) double upper[4][8];

  void set(int lane, const Box4& box) {
    for (int i = 0; i < 4; ++i) {
      lower[i][lane] = box.lower[i];
      upper[i][lane] = box.upper[i];
    }
  }
  [[nodiscard]] Box4 at(int lane) const {
    Box4 box;
    for (int i = 0; i < 4; ++i) {
      box.lower[i] = lower[i][lane];
      box.upper[i] = upper[i][lane];
    }
    return box;
  }
  /// Bit k: lane k meets the box.
  [[nodiscard]] [[gnu::always_inline]] unsigned overlaps(const Box4& box) const {
    unsigned mask = 0xff;
    for (int i = 0; i < 4; ++i) {
      mask &= (Eight::load(lower[i]) <= Eight::all(box.upper[i])) &
              (Eight::all(box.lower[i]) <= Eight::load(upper[i]));
    }
    return mask;
  }
};

/// The boxes around the given ones in another frame, larger by `margin` (m): X maps to it. Lanes without a
/// box have undefined values.
[[nodiscard]] Box4Lanes transformed(const RigidTransform& X, const Box4Lanes& boxes, double margin);

struct WideTree {
  /// A child is a node, or the leaf ~child.
  struct Node {
    Box4Lanes boxes;
    std::array<int, 8> child;
    int count = 0;
  };

  std::vector<Node> nodes;  // the root first; empty without items
  std::vector<Box4Lanes> leaf_boxes;
  std::vector<int> items;  // [8 leaves], the item at place 8 leaf + lane; -1 on the places of a leaf that is
                           // not full
};

/// Depends on the boxes alone: median splits, leaves filled, ties by index.
[[nodiscard]] WideTree build_wide_tree(const std::vector<Box4>& boxes);

}  // namespace csim
