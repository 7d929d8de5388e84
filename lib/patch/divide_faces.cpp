#include "patch/divide_faces.h"

#include <algorithm>

#include <array>
#include <span>

#include "core/require.h"
#include "patch/polygon_integrals.h"

namespace csim {
namespace {

/// Faces have up to eight corners; each half of one has at most one more, and only when the other half is a
/// triangle.
struct Polygon {
  static constexpr int kCapacity = 32;
  int size = 0;
  std::array<Vector3, kCapacity> vertices;
  std::array<double, kCapacity> pressures;

  void add(const Vector3& vertex, double pressure) {
    CSIM_REQUIRE(size < kCapacity);
    vertices[size] = vertex;
    pressures[size] = pressure;
    ++size;
  }
};

/// The two corners farthest apart; returns their distance.
double longest_diagonal(const Polygon& polygon, Vector3* from, Vector3* to) {
  double longest = -1.0;
  for (int i = 0; i < polygon.size; ++i) {
    for (int j = i + 1; j < polygon.size; ++j) {
      const double length = (polygon.vertices[j] - polygon.vertices[i]).norm();
      if (length <= longest) continue;
      longest = length;
      *from = polygon.vertices[i];
      *to = polygon.vertices[j];
    }
  }
  return longest;
}

/// The part of a convex polygon where side * (x - middle) . direction <= 0. Both parts get the same point
/// where an edge is cut.
Polygon cut(const Polygon& polygon, const Vector3& middle, const Vector3& direction, double side) {
  Polygon part;
  for (int i = 0; i < polygon.size; ++i) {
    const int j = (i + 1) % polygon.size;
    const double h_i = (polygon.vertices[i] - middle).dot(direction);
    const double h_j = (polygon.vertices[j] - middle).dot(direction);
    if (side * h_i <= 0.0) part.add(polygon.vertices[i], polygon.pressures[i]);
    if ((h_i < 0.0 && h_j > 0.0) || (h_i > 0.0 && h_j < 0.0)) {
      const double t = h_i / (h_i - h_j);
      part.add((1.0 - t) * polygon.vertices[i] + t * polygon.vertices[j],
               (1.0 - t) * polygon.pressures[i] + t * polygon.pressures[j]);
    }
  }
  return part;
}

/// Calls use(column of `from`, &column of *to) for every column with an entry a face.
template <typename Use>
void for_each_column(const ContactSurface& from, ContactSurface* to, Use&& use) {
  std::apply(
      [&](const auto&... source) {
        std::apply([&](auto&... target) { (use(source, &target), ...); }, ContactSurface::face_columns(*to));
      },
      ContactSurface::face_columns(from));
}

void append_piece(const ContactSurface& surface, int face, const Polygon& polygon, ContactSurface* out) {
  const auto size = static_cast<std::size_t>(polygon.size);
  const PolygonIntegrals integrals =
      integrate_polygon(std::span(polygon.vertices).first(size), std::span(polygon.pressures).first(size),
                        surface.normal[face]);
  if (!(integrals.area > 0.0)) return;
  for_each_column(surface, out, [&](const auto& from, auto* to) { to->push_back(from[face]); });
  out->area.back() = integrals.area;
  out->centroid.back() = integrals.centroid;
  out->pressure.back() = integrals.pressure;
  if (surface.gradient[face] == 0.0) ++out->num_constant;
  if (out->vertex_begin.empty()) out->vertex_begin.push_back(0);
  out->vertices.insert(out->vertices.end(), polygon.vertices.begin(), polygon.vertices.begin() + size);
  out->vertex_pressures.insert(out->vertex_pressures.end(), polygon.pressures.begin(),
                               polygon.pressures.begin() + size);
  out->vertex_begin.push_back(static_cast<int>(out->vertices.size()));
}

void divide(const ContactSurface& surface, int face, const Polygon& polygon, double max_size,
            ContactSurface* out) {
  Vector3 from, to;
  if (polygon.size < 3) return;
  if (longest_diagonal(polygon, &from, &to) <= max_size) {
    append_piece(surface, face, polygon, out);
    return;
  }
  const Vector3 middle = 0.5 * (from + to), direction = to - from;
  divide(surface, face, cut(polygon, middle, direction, 1.0), max_size, out);
  divide(surface, face, cut(polygon, middle, direction, -1.0), max_size, out);
}

/// Smallest piece, as a part of the longest diagonal of its face, for any max_size.
constexpr double kSmallestPart = 1.0 / 64.0;

template <typename T>
void append(const std::vector<T>& part, std::vector<T>* all) {
  all->insert(all->end(), part.begin(), part.end());
}

}  // namespace

void divide_faces(const ContactSurface& surface, double max_size, ContactSurface* divided) {
  Polygon polygon;
  for (int face = 0; face < surface.num_faces(); ++face) {
    const int begin = surface.vertex_begin[face], end = surface.vertex_begin[face + 1];
    polygon.size = 0;
    for (int i = begin; i < end; ++i) polygon.add(surface.vertices[i], surface.vertex_pressures[i]);
    if (polygon.size < 3) continue;
    Vector3 from, to;
    const double smallest = kSmallestPart * longest_diagonal(polygon, &from, &to);
    divide(surface, face, polygon, std::max(max_size, smallest), divided);
  }
}

void append_faces(const ContactSurface& surface, ContactSurface* all) {
  for_each_column(surface, all, [](const auto& from, auto* to) { append(from, to); });
  if (all->vertex_begin.empty()) all->vertex_begin.push_back(0);
  const int shift = all->vertex_begin.back();
  for (std::size_t i = 1; i < surface.vertex_begin.size(); ++i)
    all->vertex_begin.push_back(shift + surface.vertex_begin[i]);
  append(surface.vertices, &all->vertices);
  append(surface.vertex_pressures, &all->vertex_pressures);
  all->add(surface);
}

void clear_faces(ContactSurface* surface) {
  std::apply([](auto&... column) { (column.clear(), ...); }, ContactSurface::face_columns(*surface));
  surface->vertex_begin.clear();
  surface->vertices.clear();
  surface->vertex_pressures.clear();
  static_cast<SurfaceCounts&>(*surface) = {};
}

}  // namespace csim
