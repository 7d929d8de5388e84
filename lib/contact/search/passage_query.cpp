#include "contact/search/passage_query.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

/// A half space has no other side: what is all within it has passed.
double thickness_of(const CollisionGeometry& geometry) {
  const double least = (geometry.box_G.upper - geometry.box_G.lower).minCoeff();
  return std::isfinite(least) ? least : 0.0;
}

}  // namespace

double PassageQuery::thickness(const CollisionGeometry& a, const CollisionGeometry& b) {
  return thickness_of(a) + thickness_of(b);
}

bool PassageQuery::passes(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& travel) {
  const double both = thickness(*a.geometry, *b.geometry), length = travel.norm();
  if (!(length > both)) return false;
  SurfaceOptions options;
  options.least_cosine = -2.0;  // faces of any angle
  const auto meet_at = [&](double part) {
    PlacedGeometry moved = b;
    moved.X_WG.p += part * travel;
    moved.center_W += part * travel;
    if (!may_touch(a, moved, 0.0)) return false;
    find_contact_surface(*a.geometry->patch, a.X_WG, *moved.geometry->patch, moved.X_WG, options, &workspace_,
                         &surface_);
    return surface_.num_faces() > 0;
  };
  if (meet_at(0.0) || meet_at(1.0)) return false;
  const int places = std::clamp(static_cast<int>(std::min(2.0 * length / both, 1e6)) + 1, 2, kMaxPlaces);
  for (int k = 1; k < places; ++k) {
    if (meet_at(static_cast<double>(k) / places)) return true;
  }
  return false;
}

}  // namespace csim
