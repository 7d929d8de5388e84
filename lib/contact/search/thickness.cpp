#include "contact/search/thickness.h"

#include <algorithm>

namespace csim {
namespace {

double thickness_of(const CollisionGeometry& geometry) {
  return (geometry.box_G.upper - geometry.box_G.lower).minCoeff();  // infinite of a half space
}

}  // namespace

double thickness(const CollisionGeometry& a, const CollisionGeometry& b) {
  return std::min(thickness_of(a), thickness_of(b));
}

double shallow_overlap(const CollisionGeometry& a, const CollisionGeometry& b) {
  return 0.1 * thickness(a, b);
}

}  // namespace csim
