#include "view/still.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <thread>

#include "view/annotations.h"
#include "view/compass.h"
#include "view/labels.h"
#include "view/still_things.h"

namespace csim {
namespace {

constexpr double kHidden = 0.35;      // opacity of marks behind bodies
constexpr float kTouch = 2e-3F;       // of the distance: what is no farther behind a surface lies on it
constexpr int kSupersampling = 2;     // samples of a pixel, each way
constexpr int kBandPixels = 64;       // rows of the picture that a thread draws at a time
constexpr int kShadowSamples = 2048;  // of the light's view, each way
constexpr int kShadowTaps = 5;        // of a sample; those of a pixel's samples differ

/// A number in [0, 1) that differs from sample to sample.
double scatter(int i, int j) {
  auto h = static_cast<std::uint32_t>(i) * 0x9E3779B1U ^ static_cast<std::uint32_t>(j) * 0x85EBCA77U;
  h = (h ^ h >> 15) * 0x2C1B3C6DU;
  h = (h ^ h >> 12) * 0x297A2D39U;
  return static_cast<double>((h ^ h >> 15) >> 8) / 16777216.0;
}

// ---------------------------------------------------------------------------------------------- light

/// Sun light with a map of what it reaches, and light from all sides.
struct Light {
  RasterCamera view;
  RasterLayer map;
  Vector3 direction;  // to the sun

