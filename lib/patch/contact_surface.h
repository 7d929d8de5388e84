// The surface on which two pressure fields are equal, as planar faces that carry the contact forces.
#pragma once

#include <tuple>
#include <vector>

#include "core/types.h"

namespace csim {

/// Of a query: faces with gradient == 0; faces too small to keep (area below kZeroArea of the largest); pairs
/// of elements left out by the angle rule; pairs whose polygon was not empty.
struct SurfaceCounts {
  int num_constant = 0, num_dropped_area = 0, num_dropped_angle = 0, num_clipped = 0;

  void add(const SurfaceCounts& other) {
    num_constant += other.num_constant;
    num_dropped_area += other.num_dropped_area;
    num_dropped_angle += other.num_dropped_angle;
    num_clipped += other.num_clipped;
  }
};

/// The contact surface of a pair A, B (Elandt et al. 2019; Masterjohn et al., Velocity Level Approximation of
/// Pressure Field Contact Patches, section III): one entry a face in every column, sorted by (element_a,
/// element_b). World frame throughout. The elastic force on B of a face is area * pressure * normal.
struct ContactSurface : SurfaceCounts {
  std::vector<double> area;       // m^2
  std::vector<Vector3> centroid;  // m
  std::vector<Vector3> normal;    // unit, from A to B
  std::vector<double> pressure;   // Pa, at the centroid; < 0 in a margin
  /// Pa/m, how fast the pressures change across the face: g_a = -grad p_a . n and g_b = +grad p_b . n,
  /// infinity on a rigid side. Zero or negative where the face is parallel to a gradient or beyond.
  std::vector<double> gradient_a, gradient_b;
  /// Pa/m, g = g_a g_b / (g_a + g_b): dp/dt = -g v_n (section IV). With one rigid side: that of the other.
  /// 0 when g_a or g_b is below kZeroGradient |grad p| of its side: the force of such a face is constant.
  std::vector<double> gradient;
  /// m/Pa: storage * pressure^2 is the energy per area of the columns of material under the face, each along
  /// the gradient of its side: (g_a/|grad p_a|^2 + g_b/|grad p_b|^2)/2. Summed over the faces that is the
  /// potential of the contact, integral of min(p_a, p_b), where the gradients are uniform, and close to it
  /// elsewhere (the divergence of p^2 grad p/(2 |grad p|^2) is p).
  std::vector<double> storage;
  /// m/Pa: softness * pressure is the depth of the face along the gradients (m), 1/|grad p_a| + 1/|grad p_b|,
  /// 0 for a rigid side. Bodies that separate by more than this length no longer touch there.
  std::vector<double> softness;
  std::vector<int> element_a, element_b;  // tet or triangle of the side's mesh; -1 on a half space

  /// The corners of face i, counterclockwise about its normal, at vertex_begin[i] to vertex_begin[i + 1]; all
  /// three empty unless asked for (SurfaceOptions::vertices).
  std::vector<int> vertex_begin;         // [faces + 1]
  std::vector<Vector3> vertices;         // m
  std::vector<double> vertex_pressures;  // Pa

  static constexpr double kZeroGradient = 1e-6;
  static constexpr double kZeroArea = 1e-12;

  [[nodiscard]] int num_faces() const { return static_cast<int>(area.size()); }

  /// The columns with an entry a face.
  template <typename Self>
  static auto face_columns(Self& s) {
    return std::tie(s.area, s.centroid, s.normal, s.pressure, s.gradient_a, s.gradient_b, s.gradient,
                    s.storage, s.softness, s.element_a, s.element_b);
  }
};

/// The energy (J) that faces [begin, end) store; faces in a margin store none.
[[nodiscard]] inline double stored_energy(const ContactSurface& surface, int begin, int end) {
  double sum = 0.0;
  for (int i = begin; i < end; ++i) {
    if (surface.pressure[i] > 0.0)
      sum += surface.area[i] * surface.storage[i] * surface.pressure[i] * surface.pressure[i];
  }
  return sum;
}

}  // namespace csim
