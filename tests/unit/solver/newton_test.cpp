// Newton's method on random problems: the right minimum by every law, line search and Hessian, whatever the
// guess, the order of the contacts and the number of threads; and failures as values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/contact_forces.h"
#include "solver/method/interior_point.h"
#include "solver/minimize.h"
#include "unit/solver/dense_reference.h"
#include "unit/solver/random_solution.h"

namespace csim {
namespace {

using namespace testing_support;

ContactSpec spec_of(const ContactLaw& law) {
  ContactSpec spec;
  spec.model = law.friction == ContactModel::kLagged    ? ContactModel::kLagged
               : law.friction == ContactModel::kSimilar ? ContactModel::kSimilar
                                                        : ContactModel::kSap;
  switch (law.normal) {
    case NormalLaw::kLinear:
      spec.normal = NormalLaw::kLinear;
      break;
    case NormalLaw::kHuntCrossley:
      spec.normal = NormalLaw::kHuntCrossley;
      break;
    case NormalLaw::kHertz:
      spec.normal = NormalLaw::kHertz;
      break;
    case NormalLaw::kLogBarrier:
      spec.normal = NormalLaw::kLogBarrier;
      break;
    case NormalLaw::kIpcBarrier:
      spec.normal = NormalLaw::kIpcBarrier;
      break;
  }
  spec.barrier_stiffness = law.normal == NormalLaw::kLogBarrier ? 1e-3 : 1e4;
  spec.barrier_thickness = 0.01;
  return spec;
}

NewtonOptions tight() {
  NewtonOptions options;
  options.relative_tolerance = 1e-11;
  return options;
}

/// |A^(-1/2) g|.
double gradient_norm(const DenseTwin& twin, const ConvexProblem& problem, const VectorX& v) {
  const VectorX g = evaluate_twin(twin, problem, v).gradient;
  return std::sqrt(g.dot(twin.A.llt().solve(g)));
}

class NewtonLawTest : public testing::TestWithParam<const ContactLaw*> {
 protected:
  static SystemOptions options(int seed) {
    SystemOptions options;
    options.contact = spec_of(*GetParam());
    options.open_gaps = GetParam()->has_domain;
    options.speed = GetParam()->has_domain ? 0.05 : 0.5;
    options.num_articulated = seed % 3;
    options.num_pairs = 4 + seed % 12;
    options.num_rows = seed % 3 * 4;
    return options;
  }
};

std::string law_name(const testing::TestParamInfo<const ContactLaw*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<const ContactLaw*> all_laws() {
  std::vector<const ContactLaw*> laws;
  for (const ContactLaw& law : contact_laws()) laws.push_back(&law);
  return laws;
}

INSTANTIATE_TEST_SUITE_P(All, NewtonLawTest, testing::ValuesIn(all_laws()), law_name);

// The twin is solved as one problem by another method: this holds islands, sparsity, Hessians and line
// searches to account at once. At e_r = 1e-11 the velocity error |v - v_exact|_A <= |A^(-1/2) g| is of that
// order; 1e-8 leaves room for cond(H).
TEST_P(NewtonLawTest, FindsTheMinimumByEveryLineSearchAndHessian) {
  int solved = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    const SystemOptions system_options = options(seed);
    const RandomSystem system = make_random_system(system_options, seed);
    StepData data;
    system.build(system_options.contact, &data);
    const ConvexProblem& problem = data.problem;
    const DenseTwin twin(system, problem);
    Solution reference = solve(system, problem, tight(), problem.v0);
    if (reference.report.status == SolveStatus::kInfeasibleStart)
      continue;  // a prescribed body closes the gap by itself
    ++solved;
    const VectorX exact = minimize_twin(twin, problem, reference.v);
    const double scale = energy_norm(twin, exact);
    EXPECT_LE(
        (evaluate_twin(twin, problem, exact).gradient.cwiseQuotient(twin.A.diagonal().cwiseSqrt())).norm(),
        1e-7 * scale);
    for (const LineSearchKind line_search :
         {LineSearchKind::kLoose, LineSearchKind::kExact, LineSearchKind::kArmijo}) {
      for (const HessianKind hessian : {HessianKind::kPrimalDual, HessianKind::kNewton}) {
        NewtonOptions newton = tight();
        newton.line_search = line_search;
        newton.hessian = hessian;
        const Solution solution = solve(system, problem, newton, problem.v0);
        EXPECT_TRUE(succeeded(solution.report.status)) << solution.report.message << " seed " << seed
                                                       << " line search " << static_cast<int>(line_search);
        EXPECT_LE(energy_norm(twin, solution.v - exact), 1e-8 * scale)
            << "seed " << seed << " line search " << static_cast<int>(line_search) << " hessian "
            << static_cast<int>(hessian) << " residual " << solution.report.residual << " status "
            << static_cast<int>(solution.report.status);
      }
    }
  }
  EXPECT_GE(solved, 6);
}

TEST_P(NewtonLawTest, TheGuessDoesNotMatter) {
  for (int seed = 20; seed < 26; ++seed) {
    const SystemOptions system_options = options(seed);
    const RandomSystem system = make_random_system(system_options, seed);
    StepData data;
    system.build(system_options.contact, &data);
    const ConvexProblem& problem = data.problem;
    const DenseTwin twin(system, problem);
    const Solution first = solve(system, problem, tight(), problem.v0);
    if (first.report.status == SolveStatus::kInfeasibleStart) continue;
    Random random(seed);
    const VectorX wild = VectorX::NullaryExpr(problem.nv(), [&] { return 3.0 * random.normal(); });
    for (const VectorX& guess :
         {problem.v_star, wild, VectorX(VectorX::Zero(problem.nv())), first.iterate.v}) {
      const Solution other = solve(system, problem, tight(), guess);
      if (other.report.status == SolveStatus::kInfeasibleStart) continue;
      EXPECT_TRUE(succeeded(other.report.status)) << other.report.message;
      EXPECT_LE(energy_norm(twin, other.v - first.v), 1e-8 * energy_norm(twin, first.v)) << "seed " << seed;
    }
  }
}

// Large islands leave the edges that do not act out of H: the same minimum with a factor of fewer entries.
TEST_P(NewtonLawTest, AChoiceOfEdgesDoesNotMatter) {
  long all_nonzeros = 0, chosen_nonzeros = 0, fewer_factorizations = 0;
  for (int seed = 0; seed < 12; ++seed) {
    SystemOptions system_options = options(seed);
    system_options.num_free = 8;
    system_options.num_pairs = 12;
    system_options.num_rows = 0;  // whose edges always have a place
    const RandomSystem system = make_random_system(system_options, 700 + seed);
    StepData data;
    system.build(system_options.contact, &data);
    const DenseTwin twin(system, data.problem);
    NewtonOptions all = tight(), chosen = tight();
    all.edges_of_large_island = std::numeric_limits<int>::max();
    chosen.edges_of_large_island = chosen.edges_of_prediction = 0;
    const Solution a = solve(system, data.problem, all, data.problem.v0);
    const Solution b = solve(system, data.problem, chosen, data.problem.v0);
    ASSERT_TRUE(succeeded(a.report.status)) << seed << ": " << a.report.message;
    ASSERT_TRUE(succeeded(b.report.status)) << seed << ": " << b.report.message;
    EXPECT_LE(b.report.factorizations, b.report.iterations);
    fewer_factorizations += b.report.iterations - b.report.factorizations;
    // |v - v_exact|_A <= |A^(-1/2) g| for either; 1e-8 as above.
    const double bound = gradient_norm(twin, data.problem, a.v) + gradient_norm(twin, data.problem, b.v);
    EXPECT_LE(energy_norm(twin, a.v - b.v), 1e-8 * energy_norm(twin, a.v) + bound) << seed;
    all_nonzeros += a.report.factor_nonzeros;
    chosen_nonzeros += b.report.factor_nonzeros;
  }
  // Where all edges act there may be a few more: zeros that merging supernodes added in another order.
  EXPECT_LE(chosen_nonzeros, 1.01 * all_nonzeros);
  EXPECT_GT(fewer_factorizations, 0);  // the last iterations do with the factor they have
  if (GetParam()->normal == NormalLaw::kHuntCrossley) {
    EXPECT_LT(chosen_nonzeros, all_nonzeros);
  }
}

// Large islands begin with a step for which every contact is linear about what is expected of it. Without
// friction the linear law is what it is expected to be where no contact opens or closes: one step is all,
// though at the guess itself many contacts are open.
TEST(Newton, ContactsThatDoAsExpectedTakeOneIteration) {
  const ContactLaw& law = *find_contact_law(ContactModel::kLagged, NormalLaw::kLinear);
  int num_as_expected = 0, num_guesses_otherwise = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SystemOptions options;
    options.contact = spec_of(law);
    options.num_articulated = 0;
    options.num_pairs = 3;
    options.speed = 0.01;
    const RandomSystem system = make_random_system(options, seed);
    StepData data;
    system.build(options.contact, &data);
    ConvexProblem& problem = data.problem;
    if (problem.num_contacts() == 0) continue;
    std::fill(problem.contacts.friction_constant[0].begin(), problem.contacts.friction_constant[0].end(),
              0.0);
    const auto acting = [&](const VectorX& v, bool expected) {
      ContactVelocities v_c;
      v_c.resize(problem.num_contacts());
      Vector3Columns gamma;
      gamma.resize(problem.num_contacts());
      for (const Island& island : problem.islands) {
        contact_velocities(problem, island, v, true, &v_c);
        for (int i = island.contacts.begin; expected && i < island.contacts.end; ++i)
          if (problem.contacts.phi0[i] <= 0.0) v_c.normal[i] = 0.0;
        law.evaluate(problem.contacts, island.contacts, v_c, &gamma);
      }
      std::vector<bool> result;
      for (int i = 0; i < problem.num_contacts(); ++i) result.push_back(gamma[i].norm() > 0.0);
      return result;
    };
    NewtonOptions newton = tight();
    newton.relative_tolerance = 1e-9;  // condition numbers up to 1e6 times rounding
    newton.edges_of_prediction = 0;
    const VectorX guess = 10.0 * problem.v0;
    const Solution solution = solve(system, problem, newton, guess);
    ASSERT_TRUE(succeeded(solution.report.status)) << seed << ": " << solution.report.message;
    if (acting(solution.iterate.v, false) != acting(guess, true)) continue;
    ++num_as_expected;
    num_guesses_otherwise += acting(solution.iterate.v, false) != acting(guess, false);
    EXPECT_LE(solution.report.iterations, 1) << seed;
  }
  EXPECT_GE(num_as_expected, 10);
  EXPECT_GE(num_guesses_otherwise, 5);
}

// Near the minimum the matrix of Lagged is Newton's own, and the iterations converge quadratically: from a
// guess 1e-7 off, to 1e-9, in one or two: 1.35 in the mean, 2.0 with dual directions that start at 0.
TEST(Newton, LaggedConvergesQuadraticallyNearTheMinimum) {
  int problems = 0, iterations = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SystemOptions options;
    options.contact.model = ContactModel::kLagged;
    const RandomSystem system = make_random_system(options, seed);
    StepData data;
    system.build(options.contact, &data);
    const Solution exact = solve(system, data.problem, tight(), data.problem.v0);
    ASSERT_TRUE(succeeded(exact.report.status)) << seed << ": " << exact.report.message;
    Random random(seed);
    const VectorX guess = exact.iterate.v + VectorX::NullaryExpr(exact.iterate.v.size(),
                                                                 [&] { return 1e-7 * random.normal(); });
    NewtonOptions newton;
    newton.relative_tolerance = 1e-8;
    const Solution again = solve(system, data.problem, newton, guess);
    ASSERT_TRUE(succeeded(again.report.status)) << seed << ": " << again.report.message;
    ++problems;
    iterations += again.report.iterations;
  }
  EXPECT_LE(iterations, 1.6 * problems);
}

