// The mesh makers behind make_compliant_mesh(), one a shape.
#pragma once

#include "mesh/make_compliant_mesh.h"

namespace csim {

/// Levels of refinement of an octahedron inscribed in a sphere: the least whose chord along the equator, of 4
/// 2^level edges, is at most `resolution`; at most kMaxSingleLevel or kMaxDenseLevel, beyond which a ball has
/// more tets (half a million, two million) than a step has time for.
inline constexpr int kMaxSingleLevel = 8;
inline constexpr int kMaxDenseLevel = 6;
[[nodiscard]] int sphere_level(double radius, double resolution, MeshStrategy strategy);
/// The level without a limit.
[[nodiscard]] int wanted_sphere_level(double radius, double resolution);

/// Vertices around a circle with chords of at most `resolution`: at least 3, at most kMaxSectors (of a
/// capsule: the tets grow with its square).
inline constexpr int kMaxSectors = 706;
inline constexpr int kMaxCylinderSectors = 100000;
[[nodiscard]] int num_sectors(double radius, double resolution, int limit);

/// Pressure modulus (1 - |x|/r): a cone over the centre. 8 4^level tets (single), 8^(level + 1) (dense).
[[nodiscard]] CompliantMesh make_sphere_tets(const Sphere& sphere, const CompliantMeshOptions& options);

/// A ball of the resolution of the longest axis, stretched; pressure modulus (1 - |(x/a, y/b, z/c)|).
[[nodiscard]] CompliantMesh make_ellipsoid_tets(const Ellipsoid& ellipsoid,
                                                const CompliantMeshOptions& options);

/// Along the medial axis, which is a point, a line or a rectangle, so that modulus distance/H, H the least
/// half size, is met exactly everywhere; every face in four triangles about its centre, since two would tilt
/// wrong. 24, 32 or 44 tets.
[[nodiscard]] CompliantMesh make_box_tets(const Box& box, const CompliantMeshOptions& options);

/// Along the medial axis of the prism over a regular polygon: a line (5n tets), a point (4n) or a disk (9n).
[[nodiscard]] CompliantMesh make_cylinder_tets(const Cylinder& cylinder, const CompliantMeshOptions& options);

/// Pressure from the axis between the centres of the caps, where it is the modulus, to the surface.
[[nodiscard]] CompliantMesh make_capsule_tets(const Capsule& capsule, const CompliantMeshOptions& options);

/// A star about the centre of volume, the faces as fans. Under a face the pressure rises by modulus/h, h its
/// distance from the centre: long and flat shapes are softer under their far faces than a box of the same
/// size, whose field is one of distance.
[[nodiscard]] CompliantMesh make_convex_tets(const Convex& convex, const CompliantMeshOptions& options);

}  // namespace csim
