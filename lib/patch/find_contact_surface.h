// Contact surfaces of every pair of representations: a rigid surface, a compliant mesh, half spaces of either
// kind.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/rigid_transform.h"
#include "geometry/shape.h"
#include "mesh/pressure_field.h"
#include "patch/contact_surface.h"

namespace csim {

class PreparedField;    // a compliant mesh, its tets laid out and in a tree
class PreparedSurface;  // a rigid triangle surface, likewise

/// A geometry prepared for contact surfaces. Built once; queries only read it.
using PatchGeometry = std::variant<std::shared_ptr<const PreparedField>,
                                   std::shared_ptr<const PreparedSurface>, CompliantHalfSpace, HalfSpace>;

/// A compliant mesh; requires tets of positive volume.
[[nodiscard]] PatchGeometry prepare_patch_geometry(const CompliantMesh& mesh);
/// A rigid surface, triangles counterclockwise seen from outside; it may be open. Triangles without area make
/// no faces.
[[nodiscard]] PatchGeometry prepare_patch_geometry(const TriangleMesh& surface);

struct SurfaceOptions {
  /// Cosine of the largest angle between a face's normal and the pressure gradient of a side; other faces are
  /// left out, because the far sides of thin bodies would push in the wrong direction. -sin(pi/8) for 5 pi/8;
  /// -1 keeps all.
  double least_cosine = -0.38268343236508977;
  /// Each polygon as the fan of triangles around its centroid, one face each (section III-B).
  bool triangles = false;
  bool vertices = false;  // fill ContactSurface::vertices
};

/// Why the pair has no contact surface at any poses, as a sentence (neither is compliant, two half spaces);
/// empty when it can have one.
[[nodiscard]] std::string why_no_contact_surface(const PatchGeometry& a, const PatchGeometry& b);

struct SurfaceScratch;

/// Memory of the queries of one thread. A fresh one gives the same bits.
class SurfaceWorkspace {
 public:
  SurfaceWorkspace();
  ~SurfaceWorkspace();
  SurfaceWorkspace(SurfaceWorkspace&&) noexcept;
  SurfaceWorkspace& operator=(SurfaceWorkspace&&) noexcept;
  [[nodiscard]] SurfaceScratch& scratch() { return *scratch_; }

 private:
  std::unique_ptr<SurfaceScratch> scratch_;
};

/// The contact surface of two geometries at their poses, no faces when they do not meet. Requires that
/// why_no_contact_surface() is empty. Exchanging A and B gives the same faces with the opposite normal (to
/// rounding; bit for bit the caller orders pairs by geometry). Allocates nothing once workspace and surface
/// have grown.
void find_contact_surface(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                          const RigidTransform& X_WB, const SurfaceOptions& options,
                          SurfaceWorkspace* workspace, ContactSurface* surface);

}  // namespace csim
