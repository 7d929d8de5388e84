// The method of multipliers on problems made from their answers: cones inside, at their tip, at the limit of
// friction, and redundant.
#include <gtest/gtest.h>

#include "solver/quasistatic/quasistatic_multipliers.h"
#include "support/random_quasistatic.h"

namespace csim {
namespace {

using namespace testing_support;

struct Answered {
  QuasistaticProblem problem;
  std::vector<double> v;
};

/// Three trees and eight cones of the six kinds in turn; e and b are such that v is the answer.
Answered make_degenerate(unsigned seed, double compliance) {
  RandomProblem random(seed);
  Answered a{random.make(8, 3, true), {}};
  QuasistaticProblem& p = a.problem;
  for (int k = 0; k < p.nv(); ++k) a.v.push_back(random.uniform());
  std::vector<double> z(p.rays.size()), s(p.rays.size());
  for (std::size_t i = 0; i < p.groups.size(); ++i) {
    p.groups[i].is_cone = true;
    const int row = p.groups[i].row_begin;
    p.rays[row] = {0.0, 0.0, 2.0};
    p.rays[row + 1] = Vector3::UnitX();
    p.rays[row + 2] = Vector3::UnitY();
    const double angle = M_PI * random.uniform();
    const Vector3 edge(1.0, std::cos(angle), std::sin(angle)), opposite(1.0, -edge.y(), -edge.z());
    Eigen::Map<Vector3> s_i(s.data() + row), z_i(z.data() + row);
    switch ((i + seed) % 6) {
      case 0:
        s_i << 2.0, edge.tail<2>();
        break;  // apart
      case 1:
        z_i << 2.0, edge.tail<2>();
        break;  // sticks
      case 2:
        s_i = edge, z_i = opposite;
        break;  // slides
      case 3:
        z_i = edge;
        break;  // at rest at the limit of friction
      case 4:
        s_i = edge;
        break;  // slides without impulse
      default:
        break;  // at rest without impulse
    }
  }
  p.compliance.assign(p.rays.size(), compliance);
  std::vector<double> rows;
  multiply_jacobian(p, a.v, &rows);
  for (std::size_t j = 0; j < rows.size(); ++j) p.e[j] = s[j] - rows[j] - compliance * z[j];
  p.b.assign(a.v.size(), 0.0);
  for (double& impulse : z) impulse = -impulse;
  add_transposed_jacobian(p, z, &p.b);
  add_blocks(p, p.Q, 1.0, a.v, &p.b);
  return a;
}

TEST(QuasistaticMultipliers, FindTheAnswerOfDegenerateCones) {
  constexpr double kGoal = 1e-9;
  QuasistaticMultipliers multipliers;
  QuasistaticSystem system;
  CertificateWork work;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto [p, v] = make_degenerate(seed, seed % 2 == 0 ? 0.0 : 0.01);
    system.analyze(p);
    QuasistaticSolution found;
    found.v.assign(p.b.size(), 0.0);
    found.z.assign(p.rays.size(), 0.0);
    multipliers.improve(p, load_of(p), kGoal, &system, &found);
    EXPECT_LT(certify(p, load_of(p), found.v, found.z, &work).largest(), kGoal) << seed;
    // Where a cone is degenerate v is off by the root of the residual.
    for (int k = 0; k < p.nv(); ++k) EXPECT_NEAR(found.v[k], v[k], 1e-4) << seed;
  }
}

}  // namespace
}  // namespace csim
