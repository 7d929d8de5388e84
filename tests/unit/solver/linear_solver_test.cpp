// All Cholesky solvers against the dense one of Eigen, on matrices with the patterns of contact problems.
#include "solver/linear/linear_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/require.h"
#include "solver/linear/block_cholesky.h"
#include "support/contact_graphs.h"

namespace csim {
namespace {

VectorX right_hand_side(int rows) {
  VectorX b(rows);
  for (int i = 0; i < rows; ++i) b[i] = std::sin(1.0 + 3.7 * i);
  return b;
}

// max |H x - b| / (|H| |x| + |b|) in the largest-entry norm: the backward error, some units of rounding for
// any stable method.
double backward_error(const BlockSymmetricMatrix& H, const VectorX& x, const VectorX& b) {
  VectorX residual(H.rows()), scale = VectorX::Zero(H.rows());
  H.multiply(x.data(), residual.data());
  residual -= b;
  for (int i = 0; i < H.num_blocks(); ++i)
    scale.segment(H.begin[i], H.size[i]) +=
        Eigen::Map<const MatrixX>(H.diagonal_block(i), H.size[i], H.size[i]).cwiseAbs().rowwise().sum();
  for (int e = 0; e < H.num_edges(); ++e) {
    const auto [i, j] = H.edges[e];
    const Eigen::Map<const MatrixX> block(H.edge_block(e), H.size[i], H.size[j]);
    scale.segment(H.begin[i], H.size[i]) += block.cwiseAbs().rowwise().sum();
    scale.segment(H.begin[j], H.size[j]) += block.cwiseAbs().colwise().sum().transpose();
  }
  return residual.cwiseAbs().maxCoeff() /
         (scale.maxCoeff() * x.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff());
}

// A random graph with blocks of 1..13 rows, some of them free bodies.
BlockSymmetricMatrix random_matrix(unsigned seed, int num_blocks, double edges_per_block) {
  std::mt19937 generator(seed);
  std::vector<int> size(num_blocks);
  for (int& s : size) s = generator() % 2 == 0 ? 6 : 1 + static_cast<int>(generator() % 13);
  test::Edges edges;
  for (int e = 0; e < edges_per_block * num_blocks; ++e) {
    const int i = static_cast<int>(generator() % num_blocks), j = static_cast<int>(generator() % num_blocks);
    if (i != j) edges.push_back({i, j});
  }
  BlockSymmetricMatrix H;
  H.set_pattern(size, edges);
  test::fill_contact_like(&H, seed);
  return H;
}

class LinearSolverTest : public ::testing::TestWithParam<LinearSolverKind> {
 protected:
  void SetUp() override {
    solver_ = make_linear_solver(GetParam());
    if (solver_ == nullptr) GTEST_SKIP() << "not in this build";
  }

  // Solves and compares with Eigen's dense LLT of the same matrix.
  void expect_solves(const BlockSymmetricMatrix& H) {
    solver_->analyze(H);
    ASSERT_TRUE(solver_->factor(H));
    const VectorX b = right_hand_side(H.rows());
    VectorX x = b;
    solver_->solve(x.data());
    VectorX at_once = right_hand_side(H.rows());
    ASSERT_TRUE(solver_->factor_and_solve(H, at_once.data()));
    EXPECT_EQ(at_once, x);  // to the last bit
    MatrixX dense(H.rows(), H.rows());
    H.copy_to_dense(dense.data());
    const VectorX expected = dense.llt().solve(b);
    // Forward error: rounding times the condition number, with a factor for the growth of sums over all rows.
    const double condition = dense.norm() * dense.llt().solve(MatrixX::Identity(H.rows(), H.rows())).norm();
    EXPECT_LE((x - expected).norm(), 2.3e-16 * condition * H.rows() * expected.norm());
    EXPECT_LE(backward_error(H, x, b), 1e-15 * std::sqrt(H.rows()));
  }

  std::unique_ptr<LinearSolver> solver_;
};

TEST_P(LinearSolverTest, AgreesWithEigenOnRandomMixedBlocks) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_solves(random_matrix(seed, 1 + static_cast<int>(seed) / 2, 0.3 + 0.05 * seed));
  }
}

