#include "patch/find_contact_surface.h"

#include <limits>

#include "core/require.h"
#include "patch/surface_scratch.h"

namespace csim {
namespace {

using Field = std::shared_ptr<const PreparedField>;
using Surface = std::shared_ptr<const PreparedSurface>;

/// The boundary of a half space z <= 0 whose pose in frame T is X.
Plane plane_of(const RigidTransform& X) {
  const Vector3 normal = X.R.col(2);
  return {normal.x(), normal.y(), normal.z(), normal.dot(X.p)};
}

double radius_of(const PatchGeometry& geometry) {
  if (const Field* field = std::get_if<Field>(&geometry)) return (*field)->radius;
  if (const Surface* surface = std::get_if<Surface>(&geometry)) return (*surface)->radius;
  return 0.0;
}

/// Round-off of a length (m), from the sizes of the bodies and the positions of their frames in the world. A
/// larger tolerance would hurt: the face of elements whose planes are nearly equal is known only to the
/// tolerance over the difference of the planes.
double length_tolerance(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                        const RigidTransform& X_WB) {
  constexpr double kUlps = 16.0 * std::numeric_limits<double>::epsilon();
  return kUlps * (radius_of(a) + radius_of(b) + X_WA.p.norm() + X_WB.p.norm());
}

/// The stages work in the frame of T. T is a mesh rather than a half space, a compliant mesh rather than a
/// rigid surface, and the mesh with more tets.
bool a_is_t(const PatchGeometry& a, const PatchGeometry& b) {
  const Field* field_a = std::get_if<Field>(&a);
  const Field* field_b = std::get_if<Field>(&b);
  if (field_a != nullptr && field_b != nullptr) {
    return (*field_a)->num_elements >= (*field_b)->num_elements;
  }
  return field_a != nullptr || (field_b == nullptr && std::holds_alternative<CompliantHalfSpace>(a));
}

void meet(const PatchGeometry& t, const PatchGeometry& m, const RigidTransform& X_TM, const FaceRules& rules,
          SurfaceScratch* scratch) {
  if (const Field* field = std::get_if<Field>(&t)) {
    if (const Field* other = std::get_if<Field>(&m)) {
      meet_tets(**field, **other, X_TM, rules, scratch);
    } else if (const Surface* surface = std::get_if<Surface>(&m)) {
      meet_triangles(**field, **surface, X_TM, rules, scratch);
    } else if (const auto* half_space = std::get_if<CompliantHalfSpace>(&m)) {
      meet_compliant_half_space(**field, plane_of(X_TM), *half_space, rules, scratch);
    } else {
      meet_rigid_half_space(**field, plane_of(X_TM), rules, scratch);
    }
  } else {
    // In the frame of the triangles, so that only the plane is transformed.
    meet_compliant_half_space(plane_of(X_TM.inverse()), std::get<CompliantHalfSpace>(t),
                              *std::get<Surface>(m), rules, scratch);
  }
}

}  // namespace

SurfaceWorkspace::SurfaceWorkspace() : scratch_(std::make_unique<SurfaceScratch>()) {}
SurfaceWorkspace::~SurfaceWorkspace() = default;
SurfaceWorkspace::SurfaceWorkspace(SurfaceWorkspace&&) noexcept = default;
SurfaceWorkspace& SurfaceWorkspace::operator=(SurfaceWorkspace&&) noexcept = default;

PatchGeometry prepare_patch_geometry(const CompliantMesh& mesh) {
  return std::make_shared<const PreparedField>(mesh);
}

PatchGeometry prepare_patch_geometry(const TriangleMesh& surface) {
  return std::make_shared<const PreparedSurface>(surface);
}

std::string why_no_contact_surface(const PatchGeometry& a, const PatchGeometry& b) {
  const auto is_half_space = [](const PatchGeometry& g) {
    return std::holds_alternative<CompliantHalfSpace>(g) || std::holds_alternative<HalfSpace>(g);
  };
  const auto is_compliant = [](const PatchGeometry& g) {
    return std::holds_alternative<CompliantHalfSpace>(g) || std::holds_alternative<Field>(g);
  };
  if (is_half_space(a) && is_half_space(b)) return "two half spaces have no bounded contact surface";
  if (!is_compliant(a) && !is_compliant(b)) return "both are rigid, and one has to be compliant";
  return "";
}

void find_contact_surface(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                          const RigidTransform& X_WB, const SurfaceOptions& options,
                          SurfaceWorkspace* workspace, ContactSurface* surface) {
  CSIM_REQUIRE(why_no_contact_surface(a, b).empty(), a.index(), b.index());
  SurfaceScratch& scratch = workspace->scratch();
  scratch.faces.clear();
  scratch.polygons.clear();
  static_cast<SurfaceCounts&>(scratch) = {};
  scratch.keep_polygons = options.triangles || options.vertices;

  const bool t_is_a = a_is_t(a, b);
  const PatchGeometry &t = t_is_a ? a : b, &m = t_is_a ? b : a;
  const RigidTransform &X_WT = t_is_a ? X_WA : X_WB, &X_WM = t_is_a ? X_WB : X_WA;
  const RigidTransform X_TM = X_WT.inverse() * X_WM;
  meet(t, m, X_TM, {options.least_cosine, length_tolerance(a, X_WA, b, X_WB)}, &scratch);
  const bool in_frame_of_m = std::holds_alternative<CompliantHalfSpace>(t);
  finish_surface(in_frame_of_m ? X_WM : X_WT, t_is_a, options, &scratch, surface);
}

}  // namespace csim
