#include "contact/convex/disc_view.h"

#include <algorithm>
#include <cmath>

#include "contact/convex/corner_choice.h"

namespace csim {

namespace {

// How much the gap rises over a radius, as a fraction of it, from which on a disc has a deepest place.
constexpr double kTilt = 1e-12;

// Numbers of the places fixed on a disc follow those of the four.
constexpr int kFirstFixed = 4;

// How far (0 to 1) a slope of the gap takes a place of the rim from its fixed place to the deepest.
double part_of_way(const Vector2& gap_slope) {
  return std::clamp(gap_slope.norm() / kFlatSide - 1.0, 0.0, 1.0);
}

double angle_between(const Vector2& from, const Vector2& to) {
  return std::atan2(cross(from, to), from.dot(to));
}

}  // namespace

PlaneView view_plane(const ContactFeature& feature, const Vector3& point, const NormalView& view) {
  PlaneView plane;
  plane.origin = view.project(point);
  plane.height = point.dot(view.n);
  plane.slope = -view.project(feature.normal) / feature.normal.dot(view.n);
  return plane;
}

DiscView view_disc(const ContactFeature& disc, const NormalView& view) {
  DiscView seen;
  static_cast<PlaneView&>(seen) = view_plane(disc, disc.center, view);
  seen.axes.col(0) = disc.radius * view.project(disc.axis_x);
  seen.axes.col(1) = disc.radius * view.project(disc.axis_y);
  return seen;
}

int cross_unit_circle(const Vector2& p, const Vector2& r, double t[2]) {
  const Vector2 d = r - p;
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - 1.0;
  const double discriminant = b * b - a * c;
  if (a == 0.0 || discriminant <= 0.0) return 0;
  const double root = std::sqrt(discriminant);
  int count = 0;
  for (const double candidate : {(-b - root) / a, (-b + root) / a}) {
    if (candidate >= 0.0 && candidate <= 1.0) t[count++] = candidate;
  }
  return count;
}

bool cuts(const DiscView& disc, const Vector2& p, const Vector2& r) {
  constexpr double kInner = 1.0 - CornerTolerances::kSame;
  const Vector2 from = disc.to_unit(p), d = disc.to_unit(r) - from;
  const double length2 = d.squaredNorm();
  const double nearest = length2 > 0.0 ? std::clamp(-from.dot(d) / length2, 0.0, 1.0) : 0.0;
  return (from + nearest * d).squaredNorm() < kInner * kInner;
}

Vector2 deepest_on_rim(const DiscView& disc, const Vector2& gap_slope) {
  const Vector2 rise = disc.axes.transpose() * gap_slope;
  const double length = rise.norm();
  if (length <= kTilt * disc.axes.col(0).norm()) return {1.0, 0.0};
  return -rise / length;
}

std::array<RimPoint, 4> whole_rim(const DiscView& disc, const Vector2& gap_slope) {
  const Vector2 first = deepest_on_rim(disc, gap_slope);
  const Vector2 second(-first.y(), first.x());
  return {{{first, 0}, {second, 1}, {-first, 2}, {-second, 3}}};
}

std::array<RimPoint, 4> fixed_rim(const DiscView& disc, const Vector2& gap_slope) {
  std::array<RimPoint, 4> points = {{{{1.0, 0.0}, kFirstFixed},
                                     {{0.0, 1.0}, kFirstFixed + 1},
                                     {{-1.0, 0.0}, kFirstFixed + 2},
                                     {{0.0, -1.0}, kFirstFixed + 3}}};
  const double part = part_of_way(gap_slope);
  if (part == 0.0) return points;
  const Vector2 deepest = deepest_on_rim(disc, gap_slope);
  const Vector2 nearest =
      std::max_element(points.begin(), points.end(), [&](const RimPoint& p, const RimPoint& r) {
        return p.u.dot(deepest) < r.u.dot(deepest);
      })->u;
  const Eigen::Rotation2Dd turn(part * angle_between(nearest, deepest));
  for (RimPoint& point : points) point.u = turn * point.u;
  return points;
}

Vector2 middle_of_arc(const DiscView& disc, const DiscView& under, const Vector2& gap_slope) {
  const Vector2 offset = disc.to_unit(under.origin);
  const Vector2 middle = offset.normalized();
  const double part = part_of_way(gap_slope);
  if (part == 0.0) return middle;
  const Vector2 deepest = deepest_on_rim(disc, gap_slope);
  const double angle = angle_between(middle, deepest);
  if (under.contains(disc.place(deepest))) return Eigen::Rotation2Dd(part * angle) * middle;
  // Beside the arc the deepest place of the arc is its end; across from it both ends are as deep.
  const double distance = offset.norm(), radius = under.axes.col(0).norm() / disc.axes.col(0).norm();
  const double half_arc =
      std::acos(std::clamp((distance * distance + 1.0 - radius * radius) / (2.0 * distance), -1.0, 1.0));
  const double across = std::clamp(2.0 + 2.0 * std::cos(angle), 0.0, 1.0);
  return Eigen::Rotation2Dd(part * across * std::clamp(angle, -half_arc, half_arc)) * middle;
}

}  // namespace csim
