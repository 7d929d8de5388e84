// The interior point for Lagged, whose cones are its normal laws, on random problems: the minimum that
// Newton's method finds, in few iterations where many contacts close at once, and not asked where few do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/minimize.h"
#include "unit/solver/dense_reference.h"
#include "unit/solver/random_solution.h"

namespace csim {
namespace {

using namespace testing_support;

NewtonOptions with_method(MethodKind method, double tolerance) {
  NewtonOptions options;
  options.method = method;
  options.relative_tolerance = tolerance;
  options.edges_of_prediction = 0;
  return options;
}

SystemOptions lagged(NormalLaw normal) {
  SystemOptions options;
  options.contact.model = ContactModel::kLagged;
  options.contact.normal = normal;
  return options;
}

/// Many bodies that come at each other at some 5 m/s, with as many contacts about to close as are closed.
SystemOptions pile(NormalLaw normal) {
  SystemOptions options = lagged(normal);
  options.num_free = 150;
  options.num_articulated = 5;
  options.num_pairs = 450;
  options.speed = 5.0;
  options.min_stiffness = 1e6;
  return options;
}

constexpr NormalLaw kNormals[] = {NormalLaw::kHuntCrossley, NormalLaw::kLinear};

// lambda = n(v_n) and s = v_n - v_hat + p(lambda) are complementary: what the law says of v. To 1e-9 of the
// speeds at hand: constants whose largest terms cancel.
TEST(LaggedInteriorPoint, TheNormalsAreTheLaw) {
  for (const NormalLaw normal : kNormals) {
    int num_pressing = 0, num_open = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
      const SystemOptions options = lagged(normal);
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const ConvexProblem& problem = data.problem;
      const int n = problem.num_contacts();
      ConeColumns normals;
      normals.resize(n);
      problem.law->fill_cones(problem.contacts, {0, n}, &normals);
      ContactVelocities v;
      v.resize(n);
      Random random(seed);
      for (int i = 0; i < n; ++i) {
        v.normal[i] = normals.v_hat[i] + random.uniform(-1.0, 1.0);
        v.tangential.set(i, Vector3::Zero());
      }
      Vector3Columns gamma;
      gamma.resize(n);
      problem.law->evaluate(problem.contacts, {0, n}, v, &gamma);
      for (int i = 0; i < n; ++i) {
        ASSERT_EQ(normals.acts[i], 1.0);
        const double lambda = gamma[i].dot(problem.contacts.normal[i]);
        const double s =
            v.normal[i] - normals.v_hat[i] + InverseNormal(normals.a[i], normals.b[i], lambda).speed;
        const double speed = 1.0 + std::abs(normals.v_hat[i]);
        if (lambda > 0.0) {
          ++num_pressing;
          EXPECT_NEAR(s, 0.0, 1e-9 * speed);
        } else {
          ++num_open;
          EXPECT_GT(s, 0.0);
        }
      }
    }
    EXPECT_GT(num_pressing, 100);
    EXPECT_GT(num_open, 100);
  }
}

// By either way and from any guess the velocities of Newton's method alone. At e_r = 1e-11 the error |v -
// v_exact|_A <= |A^(-1/2) g| is of that order; 1e-8 leaves room for cond(H).
TEST(LaggedInteriorPoint, AgreesWithNewton) {
  for (const NormalLaw normal : kNormals) {
    int num_by_normals = 0;
    for (unsigned seed = 1; seed <= 80; ++seed) {
      SystemOptions options = lagged(normal);
      options.num_articulated = static_cast<int>(seed % 3);
      options.num_pairs = 4 + static_cast<int>(seed % 12);
      options.num_rows = static_cast<int>(seed % 4) * 3;
      options.speed = seed % 2 == 0 ? 0.5 : 10.0;
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const ConvexProblem& problem = data.problem;
      const DenseTwin twin(system, problem);
      const Solution newton = solve(system, problem, with_method(MethodKind::kNewton, 1e-11), problem.v0);
      ASSERT_TRUE(succeeded(newton.report.status)) << newton.report.message;
      Random random(seed);
      const VectorX wild = VectorX::NullaryExpr(problem.nv(), [&] { return 3.0 * random.normal(); });
      for (const MethodKind method : {MethodKind::kInteriorPoint, MethodKind::kAuto}) {
        for (const VectorX& guess : {problem.v0, wild}) {
          const Solution other = solve(system, problem, with_method(method, 1e-11), guess);
          EXPECT_TRUE(succeeded(other.report.status)) << "seed " << seed << ": " << other.report.message;
          EXPECT_LE(energy_norm(twin, other.v - newton.v), 1e-8 * energy_norm(twin, newton.v))
              << "seed " << seed;
          num_by_normals += other.report.interior_point_iterations > 0;
        }
      }
    }
    EXPECT_GT(num_by_normals, 200);
  }
}

// Where contacts close by the hundred Newton's method is stopped again and again; the interior point is not.
// The same minimum, by the same certificate; and the cost falls in each of the steps that finish.
TEST(LaggedInteriorPoint, ContactsThatCloseTogetherTakeFewIterations) {
  for (const NormalLaw normal : kNormals) {
    double newton_iterations = 0.0, iterations = 0.0;
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const SystemOptions options = pile(normal);
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const ConvexProblem& problem = data.problem;
      const DenseTwin twin(system, problem);
      const Solution newton = solve(system, problem, with_method(MethodKind::kNewton, 1e-5), problem.v0);
      const Solution found = solve(system, problem, with_method(MethodKind::kAuto, 1e-5), problem.v0);
      ASSERT_EQ(newton.report.status, SolveStatus::kConverged);
      ASSERT_EQ(found.report.status, SolveStatus::kConverged);
      EXPECT_LE(found.report.residual, 1e-5);
      EXPECT_GT(found.report.interior_point_iterations, 0);
      EXPECT_LE(found.report.iterations, 25);
      newton_iterations += newton.report.iterations;
      iterations += found.report.iterations;
      const Solution exact = solve(system, problem, with_method(MethodKind::kNewton, 1e-10), problem.v0);
      const VectorX g = evaluate_twin(twin, problem, found.v).gradient;
      // |v - v_exact|_A <= |A^(-1/2) g|; the exact one is right to a part of it.
      EXPECT_LE(energy_norm(twin, found.v - exact.v), 1.01 * std::sqrt(g.dot(twin.A.llt().solve(g))));
      if (problem.islands.size() != 1) continue;
      const auto& history = found.report.history;
      for (std::size_t k = 2 + found.report.interior_point_iterations; k < history.size(); ++k)
        EXPECT_LE(history[k].cost, history[k - 1].cost + 1e-13 * std::abs(history[k - 1].cost));
    }
    EXPECT_LT(iterations, 0.6 * newton_iterations);
  }
}

