// Compliant against compliant: for each pair of tets the polygon of equal pressure (Elandt et al. 2019;
// Masterjohn et al., section III).
//
// The difference p_T - p_M is linear on a pair, so its zero is a plane; the face is the slice of T's tet by
// that plane, cut by the faces of M's tet. A pair has a face only if the plane parts the vertices of both,
// and of two tets with their common face in the plane the one above it, where p_T > p_M, has the polygon. So
// the faces are the boundary of {p_T > p_M} also where the two pressures are the same in a volume, as between
// the side walls of equal boxes one on the other; if T's tets were chosen by p_T > p_M and M's by p_M > p_T,
// that boundary would have holes. The gradients of such a face, and so the angle rule, are those of the
// steeper of the two tets (PreparedField::steeper_place), whichever holds the polygon.
#include <cmath>

#include "patch/surface_scratch.h"

namespace csim {
namespace {

class TetPairs {
 public:
  TetPairs(const PreparedField& t, const PreparedField& m, const RigidTransform& X_TM, const FaceRules& rules,
           SurfaceScratch* scratch)
      : t_(t), m_(m), X_TM_(X_TM), rules_(rules), s_(*scratch) {}

  /// One leaf of M against what of T the stack's entries begin to end hold.
  void visit(int leaf, std::size_t begin, std::size_t end) {
    transform_tets(X_TM_, m_.blocks[leaf], &block_);
    const Box4 around = bound_elements(block_, m_.tree.leaf_boxes[leaf], rules_.tolerance, &lanes_);
    bound_pressures();
    s_.candidates.clear();
    for_each_leaf_meeting(t_.tree, around, begin, end, &s_.stack, [&](int t_leaf, unsigned mask) {
      mask &= may_be_level(t_leaf, around);
      for (; mask != 0; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        const unsigned meeting = lanes_.overlaps(t_.tree.leaf_boxes[t_leaf].at(lane));
        if (meeting != 0) find_candidates(8 * t_leaf + lane, meeting);
      }
    });
    if (s_.candidates.empty()) return;
    transform_faces(X_TM_, m_.blocks[leaf], &block_);
    for (const Candidate& c : s_.candidates) make_face(c, 8 * leaf + c.lane);
  }

 private:
  /// Finds what holds the pressures of the leaf of M: slope_ . x + [least_, most_], in Pa/m and Pa.
  void bound_pressures() {
    const auto mean = [&](int i) { return 0.125 * sum(Eight::load(block_.gradient[i])); };
    slope_ = Vector3(mean(0), mean(1), mean(2));
    const Eight3 slope{Eight::all(slope_.x()), Eight::all(slope_.y()), Eight::all(slope_.z())};
    Eight least = Eight::all(0.0), most = least;
    for (int i = 0; i < 4; ++i) {
      const Eight3 vertex{Eight::load(block_.x[i]), Eight::load(block_.y[i]), Eight::load(block_.z[i])};
      const Eight above = Eight::load(block_.pressure[i]) - dot(slope, vertex);
      least = i == 0 ? above : min(least, above);
      most = i == 0 ? above : max(most, above);
    }
    least_ = smallest(least);
    most_ = largest(most);
    slope_size_ = slope_.norm();
  }

  /// The tets of a leaf of T whose pressure may equal one of the leaf of M where their boxes meet: p_T -
  /// slope_ . x is linear, and ranges over its middle +- reach there.
  [[gnu::always_inline]] unsigned may_be_level(int t_leaf, const Box4& around) const {
    const TetBlock& t = t_.blocks[t_leaf];
    const Box4Lanes& boxes = t_.tree.leaf_boxes[t_leaf];
    const Eight half = Eight::all(0.5);
    Eight middle = Eight::load(t.constant);
    Eight reach = Eight::all(rules_.tolerance) * (Eight::load(t.steepness) + Eight::all(slope_size_));
    for (int i = 0; i < 3; ++i) {
      const Eight lower = max(Eight::load(boxes.lower[i]), Eight::all(around.lower[i]));
      const Eight upper = min(Eight::load(boxes.upper[i]), Eight::all(around.upper[i]));
      const Eight d = Eight::load(t.gradient[i]) - Eight::all(slope_[i]);
      middle = middle + d * (half * (lower + upper));
      reach = reach + abs(d) * (half * (upper - lower));
    }
    return (Eight::all(least_) <= middle + reach) & (middle - reach <= Eight::all(most_));
  }

