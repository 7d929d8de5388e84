#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "patch/surface_scratch.h"

namespace csim {
namespace {

/// Sorts by elements: radix sort by bytes from the lowest one, skipping bytes that all keys share.
void sort_keys(std::vector<FaceKey>* keys, std::vector<FaceKey>* other) {
  if (keys->size() < 64) {
    std::sort(keys->begin(), keys->end(),
              [](const FaceKey& a, const FaceKey& b) { return a.elements < b.elements; });
    return;
  }
  std::uint64_t differ = 0;
  for (const FaceKey& key : *keys) differ |= key.elements ^ keys->front().elements;
  other->resize(keys->size());
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differ >> shift & 0xff) == 0) continue;
    std::array<int, 257> begin{};
    for (const FaceKey& key : *keys) ++begin[(key.elements >> shift & 0xff) + 1];
    for (int i = 0; i < 256; ++i) begin[i + 1] += begin[i];
    for (const FaceKey& key : *keys) (*other)[begin[key.elements >> shift & 0xff]++] = key;
    keys->swap(*other);
  }
}

/// Writes the faces in world coordinates, one by one.
class Writer {
 public:
  Writer(const RigidTransform& X_WT, bool t_is_a, bool vertices, ContactSurface* surface)
      : X_WT_(X_WT), t_is_a_(t_is_a), vertices_(vertices), s_(*surface) {}

  void resize(std::size_t n) {
    std::apply([n](auto&... column) { (column.resize(n), ...); }, ContactSurface::face_columns(s_));
    s_.vertex_begin.clear();
    s_.vertices.clear();
    s_.vertex_pressures.clear();
    if (vertices_) s_.vertex_begin.push_back(0);
  }

  void write(int i, const RawFace& face) {
    s_.area[i] = face.area;
    s_.pressure[i] = face.pressure;
    s_.centroid[i] = X_WT_ * face.centroid;
    // The direction points into T.
    s_.normal[i] = X_WT_.R * (t_is_a_ ? Vector3(-face.direction) : face.direction);
    s_.gradient_a[i] = t_is_a_ ? face.gradient_t : face.gradient_m;
    s_.gradient_b[i] = t_is_a_ ? face.gradient_m : face.gradient_t;
    s_.gradient[i] = combined_gradient(face);
    s_.storage[i] = face.storage;
    s_.softness[i] = face.softness;
    s_.element_a[i] = t_is_a_ ? face.element_t : face.element_m;
    s_.element_b[i] = t_is_a_ ? face.element_m : face.element_t;
    s_.num_constant += face.constant ? 1 : 0;
  }

  /// Corners counterclockwise about the direction: the other way round about the normal when T is A.
  void write_corners(const std::array<Vector3, 8>& corner, int count, const LinearField& field) {
    if (!vertices_) return;
    for (int k = 0; k < count; ++k) {
      const Vector3& x = corner[t_is_a_ ? count - 1 - k : k];
      s_.vertices.push_back(X_WT_ * x);
      s_.vertex_pressures.push_back(field.at(x));
    }
    s_.vertex_begin.push_back(static_cast<int>(s_.vertices.size()));
  }

 private:
  static double combined_gradient(const RawFace& face) {
    if (face.constant) return 0.0;
    const double t = face.gradient_t, m = face.gradient_m;
    return std::isinf(t) ? m : std::isinf(m) ? t : t * m / (t + m);
  }

  const RigidTransform& X_WT_;
  bool t_is_a_, vertices_;
  ContactSurface& s_;
};

std::array<Vector3, 8> corners(const ConvexPolygon& polygon) {
  double x[8], y[8], z[8];
  polygon.corner.x.store(x);
  polygon.corner.y.store(y);
  polygon.corner.z.store(z);
  std::array<Vector3, 8> result;
  for (int k = 0; k < 8; ++k) result[k] = Vector3(x[k], y[k], z[k]);
  return result;
}

/// A triangle of the fan around a face's centroid, as a face of its own.
RawFace fan_triangle(const RawFace& face, const Vector3& a, const Vector3& b) {
  RawFace part = face;
  part.area = 0.5 * (a - face.centroid).cross(b - face.centroid).dot(face.direction);
  part.centroid = (face.centroid + a + b) / 3.0;
  part.pressure = face.field.at(part.centroid);
  return part;
}

}  // namespace