// A guess that is foretold has to be a hundred times better than the tolerance, or Newton's method moves it.
TEST(Newton, AsksMoreOfForetoldVelocities) {
  SystemOptions options;
  options.contact.model = ContactModel::kLagged;
  const RandomSystem system = make_random_system(options, 3);
  StepData data;
  system.build(options.contact, &data);
  const Solution exact = solve(system, data.problem, tight(), data.problem.v0);
  ASSERT_TRUE(succeeded(exact.report.status)) << exact.report.message;
  Random random(3);
  const VectorX direction = VectorX::NullaryExpr(exact.iterate.v.size(), [&] { return random.normal(); });
  int accepted = 0, moved = 0;
  for (double size = 1e-1; size > 1e-12; size *= 0.5) {
    Iterate plain, foretold;
    plain.v = foretold.v = exact.iterate.v + size * direction;
    foretold.is_foretold.assign(system.model.trees.size(), 1);
    SolveReport report;
    NewtonWorkspace workspace;
    minimize(data.problem, NewtonOptions{}, &workspace, &plain, &report);
    if (report.iterations > 0) continue;
    minimize(data.problem, NewtonOptions{}, &workspace, &foretold, &report);
    ASSERT_TRUE(succeeded(report.status)) << report.message;
    const bool stays = std::count(foretold.is_foretold.begin(), foretold.is_foretold.end(), 1) > 0;
    EXPECT_EQ(stays, report.iterations == 0) << size;
    ++(stays ? accepted : moved);
  }
  EXPECT_NEAR(moved, 7, 1);  // 2^7 > 100
  EXPECT_GT(accepted, 0);
}

