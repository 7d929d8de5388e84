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

/// Releases faces of one island; whether there were some.
bool release_faces_of(const ContactSet& contacts, const ContactForces& forces, ContactRange range,
                      ConvexProblem* problem) {
  ContactColumns& c = problem->contacts;
  const int num_points = static_cast<int>(contacts.points.size());
  int patch = -1;
  double depth = 0.0;
  bool any = false;
  for (int i = range.begin; i < range.end; ++i) {
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
  if (any) problem->law->setup(problem->law_parameters, problem->h, range, &c);
  return any;
}

}  // namespace

bool release_faces(const ContactSet& contacts, const ContactForces& forces, ConvexProblem* problem,
                   std::vector<char>* changed) {
  if (contacts.patches.empty()) return false;
  bool any = false;
  for (std::size_t k = 0; k < problem->islands.size(); ++k) {
    if (!release_faces_of(contacts, forces, problem->islands[k].contacts, problem)) continue;
    (*changed)[k] = 1;
    any = true;
  }
  return any;
}

}  // namespace csim
