#include "view/still.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "view/color_map.h"
#include "view/raster.h"
#include "view/stroke_text.h"

namespace csim {
namespace {

using Color = Vector3;  // red, green, blue, 0 to 1

// The looks of the page (page/surfaces.js, page/contacts.js).
Color color_of(unsigned rgb) {
  return Color(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255) / 255.0;
}
constexpr std::array<unsigned, 10> kPalette = {0x4a8fdc, 0xf0923a, 0x55b56c, 0xdc5f5f, 0x9478cf,
                                               0x36b3ae, 0xe6bf3f, 0xb87a5c, 0xd984bd, 0x8497ae};
constexpr unsigned kBackground = 0xeef1f4, kFixed = 0xd3d7dc, kGround = 0xe2e6ea, kStick = 0xd9480f,
                   kSlip = 0xb5179e, kMoment = 0x3b2fa0, kInk = 0x1d2733, kQuiet = 0x66727f;
constexpr double kGlass = 0.16;        // opacity of fixed parts that hide what moves
constexpr double kSeeThrough = 0.3;    // opacity of moving parts while polygons of patches lie in them
constexpr double kLongestArrow = 2.0;  // times the arrow of Framing::largest_force
constexpr int kSupersampling = 2;      // samples of a pixel, each way
constexpr int kShadowSamples = 2048;   // of the light's view, each way
constexpr int kOcclusionSamples = 16;

/// A surface with its looks.
struct Thing {
  RasterItem item;
  Color color;
  bool round = false, grid = false, fades = false, casts = true;
};

/// What a layer of things is drawn from; `surfaces` of arrows and planes live as long as this.
struct Things {
  std::vector<Thing> solid, glass, see_through, marks;
};

std::vector<RasterItem> items_of(const std::vector<Thing>& things, bool only_casting) {
  std::vector<RasterItem> items;
  for (const Thing& thing : things) {
    if (thing.casts || !only_casting) items.push_back(thing.item);
  }
  return items;
}

// --------------------------------------------------------------------------------------- what is drawn

void add_parts(const ViewScene& scene, const ViewFrame& frame, const Framing& framing, const Vector3& camera,
               Things* things) {
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
    const bool see_through = moves && scene.has_polygons;
    (hiding ? things->glass : see_through ? things->see_through : things->solid).push_back(thing);
  }
}

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

void add_planes(const ViewScene& scene, const ViewFrame& frame, const Framing& framing, const Vector3& camera,
                const Surface* square, Things* things) {
  for (const ViewPlane& plane : scene.planes) {
    RigidTransform X_WP = frame.X_WB[plane.body] * plane.X_BG;
    if (X_WP.inverse_times(camera).z() <= 0.0) continue;  // from inside one does not see it
    const Vector3 local = X_WP.inverse_times(framing.target);
    X_WP.p = X_WP * Vector3(framing.grid * std::round(local.x() / framing.grid),
                            framing.grid * std::round(local.y() / framing.grid), 0.0);
    const double reach = 6.5 * framing.radius;
    things->solid.push_back(
        {{square, X_WP, {reach, reach, 1.0}}, color_of(kGround), false, true, true, false});
  }
}

/// Draws arrows as marks: the arrow of a vector of size `largest` is 0.36 radii long.
class ArrowMaker {
 public:
  ArrowMaker(double radius, std::vector<Thing>* marks) : radius_(radius), marks_(marks) {}

  void add(const Vector3& start, const Vector3& vector, double largest, Color color, int heads = 1) const {
    const double width = 0.0032 * radius_, size = vector.norm(), longest = kLongestArrow * largest;
    const double length = 0.36 * radius_ * std::min(size, longest) / largest;
    if (size > longest) color *= 0.55;
    const auto mark = [&](const Surface* surface, const RigidTransform& X_WG, const Vector3& scale) {
      marks_->push_back({{surface, X_WG, scale}, color});
    };
    mark(&ball_, RigidTransform(start), Vector3::Constant(1.6 * width));
    if (size == 0.0) return;
    const Vector3 z = vector / size;
    const Quaternion turn = Quaternion::FromTwoVectors(Vector3::UnitZ(), z);
    const double w = width * std::min(1.0, length / (10.0 * width));
    const double straight = length - 7.0 * w;
    mark(&shaft_, {turn, start + 0.5 * straight * z}, {w, w, straight});
    for (int h = 0; h < heads; ++h) {
      mark(&head_, {turn, start + (straight - 6.0 * h * w) * z}, {2.6 * w, 2.6 * w, 7.0 * w});
    }
  }

