// Scalar rows in every solver: random stops, dry friction, drives and springs, with contacts and without.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/method/tamsi.h"
#include "unit/solver/dense_reference.h"
#include "unit/solver/random_solution.h"

namespace csim {
namespace {

using namespace testing_support;

double energy_norm_of(const DenseTwin& twin, const VectorX& v) {
  return std::sqrt(v.dot(twin.A * v));
}

NewtonOptions with(MethodKind method, LinearSolverKind linear_solver) {
  NewtonOptions options;
  options.relative_tolerance = 1e-11;
  options.method = method;
  options.linear_solver = linear_solver;
  return options;
}

// The minimum is that of the dense twin, by every method and linear solver. At e_r = 1e-11 the velocity's
// error is of that order; 1e-8 leaves room for the condition of H.
TEST(Rows, EveryMethodFindsTheMinimum) {
  int num_by_interior_point = 0;
  for (const ContactModel model : {ContactModel::kSap, ContactModel::kSimilar, ContactModel::kLagged}) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
      SystemOptions options;
      options.contact.model = model;
      if (model == ContactModel::kSap) options.contact.normal = NormalLaw::kLinear;
      options.num_pairs = static_cast<int>(seed % 3) * 5;  // none in every third
      options.num_rows = 3 + static_cast<int>(seed % 8);
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const ConvexProblem& problem = data.problem;
      EXPECT_EQ(problem.num_rows(), options.num_rows);
      const DenseTwin twin(system, problem);
      const Solution newton =
          solve(system, problem, with(MethodKind::kNewton, LinearSolverKind::kBlock), problem.v0);
      const VectorX exact = minimize_twin(twin, problem, newton.v);
      const double scale = energy_norm_of(twin, exact);
      for (const MethodKind method : {MethodKind::kNewton, MethodKind::kInteriorPoint, MethodKind::kAuto}) {
        for (const LinearSolverKind kind : {LinearSolverKind::kBlock, LinearSolverKind::kDense}) {
          const Solution found = solve(system, problem, with(method, kind), problem.v0);
          EXPECT_TRUE(succeeded(found.report.status)) << found.report.message << " seed " << seed;
          EXPECT_LE(energy_norm_of(twin, found.v - exact), 1e-8 * scale)
              << "seed " << seed << " method " << static_cast<int>(method);
          num_by_interior_point += found.report.interior_point_iterations > 0;
        }
      }
    }
  }
  EXPECT_GT(num_by_interior_point, 100);
}

// Without contacts TAMSI's problem is the convex one.
TEST(Rows, TamsiAgreesWithoutContacts) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SystemOptions options;
    options.num_pairs = 0;
    options.num_rows = 6;
    const RandomSystem system = make_random_system(options, seed);
    StepData data, tamsi_data;
    system.build(options.contact, &data);
    const Solution newton =
        solve(system, data.problem, with(MethodKind::kNewton, LinearSolverKind::kBlock), data.problem.v0);
    options.contact.model = ContactModel::kTamsi;
    system.build(options.contact, &tamsi_data);
    TamsiWorkspace workspace;
    Iterate iterate;
    iterate.v = tamsi_data.problem.v0;
    SolveReport report;
    solve_tamsi(tamsi_data.problem, with(MethodKind::kNewton, LinearSolverKind::kBlock), &workspace, &iterate,
                &report);
    ASSERT_TRUE(succeeded(report.status)) << report.message << " seed " << seed;
    VectorX v = system.free_motion.v_star;
    scatter_velocities(tamsi_data.problem, iterate.v, &v);
    EXPECT_LE((v - newton.v).norm(), 1e-8 * newton.v.norm()) << "seed " << seed;
  }
}

// A row of two trees joins their islands; an optional row alone brings no tree into the problem.
TEST(Rows, JoinIslands) {
  SystemOptions options;
  options.num_free = 3;
  options.num_articulated = 0;
  options.num_pairs = 0;
  RandomSystem system = make_random_system(options, 1);
  const auto add = [&](std::vector<RowTerm> terms, bool is_optional) {
    RowOffer offer;
    offer.term_begin = static_cast<int>(system.rows.terms.size());
    system.rows.terms.insert(system.rows.terms.end(), terms.begin(), terms.end());
    offer.term_end = static_cast<int>(system.rows.terms.size());
    offer.is_optional = is_optional;
    offer.law.stiffness = 1e4;
    system.rows.rows.push_back(offer);
  };
  add({{2, 12, 1.0}}, true);
  StepData data;
  system.build(options.contact, &data);
  EXPECT_EQ(data.problem.islands.size(), 0u);
  EXPECT_EQ(data.problem.num_rows(), 0);
  add({{0, 3, 1.0}, {2, 15, -2.0}}, false);
  system.build(options.contact, &data);
  ASSERT_EQ(data.problem.islands.size(), 1u);
  EXPECT_EQ(data.problem.trees.size(), 2u);
  EXPECT_EQ(data.problem.num_rows(), 2);  // the tree of the optional one is here now
  EXPECT_EQ(data.problem.edges.size(), 1u);
}

}  // namespace
}  // namespace csim
