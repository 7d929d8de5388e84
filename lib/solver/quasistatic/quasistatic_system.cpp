#include "solver/quasistatic/quasistatic_system.h"

#include <algorithm>

#include "core/require.h"

namespace csim {
namespace {

constexpr double kFirstShift = 1e-14, kLastShift = 1e-8, kShiftGrowth = 100.0;

using ContactJacobian = Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>;

}  // namespace

QuasistaticSystem::QuasistaticSystem() : solver_(make_linear_solver(LinearSolverKind::kBlock)) {}

void QuasistaticSystem::analyze(const QuasistaticProblem& problem) {
  using Edge = BlockSymmetricMatrix::Edge;
  edges_.clear();
  for (const QuasistaticGroup& group : problem.groups) {
    if (group.tree_a >= 0 && group.tree_b >= 0) edges_.push_back({group.tree_a, group.tree_b});
  }
  H_.set_pattern(problem.size, edges_);
  edge_of_group_.resize(problem.groups.size());
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    edge_of_group_[i] = -1;
    if (group.tree_a < 0 || group.tree_b < 0) continue;
    const Edge edge{std::max(group.tree_a, group.tree_b), std::min(group.tree_a, group.tree_b)};
    const auto place = std::lower_bound(H_.edges.begin(), H_.edges.end(), edge);
    CSIM_REQUIRE(place != H_.edges.end() && *place == edge, edge.row, edge.col);
    edge_of_group_[i] = static_cast<int>(place - H_.edges.begin());
  }
  solver_->analyze(H_);
}

void QuasistaticSystem::assemble(const QuasistaticProblem& problem, const std::vector<Matrix3>& matrices) {
  std::copy(problem.Q.begin(), problem.Q.end(), H_.diagonal.begin());
  for (std::size_t k = 0; k < problem.choice.size(); ++k) H_.diagonal[k] += problem.choice[k];
  std::fill(H_.off_diagonal.begin(), H_.off_diagonal.end(), 0.0);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const Matrix3& G = matrices[i];
    const auto add_diagonal = [&](int tree, int begin) {
      if (tree < 0) return;
      const int n = problem.size[tree];
      const ContactJacobian J(problem.jacobians.data() + begin, 3, n);
      for (int c = 0; c < n; ++c) {
        const Vector3 g = G * J.col(c);
        for (int r = 0; r < n; ++r) H_.diagonal_block(tree)[r + n * c] += J.col(r).dot(g);
      }
    };
    add_diagonal(group.tree_a, group.jacobian_a);
    add_diagonal(group.tree_b, group.jacobian_b);
    if (edge_of_group_[i] < 0) continue;
    const bool a_is_row = group.tree_a > group.tree_b;
    const int row = a_is_row ? group.tree_a : group.tree_b, col = a_is_row ? group.tree_b : group.tree_a;
    const ContactJacobian J_row(problem.jacobians.data() + (a_is_row ? group.jacobian_a : group.jacobian_b),
                                3, problem.size[row]);
    const ContactJacobian J_col(problem.jacobians.data() + (a_is_row ? group.jacobian_b : group.jacobian_a),
                                3, problem.size[col]);
    double* block = H_.edge_block(edge_of_group_[i]);
    for (int c = 0; c < problem.size[col]; ++c) {
      const Vector3 g = G * J_col.col(c);
      for (int r = 0; r < problem.size[row]; ++r) *block++ += J_row.col(r).dot(g);
    }
  }
}

bool QuasistaticSystem::factor(const QuasistaticProblem& problem, const std::vector<Matrix3>& matrices) {
  assemble(problem, matrices);
  if (solver_->factor(H_)) return true;
  double largest = 0.0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    for (int k = 0; k < problem.size[t]; ++k)
      largest = std::max(largest, H_.diagonal_block(t)[k * (problem.size[t] + 1)]);
  }
  for (double shift = kFirstShift; shift <= kLastShift; shift *= kShiftGrowth) {
    for (int t = 0; t < problem.num_trees(); ++t) {
      for (int k = 0; k < problem.size[t]; ++k)
        H_.diagonal_block(t)[k * (problem.size[t] + 1)] += shift * largest;
    }
    if (solver_->factor(H_)) return true;
  }
  return false;
}

}  // namespace csim
