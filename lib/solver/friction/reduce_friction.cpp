#include "solver/friction/reduce_friction.h"

#include <Eigen/SparseLU>

#include <vector>

namespace csim {
namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;

}  // namespace

std::optional<FrictionProblem> reduce(const GlobalFrictionProblem& problem) {
  FrictionProblem reduced;
  reduced.dimension = problem.dimension;
  reduced.mu = problem.mu;
  reduced.mu_rolling = problem.mu_rolling;
  reduced.W.resize(problem.H.cols(), problem.H.cols());
  reduced.q = problem.w;
  if (problem.M.rows() == 0) return reduced;
  const ColumnMatrix M = problem.M, H = problem.H;
  const Eigen::SparseLU<ColumnMatrix> factor(M);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const VectorX free = factor.solve(problem.f);
  if (!free.allFinite()) return std::nullopt;
  reduced.q += H.transpose() * free;
  if (H.cols() == 0) return reduced;
  // Bodies without a contact in common leave exact zeros: W is as sparse as the graph of contacts.
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < H.cols(); ++column) {
    const VectorX moved = factor.solve(VectorX(H.col(column)));
    const VectorX w = H.transpose() * moved;
    if (!w.allFinite()) return std::nullopt;
    for (int row = 0; row < w.size(); ++row)
      if (w[row] != 0.0) entries.emplace_back(row, column, w[row]);
  }
  reduced.W.setFromTriplets(entries.begin(), entries.end());
  return reduced;
}

VectorX motion(const GlobalFrictionProblem& problem, const VectorX& r) {
  if (problem.M.rows() == 0) return VectorX();
  const ColumnMatrix M = problem.M;
  const Eigen::SparseLU<ColumnMatrix> factor(M);
  const VectorX right = problem.H * r + problem.f;
  VectorX v = factor.solve(right);
  v += factor.solve(VectorX(right - M * v));
  return v;
}

}  // namespace csim
