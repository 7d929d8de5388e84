#include "view/raster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace csim {
namespace {

/// A polygon of at most four corners: a triangle cut by the near plane.
struct Polygon {
  std::array<Vector3, 4> corner;
  int size = 0;
};

/// The part of a triangle (camera axes, z backwards) that lies at least `near` in front of the camera.
Polygon clip_near(const std::array<Vector3, 3>& triangle, double near) {
  Polygon polygon;
  for (int k = 0; k < 3; ++k) {
    const Vector3 &a = triangle[k], &b = triangle[(k + 1) % 3];
    const double da = -a.z() - near, db = -b.z() - near;
    if (da >= 0.0) polygon.corner[polygon.size++] = a;
    if ((da >= 0.0) != (db >= 0.0)) polygon.corner[polygon.size++] = a + da / (da - db) * (b - a);
  }
  return polygon;
}

/// Fills a convex polygon given in sample coordinates. Nearness is `value + dx i + dy j` at sample (i, j).
struct Fill {
  const RasterCamera& camera;
  RowBand band;
  RasterLayer* layer;
  int item, triangle;

  void operator()(const std::array<Vector2, 4>& corner, int size, double value, double dx, double dy) const {
    Vector2 low = corner[0], high = corner[0];
    double area = 0.0;
    for (int k = 0; k < size; ++k) {
      low = low.cwiseMin(corner[k]);
      high = high.cwiseMax(corner[k]);
      const Vector2 &a = corner[k], &b = corner[(k + 1) % size];
      area += a.x() * b.y() - a.y() * b.x();
    }
    if (area == 0.0) return;
    const double turn = area > 0.0 ? 1.0 : -1.0;
    const int i0 = static_cast<int>(std::ceil(std::max(low.x(), 0.0)));
    const int i1 = static_cast<int>(std::floor(std::min(high.x(), camera.width - 1.0)));
    const int j0 = static_cast<int>(std::ceil(std::max(low.y(), 1.0 * band.first)));
    const int j1 = static_cast<int>(std::floor(std::min(high.y(), band.last - 1.0)));
    for (int j = j0; j <= j1; ++j) {
      // The span of row j that lies inside all edges.
      double from = i0, to = i1;
      for (int k = 0; k < size; ++k) {
        const Vector2 &a = corner[k], &b = corner[(k + 1) % size];
        const Vector2 edge = turn * (b - a);
        // Inside: edge.x (j - a.y) - edge.y (i - a.x) >= 0.
        const double offset = edge.x() * (j - a.y()) + edge.y() * a.x();
        if (edge.y() > 0.0) {
          to = std::min(to, offset / edge.y());
        } else if (edge.y() < 0.0) {
          from = std::max(from, offset / edge.y());
        } else if (offset < 0.0) {
          to = from - 1.0;
        }
      }
      const auto row = static_cast<std::size_t>(j - band.first) * camera.width;
      for (int i = static_cast<int>(std::ceil(from)); i <= static_cast<int>(std::floor(to)); ++i) {
        const auto nearness = static_cast<float>(value + dx * i + dy * j);
        const float before = layer->nearness[row + i];
        const bool same_item = layer->item[row + i] == item;
        if (same_item ? nearness <= before : !is_in_front(nearness, before)) continue;
        layer->nearness[row + i] = nearness;
        layer->item[row + i] = item;
        layer->triangle[row + i] = triangle;
      }
    }
  }
};

void draw_perspective(const std::array<Vector3, 3>& corner, const RasterCamera& camera, const Fill& fill) {
  const Vector3 n = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const double k = n.dot(corner[0]);
  if (k == 0.0) return;  // seen edge-on
  const Polygon polygon = clip_near(corner, 1e-3 / camera.focal + 1e-6);
  if (polygon.size < 3) return;
  const double cx = 0.5 * (camera.width - 1), cy = 0.5 * (camera.height - 1);
  std::array<Vector2, 4> sample;
  for (int c = 0; c < polygon.size; ++c) {
    const Vector3& p = polygon.corner[c];
    sample[c] = {cx - camera.focal * p.x() / p.z(), cy + camera.focal * p.y() / p.z()};
  }
  // On the ray (x, y, -1) of a sample the plane n.p = k lies at the distance k / n.(x, y, -1).
  const double dx = n.x() / (k * camera.focal), dy = -n.y() / (k * camera.focal);
  fill(sample, polygon.size, -n.z() / k - dx * cx - dy * cy, dx, dy);
}

void draw_parallel(const std::array<Vector3, 3>& corner, const RasterCamera& camera, const Fill& fill) {
  const Vector3 n = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  if (n.z() == 0.0) return;
  const double cx = 0.5 * (camera.width - 1), cy = 0.5 * (camera.height - 1);
  std::array<Vector2, 4> sample;
  for (int c = 0; c < 3; ++c) {
    sample[c] = {cx + camera.scale * corner[c].x(), cy - camera.scale * corner[c].y()};
  }
  // z = (n.corner - n.x x - n.y y) / n.z, which grows towards the light.
  const double dx = -n.x() / (n.z() * camera.scale), dy = n.y() / (n.z() * camera.scale);
  fill(sample, 3, n.dot(corner[0]) / n.z() - dx * cx - dy * cy, dx, dy);
}

}  // namespace

Vector3 RasterCamera::ray(int i, int j) const {
  const Vector3 local((i - 0.5 * (width - 1)) / focal, (0.5 * (height - 1) - j) / focal, -1.0);
  return axes * local;
}

Vector3 RasterCamera::project(const Vector3& p_W) const {
  const Vector3 p = axes.transpose() * (p_W - position);
  const double cx = 0.5 * (width - 1), cy = 0.5 * (height - 1);
  if (focal == 0.0) return {cx + scale * p.x(), cy - scale * p.y(), p.z()};
  return {cx - focal * p.x() / p.z(), cy + focal * p.y() / p.z(), -1.0 / p.z()};
}

RasterLayer rasterise(const std::vector<RasterItem>& items, const RasterCamera& camera, RowBand band) {
  const auto samples = static_cast<std::size_t>(camera.width) * (band.last - band.first);
  RasterLayer layer;
  layer.nearness.assign(samples, RasterLayer::kEmpty);
  layer.item.assign(samples, -1);
  layer.triangle.assign(samples, -1);
  std::vector<Vector3> vertices;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Surface& surface = *items[i].surface;
    vertices.clear();
    for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
      vertices.push_back(camera.axes.transpose() * (items[i].vertex(static_cast<int>(v)) - camera.position));
    }
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      const auto& [a, b, c] = surface.triangles[t];
      const Fill fill{camera, band, &layer, static_cast<int>(i), static_cast<int>(t)};
      const std::array<Vector3, 3> corner{vertices[a], vertices[b], vertices[c]};
      if (camera.focal == 0.0) {
        draw_parallel(corner, camera, fill);
      } else {
        draw_perspective(corner, camera, fill);
      }
    }
  }
  return layer;
}

}  // namespace csim
