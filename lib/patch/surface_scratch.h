// What a query keeps between its stages: candidates, raw faces, keys to sort them.
#pragma once

#include <cstdint>
#include <vector>

#include "patch/convex_polygon.h"
#include "patch/find_contact_surface.h"
#include "patch/prepared_geometry.h"
#include "patch/traverse.h"

namespace csim {

/// A face in the frame T of the body that a query works in; M is the other body. Its direction points to
/// where p_T grows.
struct RawFace {
  Vector3 centroid;   // m
  Vector3 direction;  // unit
  double area;        // m^2
  double pressure;    // Pa, at the centroid
  double gradient_t;  // Pa/m, of p_T along the direction; infinity on a rigid side
  double gradient_m;  // Pa/m, of p_M against it
  LinearField field;  // the one that `pressure` comes from
  double storage;     // m/Pa, as in ContactSurface
  double softness;    // m/Pa, likewise
  int element_t, element_m;
  bool constant;  // presses with a constant force
};

/// What makes a pair of elements no face: shared by all combinations.
struct FaceRules {
  double least_cosine;  // SurfaceOptions
  double tolerance;     // m, what rounding leaves of a length
};

/// The angle rule: whether the pressure of a side grows along the direction as steeply as a face needs.
[[nodiscard]] inline bool follows(const Vector3& direction, const LinearField& field, double steepness,
                                  const FaceRules& rules) {
  return direction.dot(field.gradient) >= rules.least_cosine * steepness;
}

/// Relative: gradients that differ by less are equal, and make no plane.
inline constexpr double kEqualGradients = 1e-15;

struct Candidate {
  int place;   // of the tet of T
  int lane;    // of the block of M
  bool level;  // some vertex of either tet is at equal pressure but for rounding
};

/// Faces are sorted by their elements.
struct FaceKey {
  std::uint64_t elements;
  int face;
};

struct SurfaceScratch : SurfaceCounts {
  TreeStack stack;
  std::vector<Candidate> candidates;
  std::vector<RawFace> faces;
  std::vector<ConvexPolygon> polygons;  // of the faces, when they are asked for
  std::vector<FaceKey> keys, other_keys;
  bool keep_polygons = false;
};

/// The stages: each appends to scratch->faces what the two make of each other, M at the pose X_TM in T.
void meet_tets(const PreparedField& t, const PreparedField& m, const RigidTransform& X_TM,
               const FaceRules& rules, SurfaceScratch* scratch);
void meet_triangles(const PreparedField& t, const PreparedSurface& m, const RigidTransform& X_TM,
                    const FaceRules& rules, SurfaceScratch* scratch);
/// The half space is M, and lies below the plane.
void meet_rigid_half_space(const PreparedField& t, const Plane& plane, const FaceRules& rules,
                           SurfaceScratch* scratch);
void meet_compliant_half_space(const PreparedField& t, const Plane& plane, const CompliantHalfSpace& m,
                               const FaceRules& rules, SurfaceScratch* scratch);
/// The half space is T.
void meet_compliant_half_space(const Plane& plane, const CompliantHalfSpace& t, const PreparedSurface& m,
                               const FaceRules& rules, SurfaceScratch* scratch);

/// Adds the face of a polygon whose plane has the given direction, unless it is narrower than rounding. `t`
/// and `m` are the fields of the two; a rigid side has none.
void add_face(const ConvexPolygon& polygon, const Vector3& direction, const LinearField* t,
              const LinearField* m, int element_t, int element_m, const FaceRules& rules,
              SurfaceScratch* scratch);

/// Drops what is too small, sorts, and puts the rest in the world: X_WT is the pose of the frame of the
/// faces, t_is_a says which of the two A is.
void finish_surface(const RigidTransform& X_WT, bool t_is_a, const SurfaceOptions& options,
                    SurfaceScratch* scratch, ContactSurface* surface);

}  // namespace csim
