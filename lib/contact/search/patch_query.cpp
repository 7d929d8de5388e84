#include "contact/search/patch_query.h"

#include <algorithm>

#include "patch/divide_faces.h"

namespace csim {

/// Points of the patch's faces, in the order of the faces.
void PatchQuery::append_points(ContactPatch* patch, ContactSet* contacts) const {
  const ContactSurface& surface = contacts->surface;
  for (int face = patch->face_begin; face < patch->face_end; ++face) {
    const bool constant = surface.gradient[face] == 0.0;
    if (constant && options_.drop_constant) {
      patch->dropped_area += surface.area[face];
      continue;
    }
    patch->num_constant += constant ? 1 : 0;
    append_face_points(surface, face, face + 1, options_.quadrature, &contacts->face_points);
  }
}

std::optional<SurfaceSum> PatchQuery::sum(const PatchGeometry& a, const RigidTransform& X_WA,
                                          const PatchGeometry& b, const RigidTransform& X_WB) {
  const auto is_pressed = [](double pressure) { return pressure > 0.0; };
  const auto any_is_pressed = [&] {
    return std::any_of(found_.pressure.begin(), found_.pressure.end(), is_pressed);
  };
  SurfaceSum sum;
  find_contact_surface(a, X_WA, b, X_WB, options_.surface, &workspace_, &found_);
  for (int i = 0; i < found_.num_faces(); ++i) {
    const double pressure = std::max(found_.pressure[i], 0.0);
    sum.force += found_.area[i] * pressure * found_.normal[i];
    sum.energy += found_.area[i] * found_.storage[i] * pressure * pressure;
  }
  if (any_is_pressed()) return sum;
  SurfaceOptions any_angle = options_.surface;
  any_angle.least_cosine = -2.0;
  find_contact_surface(a, X_WA, b, X_WB, any_angle, &workspace_, &found_);
  return any_is_pressed() ? std::optional(sum) : std::nullopt;
}

void PatchQuery::find(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                      const RigidTransform& X_WB, ContactPatch pair, ContactSet* contacts) {
  find_contact_surface(a, X_WA, b, X_WB, options_.surface, &workspace_, &found_);
  const ContactSurface* faces = &found_;
  if (options_.max_face_size) {
    clear_faces(&divided_);
    divide_faces(found_, *options_.max_face_size, &divided_);
    faces = &divided_;
  }
  if (faces->num_faces() == 0) return;
  pair.face_begin = contacts->surface.num_faces();
  append_faces(*faces, &contacts->surface);
  pair.face_end = contacts->surface.num_faces();
  pair.num_dropped_angle = found_.num_dropped_angle;
  pair.point_begin = static_cast<int>(contacts->face_points.size());
  append_points(&pair, contacts);
  pair.point_end = static_cast<int>(contacts->face_points.size());
  contacts->patch_of_point.resize(contacts->face_points.size(), static_cast<int>(contacts->patches.size()));
  contacts->patches.push_back(pair);
}

}  // namespace csim
