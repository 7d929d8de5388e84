#include "step/discrete/foretold_velocities.h"

#include <algorithm>

#include "model/tree_bodies.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// Of a tree, into *guess; false where the step before was not foretold well.
bool foretell(const Tree& tree, const VectorX& v0, const SolverMemory& memory, double rounding,
              VectorX* guess) {
  const auto of = [&](const VectorX& v) { return v.segment(tree.v_begin, tree.nv); };
  static_assert(kMaxOrder >= 3);
  const VectorX &v1 = memory.v_before[0], &v2 = memory.v_before[1], &v3 = memory.v_before[2];
  const double change = (of(v0) - of(v1)).norm();
  const double miss = (3.0 * (of(v1) - of(v2)) + of(v3) - of(v0)).norm();
  if (!(miss <= std::max(kForetoldMiss * change, rounding * of(v0).norm()))) return false;
  guess->segment(tree.v_begin, tree.nv) = 3.0 * (of(v0) - of(v1)) + of(v2);
  return true;
}

}  // namespace

void foretell_velocities(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved) {
  const PreparedStep& p = prepared;
  SolvedStep& s = *solved;
  copy_velocities(p.model, trees_to_fill(p, &s.guess_number), p.state.v, &s.guess);
  s.is_foretold.assign(p.model.trees.size(), 0);
  if (p.h != p.options.step) return;
  const double rounding = kForetold * p.options.newton.relative_tolerance;
  for (const ProblemTree& tree : p.data.problem.trees) {
    const Tree& of_model = p.model.trees[tree.model_tree];
    if (!of_model.single_free_body)
      s.is_foretold[tree.model_tree] = foretell(of_model, p.state.v, memory, rounding, &s.guess);
  }
}

}  // namespace csim
