// TAMSI's law and step limit against their definitions. Whole steps are in the analytic suite, where it runs
// beside the convex laws.
#include "solver/method/tamsi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "law/friction_tamsi.h"

namespace csim {
namespace {

constexpr double kStiction = 1e-4;

Vector3 impulse(const Tamsi::Constants& c, const Vector3& n, const Vector3& v) {
  const Vector3 v_t = v - v.dot(n) * n;
  const LawTerms t = Tamsi::evaluate(c, v.dot(n), v_t.squaredNorm());
  return t.normal * n + t.tangential * v_t;
}

// |f_t| = mu_r f_n against the slip; all of mu beyond v_s.
TEST(Tamsi, FrictionIsRegularisedCoulomb) {
  const Tamsi::Constants c{0.02, 3e-3, 5.0, 0.6, kStiction};
  const Vector3 n = Vector3::UnitZ();
  for (const double slip : {1e-3, 0.1, 30.0}) {
    const Vector3 gamma = impulse(c, n, {slip, 0.0, -0.01});
    const double f_n = (1.0 + 5.0 * 0.01) * (0.02 + 3e-3 * 0.01);
    EXPECT_NEAR(gamma.z(), f_n, 1e-16);
    // |v_t|/|v_t|_s differs from 1 by (e_v/slip)^2/2.
    EXPECT_NEAR(gamma.x(), -0.6 * f_n, 0.6 * f_n * 0.5 * std::pow(1e-6 / slip, 2) + 1e-16);
  }
  const double half = impulse(c, n, {0.5 * kStiction, 0.0, -0.01}).x();
  EXPECT_NEAR(half / impulse(c, n, {1.0, 0.0, -0.01}).x(), 0.75, 1e-3);  // x (2 - x) at x = 1/2
  EXPECT_EQ(impulse(c, n, {1.0, 0.0, 0.3}).norm(), 0.0);                 // v_n > 1/d
  EXPECT_EQ(impulse(c, n, {1.0, 0.0, 7.0}).norm(), 0.0);
}

TEST(Tamsi, JacobianMatchesDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 2000; ++trial) {
    const Tamsi::Constants c{0.02 * uniform(random), 0.01 * (1.0 + uniform(random)),
                             10.0 * (1.0 + uniform(random)), 1.0 + uniform(random), kStiction};
    const Vector3 n = Vector3(uniform(random), uniform(random), uniform(random)).normalized();
    const double speed = kStiction * std::pow(10.0, 3.0 * uniform(random));
    Vector3 v_t = Vector3(uniform(random), uniform(random), uniform(random)).cross(n).normalized() * speed;
    const double v_n = 0.1 * uniform(random);
    const LawTerms t = Tamsi::evaluate(c, v_n, v_t.squaredNorm());
    const Matrix3 G = t.perp * Matrix3::Identity() + (t.nn - t.perp) * n * n.transpose() +
                      t.nt * v_t * n.transpose() + t.tt * v_t * v_t.transpose();
    const Vector3 v = v_t + v_n * n;
    Matrix3 differences;
    const double d = 1e-5 * std::max(speed, 1e-2 * kStiction);
    for (int j = 0; j < 3; ++j) {
      const Vector3 e = d * Vector3::Unit(j);
      differences.col(j) = -(impulse(c, n, v + e) - impulse(c, n, v - e)) / (2.0 * d);
    }
    // Truncation 1e-10 of the curvature over a slip, rounding 1e-16 |gamma|/d.
    const double tolerance = 1e-6 * G.norm() + 1e-15 * impulse(c, n, v).norm() / d + 1e-12;
    const double S = std::sqrt(v_t.squaredNorm() + 1e-12);
    const bool at_a_kink = std::abs(S - kStiction) < 4.0 * d || std::abs(1.0 - c.dissipation * v_n) < 1e-4 ||
                           std::abs(c.impulse0 - c.stiffness * v_n) < 1e-6;
    if (!at_a_kink) {
      ASSERT_LT((G - differences).norm(), tolerance) << trial;
    }
  }
}

// The cases of the transition-aware line search, one by one.
TEST(Tamsi, StepIsAwareOfTransitions) {
  const double v_s = kStiction;
  const auto step = [&](double x, double y, double dx, double dy) {
    return transition_aware_step(v_s * Vector3(x, y, 0), v_s * Vector3(dx, dy, 0), v_s);
  };
  EXPECT_EQ(step(5, 0, 0.009, 0), 1.0);                // a change that does not matter
  EXPECT_DOUBLE_EQ(step(0, 0, 10, 0), 0.05);           // out of rest: to half of v_s
  EXPECT_DOUBLE_EQ(step(10, 0, -10, 0), 1.0 - 0.05);   // onto rest: stop at half of v_s
  EXPECT_EQ(step(0.5, 0, 10, 0), 1.0);                 // from inside
  EXPECT_EQ(step(10, 0, -9.5, 0), 1.0);                // into it
  EXPECT_DOUBLE_EQ(step(10, 0.3, -20, 0), 0.5);        // across the disc: to its middle
  EXPECT_DOUBLE_EQ(step(10, 0, -20, 0), 0.5 - 0.025);  // across its centre: to half of v_s before it
}

// Beside the disc, a turn by more than 60 degrees is cut to 60 degrees; a smaller one is not.
TEST(Tamsi, StepTurnsAtMostSixtyDegrees) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-20.0, 20.0);
  int cut = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const Vector3 v(uniform(random), uniform(random), 0), dv(uniform(random), uniform(random), 0);
    const double a0 = -v.dot(dv) / dv.squaredNorm();
    if (v.norm() < 1.5 || (v + dv).norm() < 1.5 || (v + std::clamp(a0, 0.0, 1.0) * dv).norm() < 1.1) continue;
    const double alpha = transition_aware_step(kStiction * v, kStiction * dv, kStiction);
    const auto turn = [&](double a) { return std::acos(v.normalized().dot((v + a * dv).normalized())); };
    if (turn(1.0) <= std::numbers::pi / 3.0) {
      ASSERT_EQ(alpha, 1.0);
    } else {
      ++cut;
      ASSERT_NEAR(turn(alpha), std::numbers::pi / 3.0, 1e-7);
    }
  }
  EXPECT_GT(cut, 500);
}

}  // namespace
}  // namespace csim
