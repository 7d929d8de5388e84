#include "problem/release_faces.h"

#include <algorithm>

namespace csim {
namespace {

double depth_of(const ContactSet& contacts, const ContactPatch& patch) {
  double depth = 0.0;
  for (int k = patch.point_begin; k < patch.point_end; ++k) {
    const FacePoint& point = contacts.face_points[k];
    depth = std::max(depth, point.pressure * contacts.surface.softness[point.face]);
  }
  return depth;
}

}  // namespace

bool release_faces(const ContactSet& contacts, const ContactForces& forces, ConvexProblem* problem) {
  if (contacts.patches.empty()) return false;
  ContactColumns& c = problem->contacts;
  const int num_points = static_cast<int>(contacts.points.size());
  int patch = -1;
  double depth = 0.0;
  bool any = false;
  for (int i = 0; i < problem->num_contacts(); ++i) {
    if (problem->source[i] < num_points) continue;
    const int of_point = contacts.patch_of_point[problem->source[i] - num_points];
    if (of_point != patch) {
      patch = of_point;
      depth = depth_of(contacts, contacts.patches[patch]);
    }
    const double fe0 = c.elastic_force0[i], parted = problem->h * forces.velocities.normal[i];
    if (!(fe0 > 0.0) || !(depth > 0.0) || parted <= depth || fe0 - c.stiffness[i] * parted <= 0.0) continue;
    if (!presses(forces.gamma[i], c.normal[i])) continue;
    c.stiffness[i] = fe0 / depth;
    c.phi0[i] = -depth;
    any = true;
  }
  if (any) {
    problem->law->setup(problem->law_parameters, problem->h, {0, problem->num_contacts()}, &c);
  }
  return any;
}

}  // namespace csim
