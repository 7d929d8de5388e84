#include "step/patch_rows.h"

#include "patch/surface_integrals.h"

namespace csim {
namespace {

template <typename Contact>
bool is_of_part(const Model& model, const StepForces& part, const Contact& contact) {
  if (part.trees == nullptr) return true;
  const bool is_of_others = part.rests && (is_outside(*part.trees, model, contact.body_a) ||
                                           is_outside(*part.trees, model, contact.body_b));
  return !is_of_others && has_either(*part.trees, model, contact.body_a, contact.body_b);
}

template <typename T>
void append(const std::vector<T>& from, int begin, int end, std::vector<T>* to) {
  to->insert(to->end(), from.begin() + begin, from.begin() + end);
}

void append_faces(const ContactSurface& surface, const ContactPatch& patch, PatchRows* rows) {
  const int begin = patch.face_begin, end = patch.face_end;
  append(surface.area, begin, end, &rows->face_area);
  append(surface.pressure, begin, end, &rows->face_pressure);
  append(surface.gradient_a, begin, end, &rows->face_gradient_a);
  append(surface.gradient_b, begin, end, &rows->face_gradient_b);
  append(surface.element_a, begin, end, &rows->face_element_a);
  append(surface.element_b, begin, end, &rows->face_element_b);
  append(surface.centroid, begin, end, &rows->face_centroid);
  append(surface.normal, begin, end, &rows->face_normal);
  const int first = surface.vertex_begin[begin], last = surface.vertex_begin[end];
  const int offset = static_cast<int>(rows->vertex.size()) - first;
  for (int face = begin; face < end; ++face)
    rows->vertex_begin.push_back(surface.vertex_begin[face + 1] + offset);
  append(surface.vertices, first, last, &rows->vertex);
  append(surface.vertex_pressures, first, last, &rows->vertex_pressure);
}

/// Sums of what the step applied at the points of a patch, the moment about p_W.
void sum_forces(const ContactSet& contacts, const ContactForces& forces, const ContactPatch& patch,
                const Vector3& p_W, Vector3* force, Vector3* moment) {
  const std::size_t num_points = contacts.points.size();
  *force = *moment = Vector3::Zero();
  for (int k = patch.point_begin; k < patch.point_end; ++k) {
    const Vector3& f = forces.force[num_points + k];
    *force += f;
    *moment += (forces.point[num_points + k] - p_W).cross(f);
  }
}

void fill_patch(const StepForces& part, const ContactPatch& patch, std::size_t i, PatchRows* rows) {
  const ContactSurface& surface = part.contacts->surface;
  const SurfaceIntegrals integrals = integrate_surface(surface, patch.face_begin, patch.face_end);
  rows->geometry_a[i] = patch.geometry_a;
  rows->geometry_b[i] = patch.geometry_b;
  rows->num_faces[i] = patch.face_end - patch.face_begin;
  rows->num_vertices[i] = surface.vertex_begin[patch.face_end] - surface.vertex_begin[patch.face_begin];
  rows->dropped_area[i] = patch.dropped_area;
  rows->dropped_angle[i] = patch.num_dropped_angle;
  rows->constant_force_faces[i] = patch.num_constant;
  rows->area[i] = integrals.area;
  rows->max_pressure[i] = integrals.max_pressure;
  rows->centroid[i] = integrals.centroid;
  rows->elastic_force[i] = integrals.force;
  rows->elastic_moment[i] = integrals.moment;
  sum_forces(*part.contacts, *part.contact_forces, patch, integrals.centroid, &rows->force[i],
             &rows->moment[i]);
}

/// Row i of contact k of a part.
void fill_contact(const StepForces& part, int k, std::size_t i, ContactRows* rows) {
  const ContactSet& contacts = *part.contacts;
  const ContactForces& forces = *part.contact_forces;
  const ContactPair pair = contacts.pair(k);
  rows->geometry_a[i] = pair.geometry_a;
  rows->geometry_b[i] = pair.geometry_b;
  rows->mode[i] = forces.mode[k];
  rows->point[i] = forces.point[k];
  rows->force[i] = forces.force[k];
  rows->slip_velocity[i] = forces.slip_velocity[k];
  rows->stiffness[i] = forces.stiffness[k];
  rows->normal_force[i] = forces.normal_force[k];
  rows->slip_speed[i] = forces.slip_speed[k];
  const int num_points = static_cast<int>(contacts.points.size());
  if (k < num_points) {
    rows->kind[i] = 0;
    rows->normal[i] = contacts.points[k].normal;
    rows->phi[i] = contacts.points[k].phi;
    rows->area[i] = rows->pressure[i] = 0.0;
    return;
  }
  const FacePoint& point = contacts.face_points[k - num_points];
  const double g = contacts.surface.gradient[point.face];
  rows->kind[i] = 1;
  rows->normal[i] = contacts.surface.normal[point.face];
  rows->phi[i] = g == 0.0 ? 0.0 : -point.pressure / g;
  rows->area[i] = point.area;
  rows->pressure[i] = point.pressure;
}

}  // namespace

void fill_patch_rows(const Model& model, std::span<const StepForces> parts, bool faces, PatchRows* rows) {
  rows->clear();
  std::size_t n = 0;
  for (const StepForces& part : parts) n += part.contacts->patches.size();
  rows->resize(n);
  std::size_t i = 0;
  if (faces) rows->vertex_begin.assign(1, 0);
  for (const StepForces& part : parts) {
    for (const ContactPatch& patch : part.contacts->patches) {
      if (!is_of_part(model, part, patch)) continue;
      fill_patch(part, patch, i++, rows);
      if (faces) append_faces(part.contacts->surface, patch, rows);
    }
  }
  rows->resize(i);
}

void fill_contact_rows(const Model& model, std::span<const StepForces> parts, bool faces, ContactRows* rows) {
  std::size_t n = 0;
  for (const StepForces& part : parts) n += static_cast<std::size_t>(part.contacts->size());
  rows->resize(n);
  std::size_t i = 0;
  for (const StepForces& part : parts) {
    const int end = faces ? part.contacts->size() : static_cast<int>(part.contacts->points.size());
    for (int k = 0; k < end; ++k)
      if (is_of_part(model, part, part.contacts->pair(k))) fill_contact(part, k, i++, rows);
  }
  rows->resize(i);
}

}  // namespace csim
