#include "step/discrete/correct_velocity_terms.h"

#include <algorithm>

#include "core/timer.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

constexpr int kVelocityTerms = static_cast<int>(CorrectionKind::kVelocityTerms);

double square(double x) {
  return x * x;
}

Eigen::Map<const MatrixX> block_of(const ConvexProblem& problem, const ProblemTree& tree) {
  return {problem.A.data() + tree.A_begin, tree.nv, tree.nv};
}

/// A (v - v*): what acts on the trees of the problem beside free motion, N s or N m s.
void fill_impulse(const ConvexProblem& problem, const VectorX& v, const VectorX& v_star, VectorX* impulse) {
  for (const ProblemTree& tree : problem.trees) {
    const auto A = block_of(problem, tree);
    for (int i = 0; i < tree.nv; ++i)
      (*impulse)[tree.model_v_begin + i] =
          A.col(i).dot(v.segment(tree.model_v_begin, tree.nv) - v_star.segment(tree.model_v_begin, tree.nv));
  }
}

/// The change of A v* is the gradient that it leaves.
MomentumNorms change_norms(const ConvexProblem& problem, const Island& island, const VectorX& v0,
                           const VectorX& v, const VectorX& last_v_star, const VectorX& v_star) {
  MomentumNorms norms;
  for (int t = island.tree_begin; t < island.tree_end; ++t) {
    const ProblemTree& tree = problem.trees[t];
    const auto A = block_of(problem, tree);
    const auto in_model = [&](const VectorX& x) { return x.segment(tree.model_v_begin, tree.nv); };
    for (int i = 0; i < tree.nv; ++i) {
      const double scale = problem.scale[tree.v_begin + i];
      const auto norm2 = [&](const auto& x) { return square(scale * A.col(i).dot(x)); };
      norms.gradient += norm2(in_model(v_star) - in_model(last_v_star));
      norms.momentum += norm2(in_model(v));
      norms.impulse += norm2(in_model(v) - in_model(last_v_star));
      norms.change += norm2(in_model(last_v_star) - in_model(v0));
    }
  }
  return norms;
}

bool has_foretold(const ConvexProblem& problem, const Island& island, const SolvedStep& solved) {
  return std::any_of(problem.trees.begin() + island.tree_begin, problem.trees.begin() + island.tree_end,
                     [&](const ProblemTree& tree) { return solved.is_foretold[tree.model_tree] != 0; });
}

/// Free motion stays what it was in islands that are not solved again.
void keep_v_star(const ConvexProblem& problem, const std::vector<char>& changed, const VectorX& last,
                 VectorX* v_star) {
  VectorX& v = *v_star;
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    if (changed[k]) continue;
    for (int t = problem.islands[k].tree_begin; t < problem.islands[k].tree_end; ++t) {
      const ProblemTree& tree = problem.trees[t];
      v.segment(tree.model_v_begin, tree.nv) = last.segment(tree.model_v_begin, tree.nv);
    }
  }
}

}  // namespace

void foretell_velocity_terms(const SolvedStep& solved, PreparedStep* prepared) {
  PreparedStep& p = *prepared;
  if (!p.options.mean_velocity_terms) return;
  const std::vector<char>& trees = solved.is_foretold;
  if (std::none_of(trees.begin(), trees.end(), [](char is) { return is != 0; })) return;
  take_mean_velocity(trees, solved.guess, 1.0, &p);  // the terms of the guess
  gather_velocities(p.data.problem, p.free_motion.v_star, &p.data.problem.v_star);
}

bool correct_velocity_terms(const StepAtHand& step) {
  PreparedStep& p = *step.prepared;
  SolvedStep& s = *step.solved;
  ConvexProblem& problem = p.data.problem;
  if (!p.options.mean_velocity_terms || problem.islands.empty()) return false;
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  s.last_v_star = p.free_motion.v_star;
  fill_impulse(problem, s.v, s.last_v_star, &p.impulse);
  // Trees of islands that were not solved again keep their terms, and free trees.
  p.settling.assign(p.model.trees.size(), 0);
  for (std::size_t k = 0; k < problem.islands.size(); ++k)
    for (int t = problem.islands[k].tree_begin; s.solved_last[k] && t < problem.islands[k].tree_end; ++t)
      p.settling[problem.trees[t].model_tree] = 1;
  const NewtonOptions& tolerances = p.options.newton;
  take_mean_velocity(p.settling, s.v, search_accuracy(p), &p);
  bool changes = false;
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    if (!s.solved_last[k]) continue;
    const Island& island = problem.islands[k];
    const MomentumNorms norms =
        change_norms(problem, island, p.state.v, s.v, s.last_v_star, p.free_motion.v_star);
    double& unsettled = s.unsettled[problem.trees[island.tree_begin].model_tree];
    unsettled = 0.0;  // a later solve may settle what an earlier one did not
    const double part =
        has_foretold(problem, island, s) && count_of(kVelocityTerms, problem, k, &s) == 0 ? kForetold : 1.0;
    if (norms.converged(part * tolerances.relative_tolerance, tolerances.absolute_tolerance)) continue;
    if (!s.may_change[k]) unsettled = norms.residual();
    s.changed[k] = s.may_change[k];
    changes = changes || s.changed[k];
  }
  const auto worst = std::max_element(s.unsettled.begin(), s.unsettled.end());
  s.velocity_residual = *worst;
  s.unsettled_tree = *worst > 0.0 ? static_cast<int>(worst - s.unsettled.begin()) : -1;
  keep_v_star(problem, s.changed, s.last_v_star, &p.free_motion.v_star);
  if (changes) gather_velocities(problem, p.free_motion.v_star, &problem.v_star);
  return changes;
}

}  // namespace csim
