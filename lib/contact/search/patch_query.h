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

/// The query of one thread, with its memory, which drops out of the results.
class PatchQuery {
 public:
  explicit PatchQuery(const PatchOptions& options) : options_(options) { options_.surface.vertices = true; }

  /// Appends the contact surface of a and b to the set, as the patch `pair` (whose ranges and counts it
  /// fills); appends nothing when they do not meet.
  void find(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
            const RigidTransform& X_WB, ContactPatch pair, ContactSet* contacts);

 private:
  void append_points(ContactPatch* patch, ContactSet* contacts) const;

  PatchOptions options_;
  SurfaceWorkspace workspace_;
  ContactSurface found_, divided_;
};

}  // namespace csim
