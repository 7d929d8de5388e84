// Which of equally good velocities: that of least norm, against enumeration of the active sets of its
// optimality conditions.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "solver/quasistatic/quasistatic_solver.h"
#include "support/random_quasistatic.h"

namespace csim {
namespace {

using namespace testing_support;

/// A random problem in which trees 0 and 1 have no Q, made around a solution: the rows of `presses` have
/// impulses and no slack, every third of the others neither, the rest slack alone.
struct WithSolution {
  QuasistaticProblem problem;
  VectorX v;
  std::vector<char> presses;
};

WithSolution make(unsigned seed, double weight) {
  RandomProblem random(seed);
  WithSolution made{random.make(4, 2 + seed % 2, true), {}, {}};
  QuasistaticProblem& p = made.problem;
  std::fill(p.Q.begin(), p.Q.begin() + p.block_begin[2], 0.0);
  p.choice.assign(p.Q.size(), 0.0);
  for (int k = 0; k < p.block_begin[2]; ++k) p.choice[k] = weight * p.metric[k];
  const Dense d = dense(p);
  made.v = VectorX::NullaryExpr(p.nv(), [&] { return random.uniform(); });
  VectorX z = VectorX::Zero(p.num_rows()), s = z;
  for (int j = 0; j < p.num_rows(); ++j) {
    made.presses.push_back(random.uniform() > 0.2 ? 1 : 0);
    if (made.presses.back()) z[j] = 0.2 + std::abs(random.uniform());
    if (!made.presses.back() && j % 3 != 0) s[j] = 0.1 + std::abs(random.uniform());
  }
  Eigen::Map<VectorX>(p.b.data(), p.nv()) = d.Q * made.v - d.J.transpose() * z;
  Eigen::Map<VectorX>(p.e.data(), p.num_rows()) = s - d.J * made.v;
  return made;
}

/// argmin 1/2 v^T M v of the passive trees, v of the third as it is, J v + e = 0 of the rows that press, >= 0
/// of the others.
VectorX least_norm(const WithSolution& made) {
  const QuasistaticProblem& p = made.problem;
  Dense d = dense(p);
  QuasistaticProblem metric = p;
  metric.Q = p.metric;
  const int n = p.begin[2], m = p.num_rows();
  const MatrixX M = dense(metric).Q.topLeftCorner(n, n);
  const VectorX e = d.e + d.J.rightCols(p.nv() - n) * made.v.tail(p.nv() - n);
  for (int set = 0; set < 1 << m; ++set) {
    std::vector<int> rows;
    bool takes = true;
    for (int j = 0; j < m; ++j) {
      if (made.presses[j] && !(set >> j & 1)) takes = false;
      if (set >> j & 1) rows.push_back(j);
    }
    const int k = static_cast<int>(rows.size());
    if (!takes) continue;
    MatrixX kkt = MatrixX::Zero(n + k, n + k);
    VectorX right = VectorX::Zero(n + k);
    kkt.topLeftCorner(n, n) = M;
    for (int i = 0; i < k; ++i) {
      kkt.block(n + i, 0, 1, n) = d.J.row(rows[i]).head(n);
      kkt.block(0, n + i, n, 1) = -d.J.row(rows[i]).head(n).transpose();
      right[n + i] = -e[rows[i]];
    }
    const VectorX x = kkt.completeOrthogonalDecomposition().solve(right);
    if ((kkt * x - right).cwiseAbs().maxCoeff() > 1e-9) continue;
    if ((d.J.leftCols(n) * x.head(n) + e).minCoeff() < -1e-9) continue;
    bool right_signs = true;
    for (int i = 0; i < k; ++i) right_signs = right_signs && (made.presses[rows[i]] || x[n + i] > -1e-9);
    if (right_signs) return x.head(n);
  }
  ADD_FAILURE() << "no solution";
  return VectorX::Zero(n);
}

TEST(QuasistaticChoice, IsTheSolutionOfLeastNorm) {
  int chosen = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const WithSolution made = make(seed, 1e-6);
    const int n = made.problem.begin[2];
    const VectorX expected = least_norm(made);
    for (const double weight : {1e-8, 1e-6}) {
      SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(weight));
      const WithSolution weighted = make(seed, weight);
      QuasistaticSolver solver;
      QuasistaticSolution solution;
      QuasistaticCertificate certificate;
      solver.solve(weighted.problem, &solution, &certificate);
      ASSERT_TRUE(solution.ok);
      EXPECT_LT(certificate.largest(), 1e-11);
      EXPECT_LT((Eigen::Map<const VectorX>(solution.v.data(), n) - expected).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_LT((Eigen::Map<const VectorX>(solution.v.data() + n, 3) - made.v.tail(3)).cwiseAbs().maxCoeff(),
                1e-9);
    }
    if ((expected - made.v.head(n)).norm() > 0.1) ++chosen;
  }
  EXPECT_GT(chosen, 20);
}

}  // namespace
}  // namespace csim
