#include "mesh/pressure_field.h"

#include <gtest/gtest.h>

#include <random>

namespace csim {
namespace {

TEST(LinearField, ReproducesARandomLinearFunctionInTetsOfEitherSign) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] {
    const double x = uniform(rng), y = uniform(rng), z = uniform(rng);
    return Vector3(x, y, z);
  };
  for (int trial = 0; trial < 1000; ++trial) {
    const std::array<Vector3, 4> v{vector(), vector(), vector(), vector()};
    if (std::abs(tet_volume(v[0], v[1], v[2], v[3])) < 0.05) continue;
    const Vector3 gradient = 1e6 * vector();
    const double constant = 1e6 * uniform(rng);
    std::array<double, 4> p{};
    for (int i = 0; i < 4; ++i) p[i] = gradient.dot(v[i]) + constant;
    const LinearField field = linear_field(v, p);
    // Rounding of the volume (1e-15 of it) times the steepest gradients (1e8 Pa/m).
    EXPECT_LT((field.gradient - gradient).norm(), 1e-6);
    EXPECT_NEAR(field.constant, constant, 1e-6);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(field.at(v[i]), p[i], 1e-6);
  }
}

TEST(LinearField, OfEqualValuesHasNoGradientAtAll) {
  const LinearField field = linear_field(
      {Vector3(0.1, 0, 0), Vector3(1, 0.3, 0), Vector3(0, 1, 0.7), Vector3(0, 0, 1)}, {3, 3, 3, 3});
  EXPECT_EQ(field.gradient, Vector3::Zero());
  EXPECT_EQ(field.constant, 3.0);
}

TEST(LinearField, OfAFlatTetIsNotFinite) {
  const LinearField field =
      linear_field({Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(1, 1, 0)}, {0, 1, 2, 4});
  EXPECT_FALSE(field.gradient.allFinite());
}

}  // namespace
}  // namespace csim