 private:
  double radius_;
  std::vector<Thing>* marks_;
  Surface ball_ = sphere_surface(16), shaft_ = cylinder_surface(12), head_ = cone_surface(16);
};

void add_forces(const ViewFrame& frame, const Framing& framing, const ArrowMaker& arrows) {
  for (const ViewContact& contact : frame.contacts) {
    arrows.add(contact.point, contact.force, framing.largest_force, color_of(contact.slips ? kSlip : kStick));
  }
  for (const ViewPatch& patch : frame.patches) {
    arrows.add(patch.centroid, patch.force, framing.largest_force, color_of(kStick));
    arrows.add(patch.centroid, patch.moment, framing.largest_moment, color_of(kMoment), 2);
  }
}

/// The polygons of a frame as one surface of triangle fans, and the pressure at each vertex.
struct PolygonSurface {
  Surface surface;
  std::vector<double> pressure;  // Pa
};

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

// ---------------------------------------------------------------------------------------------- light

/// Sun light with a map of what it reaches, and light from all sides.
struct Light {
  RasterCamera view;
  RasterLayer map;
  Vector3 direction;  // to the sun

  /// Share of the sun's light that reaches a point: the mean over a small disc of the map.
  [[nodiscard]] double reaching(const Vector3& p_W, const Vector3& normal) const {
    constexpr double kSoftness = 2.2;  // texels
    constexpr int kTaps = 12;
    // The point is lifted by about a texel, so that a surface does not shade itself.
    const double texel = 1.0 / view.scale;
    const Vector3 p = view.project(p_W + 2.5 * texel * normal);
    int lit = 0;
    for (int tap = 0; tap < kTaps; ++tap) {
      const double angle = 2.399963 * tap, r = kSoftness * std::sqrt((tap + 0.5) / kTaps);
      const int i = static_cast<int>(std::lround(p.x() + r * std::cos(angle)));
      const int j = static_cast<int>(std::lround(p.y() + r * std::sin(angle)));
      const bool outside = i < 0 || j < 0 || i >= view.width || j >= view.height;
      lit += outside || map.nearness[static_cast<std::size_t>(j) * view.width + i] <= p.z() + 1.5 * texel;
    }
    return static_cast<double>(lit) / kTaps;
  }
};

Light make_light(const std::vector<Thing>& things, const Framing& framing) {
  Light light;
  light.direction = Vector3(0.5, -0.45, 1.1).normalized();
  light.view = {camera_axes(light.direction),
                framing.target,
                0.0,
                kShadowSamples / (3.0 * framing.radius),
                kShadowSamples,
                kShadowSamples};
  light.map = rasterise(items_of(things, true), light.view);
  return light;
}

// --------------------------------------------------------------------------------------------- shading

/// A place of a surface as a ray meets it.
struct Hit {
  Vector3 p_W, normal;  // the normal points to the camera
  Vector3 local, local_normal;
  Vector3 weights;  // of the triangle's corners
};

Hit hit_of(const RasterItem& item, int triangle, const Vector3& origin, const Vector3& ray) {
  const auto& [a, b, c] = item.surface->triangles[triangle];
  const Vector3 A = item.vertex(a), u = item.vertex(b) - A, v = item.vertex(c) - A, n = u.cross(v);
  Hit hit;
  hit.p_W = origin + n.dot(A - origin) / n.dot(ray) * ray;
  // Weights of the corners; a sample at the rim may lie a little outside.
  const Vector3 d = hit.p_W - A;
  const double s = std::clamp(d.cross(v).dot(n) / n.squaredNorm(), 0.0, 1.0);
  const double t = std::clamp(u.cross(d).dot(n) / n.squaredNorm(), 0.0, 1.0);
  const auto& normals = item.surface->normals;
  hit.weights = {1.0 - s - t, s, t};
  hit.local_normal = (1.0 - s - t) * normals[a] + s * normals[b] + t * normals[c];
  hit.normal = (item.X_WG.R * hit.local_normal.cwiseQuotient(item.scale)).normalized();
  if (hit.normal.dot(ray) > 0.0) hit.normal = -hit.normal;
  hit.local = item.X_WG.inverse_times(hit.p_W);
  return hit;
}

double smooth_step(double from, double to, double x) {
  const double u = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return u * u * (3.0 - 2.0 * u);
}

/// How much a grid line darkens a place, 0 to 1; `width` of a sample there, m.
double grid_line(const Hit& hit, double spacing, double width) {
  const Vector3 size = hit.local_normal.cwiseAbs();
  const int skip = size.z() > std::max(size.x(), size.y()) ? 2 : size.y() > size.x() ? 1 : 0;
  double darkest = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == skip) continue;
    const double place = hit.local[axis] / spacing, w = width / spacing;
    const double line = 1.0 - smooth_step(0.0, 2.0 * w, std::abs(place - std::round(place)));
    darkest = std::max(darkest, line * (1.0 - smooth_step(0.2, 0.6, w)));
  }
  return darkest;
}