// Right-hand sides of one contact are zero in most rows.
TEST_P(LinearSolverTest, SolvesForFewEntries) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const BlockSymmetricMatrix H = random_matrix(seed, 15, 1.5);
    MatrixX dense(H.rows(), H.rows());
    H.copy_to_dense(dense.data());
    const Eigen::LLT<MatrixX> exact(dense);
    solver_->analyze(H);
    ASSERT_TRUE(solver_->factor(H));
    for (int row = 0; row < H.rows(); ++row) {
      const VectorX b = VectorX::Unit(H.rows(), row);
      VectorX x = b;
      solver_->solve(x.data());
      EXPECT_LE(backward_error(H, x, b), 1e-14) << row;
      EXPECT_LE((x - exact.solve(b)).norm(), 1e-9 * x.norm()) << row;
    }
  }
}

TEST_P(LinearSolverTest, SolvesPilesOfFreeBodies) {
  for (const int n : {1, 2, 7, 40, 100}) expect_solves(test::pile_matrix(n));
}

TEST_P(LinearSolverTest, SolvesTreesOfEverySizeUpToThreeStrips) {
  for (int size = 1; size <= 24; ++size) {
    SCOPED_TRACE(size);
    BlockSymmetricMatrix H;
    H.set_pattern({size, 6, size, 25 - size}, {{1, 0}, {2, 0}, {3, 1}, {3, 0}});
    test::fill_contact_like(&H, 7);
    expect_solves(H);
  }
}

TEST_P(LinearSolverTest, SolvesScalarBlocks) {
  // A chain, a star, a complete graph.
  BlockSymmetricMatrix H;
  test::Edges chain, star, complete;
  for (int i = 1; i < 20; ++i) {
    chain.push_back({i, i - 1});
    star.push_back({i, 0});
    for (int j = 0; j < i; ++j) complete.push_back({i, j});
  }
  for (const test::Edges& edges : {chain, star, complete}) {
    H.set_pattern(std::vector<int>(20, 1), edges);
    test::fill_contact_like(&H, 3);
    expect_solves(H);
  }
}

TEST_P(LinearSolverTest, SolvesDisconnectedGraphs) {
  BlockSymmetricMatrix H;
  H.set_pattern({6, 6, 3, 6, 6, 1, 6}, {{1, 0}, {4, 3}, {6, 4}, {6, 3}});  // blocks 2 and 5 touch nothing
  test::fill_contact_like(&H, 11);
  expect_solves(H);
}

TEST_P(LinearSolverTest, TakesTheEmptyMatrix) {
  BlockSymmetricMatrix H;
  H.set_pattern({}, {});
  solver_->analyze(H);
  ASSERT_TRUE(solver_->factor(H));
  double untouched = 42.0;
  solver_->solve(&untouched);
  EXPECT_EQ(untouched, 42.0);
  EXPECT_EQ(solver_->factor_nonzeros(), 0);
}

