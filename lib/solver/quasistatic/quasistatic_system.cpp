#include "solver/quasistatic/quasistatic_system.h"

#include <algorithm>

#include "core/require.h"

namespace csim {
namespace {

constexpr double kFirstShift = 1e-14, kLastShift = 1e-8, kShiftGrowth = 100.0;

/// *block += J_r^T G J_c.
template <typename RowJacobian, typename ColumnJacobian>
void add_product(const RowJacobian& J_r, const Matrix3& G, const ColumnJacobian& J_c, double* block) {
  for (int c = 0; c < J_c.cols(); ++c, block += J_r.cols()) {
    const Vector3 g = G * J_c.col(c);
    Eigen::Map<Eigen::Matrix<double, RowJacobian::ColsAtCompileTime, 1>>(block, J_r.cols()) +=
        J_r.transpose().lazyProduct(g);
  }
}

}  // namespace

QuasistaticSystem::QuasistaticSystem() : solver_(make_linear_solver(LinearSolverKind::kBlock)) {}

void QuasistaticSystem::analyze(const QuasistaticProblem& problem) {
  using Edge = BlockSymmetricMatrix::Edge;
  edges_.clear();
  for (const QuasistaticGroup& group : problem.groups) {
    for_each_tree(problem, group, [&](int row, int /*jacobian*/) {
      for_each_tree(problem, group, [&](int col, int /*jacobian*/) {
        if (row > col) edges_.push_back({row, col});
      });
    });
  }
  H_.set_pattern(problem.size, edges_);
  edge_of_pair_.clear();
  for (const Edge& edge : edges_) {
    const auto place = std::lower_bound(H_.edges.begin(), H_.edges.end(), edge);
    CSIM_REQUIRE(place != H_.edges.end() && *place == edge, edge.row, edge.col);
    edge_of_pair_.push_back(static_cast<int>(place - H_.edges.begin()));
  }
  solver_->analyze(H_);
}

void QuasistaticSystem::assemble(const QuasistaticProblem& problem, const std::vector<Matrix3>& matrices) {
  std::copy(problem.Q.begin(), problem.Q.end(), H_.diagonal.begin());
  for (std::size_t k = 0; k < problem.choice.size(); ++k) H_.diagonal[k] += problem.choice[k];
  std::fill(H_.off_diagonal.begin(), H_.off_diagonal.end(), 0.0);
  auto edge = edge_of_pair_.begin();
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    for_each_side(problem, group, [&](const auto& J_r, int row) {
      for_each_side(problem, group, [&](const auto& J_c, int col) {
        if (row == col) add_product(J_r, matrices[i], J_c, H_.diagonal_block(row));
        if (row > col) add_product(J_r, matrices[i], J_c, H_.edge_block(*edge++));
      });
    });
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
