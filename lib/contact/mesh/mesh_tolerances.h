// Tolerances of contacts with triangle surfaces, each with its reason. What they act on:
// docs/evidence/mesh_contacts.md. "Size" is that of the convex shape, or of the smaller of two surfaces: half
// the diagonal of its box.
#pragma once

#include <limits>

namespace csim {

/// The bound of a search that has none.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct MeshTolerances {
  // Rounding: far above that of coordinates, far below any overlap that a law resolves.

  /// Lengths below this fraction of the size are rounding.
  static constexpr double kRounding = 1e-10;
  /// Directions with a smaller sine between them are parallel: their cross product is rounding.
  static constexpr double kParallel = 1e-6;
  /// Sine by which a normal may leave the normal cone of a corner or edge where nothing rests on it.
  static constexpr double kStrict = 1e-6;
  /// A normal this close to a face's (rad) is the face's own: the search for a distance stops at about 1e-8.
  static constexpr double kFaceNormal = 1e-6;
  /// Fraction of an edge's length that belongs to its ends: corners lie on edges to rounding.
  static constexpr double kEnd = 1e-9;
  /// Relative tolerance of the distance at which a triangle meets a rounded shape.
  static constexpr double kSearch = 1e-6;
  /// Edges folded tighter than this (sine between the facets' normals) have no arc of normals to search.
  static constexpr double kFolded = 1e-9;
  /// Fraction of an edge's arc of normals at its ends that belongs to the facets: the search ends at 4e-9 of
  /// it.
  static constexpr double kAtFacet = 1e-4;

  // What is one and the same.

  /// Normals that differ by less (rad) are one; single-precision files make flat faces bend by 1e-5.
  static constexpr double kSameNormal = 1e-3;
  /// Contacts with one normal this close to each other, as a fraction of the size, are one.
  static constexpr double kSamePoint = 1e-6;
  /// Contacts whose normals differ by less (rad) share the limit on their number: faces of a convex shape are
  /// flat.
  static constexpr double kSameFace = 1e-2;
  /// The same between two meshes: a rounded place is tessellated into many facets.
  static constexpr double kSameRoundFace = 0.2;

  // What rests.

  /// Sine by which a normal may leave the cone of a corner or edge on which a face lies: 30 degrees, since
  /// all points of a face that tilts are worth having.
  static constexpr double kResting = 0.5;
  /// An edge lies on a facet when the sine between them is less; above it the crossing of the edges has a
  /// normal of its own.
  static constexpr double kOnFacet = 0.02;
  /// Edges with a larger sine between them have a normal across both that rounding does not turn.
  static constexpr double kOblique = 0.1;
  /// A corner is pushed out through a facet when it lies no farther beside it than this many times its depth.
  static constexpr double kBesideFacet = 2.0;
  /// The way from a corner behind a sheet may leave the solid that is pushed by this fraction of its length:
  /// past it another part is behind.
  static constexpr double kOutside = 0.5;

  // Ways out.

  /// Overlaps deeper than this fraction of the thickness of the two are compared with the least way out;
  /// shallower ones rest on more contacts than it takes to part them.
  static constexpr double kDeepOverlap = 0.01;
  /// Contacts that are shallower than the deepest by this factor belong to walls beside it, which a way out
  /// along it has to clear with room to spare.
  static constexpr double kMuchShorter = 0.5;
  /// Another way out is worth having when it is shorter by this fraction; less would change contacts for
  /// nothing.
  static constexpr double kShorter = 0.01;
  /// A way out is the least nearby when the planes that it meets leave no more than this fraction of it to
  /// gain: a tenth of kShorter, so that where the search ends is not felt.
  static constexpr double kLeast = 1e-3;
  /// Sine by which the surface may rise above the plane of a contact that holds all of a shallow overlap: its
  /// rise is hidden below the depth.
  static constexpr double kLoose = 0.02;
  /// Fraction of a contact's depth that a way out may leave it and still clear it.
  static constexpr double kLeft = 0.5;
  /// Fraction of the size by which a surface has to go on above a plane not to be cleared by it.
  static constexpr double kGoesOn = 1e-3;
  /// Fraction of the size within which a way out acts on the surface; farther away it is moved to where the
  /// two meet.
  static constexpr double kBesideSurface = 1e-2;
};

}  // namespace csim
