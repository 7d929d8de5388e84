// Building a problem, solving it and reporting its forces allocate nothing in steady state.
#include <gtest/gtest.h>

#include "problem/contact_forces.h"
#include "solver/minimize.h"
#include "support/allocation_count.h"
#include "support/random_system.h"

#ifdef CSIM_COUNTS_ALLOCATIONS

namespace csim {
namespace {

using namespace testing_support;
using test::num_allocations;

void expect_no_allocation(MethodKind method, ContactModel model) {
  NewtonOptions newton;
  newton.method = method;
  SystemOptions options;
  options.contact.model = model;
  if (model == ContactModel::kSap) options.contact.normal = NormalLaw::kLinear;
  options.num_free = 30;
  options.num_articulated = 5;
  options.num_pairs = 50;
  options.num_rows = 20;
  const RandomSystem system = make_random_system(options, 4);
  StepData data;
  choose_contact_law(options.contact, &data.problem);
  data.row_offers = system.rows;
  NewtonWorkspace workspace;
  Iterate iterate;
  SolveReport report;
  ContactForces forces;
  RowForces rows;
  VectorX v = system.state.v;
  const auto step = [&] {
    build_contact_problem(system.model, system.kinematics, system.state, system.contacts, &data);
    set_step(system.h, system.free_motion, system.model, &data);
    iterate.v = data.problem.v0;
    minimize(data.problem, newton, &workspace, &iterate, &report);
    scatter_velocities(data.problem, iterate.v, &v);
    compute_contact_forces(data, system.model, system.contacts, iterate.v, &forces);
    compute_row_forces(data, system.model, iterate.v, &rows);
    return momentum_residual(system.model, system.kinematics, system.free_motion, system.h, system.contacts,
                             rows, system.state.v, v, &forces);
  };
  step();
  const long before = num_allocations();
  const double residual = step();
  const long after = num_allocations();
  EXPECT_GT(before, 0);  // the counter counts
  EXPECT_EQ(after - before, 0);
  EXPECT_TRUE(succeeded(report.status)) << report.message;
  EXPECT_GT(report.iterations, 2);
  EXPECT_LT(residual, 1e-5);
  EXPECT_EQ(report.interior_point_iterations > 0, method == MethodKind::kInteriorPoint);
}

TEST(NewtonAllocation, SteadyStateAllocatesNothing) {
  expect_no_allocation(MethodKind::kNewton, ContactModel::kLagged);
  expect_no_allocation(MethodKind::kInteriorPoint, ContactModel::kLagged);
  expect_no_allocation(MethodKind::kInteriorPoint, ContactModel::kSimilar);
  expect_no_allocation(MethodKind::kInteriorPoint, ContactModel::kSap);
}

}  // namespace
}  // namespace csim

#endif