TEST_P(NewtonLawTest, CostFallsInEveryIteration) {
  for (int seed = 40; seed < 46; ++seed) {
    const SystemOptions system_options = options(seed);
    const RandomSystem system = make_random_system(system_options, seed);
    StepData data;
    system.build(system_options.contact, &data);
    const Solution solution = solve(system, data.problem, NewtonOptions{}, data.problem.v0);
    if (data.problem.islands.size() != 1)
      continue;  // the history of several islands stands one after the other
    for (std::size_t k = 1; k < solution.report.history.size(); ++k) {
      const double before = solution.report.history[k - 1].cost;
      EXPECT_LE(solution.report.history[k].cost, before + 1e-13 * std::abs(before));
    }
  }
}

TEST(Newton, TheOrderOfTheContactsDoesNotMatter) {
  for (int seed = 60; seed < 70; ++seed) {
    SystemOptions options;
    RandomSystem system = make_random_system(options, seed);
    StepData data, permuted_data;
    system.build(options.contact, &data);
    const DenseTwin twin(system, data.problem);
    const Solution first = solve(system, data.problem, tight(), data.problem.v0);
    // Points of a pair in reverse; pairs in reverse.
    RandomSystem permuted = system;
    std::reverse(permuted.contacts.points.begin(), permuted.contacts.points.end());
    permuted.build(options.contact, &permuted_data);
    const Solution second = solve(permuted, permuted_data.problem, tight(), permuted_data.problem.v0);
    EXPECT_LE(energy_norm(twin, first.v - second.v), 1e-10 * energy_norm(twin, first.v)) << "seed " << seed;
  }
}

