// The search along a line where the cost is flat to rounding. Its ordinary work is tested with Newton's
// method.
#include "solver/method/line_search.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

// A contact of 1e11 N/m that closes half way along a step of 1e-8 m/s, in a problem of 0.1 J whose own slope
// is 1e-17 J: the cost cannot tell (0.1 J has a rounding of 1e-17 J), the slope can. Taking the whole step
// would leave a momentum error of 0.05 N s.
TEST(LineSearch, SeesAContactCloseWhereTheCostIsFlat) {
  ConvexProblem problem;
  problem.h = 0.01;
  problem.law = find_contact_law(ContactModel::kLagged, NormalLaw::kLinear);
  ContactColumns& contacts = problem.contacts;
  contacts.resize(1);
  contacts.normal.set(0, Vector3::UnitZ());
  contacts.phi0[0] = 0.5e-10;
  contacts.stiffness[0] = 1e11;
  contacts.elastic_force0[0] = -contacts.stiffness[0] * contacts.phi0[0];
  const ContactRange range{0, 1};
  problem.law->setup(problem.law_parameters, problem.h, range, &contacts);
  PoolLines lines;
  lines.resize(problem);
  lines.v_n[0] = 0.0;
  lines.dv_n[0] = -1e-8;

  const double slope0 = -1e-17, energy = 0.1, cost0 = 0.1;
  Island island;
  island.contacts = range;
  const LineFunction ell{problem, island, lines, cost0, slope0, 1e-17, energy};
  ASSERT_GT(ell(1.0).first, 1e6 * -slope0);
  for (const LineSearchKind kind :
       {LineSearchKind::kLoose, LineSearchKind::kExact, LineSearchKind::kArmijo}) {
    const double alpha = search_line(kind, ell, cost0, slope0, 10.0).alpha;
    EXPECT_GT(alpha, 0.4);
    EXPECT_LT(alpha, 0.5 + 1e-6);
    EXPECT_LE(ell(alpha).first, -slope0);
  }
}

// Without such a contact the whole step is right.
TEST(LineSearch, TakesTheWholeStepWhereTheCostIsFlat) {
  ConvexProblem problem;
  problem.law = find_contact_law(ContactModel::kLagged, NormalLaw::kLinear);
  const PoolLines lines;
  const LineFunction ell{problem, Island{}, lines, 0.1, -1e-17, 1e-17, 0.1};
  EXPECT_EQ(search_line(LineSearchKind::kLoose, ell, 0.1, -1e-17, 10.0).alpha, 1.0);
}

}  // namespace
}  // namespace csim
