// Rigid against compliant: the part of each triangle inside each tet (Masterjohn et al., section III-A).
#include "patch/surface_scratch.h"

namespace csim {
namespace {

class TrianglePairs {
 public:
  TrianglePairs(const PreparedField& t, const PreparedSurface& m, const RigidTransform& X_TM,
                const FaceRules& rules, SurfaceScratch* scratch)
      : t_(t), m_(m), X_TM_(X_TM), rules_(rules), s_(*scratch) {}

  /// One leaf of M against what of T the stack's entries begin to end hold.
  void visit(int leaf, std::size_t begin, std::size_t end) {
    transform_triangles(X_TM_, m_.blocks[leaf], &block_);
    const Box4 around = bound_elements(block_, m_.tree.leaf_boxes[leaf], rules_.tolerance, &lanes_);
    for_each_leaf_meeting(t_.tree, around, begin, end, &s_.stack, [&](int t_leaf, unsigned mask) {
      for (; mask != 0; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        const unsigned meeting = lanes_.overlaps(t_.tree.leaf_boxes[t_leaf].at(lane));
        if (meeting != 0) find_faces(8 * t_leaf + lane, meeting, leaf);
      }
    });
  }

 private:
  /// The lanes in which at least three of the four heights are 0 to the tolerance.
  [[gnu::always_inline]] static unsigned with_three_level(const Eight (&h)[4], Eight tolerance) {
    unsigned level[4];
    for (int i = 0; i < 4; ++i) level[i] = abs(h[i]) <= tolerance;
    return (level[0] & level[1] & (level[2] | level[3])) | (level[2] & level[3] & (level[0] | level[1]));
  }

  /// Of the lanes, those whose plane may part the tet's vertices, whose normal follows the gradient, and
  /// whose triangle reaches inside.
  [[gnu::always_inline]] void find_faces(int place, unsigned lanes, int leaf) {
    const PreparedTet& t = t_.tets[place];
    const Eight3 normal{Eight::load(block_.normal[0]), Eight::load(block_.normal[1]),
                        Eight::load(block_.normal[2])};
    const Eight offset = Eight::load(block_.offset), tolerance = Eight::all(rules_.tolerance),
                zero = Eight::all(0.0);
    unsigned above = 0, below = 0;
    Eight h[4];
    for (int i = 0; i < 4; ++i) {
      h[i] = dot(normal, {Eight::all(t.x[i]), Eight::all(t.y[i]), Eight::all(t.z[i])}) - offset;
      above |= h[i] > zero;
      below |= h[i] <= tolerance;
    }
    lanes &= above & below;
    if (lanes == 0) return;
    const Eight along = dot(normal, {Eight::all(t.field.gradient.x()), Eight::all(t.field.gradient.y()),
                                     Eight::all(t.field.gradient.z())});
    unsigned against = lanes & ~(Eight::all(rules_.least_cosine * t.steepness) <= along);
    // A triangle in a face between two tets follows the gradient of one of them: make_face() looks at both.
    if (against != 0) against &= ~with_three_level(h, tolerance);
    s_.num_dropped_angle += std::popcount(against);
    lanes &= ~against;
    for (int i = 0; i < 4 && lanes != 0; ++i) {
      unsigned out = 0xff;
      for (int k = 0; k < 3; ++k) {
        out &= heights({Eight::load(block_.x[k]), Eight::load(block_.y[k]), Eight::load(block_.z[k])},
                       t.faces[i]) > tolerance;
      }
      lanes &= ~out;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      make_face(place, lane, m_.tree.items[8 * leaf + lane]);
    }
  }

  [[gnu::noinline]] void make_face(int place, int lane, int element_m) {
    const PreparedTet& t = t_.tets[place];
    const Vector3 normal(block_.normal[0][lane], block_.normal[1][lane], block_.normal[2][lane]);
    const Eight3 vertices{Eight::load(t.x), Eight::load(t.y), Eight::load(t.z)};
    const Parting parting = part(heights(vertices, {normal.x(), normal.y(), normal.z(), block_.offset[lane]}),
                                 Eight::all(rules_.tolerance));
    if (!parting.cuts()) return;
    int side = place;
    if (parting.coplanar != 0) {
      side = t_.steeper_place(place, parting.coplanar, normal);
      if (!follows(normal, t_.tets[side].field, t_.tets[side].steepness, rules_)) {
        ++s_.num_dropped_angle;
        return;
      }
    }
    ConvexPolygon polygon = triangle(block_, lane);
    if (!clip_by<4>(t.faces, parting.coplanar, &polygon)) return;
    add_face(polygon, normal, &t_.tets[side].field, nullptr, t_.tree.items[side], element_m, rules_, &s_);
  }

  const PreparedField& t_;
  const PreparedSurface& m_;
  const RigidTransform& X_TM_;
  const FaceRules& rules_;
  SurfaceScratch& s_;
  TriangleBlock block_;  // of the leaf being visited, in T
  Box4Lanes lanes_;
};

}  // namespace

void meet_triangles(const PreparedField& t, const PreparedSurface& m, const RigidTransform& X_TM,
                    const FaceRules& rules, SurfaceScratch* scratch) {
  TrianglePairs pairs(t, m, X_TM, rules, scratch);
  for_each_leaf_of_mover(
      m.tree, X_TM, t.tree, rules.tolerance, &scratch->stack,
      [&](int leaf, std::size_t begin, std::size_t end) { pairs.visit(leaf, begin, end); });
}

}  // namespace csim