// The estimate is a lower bound, by Lanczos steps with the last factor; the clutter comes out within 2.6,
// most of its steps within 1.4.
TEST(Newton, TheEstimatedConditionNumberIsWithinAFactorOfThree) {
  for (const ContactLaw& law : contact_laws()) {
    for (int seed = 1; seed <= 30; ++seed) {
      SystemOptions options;
      options.contact = spec_of(law);
      options.open_gaps = law.has_domain;
      options.speed = law.has_domain ? 0.05 : 0.5;
      options.num_free = 10;
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      NewtonOptions newton;
      const Solution estimated = solve(system, data.problem, newton, data.problem.v0);
      newton.condition = ConditionKind::kExact;
      const Solution exact = solve(system, data.problem, newton, data.problem.v0);
      if (!succeeded(exact.report.status)) continue;
      EXPECT_LE(estimated.report.condition, 1.001 * exact.report.condition) << law.name << " seed " << seed;
      EXPECT_GE(estimated.report.condition, exact.report.condition / 3.0) << law.name << " seed " << seed;
    }
  }
}

// Many islands: the same bits whatever the number of threads, and with a workspace that has seen other
// problems.
TEST(Newton, ThreadsAndWorkspacesDoNotChangeABit) {
  SystemOptions options;
  options.num_free = 400;
  options.num_articulated = 20;
  options.num_pairs = 330;
  const RandomSystem system = make_random_system(options, 5);
  StepData data;
  system.build(options.contact, &data);
  ASSERT_GT(data.problem.islands.size(), 20u);
  NewtonWorkspace used;
  for (const int edges_of_large_island : {NewtonOptions{}.edges_of_large_island, 0}) {
    NewtonOptions newton;
    newton.edges_of_large_island = newton.edges_of_prediction = edges_of_large_island;
    const Solution one = solve(system, data.problem, newton, data.problem.v0);
    EXPECT_TRUE(succeeded(one.report.status)) << one.report.message;
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      newton.workers = &workers;
      Iterate iterate;
      iterate.v = data.problem.v0;
      SolveReport report;
      minimize(data.problem, newton, &used, &iterate, &report);
      EXPECT_EQ(iterate.v, one.iterate.v) << threads;
      EXPECT_EQ(report.residual, one.report.residual);
      EXPECT_EQ(report.cost, one.report.cost);
      EXPECT_EQ(report.total_iterations, one.report.total_iterations);
      EXPECT_EQ(report.history.size(), one.report.history.size());
      // Leave traces of another problem.
      SystemOptions small;
      const RandomSystem other = make_random_system(small, 6);
      StepData other_data;
      other.build(small.contact, &other_data);
      iterate.v = other_data.problem.v0;
      minimize(other_data.problem, newton, &used, &iterate, &report);
    }
  }
}