// A pile at rest does as expected: not a bit differs from Newton's method.
TEST(LaggedInteriorPoint, IsNotAskedWhereContactsDoAsExpected) {
  int num_compared = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SystemOptions options = lagged(NormalLaw::kHuntCrossley);
    options.speed = 0.5;
    const RandomSystem system = make_random_system(options, seed);
    StepData data;
    system.build(options.contact, &data);
    const ConvexProblem& problem = data.problem;
    // From the minimum of a tight solve.
    Iterate rest;
    rest.v = problem.v0;
    NewtonWorkspace workspace;
    SolveReport report;
    minimize(problem, with_method(MethodKind::kNewton, 1e-6), &workspace, &rest, &report);
    const Solution newton = solve(system, problem, with_method(MethodKind::kNewton, 1e-9), rest.v);
    const Solution found = solve(system, problem, with_method(MethodKind::kAuto, 1e-9), rest.v);
    if (found.report.interior_point_iterations > 0) continue;
    ++num_compared;
    EXPECT_EQ(found.v, newton.v);
    EXPECT_EQ(found.report.iterations, newton.report.iterations);
  }
  EXPECT_GE(num_compared, 1);
}

TEST(LaggedInteriorPoint, ThreadsAndWorkspacesDoNotChangeABit) {
  SystemOptions options = lagged(NormalLaw::kHuntCrossley);
  options.num_free = 300;
  options.num_pairs = 200;
  options.speed = 5.0;
  const RandomSystem system = make_random_system(options, 5);
  StepData data;
  system.build(options.contact, &data);
  const ConvexProblem& problem = data.problem;
  ASSERT_GT(problem.islands.size(), 20u);
  NewtonWorkspace used;
  for (const MethodKind method : {MethodKind::kInteriorPoint, MethodKind::kAuto}) {
    NewtonOptions newton = with_method(method, 1e-5);
    const Solution one = solve(system, problem, newton, problem.v0);
    EXPECT_GT(one.report.interior_point_iterations, 0);
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      newton.workers = &workers;
      Iterate iterate;
      iterate.v = problem.v0;
      SolveReport report;
      minimize(problem, newton, &used, &iterate, &report);
      VectorX v = system.free_motion.v_star;
      scatter_velocities(problem, iterate.v, &v);
      EXPECT_EQ(v, one.v) << threads;
      EXPECT_EQ(report.total_iterations, one.report.total_iterations);
    }
  }
}

}  // namespace
}  // namespace csim