  /// Keeps the lanes in which the plane may part the vertices of both tets.
  [[gnu::always_inline]] void find_candidates(int place, unsigned lanes) {
    const PreparedTet& t = t_.tets[place];
    const Eight3 gradient_m{Eight::load(block_.gradient[0]), Eight::load(block_.gradient[1]),
                            Eight::load(block_.gradient[2])};
    const Eight constant_m = Eight::load(block_.constant), zero = Eight::all(0.0),
                slack = Eight::all(rules_.tolerance);
    const Eight tolerance =
        Eight::all(rules_.tolerance) * (Eight::all(t.steepness) + Eight::load(block_.steepness));
    unsigned above = 0, below = 0, level = 0;
    for (int i = 0; i < 4; ++i) {
      const Eight p_m =
          dot(gradient_m, {Eight::all(t.x[i]), Eight::all(t.y[i]), Eight::all(t.z[i])}) + constant_m;
      const Eight h = Eight::all(t.pressure[i]) - p_m;
      above |= h > zero;
      below |= h <= tolerance;
      level |= abs(h) <= tolerance;
    }
    lanes &= above & below;
    if (lanes == 0) return;
    const Eight3 gradient_t{Eight::all(t.field.gradient.x()), Eight::all(t.field.gradient.y()),
                            Eight::all(t.field.gradient.z())};
    const Eight constant_t = Eight::all(t.field.constant);
    above = below = 0;
    for (int i = 0; i < 4; ++i) {
      const Eight p_t =
          dot(gradient_t, {Eight::load(block_.x[i]), Eight::load(block_.y[i]), Eight::load(block_.z[i])}) +
          constant_t;
      const Eight h = p_t - Eight::load(block_.pressure[i]);
      above |= h > zero;
      below |= h <= tolerance;
      level |= abs(h) <= tolerance;
    }
    lanes &= above & below;
    // Tets parted by one of T's faces.
    for (int i = 0; i < 4 && lanes != 0; ++i) {
      unsigned out = 0xff;
      for (int k = 0; k < 4; ++k) {
        out &= heights({Eight::load(block_.x[k]), Eight::load(block_.y[k]), Eight::load(block_.z[k])},
                       t.faces[i]) > slack;
      }
      lanes &= ~out;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      s_.candidates.push_back({place, lane, (level >> lane & 1) != 0});
    }
  }

  void make_face(const Candidate& c, int place_m) {
    const PreparedTet& t = t_.tets[c.place];
    const int lane = c.lane;
    const LinearField m{{block_.gradient[0][lane], block_.gradient[1][lane], block_.gradient[2][lane]},
                        block_.constant[lane]};
    const double steepness_m = block_.steepness[lane];
    const Eight3 vertices{Eight::load(t.x), Eight::load(t.y), Eight::load(t.z)};
    const Eight3 gradient_m{Eight::all(m.gradient.x()), Eight::all(m.gradient.y()),
                            Eight::all(m.gradient.z())};
    const Eight tolerance = Eight::all(rules_.tolerance * (t.steepness + steepness_m));
    const Parting of_t =
        part(Eight::load(t.pressure) - (dot(gradient_m, vertices) + Eight::all(m.constant)), tolerance);
    if (!of_t.cuts()) return;
    unsigned coplanar = 0;
    if (c.level) {
      const Parting of_m = part(differences_of_m(t.field, lane), tolerance);
      if (!of_m.cuts()) return;
      coplanar = of_m.coplanar;
    }
    ConvexPolygon polygon = slice(vertices, of_t.h, of_t.above);
    std::array<Plane, 4> faces;
    for (int i = 0; i < 4; ++i) {
      faces[i] = {block_.face_x[i][lane], block_.face_y[i][lane], block_.face_z[i][lane],
                  block_.face_offset[i][lane]};
    }
    if (!clip_by<4>(faces, coplanar, &polygon)) return;

    const Vector3 difference = t.field.gradient - m.gradient;
    const double length = difference.norm();
    // Gradients equal up to rounding: no plane, and p_T = p_M nowhere or on a volume.
    if (length <= kEqualGradients * (t.steepness + steepness_m)) return;
    const Vector3 direction = difference / length;
    int side_t = c.place, side_m = place_m;
    if (of_t.coplanar != 0) side_t = t_.steeper_place(c.place, of_t.coplanar, direction);
    const PreparedTet& steeper_t = t_.tets[side_t];
    LinearField field_m = m;
    if (coplanar != 0) {
      side_m = m_.steeper_place(place_m, coplanar, X_TM_.R.transpose() * -direction);
      if (side_m != place_m) field_m = in_frame_of_t(m_.tets[side_m].field);
    }
    if (!follows(direction, steeper_t.field, steeper_t.steepness, rules_) ||
        !follows(-direction, field_m, m_.tets[side_m].steepness, rules_)) {
      ++s_.num_dropped_angle;
      return;
    }
    add_face(polygon, direction, &steeper_t.field, &field_m, t_.tree.items[side_t], m_.tree.items[side_m],
             rules_, &s_);
  }

  [[nodiscard]] LinearField in_frame_of_t(const LinearField& field) const {
    const Vector3 gradient = X_TM_.R * field.gradient;
    return {gradient, field.constant - gradient.dot(X_TM_.p)};
  }

  /// p_T - p_M at the vertices of a tet of M.
  [[nodiscard]] Eight differences_of_m(const LinearField& field_t, int lane) const {
    alignas(64) double difference[8] = {};
    for (int i = 0; i < 4; ++i) {
      difference[i] =
          field_t.at({block_.x[i][lane], block_.y[i][lane], block_.z[i][lane]}) - block_.pressure[i][lane];
    }
    return Eight::load(difference);
  }

  const PreparedField& t_;
  const PreparedField& m_;
  const RigidTransform& X_TM_;
  const FaceRules& rules_;
  SurfaceScratch& s_;
  TetBlock block_;  // of the leaf being visited, in T
  Box4Lanes lanes_;
  Vector3 slope_ = Vector3::Zero();
  double least_ = 0.0, most_ = 0.0, slope_size_ = 0.0;
};

}  // namespace

void meet_tets(const PreparedField& t, const PreparedField& m, const RigidTransform& X_TM,
               const FaceRules& rules, SurfaceScratch* scratch) {
  TetPairs pairs(t, m, X_TM, rules, scratch);
  for_each_leaf_of_mover(
      m.tree, X_TM, t.tree, rules.tolerance, &scratch->stack,
      [&](int leaf, std::size_t begin, std::size_t end) { pairs.visit(leaf, begin, end); });
}

}  // namespace csim
