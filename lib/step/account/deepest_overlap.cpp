#include "step/account/deepest_overlap.h"

namespace csim {
namespace {

void take_deeper(double depth, const ContactPair& pair, Overlap* deepest) {
  if (depth > deepest->depth) *deepest = {depth, pair.geometry_a, pair.geometry_b};
}

}  // namespace

Overlap deepest_overlap(const ContactSet& contacts) {
  Overlap deepest;
  const int num_points = static_cast<int>(contacts.points.size());
  for (int k = 0; k < contacts.size(); ++k) {
    double depth = 0.0;
    if (k < num_points) {
      depth = -contacts.points[k].phi;
    } else {
      const FacePoint& point = contacts.face_points[k - num_points];
      const double gradient = contacts.surface.gradient[point.face];
      if (gradient > 0.0) depth = point.pressure / gradient;
    }
    take_deeper(depth, contacts.pair(k), &deepest);
  }
  return deepest;
}

Overlap deepest_overlap(const ContactSet& contacts, const ConvexProblem& problem,
                        const std::vector<double>& v_n) {
  Overlap deepest = deepest_overlap(contacts);
  const ContactColumns& c = problem.contacts;
  for (int i = 0; i < problem.num_contacts(); ++i)
    take_deeper(-(c.phi0[i] + problem.h * v_n[i]), contacts.pair(problem.source[i]), &deepest);
  return deepest;
}

}  // namespace csim
