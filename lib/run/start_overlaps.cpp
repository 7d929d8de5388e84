#include "run/start_overlaps.h"

#include <algorithm>
#include <limits>

namespace csim {
namespace {

// A depth below this share of the coordinates is their rounding: some ten operations lie between a pose and a
// depth, and each rounds to 2^-53.
constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();

}  // namespace

std::vector<StartOverlap> find_overlaps(const ContactSet& contacts) {
  std::vector<StartOverlap> overlaps;
  const auto add = [&](const StartOverlap& overlap) {
    if (overlap.depth > kRounding * overlap.point.cwiseAbs().maxCoeff()) overlaps.push_back(overlap);
  };
  const std::vector<PointContact>& points = contacts.points;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    // The points of a pair of geometries stand together.
    const PointContact& first = points[begin];
    StartOverlap overlap{0.0,          first.geometry_a, first.geometry_b,
                         first.body_a, first.body_b,     Vector3::Zero()};
    for (; end < points.size() && points[end].geometry_a == first.geometry_a &&
           points[end].geometry_b == first.geometry_b;
         ++end) {
      if (-points[end].phi <= overlap.depth) continue;
      overlap.depth = -points[end].phi;
      overlap.point = 0.5 * (points[end].p_a + points[end].p_b);
    }
    add(overlap);
  }
  for (const ContactPatch& patch : contacts.patches) {
    StartOverlap overlap{0.0,          patch.geometry_a, patch.geometry_b,
                         patch.body_a, patch.body_b,     Vector3::Zero()};
    for (int k = patch.point_begin; k < patch.point_end; ++k) {
      const FacePoint& point = contacts.face_points[k];
      const double gradient = contacts.surface.gradient[point.face];
      if (!(gradient > 0.0) || point.pressure / gradient <= overlap.depth) continue;
      overlap.depth = point.pressure / gradient;
      overlap.point = point.point;
    }
    add(overlap);
  }
  std::stable_sort(overlaps.begin(), overlaps.end(),
                   [](const StartOverlap& a, const StartOverlap& b) { return a.depth > b.depth; });
  return overlaps;
}

}  // namespace csim