// Two free bodies and nothing else: contact impulses are internal, so linear and angular momentum keep those
// of v* up to the residual of the law, and exactly (1e-12) for the velocities recomputed from the impulses.
TEST(Newton, KeepsMomentum) {
  for (const ContactLaw& law : contact_laws()) {
    if (law.has_domain) continue;
    SystemOptions options;
    options.num_free = 2;
    options.num_articulated = 0;
    options.num_pairs = 0;
    options.contact = spec_of(law);
    RandomSystem system = make_random_system(options, 9);
    Random random(10);
    add_contacts(2, 3, false, &random, &system.contacts);
    system.free_motion.v_star = system.state.v = VectorX::Zero(12);
    // Body a comes along the normal, and turns.
    system.free_motion.v_star.segment<3>(3) = 0.2 * system.contacts.points[0].normal;
    system.free_motion.v_star.segment<3>(0) = random.vector(0.5);
    for (PointContact& point : system.contacts.points) {
      point.phi = -1e-2;  // overlaps that no approach speed opens within the step
      point.p_b = point.p_a + point.phi * point.normal;
    }
    StepData data;
    system.build(options.contact, &data);
    const Solution solution = solve(system, data.problem, tight(), data.problem.v0);
    ContactForces forces;
    compute_contact_forces(data, system.model, system.contacts, solution.iterate.v, &forces);
    ASSERT_GT(*std::max_element(forces.normal_force.begin(), forces.normal_force.end()), 0.0);
    // J^T gamma is (moment about the body's origin, force) for each body.
    VectorX impulse(data.problem.nv());
    generalized_impulse(data.problem, data.problem.islands.front(), forces.gamma, &impulse);
    const Vector3 force_sum = impulse.segment<3>(3) + impulse.segment<3>(9);
    Vector3 moment_sum = impulse.segment<3>(0) + impulse.segment<3>(6);
    for (int k = 0; k < 2; ++k)
      moment_sum += system.kinematics.X_WB[2 + k].p.cross(Vector3(impulse.segment<3>(6 * k + 3)));
    EXPECT_NEAR(force_sum.norm(), 0.0, 1e-12 * impulse.norm()) << law.name;
    EXPECT_NEAR(moment_sum.norm(), 0.0, 1e-12 * impulse.norm()) << law.name;
    EXPECT_LE(solution.report.residual, 1e-10) << law.name;
  }
}

// One body on the fixed one, held by gravity: gamma_n = m g dt. A reference worked by hand.
TEST(Newton, RestingForceIsTheWeight) {
  RandomSystem system;
  Random random(1);
  system.h = 1e-3;
  const double mass = 2.0, k = 1e5, g = 9.81;
  add_body(-1, &random, &system);
  add_body(0, &random, &system);
  add_tree(6, spatial_inertia(mass, Vector3::Zero(), 0.01 * Matrix3::Identity()), &system);
  system.model.pairs.num_classes = 2;
  system.model.pairs.rules.assign(4, PairRule{true, false, false, 0.5, k, 5.0, 0.01, 1e8, 0.5});
  PointContact point{0,
                     1,
                     0,
                     1,
                     0,
                     -mass * g / k,
                     Vector3::UnitZ(),
                     system.kinematics.X_WB[1].p,
                     system.kinematics.X_WB[1].p};
  system.contacts.points = {point};
  system.state.v = VectorX::Zero(6);
  system.free_motion.v_star = VectorX::Zero(6);
  system.free_motion.v_star[5] = -g * system.h;
  StepData data;
  system.build(ContactSpec{}, &data);
  const Solution solution = solve(system, data.problem, tight(), data.problem.v0);
  EXPECT_EQ(solution.report.iterations, 0);  // the state at rest is the answer
  ContactForces forces;
  compute_contact_forces(data, system.model, system.contacts, solution.iterate.v, &forces);
  EXPECT_NEAR(forces.normal_force[0], mass * g, 1e-10 * mass * g);
  EXPECT_EQ(forces.mode[0], 1);
  EXPECT_NEAR(forces.elastic_energy_start, 0.5 * mass * g * mass * g / k, 1e-15);
}

