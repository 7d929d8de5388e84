#include "solver/linear/condition_number.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "support/contact_graphs.h"

namespace csim {
namespace {

// One dense block with the given eigenvalues and pseudo-random eigenvectors.
BlockSymmetricMatrix with_spectrum(const VectorX& eigenvalues, unsigned seed) {
  const int n = static_cast<int>(eigenvalues.size());
  BlockSymmetricMatrix random;
  random.set_pattern({n}, {});
  test::fill_contact_like(&random, seed);
  const MatrixX m = Eigen::Map<const MatrixX>(random.diagonal.data(), n, n);
  const MatrixX Q = Eigen::HouseholderQR<MatrixX>(m).householderQ();
  BlockSymmetricMatrix H;
  H.set_pattern({n}, {});
  const MatrixX full = Q * eigenvalues.asDiagonal() * Q.transpose();
  Eigen::Map<MatrixX>(H.diagonal.data(), n, n) = 0.5 * (full + full.transpose());
  return H;
}

double estimate(const BlockSymmetricMatrix& H) {
  const auto solver = make_linear_solver(LinearSolverKind::kAuto);
  solver->analyze(H);
  EXPECT_TRUE(solver->factor(H));
  return ConditionEstimator().estimate(H, *solver);
}

TEST(ConditionNumber, ExactOfKnownSpectrum) {
  // Relative rounding of the smallest eigenvalue: 2.2e-16 * 1e6, and a factor for the sums.
  EXPECT_NEAR(exact_condition_number(with_spectrum(VectorX::LinSpaced(20, 1.0, 1e6), 1)), 1e6, 1e6 * 1e-8);
  EXPECT_NEAR(exact_condition_number(with_spectrum(VectorX::Constant(5, 3.0), 1)), 1.0, 1e-13);
}

TEST(ConditionNumber, ExactOfIndefiniteIsInfinite) {
  EXPECT_EQ(exact_condition_number(with_spectrum(VectorX::LinSpaced(6, -1.0, 4.0), 1)),
            std::numeric_limits<double>::infinity());
}

TEST(ConditionNumber, EmptyMatrixHasOne) {
  BlockSymmetricMatrix H;
  H.set_pattern({}, {});
  EXPECT_EQ(exact_condition_number(H), 1.0);
  EXPECT_EQ(estimate(H), 1.0);
}

TEST(ConditionNumber, EstimateIsALowerBoundWithinAFactorOfTwo) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const double exponent : {0.0, 2.0, 6.0, 10.0}) {
      // Evenly spread, and geometrically: a cluster at neither end is the harder case for Lanczos.
      const VectorX even = VectorX::LinSpaced(60, 1.0, std::pow(10.0, exponent));
      const VectorX geometric =
          VectorX::LinSpaced(60, 0.0, exponent).unaryExpr([](double e) { return std::pow(10.0, e); });
      for (const VectorX& spectrum : {even, geometric}) {
        const BlockSymmetricMatrix H = with_spectrum(spectrum, seed);
        const double exact = std::pow(10.0, exponent), estimated = estimate(H);
        EXPECT_LE(estimated, exact * (1 + 1e-5));  // rounding of the smallest eigenvalue: 1e10 * 2.2e-16
        EXPECT_GE(estimated, exact / 2) << "seed " << seed << ", 1e" << exponent;
      }
    }
  }
}

TEST(ConditionNumber, EstimateOfFewRowsIsExact) {
  for (int rows = 1; rows <= ConditionEstimator::kFewRows; ++rows) {
    const double exact = rows > 1 ? 1e6 : 1.0;
    const VectorX spectrum =
        VectorX::LinSpaced(rows, 0.0, 6.0).unaryExpr([](double e) { return std::pow(10.0, e); });
    EXPECT_NEAR(estimate(with_spectrum(spectrum, 3)), exact, 1e-8 * exact) << rows;
  }
}

TEST(ConditionNumber, EstimateOfPilesIsWithinAFactorOfTwo) {
  for (const int n : {1, 2, 10, 60, 100}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      BlockSymmetricMatrix H = test::pile_matrix(n, seed);
      const double exact = exact_condition_number(H), estimated = estimate(H);
      EXPECT_LE(estimated, exact * (1 + 1e-10)) << n;
      EXPECT_GE(estimated, exact / 2) << n;
    }
  }
}

TEST(ConditionNumber, EstimateOfStiffContactsIsWithinAFactorOfTwo) {
  // One body's block a million times stiffer in one direction that no axis shows.
  BlockSymmetricMatrix H = test::pile_matrix(20);
  const VectorX direction = VectorX::LinSpaced(6, 1.0, 2.0).normalized();
  Eigen::Map<MatrixX>(H.diagonal_block(4), 6, 6) += 1e6 * direction * direction.transpose();
  const auto solver = make_linear_solver(LinearSolverKind::kAuto);
  solver->analyze(H);
  ASSERT_TRUE(solver->factor(H));
  const double exact = exact_condition_number(H), estimated = ConditionEstimator().estimate(H, *solver);
  EXPECT_GE(estimated, exact / 2);
}

TEST(ConditionNumber, EstimateDependsOnTheMatrixAlone) {
  const BlockSymmetricMatrix H = test::pile_matrix(30);
  const auto solver = make_linear_solver(LinearSolverKind::kAuto);
  solver->analyze(H);
  ASSERT_TRUE(solver->factor(H));
  ConditionEstimator estimator;
  const double first = estimator.estimate(H, *solver);
  EXPECT_EQ(estimator.estimate(H, *solver), first);
  EXPECT_EQ(estimate(H), first);
}

}  // namespace
}  // namespace csim
