#include "step/account/deepest_overlap.h"

namespace csim {
namespace {

void take_deeper(double depth, const ContactPair& pair, Overlap* deepest) {
  if (depth > deepest->depth) *deepest = {depth, pair.geometry_a, pair.geometry_b};
}

/// m, at the poses of the query.
double depth_of(const ContactSet& contacts, int k) {
  const int num_points = static_cast<int>(contacts.points.size());
  if (k < num_points) return -contacts.points[k].phi;
  const FacePoint& point = contacts.face_points[k - num_points];
  const double gradient = contacts.surface.gradient[point.face];
  return gradient > 0.0 ? point.pressure / gradient : 0.0;
}

}  // namespace

Overlap deepest_overlap(const ContactSet& contacts) {
  Overlap deepest;
  for (int k = 0; k < contacts.size(); ++k) take_deeper(depth_of(contacts, k), contacts.pair(k), &deepest);
  return deepest;
}

Overlap deepest_overlap(const Model& model, const TreeSet& trees, const ContactSet& contacts,
                        const ConvexProblem& problem, const std::vector<double>& v_n) {
  Overlap deepest;
  const auto take = [&](double depth, const ContactPair& pair) {
    if (has_either(trees, model, pair.body_a, pair.body_b)) take_deeper(depth, pair, &deepest);
  };
  for (int k = 0; k < contacts.size(); ++k) take(depth_of(contacts, k), contacts.pair(k));
  const ContactColumns& c = problem.contacts;
  for (int i = 0; i < problem.num_contacts(); ++i)
    take(-(c.phi0[i] + problem.h * v_n[i]), contacts.pair(problem.source[i]));
  return deepest;
}

}  // namespace csim
