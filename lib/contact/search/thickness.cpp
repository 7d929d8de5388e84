#include "contact/search/thickness.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

double thickness_of(const CollisionGeometry& geometry) {
  const bool is_open = geometry.surface && !geometry.surface->closed();
  if (is_open) return std::numeric_limits<double>::infinity();
  return (geometry.box_G.upper - geometry.box_G.lower).minCoeff();  // infinite of a half space
}

}  // namespace

double thickness(const CollisionGeometry& a, const CollisionGeometry& b) {
  return std::min(thickness_of(a), thickness_of(b));
}

double larger_thickness(const CollisionGeometry& a, const CollisionGeometry& b) {
  const double of_a = thickness_of(a), of_b = thickness_of(b);
  return std::isfinite(of_a) && std::isfinite(of_b) ? std::max(of_a, of_b) : std::min(of_a, of_b);
}

double shallow_overlap(const CollisionGeometry& a, const CollisionGeometry& b) {
  return 0.1 * thickness(a, b);
}

}  // namespace csim