/// A number in [0, 1) that differs from sample to sample.
double scatter(int i, int j) {
  auto h = static_cast<std::uint32_t>(i) * 0x9E3779B1U ^ static_cast<std::uint32_t>(j) * 0x85EBCA77U;
  h = (h ^ h >> 15) * 0x2C1B3C6DU;
  h = (h ^ h >> 12) * 0x297A2D39U;
  return static_cast<double>((h ^ h >> 15) >> 8) / 16777216.0;
}

class Shader {
 public:
  Shader(const Framing& framing, const RasterCamera& camera, const Light& light)
      : framing_(framing), camera_(camera), light_(light) {}

  /// The colour of sample (i, j) of a layer that `things` made.
  [[nodiscard]] Color shade(const std::vector<Thing>& things, const RasterLayer& layer, int i, int j) const {
    const std::size_t sample = static_cast<std::size_t>(j) * camera_.width + i;
    const Thing& thing = things[layer.item[sample]];
    const Vector3 ray = camera_.ray(i, j);
    const Hit hit = hit_of(thing.item, layer.triangle[sample], camera_.position, ray);
    Color color = thing.color;
    if (thing.round && hit.local.x() * hit.local.y() > 0.0) color *= 0.78;
    const double distance = (hit.p_W - camera_.position).norm();
    if (thing.grid) {
      const double slant = std::max(0.1, std::abs(hit.normal.dot(ray.normalized())));
      color *= 1.0 - 0.2 * grid_line(hit, framing_.grid, 0.8 * distance / camera_.focal / slant);
    }
    const double sun = std::max(0.0, hit.normal.dot(light_.direction));
    const double shadow = sun > 0.0 ? light_.reaching(hit.p_W, hit.normal) : 0.0;
    const double sky = 0.5 + 0.5 * hit.normal.z();
    const double open = openness(layer, hit, i, j);
    Color lit = color * (open * (0.59 + 0.115 * sky) + 0.345 * sun * shadow);
    if (!thing.fades) {
      const Vector3 half = (light_.direction - ray.normalized()).normalized();
      lit.array() += 0.06 * shadow * std::pow(std::max(0.0, half.dot(hit.normal)), 40.0);
    }
    if (thing.fades) {
      const double far = (hit.p_W - framing_.target).norm() / framing_.radius;
      lit += smooth_step(2.5, 6.0, far) * (color_of(kBackground) - lit);
    }
    return lit.cwiseMin(1.0);
  }

