// Half spaces: one plane and, where they are compliant, one linear field against all elements of the other.
#include <cmath>

#include "patch/surface_scratch.h"

namespace csim {
namespace {

/// Least and greatest height of the eight boxes over the plane; nonsense in lanes without one.
void height_ranges(const Box4Lanes& boxes, const Plane& plane, Eight* low, Eight* high) {
  const double n[3] = {plane.x, plane.y, plane.z};
  Eight center = Eight::all(-plane.offset), half = Eight::all(0.0);
  for (int i = 0; i < 3; ++i) {
    const Eight lower = Eight::load(boxes.lower[i]), upper = Eight::load(boxes.upper[i]);
    center = center + Eight::all(0.5 * n[i]) * (lower + upper);
    half = half + Eight::all(0.5 * std::abs(n[i])) * (upper - lower);
  }
  *low = center - half;
  *high = center + half;
}

unsigned filled(const WideTree& tree, int leaf) {
  unsigned mask = 0;
  for (int lane = 0; lane < 8; ++lane)
    mask |= static_cast<unsigned>(tree.items[8 * leaf + lane] >= 0) << lane;
  return mask;
}

/// Calls visit(leaf, lanes) for the items whose boxes pass meets(boxes), a mask of lanes.
template <typename Meets, typename Visit>
void for_each_item(const WideTree& tree, TreeStack* stack, Meets&& meets, Visit&& visit) {
  stack->clear();
  if (!tree.nodes.empty()) stack->push_back(0);
  while (!stack->empty()) {
    const int child = stack->back();
    stack->pop_back();
    if (child < 0) {
      const unsigned lanes = meets(tree.leaf_boxes[~child]) & filled(tree, ~child);
      if (lanes != 0) visit(~child, lanes);
      continue;
    }
    const WideTree::Node& node = tree.nodes[child];
    for (unsigned mask = meets(node.boxes) & ((1u << node.count) - 1); mask != 0; mask &= mask - 1) {
      stack->push_back(node.child[std::countr_zero(mask)]);
    }
  }
}

Eight3 vertices(const PreparedTet& t) {
  return {Eight::load(t.x), Eight::load(t.y), Eight::load(t.z)};
}

/// The slice of the tet at `place` by the plane over which its vertices have the given heights, which grow
/// along `direction`, if it has one; then *side is the place of the tet whose field the slice takes.
bool slice_tet(const PreparedField& t, int place, Eight h, Eight tolerance, const Vector3& direction,
               ConvexPolygon* polygon, int* side) {
  const Parting parting = part(h, tolerance);
  if (!parting.cuts()) return false;
  *polygon = slice(vertices(t.tets[place]), parting.h, parting.above);
  *side = t.steeper_place(place, parting.coplanar, direction);
  return true;
}

/// Cuts the polygon by the end of a half space; one that lies in that plane but for rounding is inside.
bool clip_by_edge(const Plane& edge, Eight tolerance, ConvexPolygon* polygon) {
  const unsigned level = (abs(heights(polygon->corner, edge)) <= tolerance) & polygon->all_corners();
  return clip_by<1>({edge}, level == polygon->all_corners() ? 1 : 0, polygon);
}

}  // namespace

void meet_rigid_half_space(const PreparedField& t, const Plane& plane, const FaceRules& rules,
                           SurfaceScratch* scratch) {
  const Vector3 normal(plane.x, plane.y, plane.z);
  const Eight tolerance = Eight::all(rules.tolerance), zero = Eight::all(0.0);
  const auto meets = [&](const Box4Lanes& boxes) {
    Eight low, high;
    height_ranges(boxes, plane, &low, &high);
    return ((low - tolerance) <= zero) & ((high + tolerance) > zero);
  };
  for_each_item(t.tree, &scratch->stack, meets, [&](int leaf, unsigned lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const int place = 8 * leaf + std::countr_zero(lanes);
      ConvexPolygon polygon;
      int side;
      const Eight h = heights(vertices(t.tets[place]), plane);
      if (!slice_tet(t, place, h, tolerance, normal, &polygon, &side)) continue;
      add_face(polygon, normal, &t.tets[side].field, nullptr, t.tree.items[side], -1, rules, scratch);
    }
  });
}

void meet_compliant_half_space(const PreparedField& t, const Plane& plane, const CompliantHalfSpace& m,
                               const FaceRules& rules, SurfaceScratch* scratch) {
  const Vector3 normal(plane.x, plane.y, plane.z);
  const LinearField field{-m.slope * normal, m.slope * plane.offset};
  const Plane edge{plane.x, plane.y, plane.z, plane.offset + m.margin};
  const Eight slope = Eight::all(m.slope), slack = Eight::all(rules.tolerance);
  // Pressures of the half space between those of the highest and the lowest corner.
  const auto meets = [&](const Box4Lanes& boxes) {
    Eight low, high;
    height_ranges(boxes, plane, &low, &high);
    low = low - slack;
    high = high + slack;
    const Eight zero = Eight::all(0.0);
    return (low <= Eight::all(m.margin)) & ((Eight::load(boxes.lower[3]) - (zero - slope * low)) <= zero) &
           (((zero - slope * high) - Eight::load(boxes.upper[3])) <= zero);
  };
  for_each_item(t.tree, &scratch->stack, meets, [&](int leaf, unsigned lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const int place = 8 * leaf + std::countr_zero(lanes);
      const PreparedTet& tet = t.tets[place];
      const Vector3 difference = tet.field.gradient - field.gradient;
      const double length = difference.norm(), both = tet.steepness + m.slope;
      if (length <= kEqualGradients * both) continue;
      const Eight h = Eight::load(tet.pressure) + slope * heights(vertices(tet), plane);
      const Vector3 direction = difference / length;
      ConvexPolygon polygon;
      int side;
      if (!slice_tet(t, place, h, Eight::all(rules.tolerance * both), direction, &polygon, &side)) continue;
      const PreparedTet& steeper = t.tets[side];
      if (!follows(direction, steeper.field, steeper.steepness, rules) ||
          !follows(-direction, field, m.slope, rules)) {
        ++scratch->num_dropped_angle;
        continue;
      }
      if (!clip_by_edge(edge, slack, &polygon)) continue;
      add_face(polygon, direction, &steeper.field, &field, t.tree.items[side], -1, rules, scratch);
    }
  });
}

void meet_compliant_half_space(const Plane& plane, const CompliantHalfSpace& t, const PreparedSurface& m,
                               const FaceRules& rules, SurfaceScratch* scratch) {
  const Vector3 up(plane.x, plane.y, plane.z);
  const LinearField field{-t.slope * up, t.slope * plane.offset};
  const Plane edge{plane.x, plane.y, plane.z, plane.offset + t.margin};
  const Eight limit = Eight::all(t.margin + rules.tolerance);
  const auto meets = [&](const Box4Lanes& boxes) {
    Eight low, high;
    height_ranges(boxes, plane, &low, &high);
    return low <= limit;
  };
  for_each_item(m.tree, &scratch->stack, meets, [&](int leaf, unsigned lanes) {
    const TriangleBlock& block = m.blocks[leaf];
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const Vector3 normal(block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]);
      if (!follows(normal, field, t.slope, rules)) {
        ++scratch->num_dropped_angle;
        continue;
      }
      ConvexPolygon polygon = triangle(block, lane);
      if (!clip_by_edge(edge, Eight::all(rules.tolerance), &polygon)) continue;
      add_face(polygon, normal, &field, nullptr, -1, m.tree.items[8 * leaf + lane], rules, scratch);
    }
  });
}

}  // namespace csim
