#include "contact/search/unexplained.h"

#include <algorithm>
#include <numbers>

#include "contact/search/contact_search.h"

namespace csim {
namespace {

/// m, of the deepest of [begin, end); 0: none.
double depth_of(const PointContact* begin, const PointContact* end) {
  double depth = 0.0;
  for (const PointContact* c = begin; c < end; ++c) depth = std::max(depth, -c->phi);
  return depth;
}

}  // namespace

double largest_motion(const PlacedGeometry& a_start, const PlacedGeometry& b_start,
                      const PlacedGeometry& a_end, const PlacedGeometry& b_end) {
  const bool a_is_smaller = a_start.geometry->ball_B.radius < b_start.geometry->ball_B.radius;
  const PlacedGeometry &small_start = a_is_smaller ? a_start : b_start,
                       &small_end = a_is_smaller ? a_end : b_end;
  const RigidTransform X_start = (a_is_smaller ? b_start : a_start).X_WG.inverse(),
                       X_end = (a_is_smaller ? b_end : a_end).X_WG.inverse();
  const double shift = (X_end * small_end.center_W - X_start * small_start.center_W).norm();
  // The rotation by an angle moves the points of a ball by 2 sin(angle/2) r at most.
  const double turn = (X_end.R * small_end.X_WG.R - X_start.R * small_start.X_WG.R).norm();
  return shift + turn / std::numbers::sqrt2 * small_start.geometry->ball_B.radius;
}

std::vector<UnexplainedDepth> ContactSearch::find_unexplained(
    const ContactSet& start, const std::vector<RigidTransform>& X_start, const ContactSet& end,
    const std::vector<RigidTransform>& X_end) const {
  std::vector<UnexplainedDepth> found;
  const PointContact* const last = end.points.data() + end.points.size();
  for (const PointContact *c = end.points.data(), *next = c; c < last; c = next) {
    const auto is_other = [&](const PointContact& other) { return pair_key(other) != pair_key(*c); };
    next = std::find_if(c + 1, last, is_other);
    const double depth = depth_of(c, next);
    const double told =
        2.0 * kUnexplainedPart *
        std::min(geometries_[c->geometry_a]->ball_B.radius, geometries_[c->geometry_b]->ball_B.radius);
    if (!(depth > told)) continue;
    const auto before = [](const PointContact& x, const PointContact& y) {
      return pair_key(x) < pair_key(y);
    };
    const auto [first, behind] = std::equal_range(start.points.begin(), start.points.end(), *c, before);
    const double at_start = depth_of(start.points.data() + (first - start.points.begin()),
                                     start.points.data() + (behind - start.points.begin()));
    const double motion = largest_motion(place_at(c->geometry_a, X_start), place_at(c->geometry_b, X_start),
                                         place_at(c->geometry_a, X_end), place_at(c->geometry_b, X_end));
    if (depth - at_start - motion > told) found.push_back({c->geometry_a, c->geometry_b, depth});
  }
  return found;
}

}  // namespace csim
