// Draws of a study. Truths from other programs: hashlib for the uniform numbers, R's qnorm and printed tables
// for the quantiles.
#include "study/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

TEST(NormalQuantile, AgreesWithPrintedTables) {
  EXPECT_DOUBLE_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 1e-15);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-14);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  // erfc is good to a few units in the last place; the slope of the quantile near 1 multiplies them.
  for (const double u : {1e-300, 1e-20, 1e-5, 0.01, 0.07, 0.08, 0.3, 0.49, 0.5, 0.77, 0.92, 0.93, 0.999})
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(u) / std::sqrt(2.0)) / u, 1.0, 2e-13) << u;
}

TEST(UniformDraw, IsTheBeginOfTheDigest) {
  // hashlib.sha256(b"abc").hexdigest()[:16] is ba7816bf8f01cfea.
  EXPECT_DOUBLE_EQ(uniform_draw("abc"), (static_cast<double>(0xba7816bf8f01cfeaULL) + 0.5) * 0x1p-64);
}

TEST(LatinHypercube, HasOneDrawInEachPart) {
  std::vector<double> draws = latin_hypercube_draws(3, "materials.steel.friction", 50);
  EXPECT_FALSE(std::is_sorted(draws.begin(), draws.end()));
  std::sort(draws.begin(), draws.end());
  for (int place = 0; place < 50; ++place) EXPECT_EQ(std::floor(draws[place] * 50), place);
}

TEST(Rounding, KeepsTwelveDigits) {
  EXPECT_EQ(rounded_to_12_digits(1.0 / 3.0), 0.333333333333);
  EXPECT_EQ(rounded_to_12_digits(-2.0e-7 / 3.0), -6.66666666667e-8);
  EXPECT_EQ(rounded_to_12_digits(0.0), 0.0);
}

}  // namespace
}  // namespace csim