  /// An arrow: brighter where it faces the camera.
  [[nodiscard]] Color shade_mark(const std::vector<Thing>& things, const RasterLayer& layer, int i,
                                 int j) const {
    const std::size_t sample = static_cast<std::size_t>(j) * camera_.width + i;
    const Thing& thing = things[layer.item[sample]];
    const Vector3 ray = camera_.ray(i, j);
    const Hit hit = hit_of(thing.item, layer.triangle[sample], camera_.position, ray);
    return thing.color * (0.62 + 0.38 * std::abs(hit.normal.dot(ray.normalized())));
  }

 private:
  /// Share of the half space over a surface that near surfaces leave open, judged by the picture alone.
  [[nodiscard]] double openness(const RasterLayer& layer, const Hit& hit, int i, int j) const {
    const double reach = 0.12 * framing_.radius, start = scatter(i, j);
    const Matrix3 axes = Quaternion::FromTwoVectors(Vector3::UnitZ(), hit.normal).toRotationMatrix();
    int closed = 0;
    for (int k = 0; k < kOcclusionSamples; ++k) {
      const double angle = 2.399963 * k + 2.0 * std::numbers::pi * start;
      const double z = 0.15 + 0.85 * (k + 0.5) / kOcclusionSamples, r = std::sqrt(1.0 - z * z);
      const double length = reach * (0.15 + 0.85 * std::fmod(0.618034 * k + start, 1.0));
      const Vector3 p = hit.p_W + axes * (length * Vector3(r * std::cos(angle), r * std::sin(angle), z));
      const Vector3 place = camera_.project(p);
      const int x = static_cast<int>(std::lround(place.x())), y = static_cast<int>(std::lround(place.y()));
      if (x < 0 || y < 0 || x >= camera_.width || y >= camera_.height || place.z() <= 0.0) continue;
      const std::size_t other = static_cast<std::size_t>(y) * camera_.width + x;
      if (!layer.covered(other)) continue;
      const double before = 1.0 / place.z() - 1.0 / layer.nearness[other];
      closed += before > 0.02 * reach && before < 2.0 * reach;
    }
    return 1.0 - 0.75 * closed / kOcclusionSamples;
  }

  const Framing& framing_;
  const RasterCamera& camera_;
  const Light& light_;
};

/// The colour of a sample of the polygons' layer.
Color shade_polygon(const RasterItem& item, const std::vector<double>& pressure, double top,
                    const RasterCamera& camera, int triangle, int i, int j) {
  const Hit hit = hit_of(item, triangle, camera.position, camera.ray(i, j));
  const auto& [a, b, c] = item.surface->triangles[triangle];
  const double p = hit.weights.dot(Vector3(pressure[a], pressure[b], pressure[c]));
  const Rgb8& color = color_map()[color_index(p, top)];
  return Color(color[0], color[1], color[2]) / 255.0;
}

/// The bar of pressures at the right edge.
void draw_color_bar(const ColorBar& bar, Picture* picture) {
  const auto rgb = [](unsigned color) {
    return Rgb8{static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8 & 255),
                static_cast<std::uint8_t>(color & 255)};
  };
  const double letters = std::clamp(picture->height / 55.0, 6.0, 40.0);  // their height
  const int margin = static_cast<int>(1.4 * letters), width = static_cast<int>(1.2 * letters);
  const int right = picture->width - margin, left = right - width;
  const int top = static_cast<int>((bar.beyond.empty() ? 3.8 : 6.0) * letters);
  const int bottom = top + static_cast<int>(0.4 * picture->height);
  draw_text(picture, right, 2.0 * letters, letters, bar.unit, rgb(kInk), true);
  draw_text(picture, right, 4.1 * letters, letters, bar.beyond, rgb(kQuiet), true);
  for (int j = top; j < bottom; ++j) {
    const double u = (bottom - 0.5 - j) / (bottom - top);
    fill_box(picture, left, j, right, j + 1, color_map()[color_index(u, 1.0)]);
  }
  for (const ColorBar::Tick& tick : bar.ticks) {
    const double y = bottom - tick.at * (bottom - top);
    const int row = static_cast<int>(y);
    fill_box(picture, left - width / 3, row, left, row + 1, rgb(kInk));
    draw_text(picture, left - 0.7 * width, y + 0.5 * letters, letters, tick.label, rgb(kInk), true);
  }
}