TEST(Newton, FailuresAreValues) {
  SystemOptions options;
  const RandomSystem system = make_random_system(options, 3);
  StepData data;
  system.build(options.contact, &data);
  NewtonOptions newton;
  newton.max_iterations = 1;
  const Solution limited = solve(system, data.problem, newton, data.problem.v0);
  EXPECT_EQ(limited.report.status, SolveStatus::kIterationLimit);
  EXPECT_NE(limited.report.message.find("after 1 iteration"), std::string::npos) << limited.report.message;
  VectorX bad = data.problem.v0;
  bad[0] = std::nan("");
  EXPECT_EQ(solve(system, data.problem, NewtonOptions{}, bad).report.status, SolveStatus::kNotFinite);
  // Indefinite off the diagonal, where no cheap check sees it.
  ConvexProblem indefinite = data.problem;
  double* const block = indefinite.A.data();
  block[1] = block[6] = 1e9;
  const Solution broken = solve(system, indefinite, NewtonOptions{}, indefinite.v0);
  EXPECT_TRUE(broken.report.status == SolveStatus::kNotPositiveDefinite)
      << static_cast<int>(broken.report.status);
}

TEST(Newton, AClosedBarrierHasNoStart) {
  SystemOptions options;
  options.contact = spec_of(*find_contact_law(ContactModel::kLagged, NormalLaw::kIpcBarrier));
  const RandomSystem system = make_random_system(options, 3);  // overlapping contacts
  StepData data;
  system.build(options.contact, &data);
  const Solution solution = solve(system, data.problem, NewtonOptions{}, data.problem.v0);
  EXPECT_EQ(solution.report.status, SolveStatus::kInfeasibleStart);
  EXPECT_NE(solution.report.message.find("overlaps by"), std::string::npos) << solution.report.message;
  const int contact = solution.report.failed_contact;
  ASSERT_GE(contact, 0);
  EXPECT_LT(system.contacts.points[contact].phi, 0.0);
}

TEST(Newton, NothingToSolve) {
  SystemOptions options;
  options.num_pairs = 0;
  const RandomSystem system = make_random_system(options, 3);
  StepData data;
  system.build(options.contact, &data);
  const Solution solution = solve(system, data.problem, NewtonOptions{}, VectorX());
  EXPECT_EQ(solution.report.status, SolveStatus::kNoContact);
  EXPECT_EQ(solution.v, system.free_motion.v_star);
}

/// The island solved by Newton's method alone.
void minimize_alone(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                    IslandSolve* outcome) {
  NewtonColumns columns;
  InteriorPointColumns cone_columns;
  columns.resize(problem);
  Iterate iterate;
  iterate.v = problem.v0;
  for (auto* column : {&iterate.dual.x, &iterate.dual.y, &iterate.dual.z})
    column->assign(problem.num_contacts(), 0.0);
  outcome->linear_solver = make_linear_solver(LinearSolverKind::kAuto);
  start_report(outcome);
  minimize_island({problem, island, options, columns, cone_columns, iterate, *outcome}, options);
}

