// The factor of a tree's block against Eigen's.
#include "model/dense_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "core/types.h"
#include "support/random_system.h"

namespace csim {
namespace {

MatrixX random_positive(int n, testing_support::Random* random) {
  const MatrixX root = MatrixX::NullaryExpr(n, n, [&] { return random->normal(); });
  return root * root.transpose() + 0.1 * MatrixX::Identity(n, n);
}

TEST(DenseFactor, AgreesWithEigen) {
  testing_support::Random random(5);
  for (int n = 1; n <= 40; ++n) {
    const MatrixX A = random_positive(n, &random);
    const VectorX b = VectorX::NullaryExpr(n, [&] { return random.normal(); });
    MatrixX L = A.triangularView<Eigen::Lower>();  // the lower triangle is enough
    ASSERT_TRUE(factor_dense(n, L.data()));
    const MatrixX expected = A.llt().matrixL();
    // Roundings of n products, of a condition number up to 1e4.
    const double tolerance = 1e-15 * n * 1e4;
    for (int j = 0; j < n; ++j) {
      EXPECT_NEAR(L(j, j) * expected(j, j), 1.0, tolerance);
      for (int i = j + 1; i < n; ++i) {
        EXPECT_NEAR(L(i, j), expected(i, j), tolerance * expected.norm());
        EXPECT_EQ(L(j, i), L(i, j));
      }
    }
    VectorX x = b;
    solve_dense(n, L.data(), x.data());
    EXPECT_LT((A * x - b).norm(), tolerance * b.norm()) << n;
    const int k = random.integer(0, n - 1);
    VectorX column = VectorX::Unit(n, k);
    solve_lower(n, L.data(), k, column.data());
    EXPECT_LT((expected * column - VectorX::Unit(n, k)).norm(), tolerance) << n;
  }
}

TEST(DenseFactor, TellsOfAMatrixThatIsNotPositive) {
  testing_support::Random random(6);
  for (const double wrong : {-1e-3, 0.0, std::nan("")}) {
    MatrixX A = random_positive(8, &random);
    A.row(5).setZero();
    A.col(5).setZero();
    A(5, 5) = wrong;
    EXPECT_FALSE(factor_dense(8, A.data()));
  }
}

}  // namespace
}  // namespace csim