void add_face(const ConvexPolygon& polygon, const Vector3& direction, const LinearField* t,
              const LinearField* m, int element_t, int element_m, const FaceRules& rules,
              SurfaceScratch* scratch) {
  ++scratch->num_clipped;
  const PolygonMeasure measured = measure(polygon, direction);
  if (!(measured.area > rules.tolerance * measured.size)) {
    ++scratch->num_dropped_area;
    return;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double squared_t = t != nullptr ? t->gradient.squaredNorm() : kInfinity;
  const double squared_m = m != nullptr ? m->gradient.squaredNorm() : kInfinity;
  // The pressures of both are equal there; that with the smaller gradient has the smaller round-off.
  const LinearField& field = squared_t <= squared_m ? *t : *m;
  const double pressure = field.at(measured.centroid);
  // A tet with the same pressure at all corners (0 where all of them are on the boundary) has no force. A
  // face in it would depend on the order of the bodies.
  const bool flat = squared_t == 0.0 || squared_m == 0.0;
  if (flat && !(pressure > 0.0)) return;
  RawFace& face = scratch->faces.emplace_back();
  face.centroid = measured.centroid;
  face.direction = direction;
  face.area = measured.area;
  face.pressure = pressure;
  face.field = field;
  face.gradient_t = t != nullptr ? direction.dot(t->gradient) : kInfinity;
  face.gradient_m = m != nullptr ? -direction.dot(m->gradient) : kInfinity;
  // Rigid sides and sides without a gradient contribute nothing.
  const auto counts = [](double squared) { return squared > 0.0 && squared < kInfinity; };
  face.storage = 0.5 * ((counts(squared_t) ? face.gradient_t / squared_t : 0.0) +
                        (counts(squared_m) ? face.gradient_m / squared_m : 0.0));
  face.softness = (counts(squared_t) ? 1.0 / std::sqrt(squared_t) : 0.0) +
                  (counts(squared_m) ? 1.0 / std::sqrt(squared_m) : 0.0);
  const auto vanishes = [](double along, double squared) {
    return along <= 0.0 ||
           along * along <= ContactSurface::kZeroGradient * ContactSurface::kZeroGradient * squared;
  };
  face.constant = (t != nullptr && vanishes(face.gradient_t, squared_t)) ||
                  (m != nullptr && vanishes(face.gradient_m, squared_m));
  face.element_t = element_t;
  face.element_m = element_m;
  if (scratch->keep_polygons) scratch->polygons.push_back(polygon);
}

void finish_surface(const RigidTransform& X_WT, bool t_is_a, const SurfaceOptions& options,
                    SurfaceScratch* scratch, ContactSurface* surface) {
  double largest_area = 0.0;
  for (const RawFace& face : scratch->faces) largest_area = std::max(largest_area, face.area);
  scratch->keys.clear();
  std::size_t num_corners = 0;
  for (std::size_t i = 0; i < scratch->faces.size(); ++i) {
    const RawFace& face = scratch->faces[i];
    if (face.area <= ContactSurface::kZeroArea * largest_area) {
      ++scratch->num_dropped_area;
      continue;
    }
    const auto a = static_cast<std::uint32_t>(1 + (t_is_a ? face.element_t : face.element_m));
    const auto b = static_cast<std::uint32_t>(1 + (t_is_a ? face.element_m : face.element_t));
    scratch->keys.push_back({std::uint64_t{a} << 32 | b, static_cast<int>(i)});
    if (options.triangles) num_corners += scratch->polygons[i].count;
  }
  sort_keys(&scratch->keys, &scratch->other_keys);

  static_cast<SurfaceCounts&>(*surface) = *scratch;
  Writer writer(X_WT, t_is_a, options.vertices, surface);
  writer.resize(options.triangles ? num_corners : scratch->keys.size());
  int row = 0;
  for (const FaceKey& key : scratch->keys) {
    const RawFace& face = scratch->faces[key.face];
    if (!scratch->keep_polygons) {
      writer.write(row++, face);
      continue;
    }
    const std::array<Vector3, 8> ring = corners(scratch->polygons[key.face]);
    const int count = scratch->polygons[key.face].count;
    if (!options.triangles) {
      writer.write(row++, face);
      writer.write_corners(ring, count, face.field);
      continue;
    }
    for (int k = 0; k < count; ++k) {
      const Vector3 &a = ring[k], &b = ring[(k + 1) % count];
      writer.write(row++, fan_triangle(face, a, b));
      writer.write_corners({face.centroid, a, b}, 3, face.field);
    }
  }
}

}  // namespace csim
