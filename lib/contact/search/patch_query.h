// Two pressure-field geometries at two poses -> a patch of the contact set.
#pragma once

#include <optional>

#include "contact/contact_set.h"
#include "core/rigid_transform.h"
#include "patch/find_contact_surface.h"

namespace csim {

/// How contact surfaces become contacts.
struct PatchOptions {
  SurfaceOptions surface;
  FaceQuadrature quadrature = FaceQuadrature::kCentroid;
  std::optional<double> max_face_size;  // m; none: faces as they are
  bool drop_constant = false;           // leave out the faces whose pressure does not grow along the normal
};

/// What the faces of a contact surface hold that the angle rule leaves.
struct SurfaceSum {
  Vector3 force = Vector3::Zero();  // N, elastic, on b, world
  double energy = 0.0;              // J, stored

  /// Whether one body is beyond the middle of the other: most faces lie against the gradient of the pressure,
  /// so that pressing goes on to where it falls.
  [[nodiscard]] bool is_beyond_middle() const { return energy <= 0.0; }
};

/// The query of one thread, with its memory, which drops out of the results.
class PatchQuery {
 public:
  explicit PatchQuery(const PatchOptions& options) : options_(options) { options_.surface.vertices = true; }

  /// Appends the contact surface of a and b to the set, as the patch `pair` (whose ranges and counts it
  /// fills); appends nothing when they do not meet.
  void find(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
            const RigidTransform& X_WB, ContactPatch pair, ContactSet* contacts);

  /// The contact surface of a and b as a whole; none where no face, at any angle, is under pressure.
  [[nodiscard]] std::optional<SurfaceSum> sum(const PatchGeometry& a, const RigidTransform& X_WA,
                                              const PatchGeometry& b, const RigidTransform& X_WB);

 private:
  void append_points(ContactPatch* patch, ContactSet* contacts) const;

  PatchOptions options_;
  SurfaceWorkspace workspace_;
  ContactSurface found_, divided_;
};

}  // namespace csim
