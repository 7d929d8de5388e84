// The deepest overlap of a step, for guards.penetration.
#pragma once

#include <vector>

#include "contact/contact_set.h"
#include "model/tree_bodies.h"
#include "problem/convex_problem.h"

namespace csim {

struct Overlap {
  double depth = 0.0;                    // m; 0: none
  int geometry_a = -1, geometry_b = -1;  // of Model::geometries; -1: none
};

/// At the poses of the query. Of a patch: pressure over gradient, of the two bodies together.
[[nodiscard]] Overlap deepest_overlap(const ContactSet& contacts);

/// The deeper of that and of the end of the step, phi0 + h v_n with the normal velocities v_n (m/s) of the
/// problem's contacts; of pairs with a body of `trees`.
[[nodiscard]] Overlap deepest_overlap(const Model& model, const TreeSet& trees, const ContactSet& contacts,
                                      const ConvexProblem& problem, const std::vector<double>& v_n);

}  // namespace csim