  /// Share of the sun's light that reaches a point: the mean over a small disc of the map, which `start`
  /// turns.
  [[nodiscard]] double reaching(const Vector3& p_W, const Vector3& normal, double start) const {
    constexpr double kSoftness = 2.2;  // texels
    // The point is lifted by about a texel, so that a surface does not shade itself.
    const double texel = 1.0 / view.scale;
    const Vector3 p = view.project(p_W + 2.5 * texel * normal);
    int lit = 0;
    for (int tap = 0; tap < kShadowTaps; ++tap) {
      // Each turned from the one before it by the golden angle.
      const double radius = kSoftness * std::sqrt((tap + 0.5) / kShadowTaps);
      const double angle = 2.0 * std::numbers::pi * start + 2.399963 * tap;
      const int i = static_cast<int>(std::lround(p.x() + radius * std::cos(angle)));
      const int j = static_cast<int>(std::lround(p.y() + radius * std::sin(angle)));
      const bool outside = i < 0 || j < 0 || i >= view.width || j >= view.height;
      lit += outside || map.nearness[static_cast<std::size_t>(j) * view.width + i] <= p.z() + 1.5 * texel;
    }
    return static_cast<double>(lit) / kShadowTaps;
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

class Shader {
 public:
  Shader(const Framing& framing, const RasterCamera& camera, const Light& light)
      : framing_(framing), camera_(camera), light_(light) {}

  /// The colour of sample (i, j), the `sample`-th of a layer that `things` made.
  [[nodiscard]] Color shade(const std::vector<Thing>& things, const RasterLayer& layer, std::size_t sample,
                            int i, int j) const {
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
    const double shadow = sun > 0.0 ? light_.reaching(hit.p_W, hit.normal, scatter(i, j)) : 0.0;
    const double sky = 0.5 + 0.5 * hit.normal.z();
    Color lit = color * (0.59 + 0.115 * sky + 0.345 * sun * shadow);
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
  [[nodiscard]] Color shade_mark(const std::vector<Thing>& things, const RasterLayer& layer,
                                 std::size_t sample, int i, int j) const {
    const Thing& thing = things[layer.item[sample]];
    const Vector3 ray = camera_.ray(i, j);
    const Hit hit = hit_of(thing.item, layer.triangle[sample], camera_.position, ray);
    return thing.color * (0.62 + 0.38 * std::abs(hit.normal.dot(ray.normalized())));
  }

 private:
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

/// A still shows one frame: its colours reach to the largest pressure there, not to that of an impact at
/// another time.
PressureRange range_of_frame(const std::vector<double>& pressure, const PressureRange& run) {
  const auto largest = std::max_element(pressure.begin(), pressure.end());
  return largest == pressure.end() || !(*largest > 0.0) ? run : PressureRange{*largest, run.largest};
}

/// Means of kSupersampling squared samples to pixels, row by row.
void reduce(const std::vector<Color>& samples, int width, std::uint32_t* pixels) {
  const int height = static_cast<int>(samples.size()) / (kSupersampling * kSupersampling * width);
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < width; ++i) {
      Color sum = Color::Zero();
      for (int s = 0; s < kSupersampling * kSupersampling; ++s) {
        const int x = kSupersampling * i + s % kSupersampling, y = kSupersampling * j + s / kSupersampling;
        sum += samples[static_cast<std::size_t>(y) * kSupersampling * width + x];
      }
      const Eigen::Vector3i mean =
          (255.0 / (kSupersampling * kSupersampling) * sum).array().round().cast<int>();
      *pixels++ = static_cast<std::uint32_t>(mean[0] << 16 | mean[1] << 8 | mean[2]);
    }
  }
}

/// The layers of a picture, the nearest last, and how their samples look.
class Painter {
 public:
  Painter(const Things& things, const RasterCamera& camera, const Shader& shader, double top_pressure)
      : things_(things),
        camera_(camera),
        shader_(shader),
        top_pressure_(top_pressure),
        polygons_{&things.polygons.surface, {}, Vector3::Ones()},
        solid_(items_of(things.solid, false)),
        glass_(items_of(things.glass, false)),
        see_through_(items_of(things.see_through, false)),
        overlay_(items_of(things.overlay, false)),
        marks_(items_of(things.marks, false)),
        signs_(items_of(things.signs, false)) {}

  /// The samples in the rows of the band.
  [[nodiscard]] std::vector<Color> paint(RowBand band) const {
    const RasterLayer solid = rasterise(solid_, camera_, band);
    const RasterLayer glass = rasterise(glass_, camera_, band);
    const RasterLayer see_through = rasterise(see_through_, camera_, band);
    const RasterLayer polygons = rasterise({polygons_}, camera_, band);
    const RasterLayer overlay = rasterise(overlay_, camera_, band);
    const RasterLayer marks = rasterise(marks_, camera_, band);
    const RasterLayer signs = rasterise(signs_, camera_, band);
    std::vector<Color> samples(solid.item.size(), color_of(kBackground));
    std::size_t s = 0;
    for (int j = band.first; j < band.last; ++j) {
      for (int i = 0; i < camera_.width; ++i, ++s) {
        if (solid.covered(s)) samples[s] = shader_.shade(things_.solid, solid, s, i, j);
        if (glass.covered(s) && is_in_front(glass.nearness[s], solid.nearness[s])) {
          samples[s] += things_.glass[glass.item[s]].opacity *
                        (shader_.shade(things_.glass, glass, s, i, j) - samples[s]);
        }
        if (see_through.covered(s) && is_in_front(see_through.nearness[s], solid.nearness[s])) {
          samples[s] += things_.see_through[see_through.item[s]].opacity *
                        (shader_.shade(things_.see_through, see_through, s, i, j) - samples[s]);
        }
        // Where both results are in the same place the first is seen.
        const float nearest = std::max(solid.nearness[s], see_through.nearness[s]);
        if (overlay.covered(s) && overlay.nearness[s] > nearest * (1.0F + kTouch)) {
          samples[s] += things_.overlay[overlay.item[s]].opacity *
                        (shader_.shade(things_.overlay, overlay, s, i, j) - samples[s]);
        }
        if (polygons.covered(s)) {
          samples[s] = shade_polygon(polygons_, things_.polygons.pressure, top_pressure_, camera_,
                                     polygons.triangle[s], i, j);
        }
        if (marks.covered(s)) {
          const bool hidden = marks.nearness[s] < solid.nearness[s] * (1.0F - kTouch);
          samples[s] +=
              (hidden ? kHidden : 1.0) * (shader_.shade_mark(things_.marks, marks, s, i, j) - samples[s]);
        }
        if (signs.covered(s)) samples[s] = shader_.shade_mark(things_.signs, signs, s, i, j);
      }
    }
    return samples;
  }

 private:
  const Things& things_;
  const RasterCamera& camera_;
  const Shader& shader_;
  double top_pressure_;
  RasterItem polygons_;
  std::vector<RasterItem> solid_, glass_, see_through_, overlay_, marks_, signs_;
};

/// Paints the picture in bands, each by the next thread that is free: the same pixels with any number of
/// them.
Picture paint_bands(const Painter& painter, int width, int height) {
  Picture picture{width, height, std::vector<std::uint32_t>(static_cast<std::size_t>(width) * height)};
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int first; (first = kBandPixels * next++) < height;) {
      const int last = std::min(first + kBandPixels, height);
      reduce(painter.paint({kSupersampling * first, kSupersampling * last}), width,
             &picture.pixels[static_cast<std::size_t>(first) * width]);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) threads.emplace_back(work);
  work();
  threads.clear();  // waits for them
  return picture;
}

}  // namespace

Still render_still(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                   const StillOptions& options) {
  const auto [width, height, plain] = options;
  const double aspect = static_cast<double>(width) / height;
  const double half_view = std::tan(0.5 * kFieldOfView * std::numbers::pi / 180.0);
  const double distance = camera_distance(framing, aspect);
  const RasterCamera camera{camera_axes(framing.direction),
                            framing.target + distance * framing.direction,
                            0.5 * kSupersampling * height / half_view,
                            0.0,
                            kSupersampling * width,
                            kSupersampling * height};
  const Things things(scene, frame, framing, camera);
  std::vector<Thing> shadowing = things.solid;
  shadowing.insert(shadowing.end(), things.see_through.begin(), things.see_through.end());
  const Light light = make_light(shadowing, framing);
  const ColorBar bar = make_color_bar(range_of_frame(things.polygons.pressure, scene.pressure));
  const Shader shader(framing, camera, light);
  Still still{paint_bands(Painter(things, camera, shader, bar.top), width, height)};
  if (plain) return still;
  Canvas canvas(&still.picture);
  if (scene.has_polygons) draw_color_bar(bar, &canvas);
  const double pixels_per_metre = camera.focal / distance / kSupersampling;
  const auto pixel_of = [&](const Vector3& p_W) {
    const Vector3 sample = camera.project(p_W);
    return Vector3((sample.x() + 0.5) / kSupersampling - 0.5, (sample.y() + 0.5) / kSupersampling - 0.5,
                   sample.z());
  };
  if (scene.before_running) draw_labels(scene, frame, pixel_of, &canvas);
  still.annotated = annotate({scene, frame, framing, pixels_per_metre, things.has_grid()}, &canvas);
  if (still.annotated) draw_compass(framing.direction, scene.gravity, &canvas);
  return still;
}

}  // namespace csim