// Where stiction is stiff the loose line search loses its descent to round-off: the cost rises, or ten short
// steps in a row do not lower it. The exact line search goes on from there, as far as round-off lets it.
TEST(Newton, TheExactLineSearchGoesOnWhereTheLooseOneFails) {
  int num_failures = 0, num_by_short_steps = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    SystemOptions options;
    options.num_free = 6;
    options.num_pairs = 12;
    options.h = 0.01;
    options.min_stiffness = options.max_stiffness = seed <= 100 ? 1e8 : 1e9;
    options.contact.stiction_tolerance = 1e-8;
    options.contact.regularise_stiction = false;
    const RandomSystem system = make_random_system(options, 1 + (seed - 1) % 100);
    StepData data;
    system.build(options.contact, &data);
    const ConvexProblem& problem = data.problem;
    NewtonOptions newton;
    newton.max_iterations = 1000;
    bool fails = false;
    for (const Island& island : problem.islands) {
      IslandSolve alone;
      minimize_alone(problem, island, newton, &alone);
      if (alone.status != SolveStatus::kCostIncrease) continue;
      fails = true;
      ASSERT_FALSE(alone.history.empty());
      const std::size_t n = alone.history.size();
      bool are_short = n >= 10;
      for (std::size_t k = n - std::min<std::size_t>(n, 10); k < n; ++k)
        are_short = are_short && alone.history[k].step_length < 0.5;
      num_by_short_steps += are_short;
    }
    if (!fails) continue;
    ++num_failures;
    const Solution solution = solve(system, problem, newton, problem.v0);
    newton.line_search = LineSearchKind::kExact;
    const Solution exact = solve(system, problem, newton, problem.v0);
    EXPECT_TRUE(succeeded(solution.report.status)) << seed << ": " << solution.report.message;
    const DenseTwin twin(system, problem);
    const double bound = gradient_norm(twin, problem, solution.v) + gradient_norm(twin, problem, exact.v);
    EXPECT_LE(energy_norm(twin, solution.v - exact.v), 1e-8 * energy_norm(twin, exact.v) + bound) << seed;
  }
  EXPECT_GE(num_failures, 3);
  EXPECT_GE(num_by_short_steps, 1);
}

// Stiff impacts over the whole range of stiffness and stiction tolerance: the primal-dual matrix with the
// loose line search finds the minimum that plain Newton with the exact search finds.
TEST(Newton, ThousandLaggedProblems) {
  Random random(1234);
  int compared = 0;
  double worst = 0.0;
  long primal_dual_iterations = 0, plain_iterations = 0;
  for (int k = 0; k < 1000; ++k) {
    SystemOptions options;
    options.num_free = random.integer(1, 5);
    options.num_articulated = random.integer(0, 1);
    options.num_pairs = random.integer(1, 10);
    options.h = random.log_uniform(1e-4, 1e-2);
    options.min_stiffness = options.max_stiffness = random.log_uniform(1e3, 1e9);
    options.contact.stiction_tolerance = random.log_uniform(1e-7, 1e-3);
    options.contact.regularise_stiction = random.chance(0.5);
    const RandomSystem system = make_random_system(options, 10000 + k);
    StepData data;
    system.build(options.contact, &data);
    const DenseTwin twin(system, data.problem);
    NewtonOptions plain = tight();
    plain.hessian = HessianKind::kNewton;
    plain.line_search = LineSearchKind::kExact;
    const Solution a = solve(system, data.problem, tight(), data.problem.v0);
    const Solution b = solve(system, data.problem, plain, data.problem.v0);
    EXPECT_TRUE(succeeded(a.report.status)) << k << ": " << a.report.message;
    primal_dual_iterations += a.report.total_iterations;
    plain_iterations += b.report.total_iterations;
    if (!succeeded(a.report.status) || !succeeded(b.report.status)) continue;
    ++compared;
    const double error = energy_norm(twin, a.v - b.v) / energy_norm(twin, b.v);
    worst = std::max(worst, error);
    // Rigorous: |v - v_exact|_A <= |A^(-1/2) g|, where g may have reached its rounding floor.
    const double bound = (gradient_norm(twin, data.problem, a.v) + gradient_norm(twin, data.problem, b.v)) /
                         energy_norm(twin, b.v);
    EXPECT_LE(error, 1e-8 + 2.0 * bound) << "problem " << k;
    EXPECT_LE(error, 1e-6) << "problem " << k << ", statuses " << static_cast<int>(a.report.status) << " "
                           << static_cast<int>(b.report.status);
  }
  RecordProperty("worst_error", std::to_string(worst));
  EXPECT_GE(compared, 980);
  EXPECT_LT(primal_dual_iterations, plain_iterations);
}

}  // namespace
}  // namespace csim
