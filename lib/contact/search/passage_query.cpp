#include "contact/search/passage_query.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kAnyAngle = -2.0;

double thickness_of(const CollisionGeometry& geometry) {
  return (geometry.box_G.upper - geometry.box_G.lower).minCoeff();  // infinite of a half space
}

}  // namespace

double PassageQuery::thickness(const CollisionGeometry& a, const CollisionGeometry& b) {
  return std::min(thickness_of(a), thickness_of(b));
}

bool PassageQuery::passes(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& travel) {
  const double thinner = thickness(*a.geometry, *b.geometry), length = travel.norm();
  if (!(length > thinner)) return false;
  SurfaceOptions options;
  const auto meet_at = [&](double part, double least_cosine) {
    options.least_cosine = least_cosine;
    PlacedGeometry moved = b;
    moved.X_WG.p += part * travel;
    moved.center_W += part * travel;
    if (!may_touch(a, moved, 0.0)) return false;
    find_contact_surface(*a.geometry->patch, a.X_WG, *moved.geometry->patch, moved.X_WG, options, &workspace_,
                         &surface_);
    return surface_.num_faces() > 0;
  };
  if (meet_at(0.0, least_cosine_) || meet_at(1.0, least_cosine_)) return false;
  const int places = std::clamp(static_cast<int>(std::min(2.0 * length / thinner, 1e6)) + 1, 2, kMaxPlaces);
  for (int k = 1; k < places; ++k) {
    if (meet_at(static_cast<double>(k) / places, kAnyAngle)) return true;
  }
  return false;
}

}  // namespace csim
