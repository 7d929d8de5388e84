#include "step/patch_rows.h"

#include "patch/surface_integrals.h"

namespace csim {
namespace {

void fill_faces(const ContactSurface& surface, PatchRows* rows) {
  rows->face_area = surface.area;
  rows->face_pressure = surface.pressure;
  rows->face_gradient_a = surface.gradient_a;
  rows->face_gradient_b = surface.gradient_b;
  rows->face_element_a = surface.element_a;
  rows->face_element_b = surface.element_b;
  rows->face_centroid = surface.centroid;
  rows->face_normal = surface.normal;
  rows->vertex_begin = surface.vertex_begin;
  rows->vertex = surface.vertices;
  rows->vertex_pressure = surface.vertex_pressures;
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

}  // namespace

void fill_patch_rows(const ContactSet& contacts, const ContactForces& forces, bool faces, PatchRows* rows) {
  rows->clear();
  const ContactSurface& surface = contacts.surface;
  rows->resize(contacts.patches.size());
  for (std::size_t i = 0; i < contacts.patches.size(); ++i) {
    const ContactPatch& patch = contacts.patches[i];
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
    sum_forces(contacts, forces, patch, integrals.centroid, &rows->force[i], &rows->moment[i]);
  }
  if (faces) fill_faces(surface, rows);
}

void fill_contact_rows(const ContactSet& contacts, const ContactForces& forces, bool faces,
                       ContactRows* rows) {
  const std::size_t num_points = contacts.points.size();
  const std::size_t n = num_points + (faces ? contacts.face_points.size() : 0);
  rows->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const ContactPair pair = contacts.pair(static_cast<int>(i));
    rows->geometry_a[i] = pair.geometry_a;
    rows->geometry_b[i] = pair.geometry_b;
    rows->mode[i] = forces.mode[i];
    rows->point[i] = forces.point[i];
    rows->force[i] = forces.force[i];
    rows->slip_velocity[i] = forces.slip_velocity[i];
    rows->stiffness[i] = forces.stiffness[i];
    rows->normal_force[i] = forces.normal_force[i];
    rows->slip_speed[i] = forces.slip_speed[i];
  }
  for (std::size_t i = 0; i < num_points; ++i) {
    rows->kind[i] = 0;
    rows->normal[i] = contacts.points[i].normal;
    rows->phi[i] = contacts.points[i].phi;
    rows->area[i] = rows->pressure[i] = 0.0;
  }
  for (std::size_t i = num_points; i < n; ++i) {
    const FacePoint& point = contacts.face_points[i - num_points];
    const double g = contacts.surface.gradient[point.face];
    rows->kind[i] = 1;
    rows->normal[i] = contacts.surface.normal[point.face];
    rows->phi[i] = g == 0.0 ? 0.0 : -point.pressure / g;
    rows->area[i] = point.area;
    rows->pressure[i] = point.pressure;
  }
}

}  // namespace csim
