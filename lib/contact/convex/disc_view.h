// A disc seen along the normal of a contact, and the points of its rim that carry. The rule: docs/theory.md,
// "Which corners carry".
#pragma once

#include <array>

#include "contact/convex/contact_feature.h"
#include "contact/convex/facing_part.h"
#include "core/types.h"
#include "geometry/flat_sides.h"

namespace csim {

/// The plane of a feature over the places q of a view: where it stands `height` (m) high, and how this rises.
struct PlaneView {
  Vector2 origin = Vector2::Zero();  // m
  double height = 0.0;               // m, at the origin
  Vector2 slope = Vector2::Zero();

  [[nodiscard]] double height_at(const Vector2& q) const { return height + slope.dot(q - origin); }
};

/// A disc, in the view an ellipse about `origin`: places are origin + axes * u, |u| <= 1.
struct DiscView : PlaneView {
  Eigen::Matrix2d axes =
      Eigen::Matrix2d::Identity();  // m; columns: of the disc's body, as long as its radius

  [[nodiscard]] Vector2 place(const Vector2& u) const { return origin + axes * u; }
  [[nodiscard]] Vector2 to_unit(const Vector2& q) const { return axes.inverse() * (q - origin); }
  [[nodiscard]] bool contains(const Vector2& q) const { return to_unit(q).squaredNorm() <= 1.0; }
};

/// Of a feature that has a normal; `point` (m) lies on it.
[[nodiscard]] PlaneView view_plane(const ContactFeature& feature, const Vector3& point,
                                   const NormalView& view);

/// Of a feature of the kind kDisc.
[[nodiscard]] DiscView view_disc(const ContactFeature& disc, const NormalView& view);

/// Where p + t (r - p), t in [0, 1], crosses the unit circle; the number of t, at most 2.
int cross_unit_circle(const Vector2& p, const Vector2& r, double t[2]);

/// True when the segment from p to r comes into the disc, by more than two corners at one place are apart
/// (CornerTolerances::kSame): what only touches the rim from inside or outside does not cut it.
[[nodiscard]] bool cuts(const DiscView& disc, const Vector2& p, const Vector2& r);

/// A place on the rim of a disc: in the unit disc, and its number among the names of the disc's points.
struct RimPoint {
  Vector2 u;
  int id;
};

/// The place of the rim where the gap to the partner, which rises by `gap_slope`, is least.
[[nodiscard]] Vector2 deepest_on_rim(const DiscView& disc, const Vector2& gap_slope);

/// Of a disc that lies on its partner with all its rim: the deepest place, the one across from it, and the
/// two between them. Four springs there have a potential for any tilt, the same in all directions.
[[nodiscard]] std::array<RimPoint, 4> whole_rim(const DiscView& disc, const Vector2& gap_slope);

/// Of a disc that hangs over, where those would have none: four places fixed on its body. When the gap rises
/// by more than a flat side may turn (kFlatSide), they turn, the one that is nearest to the deepest place
/// towards it; at twice that slope it is there, and the four are those of whole_rim.
[[nodiscard]] std::array<RimPoint, 4> fixed_rim(const DiscView& disc, const Vector2& gap_slope);

/// Most by which the deepest of them is less deep than the rim, as a fraction of the radius: 1 - cos of 45
/// degrees of what rises at the slope at which the nearest place has come there.
inline constexpr double kFixedRimMiss = 0.2929 * 2.0 * kFlatSide;

/// Of the part of the disc's rim that lies over another disc, its middle, in the unit disc. With the slope it
/// goes to the deepest place of the arc as those of fixed_rim do.
[[nodiscard]] Vector2 middle_of_arc(const DiscView& disc, const DiscView& under, const Vector2& gap_slope);

}  // namespace csim
