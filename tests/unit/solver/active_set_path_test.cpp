// The path along which contacts open and close: it ends at the minimum where the law is piecewise linear, it
// descends whatever the law, and Newton's method finds the same minimum by it in fewer iterations.
#include "solver/method/active_set_path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/method/newton_island.h"
#include "unit/solver/dense_reference.h"
#include "unit/solver/random_solution.h"

namespace csim {
namespace {

using namespace testing_support;

// Newton's direction at v0 and the way along the path, of all islands.
struct Directions {
  VectorX newton, way;  // of the problem
  int most_bends = 0;   // of an island
};

Directions directions_at_start(const ConvexProblem& problem) {
  NewtonColumns w;
  w.resize(problem);
  BlockSymmetricMatrix H;
  std::vector<double> buffer;
  Directions result{VectorX::Zero(problem.nv()), {}};
  const auto solver = make_linear_solver(LinearSolverKind::kBlock);
  w.dv.setZero();
  for (const Island& island : problem.islands) {
    multiply_A(problem, island, problem.v_star, &w.A_v_star);
    (void)evaluate_island(problem, island, problem.v0, &w);
    problem.law->hessian(problem.contacts, island.contacts, w.v_c, nullptr, &w.G);
    set_hessian_pattern(problem, island, &H);
    assemble_hessian(problem, island, w.G, &H, &buffer);
    solver->analyze(H);
    for (int i = island.v_begin; i < island.v_end; ++i) w.dv[i] = -w.gradient[i];
    EXPECT_TRUE(solver->factor_and_solve(H, w.dv.data() + island.v_begin));
    result.newton.segment(island.v_begin, island.nv()) = w.dv.segment(island.v_begin, island.nv());
    contact_velocities(problem, island, w.dv, false, &w.dv_c);
    result.most_bends = std::max(result.most_bends, follow_active_set(problem, island, w.v_c, w.dv_c.normal,
                                                                      solver.get(), &w.path, &w.dv));
  }
  result.way = w.dv.head(problem.nv());
  return result;
}

VectorX moved(const RandomSystem& system, const ConvexProblem& problem, const VectorX& dv) {
  VectorX v = system.free_motion.v_star;
  scatter_velocities(problem, VectorX(problem.v0.head(problem.nv()) + dv), &v);
  return v;
}

// v_c split, gamma and G of all contacts at v of the model.
struct ContactPoint {
  ContactVelocities v_c;
  Vector3Columns gamma;
  ContactHessians G;

