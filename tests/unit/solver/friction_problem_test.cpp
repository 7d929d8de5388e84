// Problems of friction with closed solutions, methods against each other, the residual against its
// definition.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>
#include <utility>

#include "solver/friction/gauss_seidel.h"
#include "solver/friction/reduce_friction.h"
#include "solver/friction/solve_friction.h"
#include "support/random_system.h"

namespace csim {
namespace {

using testing::HasSubstr;
using testing_support::Random;

/// A tolerance near round-off, so that closed solutions can be compared to ten digits.
constexpr double kTolerance = 1e-13;

FrictionProblem problem_of(const MatrixX& W, const VectorX& q, const std::vector<double>& mu,
                           int dimension = 3) {
  FrictionProblem problem;
  problem.dimension = dimension;
  problem.W = W.sparseView(0.0, 0.0);
  problem.q = q;
  problem.mu = VectorX::Map(mu.data(), static_cast<long>(mu.size()));
  return problem;
}

FrictionSolution solve(const FrictionProblem& problem, FrictionMethod method = FrictionMethod::kAuto,
                       double tolerance = kTolerance) {
  return solve_friction(problem, {method, tolerance, {}});
}

MatrixX matrix(const Vector3& diagonal) {
  return diagonal.asDiagonal();
}

class EveryMethod : public testing::TestWithParam<FrictionMethod> {};

/// A block of mass m pressed on a plane: u = r/m + q, q = (-g h, -v, 0).
TEST_P(EveryMethod, BlockSticks) {
  // It would take the impulse m v to stop, below mu m g h.
  const auto solution =
      solve(problem_of(matrix({0.5, 0.5, 0.5}), Vector3(-0.3, -0.1, 0.05), {0.5}), GetParam());
  ASSERT_TRUE(solution.converged) << solution.message;
  EXPECT_LT((solution.r - Vector3(0.6, 0.2, -0.1)).norm(), 1e-12);
  EXPECT_LT(solution.u.norm(), 1e-12);
}

TEST_P(EveryMethod, BlockSlides) {
  // 2 N s would stop it; friction gives mu r_N = 0.3 against the velocity.
  const auto solution =
      solve(problem_of(matrix({0.5, 0.5, 0.5}), Vector3(-0.3, -0.6, 0.8), {0.5}), GetParam());
  ASSERT_TRUE(solution.converged) << solution.message;
  EXPECT_LT((solution.r - Vector3(0.6, 0.18, -0.24)).norm(), 1e-12);
  EXPECT_LT((solution.u - Vector3(0.0, -0.51, 0.68)).norm(), 1e-12);
}

TEST_P(EveryMethod, ContactOpens) {
  const auto solution = solve(problem_of(matrix({1, 1, 1}), Vector3(0.1, 3, 0), {0.5}), GetParam());
  ASSERT_TRUE(solution.converged) << solution.message;
  EXPECT_EQ(solution.r, Vector3::Zero());
}

/// A rod that slides: normal and tangent are coupled, and friction is not that of a convex problem. With the
/// slip along -x, u_N = 0 gives r_N (W_NN + mu W_NT) = -q_N.
TEST_P(EveryMethod, FrictionPressesTheSlidingRod) {
  MatrixX W = matrix({1, 1, 1});
  W(0, 1) = W(1, 0) = -0.6;
  const double mu = 0.7, r = 0.2 / (1 - 0.6 * mu);
  const auto solution = solve(problem_of(W, Vector3(-0.2, -2, 0), {mu}), GetParam());
  ASSERT_TRUE(solution.converged) << solution.message;
  EXPECT_LT((solution.r - Vector3(r, mu * r, 0)).norm(), 1e-12);
  EXPECT_NEAR(solution.u[1], -2 - 0.6 * r + mu * r, 1e-12);
}

/// On the corner of the cone: friction just stops the slip, |r_T| = mu r_N with u = 0.
TEST_P(EveryMethod, StopsOnTheConesBoundary) {
  const auto solution = solve(problem_of(matrix({1, 1, 1}), Vector3(-1, -0.5, 0), {0.5}), GetParam(), 1e-9);
  ASSERT_TRUE(solution.converged) << solution.message;
  // Of an interior point the slip goes to 0 with the root of the residual there; the impulse is what the
  // residual bounds.
  EXPECT_LT((solution.r - Vector3(1, 0.5, 0)).norm(), 1e-7);
}

/// Two contacts that carry the same: their sum is determined, each is not, and W is singular.
TEST_P(EveryMethod, DependentContacts) {
  MatrixX W(6, 6);
  const Matrix3 one = Vector3(0.5, 0.5, 0.5).asDiagonal();
  W << one, one, one, one;
  VectorX q(6);
  q << -0.3, -0.6, 0.8, -0.3, -0.6, 0.8;
  const auto solution = solve(problem_of(W, q, {0.5, 0.5}), GetParam(), 1e-10);
  ASSERT_TRUE(solution.converged) << solution.message;
  EXPECT_LT((solution.r.head<3>() + solution.r.tail<3>() - Vector3(0.6, 0.18, -0.24)).norm(), 1e-8);
}

TEST_P(EveryMethod, FrictionlessContactsAndAxesOfPlaneProblems) {
  const auto without =
      solve(problem_of(matrix({0.5, 0.5, 0.5}), Vector3(-0.3, -0.6, 0.8), {0.0}), GetParam());
  ASSERT_TRUE(without.converged) << without.message;
  EXPECT_LT((without.r - Vector3(0.6, 0, 0)).norm(), 1e-12);
  EXPECT_LT((without.u - Vector3(0, -0.6, 0.8)).norm(), 1e-12);
  const auto plane =
      solve(problem_of(0.5 * MatrixX::Identity(2, 2), Eigen::Vector2d(-0.3, 1), {0.5}, 2), GetParam());
  ASSERT_TRUE(plane.converged) << plane.message;
  EXPECT_LT((plane.r - Eigen::Vector2d(0.6, -0.3)).norm(), 1e-12);
}

/// The sliding block in other units: no square of a velocity overflows or underflows.
TEST_P(EveryMethod, LargeAndSmallNumbers) {
  for (const double unit : {std::ldexp(1.0, 700), std::ldexp(1.0, -700)}) {
    const auto solution =
        solve(problem_of(matrix({0.5, 0.5, 0.5}), unit * Vector3(-0.3, -0.6, 0.8), {0.5}), GetParam());
    ASSERT_TRUE(solution.converged) << solution.message;
    EXPECT_LT((solution.r / unit - Vector3(0.6, 0.18, -0.24)).norm(), 1e-12);
  }
}

/// The impulse would be 1e400.
TEST_P(EveryMethod, NumbersThatOverflowDoNotConverge) {
  const auto solution =
      solve(problem_of(1e-200 * MatrixX::Identity(3, 3), Vector3(-1e200, 0, 0), {0.5}), GetParam());
  EXPECT_FALSE(solution.converged);
  EXPECT_EQ(solution.r.size(), 3);
  EXPECT_THAT(solution.message, HasSubstr("above the tolerance"));
}

INSTANTIATE_TEST_SUITE_P(Friction, EveryMethod,
                         testing::Values(FrictionMethod::kAuto, FrictionMethod::kInteriorPoint,
                                         FrictionMethod::kNewton, FrictionMethod::kGaussSeidel),
                         [](const auto& info) {
                           std::string name(kFrictionMethodNames[static_cast<std::size_t>(info.param)]);
                           std::erase(name, '_');
                           return name;
                         });

/// Contacts between bodies of random masses; well conditioned and with small mu, so that the solution is
/// unique.
FrictionProblem random_problem(Random* random, int contacts, double mu) {
  const int rows = 3 * contacts;
  MatrixX H(rows, rows + 3);
  for (double& h : H.reshaped()) h = random->normal();
  const MatrixX W = H * H.transpose() / rows + MatrixX::Identity(rows, rows);
  VectorX q(rows);
  for (double& value : q) value = random->normal();
  return problem_of(W, q, std::vector<double>(static_cast<std::size_t>(contacts), mu));
}

TEST(Friction, MethodsAgreeOnRandomProblems) {
  Random random(5);
  int sliding = 0, apart = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto problem = random_problem(&random, 1 + trial % 6, 0.3);
    const auto reference = solve(problem, FrictionMethod::kGaussSeidel, 1e-11);
    ASSERT_TRUE(reference.converged) << trial << ": " << reference.message;
    for (const auto method : {FrictionMethod::kInteriorPoint, FrictionMethod::kNewton}) {
      const auto solution = solve(problem, method, 1e-11);
      ASSERT_TRUE(solution.converged) << trial << ": " << solution.message;
      // The smallest eigenvalue of W is 1: residuals bound errors to their own size times a small factor.
      EXPECT_LT((solution.r - reference.r).norm(), 1e-9) << trial;
    }
    for (int c = 0; c < problem.num_contacts(); ++c) {
      apart += reference.r[3 * c] == 0.0;
      sliding += reference.r[3 * c] > 0.0 && reference.u.segment<2>(3 * c + 1).norm() > 1e-6;
    }
  }
  EXPECT_GT(sliding, 10);  // else the comparison would say little
  EXPECT_GT(apart, 10);
}

/// Coulomb's law as it is written, contact by contact, of solutions of larger problems with strong friction.
TEST(Friction, SolutionsObeyTheLaw) {
  Random random(11);
  for (int trial = 0; trial < 10; ++trial) {
    const auto problem = random_problem(&random, 20, 0.8);
    const auto s = solve(problem, FrictionMethod::kAuto, 1e-11);
    ASSERT_TRUE(s.converged) << s.message;
    for (int c = 0; c < problem.num_contacts(); ++c) {
      const Vector3 r = s.r.segment<3>(3 * c), u = s.u.segment<3>(3 * c);
      const Eigen::Vector2d r_t = r.tail<2>(), u_t = u.tail<2>();
      EXPECT_GE(r[0], -1e-9);
      EXPECT_GE(u[0], -1e-9);
      EXPECT_NEAR(r[0] * u[0], 0.0, 1e-9);
      EXPECT_LE(r_t.norm(), 0.8 * r[0] + 1e-9);
      EXPECT_LT((u_t.norm() * r_t + 0.8 * r[0] * u_t).norm(), 1e-9);
    }
  }
}

/// The projection against its definition: no point of the cone is closer, of many tried.
TEST(FrictionResidual, ProjectionIsTheClosestPoint) {
  Random random(3);
  FrictionProblem problem;
  problem.dimension = 5;
  problem.mu = VectorX::Constant(1, 0.6);
  problem.mu_rolling = VectorX::Constant(1, 0.2);
  for (int trial = 0; trial < 200; ++trial) {
    VectorX z(5);
    for (double& value : z) value = random.normal();
    VectorX p = z;
    project_on_cone(problem, 0, p);
    ASSERT_LE(p.segment<2>(1).norm(), 0.6 * p[0] + 1e-14);
    ASSERT_LE(p.segment<2>(3).norm(), 0.2 * p[0] + 1e-14);
    // p is the projection on a convex cone where z - p is across p and in the polar cone: (z - p) . y <= 0 on
    // its rays.
    EXPECT_NEAR((z - p).dot(p), 0.0, 1e-13);
    for (int k = 0; k < 50; ++k) {
      VectorX ray(5);
      const double a = random.uniform(0, 7), b = random.uniform(0, 7);
      ray << 1, 0.6 * std::cos(a), 0.6 * std::sin(a), 0.2 * std::cos(b), 0.2 * std::sin(b);
      EXPECT_LE((z - p).dot(ray), 1e-13);
    }
  }
}

/// One contact by hand: the projection on the cone of revolution in closed form.
TEST(FrictionResidual, IsTheNaturalMap) {
  const auto problem = problem_of(matrix({2, 2, 2}), Vector3(-1, 0.5, 0), {0.5});
  const Vector3 r(1, 0, 0.25);
  const Vector3 u = 2 * r + problem.q;  // (1, 0.5, 0.5)
  const auto map = [&](double rho) {
    Vector3 z = r - rho * (u + 0.5 * std::hypot(u[1], u[2]) * Vector3::UnitX());
    const double t = std::hypot(z[1], z[2]);
    if (0.5 * t <= -z[0])
      z.setZero();
    else if (t > 0.5 * z[0]) {
      const double n = (z[0] + 0.5 * t) / 1.25;
      z = Vector3(n, 0.5 * n * z[1] / t, 0.5 * n * z[2] / t);
    }
    return ((r - z) / rho).norm() / problem.q.norm();
  };
  const auto residual = friction_residual(problem, r);
  EXPECT_NEAR(residual.natural_map, map(1.0), 1e-14);
  EXPECT_NEAR(residual.scaled, map(0.5), 1e-14);
  EXPECT_EQ(residual.worst_contact, 0);
}

/// A wheel: resisted by a moment of at most mu_r r_N, closed form.
TEST(Friction, RollingResistance) {
  FrictionProblem problem;
  problem.dimension = 5;
  problem.W = MatrixX(MatrixX::Identity(5, 5)).sparseView();
  problem.q.resize(5);
  problem.q << -1, 0.2, 0, 0, -0.5;
  problem.mu = VectorX::Constant(1, 0.6);
  problem.mu_rolling = VectorX::Constant(1, 0.1);
  VectorX expected(5);
  expected << 1, -0.2, 0, 0, 0.1;  // sticks, and the rolling slows down by 0.1
  for (const auto method : {FrictionMethod::kAuto, FrictionMethod::kNewton}) {
    const auto solution = solve(problem, method);
    ASSERT_TRUE(solution.converged) << solution.message;
    EXPECT_LT((solution.r - expected).norm(), 1e-12);
  }
  EXPECT_FALSE(solve(problem, FrictionMethod::kGaussSeidel).converged);
}

/// Every tenth sweep is judged, and the last.
TEST(Friction, AllSweepsCount) {
  Random random(11);
  const auto problem = random_problem(&random, 20, 0.8);
  for (const auto& [sweeps, judged] : {std::pair{5, 1u}, std::pair{13, 2u}}) {
    const auto solution = solve_friction(problem, {FrictionMethod::kGaussSeidel, kTolerance, sweeps});
    ASSERT_EQ(solution.parts.size(), 1u);
    const auto& residuals = solution.parts[0].residuals;
    EXPECT_EQ(solution.iterations(), sweeps);
    EXPECT_EQ(residuals.size(), 1u + judged);  // the start first
    EXPECT_LT(residuals.back(), residuals.front());
    EXPECT_EQ(solution.residual.largest(), residuals.back());  // that of the last sweep is returned
  }
}

TEST(Friction, LocalSolutionSlipsWithTheRightAngle) {
  // Another axis is heavier: the slip is not along q_T, so that the angle has to be found.
  const Matrix3 W = Vector3(1, 1, 4).asDiagonal();
  const Vector3 g(-1, 2, 2), r = solve_contact(W, g, 2, 0.3), u = W * r + g;
  EXPECT_NEAR(u[0], 0.0, 1e-14);
  EXPECT_NEAR(r.tail<2>().norm(), 0.3, 1e-14);
  EXPECT_NEAR(r[1] * u[2] - r[2] * u[1], 0.0, 1e-14);
  EXPECT_LT(r[1] * u[1], 0.0);
}

/// Two walls that close on a rigid body: no motion opens both contacts.
TEST(Friction, SaysWhyThereIsNoSolution) {
  MatrixX W(6, 6);
  const Matrix3 one = Matrix3::Identity(), flip = Vector3(-1, 1, 1).asDiagonal();
  W << one, flip, flip, one;
  VectorX q(6);
  q << -1, 0, 0, -1, 0, 0;
  const auto solution = solve(problem_of(W, q, {0.5, 0.5}), FrictionMethod::kAuto, 1e-8);
  EXPECT_FALSE(solution.converged);
  EXPECT_THAT(solution.message, HasSubstr("above the tolerance"));
  EXPECT_THAT(solution.message, HasSubstr("no motion seems to satisfy all contacts"));
}

/// The reduction against dense algebra, and the motion that follows from the impulses.
TEST(Friction, GlobalProblemsReduce) {
  Random random(7);
  GlobalFrictionProblem global;
  MatrixX M(6, 6), H(6, 6);
  for (double& value : M.reshaped()) value = random.normal();
  for (double& value : H.reshaped()) value = random.normal();
  M = MatrixX(M * M.transpose() + MatrixX::Identity(6, 6));
  global.M = M.sparseView();
  global.H = H.sparseView();
  global.f = VectorX::LinSpaced(6, -1, 2);
  global.w = VectorX::LinSpaced(6, 0.5, -0.5);
  global.mu = VectorX::Constant(2, 0.3);
  const auto problem = reduce(global);
  ASSERT_TRUE(problem);
  EXPECT_LT((MatrixX(problem->W) - H.transpose() * M.inverse() * H).norm(), 1e-12);
  EXPECT_LT((problem->q - (global.w + H.transpose() * M.inverse() * global.f)).norm(), 1e-12);
  const auto solution = solve(*problem);
  const VectorX v = motion(global, solution.r);
  EXPECT_LT((H.transpose() * v + global.w - solution.u).norm(), 1e-12);
  EXPECT_LT(motion_residual(global, v, solution.r), 1e-14);
  EXPECT_GT(motion_residual(global, 1.001 * v, solution.r), 1e-5);
  global.M.coeffRef(0, 0) = 0;
  global.M = SparseMatrix(6, 6);
  EXPECT_FALSE(reduce(global));
}

}  // namespace
}  // namespace csim