TEST_P(LinearSolverTest, RefusesIndefiniteMatricesWhereverThePivotIs) {
  BlockSymmetricMatrix H = test::pile_matrix(30);
  solver_->analyze(H);
  for (const int bad : {0, 7, 29}) {
    for (const double value :
         {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      SCOPED_TRACE(testing::Message() << "block " << bad << ", entry " << value);
      double& entry = H.diagonal_block(bad)[5 * 6 + 5];
      const double right = entry;
      entry = value;
      EXPECT_FALSE(solver_->factor(H));
      VectorX undefined = right_hand_side(H.rows());
      EXPECT_FALSE(solver_->factor_and_solve(H, undefined.data()));
      double x = 0.0;
      EXPECT_THROW(solver_->solve(&x), InternalError);
      entry = right;
      EXPECT_TRUE(solver_->factor(H));  // a failure leaves nothing behind
    }
  }
}

TEST_P(LinearSolverTest, FollowsChangesOfPattern) {
  for (const int n : {20, 60, 5, 60, 21}) {
    for (const unsigned seed : {1u, 2u}) {
      expect_solves(test::pile_matrix(n, seed));
      expect_solves(random_matrix(seed, n, 1.5));
    }
  }
}

TEST_P(LinearSolverTest, ReusesTheAnalysisForOtherValuesAndGivesTheSameBits) {
  BlockSymmetricMatrix H = test::pile_matrix(50);
  const auto solve = [&](LinearSolver& solver) {
    VectorX x = right_hand_side(H.rows());
    solver.analyze(H);
    EXPECT_TRUE(solver.factor(H));
    solver.solve(x.data());
    return x;
  };
  const VectorX first = solve(*solver_);
  test::fill_contact_like(&H, 99);
  const VectorX other = solve(*solver_);
  test::fill_contact_like(&H, 2);  // the values of pile_matrix again
  EXPECT_EQ(solve(*solver_), first);
  EXPECT_NE(other, first);
  EXPECT_EQ(solve(*make_linear_solver(GetParam())), first);
}

TEST_P(LinearSolverTest, KeepsTheFactorWhenAnalyzedWithTheSamePattern) {
  const BlockSymmetricMatrix H = test::pile_matrix(10);
  solver_->analyze(H);
  ASSERT_TRUE(solver_->factor(H));
  VectorX before = right_hand_side(H.rows()), after = before;
  solver_->solve(before.data());
  solver_->analyze(H);
  solver_->solve(after.data());
  EXPECT_EQ(before, after);
}

TEST_P(LinearSolverTest, CountsAtLeastTheEntriesOfTheMatrix) {
  const BlockSymmetricMatrix H = test::pile_matrix(40);
  solver_->analyze(H);
  ASSERT_TRUE(solver_->factor(H));
  EXPECT_GE(solver_->factor_nonzeros(), 40 * 21 + 36 * H.num_edges());
  EXPECT_LE(solver_->factor_nonzeros(), 240 * 241 / 2);
}

TEST_P(LinearSolverTest, RefusesToFactorAnotherPattern) {
  const BlockSymmetricMatrix H = test::pile_matrix(10), other = test::pile_matrix(11);
  solver_->analyze(H);
  EXPECT_THROW((void)solver_->factor(other), InternalError);
}

std::string name_of(const ::testing::TestParamInfo<LinearSolverKind>& info) {
  switch (info.param) {
    case LinearSolverKind::kAuto:
      return "Auto";
    case LinearSolverKind::kBlock:
      return "Block";
    case LinearSolverKind::kSupernodal:
      return "Supernodal";
    case LinearSolverKind::kDense:
      break;
  }
  return "Dense";
}

INSTANTIATE_TEST_SUITE_P(Kinds, LinearSolverTest,
                         ::testing::Values(LinearSolverKind::kAuto, LinearSolverKind::kBlock,
                                           LinearSolverKind::kSupernodal, LinearSolverKind::kDense),
                         name_of);

TEST(LinearSolvers, BlockAndSupernodalAgreeOnAThousandBodies) {
  const BlockSymmetricMatrix H = test::pile_matrix(1000);
  const VectorX b = right_hand_side(H.rows());
  VectorX first;
  for (const LinearSolverKind kind : {LinearSolverKind::kBlock, LinearSolverKind::kSupernodal}) {
    const auto solver = make_linear_solver(kind);
    if (solver == nullptr) continue;
    solver->analyze(H);
    ASSERT_TRUE(solver->factor(H));
    VectorX x = b;
    solver->solve(x.data());
    EXPECT_LE(backward_error(H, x, b), 1e-15);  // a few units of rounding, 2.2e-16
    if (first.size() == 0) first = x;
    // Backward errors times the condition number of this matrix, about 1e3.
    EXPECT_LE((x - first).norm(), 1e-12 * first.norm());
  }
}

TEST(LinearSolvers, SupernodalExistsExactlyInABuildWithCholmod) {
#ifdef CSIM_HAS_CHOLMOD
  EXPECT_TRUE(has_supernodal());
#else
  EXPECT_FALSE(has_supernodal());
#endif
  EXPECT_EQ(make_linear_solver(LinearSolverKind::kSupernodal) != nullptr, has_supernodal());
}

TEST(BlockCholesky, AFullGraphIsOneDenseFactor) {
  BlockSymmetricMatrix H;
  test::Edges complete;
  for (int i = 1; i < 10; ++i)
    for (int j = 0; j < i; ++j) complete.push_back({i, j});
  H.set_pattern(std::vector<int>(10, 6), complete);
  BlockCholesky solver;
  solver.analyze(H);
  EXPECT_EQ(solver.structure().num_supernodes(), 1);
  EXPECT_EQ(solver.factor_nonzeros(), 60 * 61 / 2);
}

}  // namespace
}  // namespace csim