/// Means of kSupersampling squared samples.
Picture reduced(const std::vector<Color>& samples, int width, int height) {
  Picture picture{width, height, {}};
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      Color sum = Color::Zero();
      for (int s = 0; s < kSupersampling * kSupersampling; ++s) {
        const int x = kSupersampling * i + s % kSupersampling, y = kSupersampling * j + s / kSupersampling;
        sum += samples[static_cast<std::size_t>(y) * kSupersampling * width + x];
      }
      for (int k = 0; k < 3; ++k) {
        const double mean = sum[k] / (kSupersampling * kSupersampling);
        picture.rgb.push_back(static_cast<std::uint8_t>(std::lround(255.0 * mean)));
      }
    }
  }
  return picture;
}

}  // namespace

Picture render_still(const ViewScene& scene, std::size_t frame, int width, int height) {
  const Framing framing = frame_scene(scene);
  const double aspect = static_cast<double>(width) / height;
  const double half_view = std::tan(0.5 * kFieldOfView * std::numbers::pi / 180.0);
  const RasterCamera camera{camera_axes(framing.direction),
                            framing.target + camera_distance(framing, aspect) * framing.direction,
                            0.5 * kSupersampling * height / half_view,
                            0.0,
                            kSupersampling * width,
                            kSupersampling * height};
  const Surface square = square_surface();
  const PolygonSurface polygons = polygon_surface(scene.frames[frame]);
  const RasterItem polygon_item{&polygons.surface, {}, Vector3::Ones()};
  Things things;
  const ArrowMaker arrows(framing.radius, &things.marks);
  add_parts(scene, scene.frames[frame], framing, camera.position, &things);
  add_planes(scene, scene.frames[frame], framing, camera.position, &square, &things);
  add_forces(scene.frames[frame], framing, arrows);

  std::vector<Thing> shadowing = things.solid;
  shadowing.insert(shadowing.end(), things.see_through.begin(), things.see_through.end());
  const Light light = make_light(shadowing, framing);
  const RasterLayer solid = rasterise(items_of(things.solid, false), camera);
  const RasterLayer glass = rasterise(items_of(things.glass, false), camera);
  const RasterLayer see_through = rasterise(items_of(things.see_through, false), camera);
  const RasterLayer polygon_layer = rasterise({polygon_item}, camera);
  const ColorBar bar = make_color_bar(scene.pressure);
  const RasterLayer marks = rasterise(items_of(things.marks, false), camera);
  const Shader shader(framing, camera, light);
  std::vector<Color> samples(static_cast<std::size_t>(camera.width) * camera.height, color_of(kBackground));
  for (int j = 0; j < camera.height; ++j) {
    for (int i = 0; i < camera.width; ++i) {
      const std::size_t s = static_cast<std::size_t>(j) * camera.width + i;
      if (solid.covered(s)) samples[s] = shader.shade(things.solid, solid, i, j);
      if (glass.covered(s) && glass.nearness[s] > solid.nearness[s]) {
        samples[s] += kGlass * (shader.shade(things.glass, glass, i, j) - samples[s]);
      }
      if (see_through.covered(s) && see_through.nearness[s] > solid.nearness[s]) {
        samples[s] += kSeeThrough * (shader.shade(things.see_through, see_through, i, j) - samples[s]);
      }
      if (polygon_layer.covered(s)) {
        samples[s] =
            shade_polygon(polygon_item, polygons.pressure, bar.top, camera, polygon_layer.triangle[s], i, j);
      }
      if (marks.covered(s)) samples[s] = shader.shade_mark(things.marks, marks, i, j);
    }
  }
  Picture picture = reduced(samples, width, height);
  if (scene.has_polygons) draw_color_bar(bar, &picture);
  return picture;
}

}  // namespace csim
