#include "view/still_things.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace csim {
namespace {

// The looks of the page (page/surfaces.js, page/contacts.js, page/patches.js).
constexpr std::array<unsigned, 10> kPalette = {0x4a8fdc, 0xf0923a, 0x55b56c, 0xdc5f5f, 0x9478cf,
                                               0x36b3ae, 0xe6bf3f, 0xb87a5c, 0xd984bd, 0x8497ae};
constexpr unsigned kFixed = 0xd3d7dc, kGround = 0xe2e6ea;

/// A square of side 2 about the origin, at z = 0.
Surface square_surface() {
  Surface surface;
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    surface.vertices.emplace_back(x, y, 0);
    surface.normals.push_back(Vector3::UnitZ());
  }
  surface.triangles = {{0, 1, 2}, {0, 2, 3}};
  return surface;
}

PolygonSurface polygon_surface(const ViewFrame& frame) {
  PolygonSurface all;
  for (const ViewPatch& patch : frame.patches) {
    const ViewPolygons& polygons = patch.polygons;
    const int first = static_cast<int>(all.surface.vertices.size());
    all.surface.vertices.insert(all.surface.vertices.end(), polygons.corners.begin(), polygons.corners.end());
    all.pressure.insert(all.pressure.end(), polygons.pressure.begin(), polygons.pressure.end());
    int begin = 0;
    for (const int end : polygons.end) {
      for (int corner = begin + 2; corner < end; ++corner) {
        all.surface.triangles.push_back({first + begin, first + corner - 1, first + corner});
      }
      begin = end;
    }
  }
  all.surface.normals.assign(all.surface.vertices.size(), Vector3::UnitZ());  // they are not lit
  return all;
}

}  // namespace

Things::Things(const ViewScene& scene, const ViewFrame& frame, const Framing& framing, const Vector3& camera)
    : polygons(polygon_surface(frame)),
      square_(square_surface()),
      ball_(sphere_surface(16)),
      shaft_(cylinder_surface(12)),
      head_(cone_surface(16)) {
  add_parts(scene, frame, framing, camera);
  add_planes(scene, frame, framing, camera);
  add_forces(frame, framing);
}

void Things::add_parts(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                       const Vector3& camera) {
  const std::vector<char> with_polygons = bodies_with_polygons(scene);
  std::vector<Color> colors;
  std::size_t row = 0;
  for (const ViewBody& body : scene.bodies) {
    colors.push_back(color_of(body.moves ? kPalette[row++ % kPalette.size()] : kFixed));
  }
  for (const ViewPart& part : scene.parts) {
    const Surface& surface = scene.surfaces[part.surface];
    const bool moves = scene.bodies[part.body].moves;
    const bool large = !moves && radius_of(surface, part.scale) > 3.0 * framing.radius;
    const Thing thing{{&surface, frame.X_WB[part.body] * part.X_BG, part.scale},
                      colors[part.body],
                      moves && surface.round,
                      large,
                      !moves,
                      !large};
    const bool hiding = !moves && hides(surface, thing.item.X_WG, part.scale, camera, framing.points);
    const bool in_glass = moves && with_polygons[part.body];
    (hiding ? glass : in_glass ? see_through : solid).push_back(thing);
  }
}

void Things::add_planes(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                        const Vector3& camera) {
  for (const ViewPlane& plane : scene.planes) {
    RigidTransform X_WP = frame.X_WB[plane.body] * plane.X_BG;
    if (X_WP.inverse_times(camera).z() <= 0.0) continue;  // from inside one does not see it
    const Vector3 local = X_WP.inverse_times(framing.target);
    X_WP.p = X_WP * Vector3(framing.grid * std::round(local.x() / framing.grid),
                            framing.grid * std::round(local.y() / framing.grid), 0.0);
    const double reach = 6.5 * framing.radius;
    solid.push_back({{&square_, X_WP, {reach, reach, 1.0}}, color_of(kGround), false, true, true, false});
  }
}

/// The arrow of a vector of size `largest` is kArrowLength radii long.
void Things::add_arrow(double radius, const Vector3& start, const Vector3& vector, double largest,
                       Color color, int heads) {
  const double width = kArrowWidth * radius, size = vector.norm(), longest = kLongestArrow * largest;
  const double length = kArrowLength * radius * std::min(size, longest) / largest;
  if (size > longest) color *= kCutDarkness;
  const auto mark = [&](const Surface* surface, const RigidTransform& X_WG, const Vector3& scale) {
    marks.push_back({{surface, X_WG, scale}, color});
  };
  mark(&ball_, RigidTransform(start), Vector3::Constant(1.6 * width));
  if (size == 0.0) return;
  const Vector3 z = vector / size;
  const Quaternion turn = rotation_of_z_to(z);
  const double w = width * std::min(1.0, length / (10.0 * width));
  const double straight = length - 7.0 * w;
  mark(&shaft_, {turn, start + 0.5 * straight * z}, {w, w, straight});
  for (int h = 0; h < heads; ++h) {
    mark(&head_, {turn, start + (straight - 6.0 * h * w) * z}, {2.6 * w, 2.6 * w, 7.0 * w});
  }
}

void Things::add_forces(const ViewFrame& frame, const Framing& framing) {
  const auto add = [&](const Vector3& start, const Vector3& force, unsigned color) {
    add_arrow(framing.radius, start, force, framing.largest_force, color_of(color), 1);
  };
  for (const ViewContact& contact : frame.contacts)
    add(contact.point, contact.force, contact.slips ? kSlip : kStick);
  for (const ViewPatch& patch : frame.patches) {
    add(patch.centroid, patch.force, kStick);
    add_arrow(framing.radius, patch.centroid, patch.moment, framing.largest_moment, color_of(kMoment), 2);
  }
}

bool Things::has_grid() const {
  return std::any_of(solid.begin(), solid.end(), [](const Thing& thing) { return thing.grid; });
}

std::vector<RasterItem> items_of(const std::vector<Thing>& things, bool only_casting) {
  std::vector<RasterItem> items;
  for (const Thing& thing : things) {
    if (thing.casts || !only_casting) items.push_back(thing.item);
  }
  return items;
}

}  // namespace csim
