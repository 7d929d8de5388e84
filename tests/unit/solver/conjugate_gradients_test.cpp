#include "solver/linear/conjugate_gradients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/contact_graphs.h"

namespace csim {
namespace {

struct System {
  explicit System(const BlockSymmetricMatrix& factored) : H(factored), x(H.rows()) {
    factor->analyze(H);
    EXPECT_TRUE(factor->factor(H));
    for (int i = 0; i < H.rows(); ++i) {
      b.push_back(std::sin(i));
      scale.push_back(1.0 + 0.5 * std::cos(3 * i));
    }
  }
  bool solve(double tolerance, int max_iterations) {
    return conjugate_gradients.solve(H, factor.get(), scale.data(), b.data(), tolerance, max_iterations,
                                     x.data());
  }
  /// |scale (b - H x)|.
  [[nodiscard]] double residual() const {
    std::vector<double> product(H.rows());
    H.multiply(x.data(), product.data());
    double sum = 0.0;
    for (int i = 0; i < H.rows(); ++i) sum += std::pow(scale[i] * (b[i] - product[i]), 2);
    return std::sqrt(sum);
  }

  BlockSymmetricMatrix H;
  std::unique_ptr<LinearSolver> factor = make_linear_solver(LinearSolverKind::kAuto);
  ConjugateGradients conjugate_gradients;
  std::vector<double> b, scale, x;
};

TEST(ConjugateGradients, TheMatrixThatWasFactoredTakesOneIteration) {
  System system(test::pile_matrix(60));
  EXPECT_TRUE(system.solve(1e-10, 1));  // b is of size 1, the condition below 1e4
  EXPECT_LE(system.residual(), 1e-10);
}

// A change of rank r takes r + 1 iterations in exact arithmetic.
TEST(ConjugateGradients, AChangeOfLowRankTakesFewIterations) {
  System system(test::pile_matrix(60));
  const int places[] = {0, 100, 253};
  for (const int row : places) {
    const int block = row / 6, at = row % 6;
    system.H.diagonal_block(block)[7 * at] += 1e3;
  }
  EXPECT_FALSE(system.solve(1e-8, 2));
  EXPECT_TRUE(system.solve(1e-8, 5));  // one more for rounding
  EXPECT_LE(system.residual(), 1.001e-8);
}

}  // namespace
}  // namespace csim
