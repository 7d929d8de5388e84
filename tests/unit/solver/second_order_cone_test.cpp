// The algebra of the interior point's cones against dense matrices in extended precision.
#include "solver/method/second_order_cone.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "support/random_system.h"

namespace csim {
namespace {

using testing_support::Random;
using Real = long double;
using Vector5 = Eigen::Matrix<Real, 5, 1>;
using Matrix5 = Eigen::Matrix<Real, 5, 5>;

Vector5 extended(const ConeVector& a) {
  return {a.n, a.x, a.y, a.z, a.e};
}

ConeVector rounded(const Vector5& a) {
  return {static_cast<double>(a[0]), static_cast<double>(a[1]), static_cast<double>(a[2]),
          static_cast<double>(a[3]), static_cast<double>(a[4])};
}

Matrix5 reflection() {
  Matrix5 S = -Matrix5::Identity();
  S(0, 0) = 1;
  return S;
}

Real determinant(const Vector5& a) {
  return a[0] * a[0] - a.tail<4>().squaredNorm();
}

/// Inside the cone, of any size, from its axis to `nearest` (relative) off its boundary.
ConeVector inside(Random* random, double nearest = 1e-7) {
  ConeVector a{0.0, random->normal(), random->normal(), random->normal(), random->normal()};
  const double size = random->log_uniform(1e-4, 1e4);
  a = a * size;
  a.n = rest_norm(a) * (1.0 + random->log_uniform(nearest, 1e2));
  return a;
}

/// W from its definition.
Matrix5 matrix_of(const ConeVector& unit, double eta) {
  Vector5 w = extended(unit);
  w[0] = std::sqrt(1 + w.tail<4>().squaredNorm());
  Matrix5 W = Matrix5::Identity();
  W.row(0) = w;
  W.col(0) = w;
  W.bottomRightCorner<4, 4>() += w.tail<4>() * w.tail<4>().transpose() / (1 + w[0]);
  return eta * W;
}

// W comes out of s and lambda that are a part delta off the boundary with an error of rounding/delta.
TEST(SecondOrderCone, TheScalingMapsImpulseAndSlackToOnePoint) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const ConeVector s = inside(&random), lambda = inside(&random);
    const ConeScaling scaling = ConeScaling::of(s, lambda);
    const Matrix5 W = matrix_of(scaling.w, scaling.eta);
    const Vector5 l = extended(scaling.l);
    EXPECT_LE((W * extended(lambda) - l).norm(), 1e-7L * l.norm());
    EXPECT_LE((W * l - extended(s)).norm(), 1e-7L * W.norm() * l.norm());
    EXPECT_NEAR(static_cast<double>(l.squaredNorm() / extended(s).dot(extended(lambda))), 1.0, 1e-12);
    EXPECT_NEAR(scaling.det_l / static_cast<double>(determinant(l)), 1.0, 1e-6);
    const ConeVector x = inside(&random);
    EXPECT_LE((extended(scale(scaling.w, scaling.eta, x)) - W * extended(x)).norm(),
              1e-14L * W.norm() * extended(x).norm());
    const Matrix5 W_inverse = matrix_of(scaling.w * -1.0, 1.0 / scaling.eta);
    EXPECT_LE((W_inverse * W - Matrix5::Identity()).norm(), 1e-15L * W.norm() * W_inverse.norm());
    EXPECT_LE((extended(unscale(scaling.w, scaling.eta, x)) - W_inverse * extended(x)).norm(),
              1e-14L * W_inverse.norm() * extended(x).norm());
  }
}

// s and l of a central pair: s - l = z and s o l = mu e, both inside; with mu = 0 s is the nearest point of
// the cone to z, l that of -z. Half lines are cones without a rest.
TEST(SecondOrderCone, CentralPairsBelongToTheirDifference) {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    ConeVector z{random.normal(), random.normal(), random.normal(), random.normal(), random.normal()};
    if (trial % 10 == 0) z = {z.n, 0.0, 0.0, 0.0, 0.0};
    const double size2 = dot(z, z);
    const double mu = trial % 3 == 0 ? 0.0 : size2 * random.log_uniform(1e-12, 1e2);
    const Vector5 s = extended(smoothed_projection(z, mu)), l = extended(smoothed_projection(z * -1.0, mu));
    const Real size = s.norm() + l.norm();
    EXPECT_LE((s - l - extended(z)).norm(), 1e-15L * size);
    Vector5 product;
    product << s.dot(l) - mu, s[0] * l.tail<4>() + l[0] * s.tail<4>();
    EXPECT_LE(product.norm(), 4e-16L * size * size);
    for (const Vector5& x : {s, l}) EXPECT_GE(x[0] - x.tail<4>().norm(), mu > 0.0 ? 0.0L : -4e-16L * size);
  }
}

TEST(SecondOrderCone, ProductAndDivisionAreInverse) {
  Random random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const ConeVector l = inside(&random), x = inside(&random);
    const ConeVector r = jordan_product(l, x);
    const Vector5 a = extended(l), b = extended(x);
    Vector5 product;
    product << a.dot(b), a[0] * b.tail<4>() + b[0] * a.tail<4>();
    EXPECT_LE((extended(r) - product).norm(), 1e-15L * a.norm() * b.norm());
    const double det = static_cast<double>(determinant(a));
    const ConeVector back = jordan_divide(l, det, rounded(product));
    EXPECT_LE((extended(back) - b).norm(), 1e-14L * a.squaredNorm() / determinant(a) * b.norm());
  }
}