  ContactPoint(const DenseTwin& twin, const ConvexProblem& problem, const VectorX& v) {
    const int n = problem.num_contacts();
    const VectorX stacked = twin.J * v + twin.b;
    v_c.resize(n);
    gamma.resize(n);
    G.resize(n);
    for (int i = 0; i < n; ++i) {
      const Vector3 v_i = stacked.segment<3>(3 * i), normal = problem.contacts.normal[i];
      v_c.normal[i] = v_i.dot(normal);
      v_c.tangential.set(i, v_i - v_i.dot(normal) * normal);
    }
    (void)problem.law->evaluate(problem.contacts, {0, n}, v_c, &gamma);
    problem.law->hessian(problem.contacts, {0, n}, v_c, nullptr, &G);
  }
};

// The gradient at v of the dense twin, with the friction linearised at `start` and the normal laws by their
// tangents there, or where they begin if they do not press.
VectorX linearised_gradient(const DenseTwin& twin, const ConvexProblem& problem, const VectorX& start,
                            const VectorX& v) {
  const int n = problem.num_contacts();
  const ContactPoint at_start(twin, problem, start), at_v(twin, problem, v);
  ConeColumns normals;
  normals.resize(n);
  problem.law->fill_normals(problem.contacts, {0, n}, &normals);
  VectorX impulse(3 * n);
  for (int i = 0; i < n; ++i) {
    const Vector3 normal = problem.contacts.normal[i], gamma = at_start.gamma[i];
    const Vector3 slip = at_v.v_c.tangential[i] - at_start.v_c.tangential[i];
    const Vector3 friction = gamma - at_start.G[i] * slip;
    const double v_n0 = at_start.v_c.normal[i], v_n = at_v.v_c.normal[i];
    const double gamma_n = v_n0 < normals.v_hat[i]
                               ? gamma.dot(normal) - normal.dot(at_start.G[i] * normal) * (v_n - v_n0)
                               : normals.acts[i] * normals.a[i] * (normals.v_hat[i] - v_n);
    impulse.segment<3>(3 * i) = friction + (std::max(0.0, gamma_n) - friction.dot(normal)) * normal;
  }
  return twin.A * (v - twin.v_star) - twin.J.transpose() * impulse;
}

// The linearised cost is piecewise quadratic: the end of the path is its minimum, unless it bends too often;
// among the contacts are open ones that rub. Newton's own step ends far from it.
TEST(ActiveSetPath, EndsAtTheMinimumOfAPiecewiseQuadraticCost) {
  for (const NormalLaw normal_law : {NormalLaw::kLinear, NormalLaw::kHuntCrossley}) {
    int num_ends = 0, num_cut = 0, num_open_rub = 0;
    double worst = 0.0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
      SystemOptions options;
      options.contact.model = ContactModel::kLagged;
      options.contact.normal = normal_law;
      options.num_articulated = static_cast<int>(seed % 3);
      options.num_pairs = 2 + static_cast<int>(seed % 7);
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const ConvexProblem& problem = data.problem;
      if (problem.num_contacts() == 0) continue;
      const DenseTwin twin(system, problem);
      const Directions found = directions_at_start(problem);
      if (found.most_bends == 0) {
        EXPECT_EQ(found.way, found.newton);
        continue;
      }
      if (found.most_bends == kMaxBends) {
        ++num_cut;
        continue;
      }
      ++num_ends;
      const VectorX start = moved(system, problem, VectorX::Zero(problem.nv()));
      const auto gradient = [&](const VectorX& dv) {
        const VectorX g = linearised_gradient(twin, problem, start, moved(system, problem, dv));
        return std::sqrt(g.dot(twin.A.llt().solve(g)));
      };
      const double after = gradient(found.way);
      EXPECT_GT(gradient(found.newton), 1e4 * after) << seed;
      worst = std::max(worst, after / gradient(VectorX::Zero(problem.nv())));
      const ContactPoint at_start(twin, problem, start);
      for (int i = 0; i < problem.num_contacts(); ++i) {
        const Vector3 normal = problem.contacts.normal[i], gamma = at_start.gamma[i];
        num_open_rub += gamma.norm() > 0.0 && std::abs(gamma.dot(normal)) < 1e-12 * gamma.norm();
      }
    }
    // Rounding times condition numbers up to some 1e6.
    EXPECT_LE(worst, 1e-9);
    EXPECT_GE(num_ends, 100);
    EXPECT_GE(num_cut, 10);
    EXPECT_GE(num_open_rub, 10);
  }
}

// H differs along the path by what contacts add and take, and stays positive definite: every piece descends.
TEST(ActiveSetPath, Descends) {
  for (const NormalLaw normal : {NormalLaw::kLinear, NormalLaw::kHuntCrossley}) {
    int num_bent = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
      SystemOptions options;
      options.contact.model = ContactModel::kLagged;
      options.contact.normal = normal;
      options.num_pairs = 4 + static_cast<int>(seed % 12);
      options.min_stiffness = 1e4;
      options.max_stiffness = 1e11;
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      const DenseTwin twin(system, data.problem);
      const Directions found = directions_at_start(data.problem);
      if (found.most_bends == 0) continue;
      ++num_bent;
      const VectorX v0 = moved(system, data.problem, VectorX::Zero(data.problem.nv()));
      const VectorX gradient = evaluate_twin(twin, data.problem, v0).gradient;
      EXPECT_LT(gradient.dot(moved(system, data.problem, found.way) - v0), 0.0) << seed;
    }
    EXPECT_GE(num_bent, 150);
  }
}

// The same minimum in fewer iterations.
TEST(ActiveSetPath, SavesIterations) {
  long with_path = 0, without = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SystemOptions options;
    options.num_free = 12;
    options.num_pairs = 25;
    options.min_stiffness = options.max_stiffness = 1e7;
    const RandomSystem system = make_random_system(options, seed);
    StepData data;
    system.build(options.contact, &data);
    const DenseTwin twin(system, data.problem);
    NewtonOptions newton;
    newton.relative_tolerance = 1e-11;
    const Solution a = solve(system, data.problem, newton, data.problem.v0);
    newton.edges_of_path = -1;
    const Solution b = solve(system, data.problem, newton, data.problem.v0);
    ASSERT_TRUE(succeeded(a.report.status)) << seed << ": " << a.report.message;
    ASSERT_TRUE(succeeded(b.report.status)) << seed << ": " << b.report.message;
    // At e_r = 1e-11 |v - v_exact|_A <= |A^(-1/2) g| is of that order; 1e-8 leaves room for cond(H).
    EXPECT_LE(energy_norm(twin, a.v - b.v), 1e-8 * energy_norm(twin, b.v)) << seed;
    with_path += a.report.iterations;
    without += b.report.iterations;
  }
  EXPECT_LT(with_path, 0.9 * without);
}

}  // namespace
}  // namespace csim
