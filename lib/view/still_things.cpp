#include "view/still_things.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "view/frame_at.h"

namespace csim {
namespace {

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

/// A line through places with a dot at each: strips and squares of half the width that face the camera.
Surface path_surface(const std::vector<Vector3>& path, double width, const Vector3& camera) {
  constexpr double kDot = 1.7;  // widths
  Surface surface;
  const auto add = [&](const std::array<Vector3, 4>& corners, const Vector3& normal) {
    const int first = static_cast<int>(surface.vertices.size());
    surface.vertices.insert(surface.vertices.end(), corners.begin(), corners.end());
    surface.normals.insert(surface.normals.end(), corners.size(), normal);
    surface.triangles.push_back({first, first + 1, first + 2});
    surface.triangles.push_back({first, first + 2, first + 3});
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vector3 to_camera = (camera - path[i]).normalized();
    const Vector3 u = kDot * width * to_camera.unitOrthogonal(), v = to_camera.cross(u);
    add({path[i] - u, path[i] - v, path[i] + u, path[i] + v}, to_camera);
    if (i == 0) continue;
    const Vector3 across = to_camera.cross(path[i] - path[i - 1]);
    if (across.norm() == 0.0) continue;  // seen from its end
    const Vector3 side = width * across.normalized();
    add({path[i - 1] - side, path[i] - side, path[i] + side, path[i - 1] + side}, to_camera);
  }
  return surface;
}

/// The colour of a body's path: that which the scene gives one of its geometries, or its own.
Color path_color(const ViewScene& scene, int body) {
  const auto is_painted = [&](const auto& part) { return part.body == body && part.color; };
  const auto part = std::find_if(scene.parts.begin(), scene.parts.end(), is_painted);
  return part != scene.parts.end() ? Color(part->color->head<3>())
                                   : body_colors(bodies_that_move(scene))[body];
}

/// How much of an arrow that starts within the picture lies within it, 0 to 1; 1 of any other.
double share_inside(const RasterCamera& camera, const Vector3& start, const Vector3& along) {
  const Vector3 p = camera.axes.transpose() * (start - camera.position), d = camera.axes.transpose() * along;
  double share = 1.0;
  // Within: reach depth -+ x and reach depth -+ y are >= 0; they are linear along the arrow.
  const double reach[2] = {0.5 * kRim * camera.width / camera.focal,
                           0.5 * kRim * camera.height / camera.focal};
  for (int axis = 0; axis < 2; ++axis) {
    for (const double side : {1.0, -1.0}) {
      const double from = -reach[axis] * p.z() - side * p[axis],
                   change = -reach[axis] * d.z() - side * d[axis];
      if (from < 0.0) return 1.0;
      if (from + change < 0.0) share = std::min(share, -from / change);
    }
  }
  return share;
}

}  // namespace

Things::Things(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
               const RasterCamera& camera)
    : polygons(polygon_surface(frame)),
      square_(square_surface()),
      ball_(sphere_surface(16)),
      shaft_(cylinder_surface(12)),
      head_(cone_surface(16)) {
  const ArrowStyle style{framing.arrow_radius(), camera};
  add_parts(scene, frame, framing, camera.position);
  add_planes(scene, frame, framing, camera.position);
  if (scene.overlay) add_overlay(*scene.overlay, frame.time);
  add_forces(frame, framing, style);
  add_paths(scene, frame.time, style);
  add_links(scene, frame, style);
  if (scene.before_running) add_frames(scene, frame, style);
}

void Things::add_parts(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                       const Vector3& camera) {
  const std::vector<char> with_polygons = bodies_with_polygons(scene);
  const std::vector<Color> colors = body_colors(bodies_that_move(scene));
  for (const ViewPart& part : scene.parts) {
    const Surface& surface = scene.surfaces[part.surface];
    const Look look = look_of(part.color, colors[part.body]);
    if (look.opacity == 0.0) continue;
    const bool moves = scene.bodies[part.body].moves;
    const bool sleeps = !frame.asleep.empty() && frame.asleep[part.body] != 0;
    const bool large = !moves && radius_of(surface, part.scale) > 3.0 * framing.radius;
    Thing thing{{&surface, frame.X_WB[part.body] * part.X_BG, part.scale},
                sleeps ? asleep_color(look.color) : look.color,
                moves && surface.round,
                large,
                !moves,
                !large && look.opacity >= kShadowOpacity,
                look.opacity};
    const bool hiding = !moves && hides(surface, thing.item.X_WG, part.scale, camera, framing.points);
    const bool in_glass = moves && with_polygons[part.body];
    if (in_glass) thing.opacity *= kSeeThrough;
    if (hiding) thing.opacity = std::min(thing.opacity, kGlass);
    (hiding ? glass : thing.opacity < 1.0 ? see_through : solid).push_back(thing);
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
    const Look look = look_of(plane.color, color_of(kGroundColor));
    if (look.opacity == 0.0) continue;
    (look.opacity < 1.0 ? see_through : solid)
        .push_back(
            {{&square_, X_WP, {reach, reach, 1.0}}, look.color, false, true, true, false, look.opacity});
  }
}

void Things::add_overlay(const ViewScene& scene, double time) {
  const ViewFrame frame = frame_at(scene, time);
  for (const ViewPart& part : scene.parts) {
    if (!scene.bodies[part.body].moves) continue;
    overlay.push_back({{&scene.surfaces[part.surface], frame.X_WB[part.body] * part.X_BG, part.scale},
                       color_of(kOverlay),
                       false,
                       false,
                       false,
                       false,
                       kOverlayOpacity});
  }
}

void Things::draw_arrow(const Vector3& start, const Vector3& along, double width, Color color, int heads,
                        std::vector<Thing>* things) const {
  const auto mark = [&](const Surface* surface, const RigidTransform& X_WG, const Vector3& scale) {
    things->push_back({{surface, X_WG, scale}, color});
  };
  mark(&ball_, RigidTransform(start), Vector3::Constant(1.6 * width));
  const double length = along.norm();
  if (length == 0.0) return;
  const Vector3 z = along / length;
  const Quaternion turn = rotation_of_z_to(z);
  const double w = width * std::min(1.0, length / (10.0 * width));
  const double straight = length - 7.0 * w;
  mark(&shaft_, {turn, start + 0.5 * straight * z}, {w, w, straight});
  for (int h = 0; h < heads; ++h) {
    mark(&head_, {turn, start + (straight - 6.0 * h * w) * z}, {2.6 * w, 2.6 * w, 7.0 * w});
  }
}

/// The arrow of a vector of size `largest` is kArrowLength radii long.
void Things::add_arrow(const Arrow& arrow, const ArrowStyle& style) {
  const double size = arrow.vector.norm(), longest = kLongestArrow * arrow.largest;
  Vector3 along = kArrowLength * style.radius / arrow.largest * arrow.vector;
  if (size > longest) along *= longest / size;
  const double share = share_inside(style.camera, arrow.start, along);
  const bool cut = size > longest || share < 1.0;
  draw_arrow(arrow.start, share * along, kArrowWidth * style.radius,
             cut ? Color(kCutDarkness * arrow.color) : arrow.color, arrow.heads, &marks);
}

void Things::add_forces(const ViewFrame& frame, const Framing& framing, const ArrowStyle& style) {
  const auto add = [&](const Vector3& start, const Vector3& force, unsigned color) {
    add_arrow({start, force, framing.largest_force, color_of(color)}, style);
  };
  for (const ViewContact& contact : frame.contacts)
    add(contact.point, contact.force, contact.slips ? kSlip : kStick);
  for (const ViewPatch& patch : frame.patches) {
    add(patch.centroid, patch.force, kStick);
    add_arrow({patch.centroid, patch.moment, framing.largest_moment, color_of(kMoment), 2}, style);
  }
  for (const ViewForce& force : frame.forces) add(force.point, force.force, kForce);
}

void Things::add_path(const std::vector<Vector3>& path, const Color& color, const ArrowStyle& style) {
  paths_.push_back(path_surface(path, kPathWidth * style.radius, style.camera.position));
  marks.push_back({{&paths_.back(), RigidTransform(), Vector3::Ones()}, color});
}

void Things::add_paths(const ViewScene& scene, double time, const ArrowStyle& style) {
  for (const int body : scene.traces) {
    add_path(path_until(scene, body, time), path_color(scene, body), style);
    if (!scene.overlay) continue;
    const std::vector<ViewBody>& others = scene.overlay->bodies;
    const auto other = std::ranges::find(others, scene.bodies[body].name, &ViewBody::name);
    if (other == others.end() || !other->moves) continue;
    add_path(path_until(*scene.overlay, static_cast<int>(other - others.begin()), time), color_of(kOverlay),
             style);
  }
}

void Things::add_links(const ViewScene& scene, const ViewFrame& frame, const ArrowStyle& style) {
  for (std::size_t i = 0; i < scene.links.size(); ++i) {
    if (is_whole(frame, i)) add_path(path_of(scene.links[i], frame.X_WB), color_of(kLink), style);
  }
}

void Things::add_frames(const ViewScene& scene, const ViewFrame& frame, const ArrowStyle& style) {
  const double length = kFrameLength * style.radius, width = 0.7 * kArrowWidth * style.radius;
  const auto add_axes = [&](const RigidTransform& X, double size) {
    for (int axis = 0; axis < 3; ++axis)
      draw_arrow(X.p, size * X.R.col(axis), width, color_of(kAxes[axis]), 1, &signs);
  };
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (scene.bodies[b].moves) add_axes(frame.X_WB[b], length);
  for (const ViewJoint& joint : scene.joints) {
    const RigidTransform X_WJ = joint.parent < 0 ? joint.X_PJ : frame.X_WB[joint.parent] * joint.X_PJ;
    add_axes(X_WJ, 0.6 * length);
    if (joint.type != "revolute" && joint.type != "prismatic" && joint.type != "screw") continue;
    const Vector3 axis = 1.4 * length * (X_WJ.R * joint.axis);
    draw_arrow(X_WJ.p, axis, 1.3 * width, color_of(kJointAxis), joint.type == "revolute" ? 2 : 1, &signs);
  }
  for (const ViewOverlap& overlap : scene.overlaps)
    draw_arrow(overlap.point, Vector3::Zero(), 2.0 * kArrowWidth * style.radius, color_of(kOverlap), 0,
               &signs);
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