// From points as far inside as those that the scaling makes: nearer to the boundary rounding of x moves it
// too.
TEST(SecondOrderCone, StepsEndOnTheBoundary) {
  Random random(3);
  int num_bounded = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const ConeVector x = inside(&random, 1e-2);
    const double size = random.log_uniform(1e-2, 1e2) * x.n;
    const ConeVector d{size * random.normal(), size * random.normal(), size * random.normal(),
                       size * random.normal(), size * random.normal()};
    const Vector5 a = extended(x), b = extended(d);
    const double alpha = step_to_boundary(x, static_cast<double>(determinant(a)), d);
    const auto margin = [&](Real t) {
      const Vector5 p = a + t * b;
      return p[0] - p.tail<4>().norm();
    };
    ASSERT_GT(alpha, 0.0);
    if (std::isfinite(alpha)) {
      ++num_bounded;
      // The margin is concave in the step: positive before, negative after.
      EXPECT_GT(margin(alpha * (1 - 1e-9L)), -1e-15L * (a.norm() + alpha * b.norm()));
      EXPECT_LT(margin(alpha * (1 + 1e-9L)), 1e-15L * (a.norm() + alpha * b.norm()));
      EXPECT_GT(margin(0.5L * alpha), 0.0L);
    } else {
      EXPECT_GT(margin(1e6L), 0.0L);
    }
  }
  // Half lines end at the tip, a double root.
  for (int trial = 0; trial < 2000; ++trial) {
    const double x = random.log_uniform(1e-6, 1e6), d = -random.log_uniform(1e-6, 1e6);
    const double det = x * x * (1.0 + 1e-15 * random.uniform(-1.0, 1.0));
    EXPECT_NEAR(step_to_boundary(ConeVector{x}, det, ConeVector{d}) * -d / x, 1.0, 1e-7);
  }
  EXPECT_GT(num_bounded, 1000);
  EXPECT_LT(num_bounded, 2000);
}

// Down along the ray of the boundary on which x lies all products cancel; the step ends at the tip at the
// latest.
TEST(SecondOrderCone, AStepAlongTheBoundaryEndsBeforeTheTip) {
  Random random(7);
  int num_near_tip = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi), size = random.log_uniform(1e-4, 1e4);
    const ConeVector ray{size, size * std::cos(angle), size * std::sin(angle), 0.0, 0.0};
    ConeVector x = ray;
    x.n += size * random.log_uniform(1e-15, 1e-9);
    const ConeVector d = ray * -random.log_uniform(1e-2, 1e2);
    const double alpha = step_to_boundary(x, determinant(x), d), tip = -x.n / d.n;
    ASSERT_GT(alpha, 0.0);
    ASSERT_LE(alpha, tip);
    num_near_tip += alpha > 0.5 * tip ? 1 : 0;
  }
  EXPECT_GT(num_near_tip, 100);
}

// The closed forms are exact to rounding entry by entry, also where W is as ill-conditioned as it gets.
TEST(SecondOrderCone, TheClosedFormsAreTheInverses) {
  Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    ConeVector w{0.0, random.normal(), random.normal(), random.normal(), random.normal()};
    w = w * random.log_uniform(1e-6, 1e6);
    w.n = std::sqrt(1.0 + rest_dot(w, w));
    const double eta = random.log_uniform(1e-5, 1e5), E_0 = random.log_uniform(1e-10, 1e6);
    const double R = random.chance(0.5) ? 0.0 : random.log_uniform(1e-8, 1e2);
    const CompliantScaling p(w, eta, E_0, R);
    const Vector5 unit = extended(w);
    const auto build = [&](double c_00, double c_01, double c_11, double c_2) {
      Matrix5 B = static_cast<Real>(c_11) * Matrix5::Identity();
      B.row(0).tail<4>() = static_cast<Real>(c_01) * unit.tail<4>().transpose();
      B.col(0).tail<4>() = static_cast<Real>(c_01) * unit.tail<4>();
      B(0, 0) = c_00;
      B.bottomRightCorner<4, 4>() += static_cast<Real>(c_2) * unit.tail<4>() * unit.tail<4>().transpose();
      return B;
    };
    const Matrix5 W = matrix_of(w, eta), W_inverse = matrix_of(w * -1.0, 1.0 / eta);
    Matrix5 E = static_cast<Real>(R) * Matrix5::Identity();
    E(0, 0) = E_0;
    const Matrix5 P = build(p.p_00, p.p_01, p.p_11, p.p_2), N_inverse = build(p.n_00, p.n_01, p.n_11, p.n_2);
    const Matrix5 compliant = W * W + E, N = Matrix5::Identity() + W_inverse * E * W_inverse;
    EXPECT_LE((P * compliant - Matrix5::Identity()).norm(), 1e-15L * P.norm() * compliant.norm());
    EXPECT_LE((N_inverse * N - Matrix5::Identity()).norm(), 1e-15L * N_inverse.norm() * N.norm());
    // Positive semidefinite to rounding of the largest entry.
    const Eigen::SelfAdjointEigenSolver<Matrix5> eigen(P, Eigen::EigenvaluesOnly);
    EXPECT_GE(eigen.eigenvalues()[0], -1e-15L * P.norm());
    const ConeVector x = inside(&random);
    const ConeVector y = apply_compliance(w, p.n_00, p.n_01, p.n_11, p.n_2, x);
    EXPECT_LE((extended(y) - N_inverse * extended(x)).norm(), 1e-14L * N_inverse.norm() * extended(x).norm());
  }
}

TEST(SecondOrderCone, ReflectionIsTheInverseScaling) {
  const Matrix5 S = reflection();
  Random random(5);
  ConeVector w{0.0, random.normal(), random.normal(), random.normal(), random.normal()};
  const Matrix5 W = matrix_of(w, 2.0);
  EXPECT_LE((W * S * W - 4.0L * S).norm(), 1e-17L * W.squaredNorm());
}

}  // namespace
}  // namespace csim
