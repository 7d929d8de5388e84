// The interior point: the cones are the laws; and on random problems, over ten decades of stiffness and five
// of the stiction tolerance, no velocity is wrong, measured against the same minimum in extended precision.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <numbers>

#include "solver/method/velocity_recurrence.h"
#include "solver/solve_island.h"
#include "support/random_system.h"
#include "unit/solver/random_solution.h"

namespace csim {
namespace {

using namespace testing_support;

using Real = long double;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Real3 = Eigen::Matrix<Real, 3, 1>;
using Real33 = Eigen::Matrix<Real, 3, 3>;

ContactSpec spec_of(ContactModel model, NormalLaw normal) {
  ContactSpec spec;
  spec.model = model;
  spec.normal = normal;
  return spec;
}

const ContactSpec kLaws[] = {spec_of(ContactModel::kSap, NormalLaw::kLinear),
                             spec_of(ContactModel::kSimilar, NormalLaw::kHuntCrossley),
                             spec_of(ContactModel::kSimilar, NormalLaw::kLinear)};

/// Hard problems: stiffness 1e3 to 1e11, friction none to 2, some contacts twice, the first deep or open.
RandomSystem make_hard_system(ContactSpec* spec, unsigned seed) {
  Random random(7919 * seed + 1);
  SystemOptions options;
  options.num_free = random.integer(1, 5);
  options.num_articulated = random.integer(0, 1);
  options.num_pairs = random.integer(1, 10);
  options.min_stiffness = 1e3;
  options.max_stiffness = 1e11;
  options.speed = random.log_uniform(1e-2, 3.0);
  RandomSystem system = make_random_system(options, seed);
  for (PairRule& rule : system.model.pairs.rules)
    rule.friction = random.chance(0.15) ? 0.0 : random.uniform(0.0, 2.0);
  std::vector<PointContact>& points = system.contacts.points;
  for (std::size_t i = 0; i < points.size() && i < 2; ++i) {
    points[i].phi = random.chance(0.5) ? random.uniform(-3e-2, 0.0) : random.uniform(0.0, 3e-2);
    points[i].p_b = points[i].p_a + points[i].phi * points[i].normal;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!random.chance(0.15)) continue;
    points.insert(points.begin() + static_cast<std::ptrdiff_t>(i),
                  points[i]);  // beside its twin, as pairs are sorted
    ++i;
  }
  spec->stiction_tolerance = random.log_uniform(1e-8, 1e-3);
  spec->regularise_stiction = random.chance(0.5);
  return system;
}

/// gamma and G of a contact in extended precision, from the papers' formulas and the constants of the
/// problem.
struct ExtendedLaw {
  Real3 gamma = Real3::Zero();
  Real33 G = Real33::Zero();

  ExtendedLaw(const ConvexProblem& problem, int i, const Real3& v) {
    const ContactColumns& c = problem.contacts;
    const Real3 n = c.normal[i].cast<Real>().normalized();
    const Real v_n = n.dot(v), mu = c.friction[i];
    const Real3 v_t = v - v_n * n;
    const Real33 P = Real33::Identity() - n * n.transpose();
    if (problem.law->friction == ContactModel::kSap) {
      const Real R_n = c.friction_constant[0][i], R_t = c.friction_constant[1][i];
      const Real y_n = (c.friction_constant[2][i] - v_n) / R_n;
      const Real3 y_t = -v_t / R_t;
      const Real y_r = y_t.norm(), mu_hat = mu * R_t / R_n;
      if (y_n <= -mu_hat * y_r) return;
      if (y_r <= mu * y_n) {
        gamma = y_t + y_n * n;
        G = P / R_t + n * n.transpose() / R_n;
        return;
      }
      const Real gamma_n = (y_n + mu_hat * y_r) / (1 + mu * mu_hat);
      const Real3 t = y_r > 0 ? Real3(y_t / y_r) : Real3::Zero();
      gamma = gamma_n * (n + mu * t);
      G = (n + mu * t) * (n + mu * t).transpose() / (R_n * (1 + mu * mu_hat));
      if (y_r > 0) G += mu * gamma_n / (R_t * y_r) * (P - t * t.transpose());
      return;
    }
    const Real eps = c.friction_constant[1][i], W = std::sqrt(v_t.squaredNorm() + eps * eps);
    const Real z = v_n - mu * v_t.squaredNorm() / (W + eps);
    const bool linear = problem.law->normal == NormalLaw::kLinear;
    const Real a = c.normal_constant[0][i], b = linear ? 0.0 : c.normal_constant[1][i];
    const Real v_hat = linear ? c.normal_constant[1][i] : c.normal_constant[2][i];
    const Real s = std::max<Real>(v_hat - z, 0);
    const Real impulse = a * s + b * s * s, slope = s > 0 ? a + 2 * b * s : 0;
    const Real3 t = v_t / W;
    gamma = impulse * (n - mu * t);
    G = slope * (n - mu * t) * (n - mu * t).transpose() + mu * impulse / W * (P - t * t.transpose());
  }
};

/// v_hat of a contact's law.
double speed_constant(const ConvexProblem& problem, int i) {
  const ContactColumns& c = problem.contacts;
  if (problem.law->friction == ContactModel::kSap) return c.friction_constant[2][i];
  return problem.law->normal == NormalLaw::kLinear ? c.normal_constant[1][i] : c.normal_constant[2][i];
}

/// The dense twin in extended precision.
struct ExtendedTwin {
  const ConvexProblem& problem;
  RealMatrix A, J;
  RealVector v_star, b;

  ExtendedTwin(const DenseTwin& twin, const ConvexProblem& p)
      : problem(p),
        A(twin.A.cast<Real>()),
        J(twin.J.cast<Real>()),
        v_star(twin.v_star.cast<Real>()),
        b(twin.b.cast<Real>()) {}

  RealVector gradient(const RealVector& v, RealMatrix* H) const {
    const RealVector v_c = J * v + b;
    RealVector g = A * (v - v_star);
    if (H != nullptr) *H = A;
    for (int i = 0; i < problem.num_contacts(); ++i) {
      const ExtendedLaw law(problem, i, v_c.segment<3>(3 * i));
      g -= J.middleRows(3 * i, 3).transpose() * law.gamma;
      if (H != nullptr && !law.G.isZero(0)) {
        const RealMatrix GJ = law.G * J.middleRows(3 * i, 3);
        *H += J.middleRows(3 * i, 3).transpose() * GJ;
      }
    }
    return g;
  }

  [[nodiscard]] Real energy_norm(const RealVector& x) const { return std::sqrt(x.dot(A * x)); }

  /// How far rounding of the contact velocities to double precision, by u (|J| |v| + |b| + |v_hat|), can move
  /// the minimum, to first order: | |H^-1| |J|^T |G| u (..) |_A.
  [[nodiscard]] Real rounding_floor(const RealVector& v) const {
    RealMatrix H;
    static_cast<void>(gradient(v, &H));
    const RealVector v_c = J * v + b, size = J.cwiseAbs() * v.cwiseAbs() + b.cwiseAbs();
    RealVector dg = RealVector::Zero(v.size());
    for (int i = 0; i < problem.num_contacts(); ++i) {
      const ExtendedLaw law(problem, i, v_c.segment<3>(3 * i));
      const Real speed = std::abs(speed_constant(problem, i));
      const Real3 dv = Real3(size.segment<3>(3 * i)) + Real3::Constant(speed);
      dg += J.middleRows(3 * i, 3).cwiseAbs().transpose() * (law.G.cwiseAbs() * dv);
    }
    const RealMatrix H_inverse = H.llt().solve(RealMatrix::Identity(v.size(), v.size()));
    return energy_norm(H_inverse.cwiseAbs() * dg) * 0x1p-53L;
  }

  /// Damped Newton from v, step lengths by bisection on the slope, until a step is below `tolerance` |v|_A;
  /// *v has no entry that is finite where that never happens.
  RealVector minimize(RealVector v, Real tolerance) const {
    RealMatrix H;
    for (int k = 0; k < 300; ++k) {
      const RealVector g = gradient(v, &H);
      const RealVector dv = -H.llt().solve(g);
      if (energy_norm(dv) <= tolerance * energy_norm(v)) return v + dv;
      const auto slope = [&](Real alpha) { return gradient(v + alpha * dv, nullptr).dot(dv); };
      Real alpha = 1;
      if (slope(1) > 0.1L * std::abs(g.dot(dv))) {
        Real lo = 0, hi = 1;
        for (int i = 0; i < 30; ++i) {
          alpha = (lo + hi) / 2;
          (slope(alpha) < 0 ? lo : hi) = alpha;
        }
        alpha = lo > 0 ? lo : alpha;
      }
      v += alpha * dv;
    }
    return v * std::numeric_limits<Real>::quiet_NaN();
  }
};

NewtonOptions with_method(MethodKind method, double tolerance) {
  NewtonOptions options;
  options.method = method;
  options.relative_tolerance = tolerance;
  options.cost_criterion = false;
  return options;
}

// What the law says of v, as a cone: lambda and s(v, lambda) lie in the cone and are orthogonal. Each part in
// the units of the other's size; 1e-9 for constants whose largest terms cancel by up to 1e7.
TEST(InteriorPoint, TheConesAreTheLaws) {
  for (ContactSpec spec : kLaws) {
    int num_acting = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
      const RandomSystem system = make_hard_system(&spec, seed);
      StepData data;
      system.build(spec, &data);
      const ConvexProblem& problem = data.problem;
      const int n = problem.num_contacts();
      ASSERT_NE(problem.law->fill_cones, nullptr);
      ConeColumns cones;
      cones.resize(n);
      problem.law->fill_cones(problem.contacts, {0, n}, &cones);
      Random random(seed);
      for (int i = 0; i < n; ++i) {
        const Vector3 normal = problem.contacts.normal[i];
        const double load = random.log_uniform(1e-8, 1.0);
        Vector3 v = random.vector(random.log_uniform(1e-9, 1.0));
        v += ((random.chance(0.7) ? -load : load) + cones.v_hat[i] - normal.dot(v)) * normal;
        const Real3 n_ = normal.cast<Real>().normalized(), v_ = v.cast<Real>();
        const ExtendedLaw law(problem, i, v_);
        const Real gamma_n = law.gamma.dot(n_);
        if (gamma_n > 0) ++num_acting;
        const Real m = cones.normal[i], t = cones.tangential[i];
        const Real root = std::sqrt(static_cast<Real>(cones.a[i]) * cones.a[i] + 4 * cones.b[i] * gamma_n);
        const Real s_0 = (n_.dot(v_) - cones.v_hat[i] + 2 * gamma_n / (cones.a[i] + root)) * m + cones.eps[i];
        const Real3 lambda_t = t * (law.gamma - gamma_n * n_);
        // The entry of the soft norm brings lambda to the boundary of its cone.
        const Real lambda_e =
            cones.eps[i] > 0
                ? -std::sqrt(std::max<Real>(gamma_n * gamma_n / (m * m) - lambda_t.squaredNorm(), 0))
                : Real(0);
        const Real3 s_t = t * (v_ - n_.dot(v_) * n_) + static_cast<Real>(cones.R_t[i]) * lambda_t;
        const Real s_rest = std::sqrt(s_t.squaredNorm() + static_cast<Real>(cones.eps[i]) * cones.eps[i]);
        const Real lambda_0 = gamma_n / m;
        const Real speed = std::abs(s_0) + s_rest + static_cast<Real>(std::abs(cones.v_hat[i])) * m;
        EXPECT_GE(lambda_0 - lambda_t.norm(), -1e-12L * lambda_0);
        EXPECT_GE(s_0 - s_rest, -1e-9L * speed) << problem.law->name << " seed " << seed;
        EXPECT_LE(std::abs(lambda_0 * s_0 + lambda_t.dot(s_t) + lambda_e * cones.eps[i]),
                  1e-9L * speed * lambda_0)
            << problem.law->name << " seed " << seed;
      }
    }
    EXPECT_GT(num_acting, 100);
  }
}

TEST(InteriorPoint, OnlyLawsWithAnInverseHaveCones) {
  for (const ContactLaw& law : contact_laws()) {
    const bool expected = law.name.ends_with("/linear") || law.name.ends_with("/hunt_crossley");
    EXPECT_EQ(law.fill_cones != nullptr, expected) << law.name;
  }
}

// A thousand hard problems a law. The reference is the minimum in extended precision, to a full Newton step
// below 1e-12 |v|_A. Velocities are right to 1e-10 |v|_A, or, in a few problems of the stiffest contacts that
// share bodies, to what rounding of the contact velocities moves. Without the cost criterion, which is
// content with the square root of the rounding of the cost.
TEST(InteriorPoint, NoneOfThousandHardProblemsIsWrong) {
  for (ContactSpec spec : kLaws) {
    int num_solved = 0, num_at_floor = 0;
    for (unsigned seed = 1; seed <= 1000; ++seed) {
      const RandomSystem system = make_hard_system(&spec, seed);
      StepData data;
      system.build(spec, &data);
      const ConvexProblem& problem = data.problem;
      if (problem.nv() == 0) continue;
      ++num_solved;
      const Solution solution =
          solve(system, problem, with_method(MethodKind::kInteriorPoint, 1e-11), problem.v0);
      EXPECT_TRUE(succeeded(solution.report.status)) << "seed " << seed << ": " << solution.report.message;
      const ExtendedTwin twin(DenseTwin(system, problem), problem);
      const RealVector v = solution.v.cast<Real>(), exact = twin.minimize(v, 1e-12L);
      const Real size = twin.energy_norm(exact), error = twin.energy_norm(v - exact);
      ASSERT_TRUE(std::isfinite(size)) << "no reference, seed " << seed;
      if (error <= 1e-10L * size) continue;
      ++num_at_floor;
      EXPECT_LE(error, twin.rounding_floor(exact))
          << problem.law->name << " seed " << seed << " |v| " << static_cast<double>(size);
    }
    EXPECT_GT(num_solved, 900);
    EXPECT_LE(num_at_floor, 10);
  }
}

// Where Newton's method alone gets there, both end at the same velocities, with the same certificate.
TEST(InteriorPoint, AgreesWithNewton) {
  for (ContactSpec spec : kLaws) {
    int num_compared = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
      const RandomSystem system = make_hard_system(&spec, seed);
      StepData data;
      system.build(spec, &data);
      const ConvexProblem& problem = data.problem;
      if (problem.nv() == 0) continue;
      const DenseTwin twin(system, problem);
      const Solution newton = solve(system, problem, with_method(MethodKind::kNewton, 1e-11), problem.v0);
      if (!succeeded(newton.report.status)) continue;
      ++num_compared;
      const double size = std::sqrt(newton.v.dot(twin.A * newton.v));
      for (const MethodKind method : {MethodKind::kInteriorPoint, MethodKind::kAuto}) {
        const Solution other = solve(system, problem, with_method(method, 1e-11), problem.v0);
        ASSERT_TRUE(succeeded(other.report.status)) << other.report.message;
        const VectorX difference = other.v - newton.v;
        // Both are right to 1e-10, see above; 1e-9 for those at the rounding floor.
        EXPECT_LE(std::sqrt(difference.dot(twin.A * difference)), 1e-9 * size) << "seed " << seed;
        if (other.report.status == SolveStatus::kConverged) {
          EXPECT_LE(other.report.residual, 1e-11);
        }
      }
    }
    EXPECT_GT(num_compared, 80);
  }
}

// Faces of patches that press with a constant force, or with one that fades out far beyond the speeds of the
// step, among points: the interior point gets near enough that Newton's method ends in a few steps, where a
// start with the momenta of the bodies in these faces breaks down at once.
TEST(InteriorPoint, FacesOfConstantForceDoNotStopIt) {
  for (ContactSpec spec : kLaws) {
    int num_compared = 0, num_constant = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
      SystemOptions system_options;
      system_options.num_free = 4;
      system_options.num_articulated = 1;
      system_options.num_pairs = 8;
      const RandomSystem system = make_random_system(system_options, seed);
      StepData data;
      choose_contact_law(spec, &data.problem);
      build_contact_problem(system.model, system.kinematics, system.state, system.contacts, &data);
      ContactColumns& contacts = data.problem.contacts;
      Random random(seed);
      for (int i = 0; i < contacts.size(); ++i) {
        if (random.chance(0.3)) continue;
        const bool is_constant = random.chance(0.5);
        contacts.elastic_force0[i] = random.log_uniform(1e-3, 1.0);
        // A spring that fades out at 1e2 to 1e7 m/s.
        contacts.stiffness[i] =
            is_constant ? 0.0 : contacts.elastic_force0[i] / (system.h * random.log_uniform(1e2, 1e7));
        contacts.phi0[i] = is_constant ? 0.0 : -contacts.elastic_force0[i] / contacts.stiffness[i];
        contacts.dissipation[i] = contacts.relaxation_time[i] = 0.0;
        num_constant += is_constant;
      }
      set_step(system.h, system.free_motion, system.model, &data);
      const ConvexProblem& problem = data.problem;
      if (problem.num_contacts() == 0) continue;
      const Solution newton = solve(system, problem, with_method(MethodKind::kNewton, 1e-10), problem.v0);
      if (!succeeded(newton.report.status)) continue;
      ++num_compared;
      const Solution other =
          solve(system, problem, with_method(MethodKind::kInteriorPoint, 1e-10), problem.v0);
      ASSERT_TRUE(succeeded(other.report.status)) << other.report.message;
      EXPECT_GT(other.report.interior_point_iterations, 0) << problem.law->name << " seed " << seed;
      // One finish of Newton's method, or one of 4 steps that fell short and a second one.
      EXPECT_LE(other.report.iterations - other.report.interior_point_iterations, 8)
          << problem.law->name << " seed " << seed;
      const VectorX difference = other.v - newton.v;
      const DenseTwin twin(system, problem);
      // Each is right to the tolerance times the condition of the law's own curvature, as in
      // AgreesWithNewton.
      EXPECT_LE(std::sqrt(difference.dot(twin.A * difference)),
                1e-8 * std::sqrt(newton.v.dot(twin.A * newton.v)))
          << problem.law->name << " seed " << seed;
    }
    EXPECT_GT(num_compared, 50);
    EXPECT_GT(num_constant, 300);
  }
}

// After a failure of Newton's method 1, 2, 4, 8, 8, .. steps with the interior point first.
TEST(InteriorPoint, TheCourseOfAuto) {
  long position = 0;
  for (const int run : {1, 2, 4, 8, 8, 8}) {
    ASSERT_FALSE(asks_interior_point_first(position));
    EXPECT_EQ(next_position(position, false), 0);
    position = next_position(position, true);
    for (int k = 0; k < run; ++k) {
      ASSERT_TRUE(asks_interior_point_first(position)) << "run " << run << " step " << k;
      position = next_position(position, false);
    }
  }
}

/// So many bodies, most of them in islands of their own, and so many pairs of them in contact.
RandomSystem make_free_bodies(int num_free, int num_pairs, const ContactSpec& law, unsigned seed,
                              StepData* data) {
  SystemOptions options;
  options.num_free = num_free;
  options.num_pairs = num_pairs;
  options.contact = law;
  RandomSystem system = make_random_system(options, seed);
  system.build(law, data);
  return system;
}

// Every tree has its island's position, the largest of its trees'; islands move on each for itself.
TEST(InteriorPoint, EveryIslandHasItsOwnMemory) {
  StepData data;
  const RandomSystem system = make_free_bodies(40, 30, kLaws[0], 3, &data);
  const ConvexProblem& problem = data.problem;
  ASSERT_GT(problem.islands.size(), 4u);
  NewtonOptions newton = with_method(MethodKind::kAuto, 1e-5);
  NewtonWorkspace workspace;
  SolveReport report;
  Iterate unasked;
  unasked.v = problem.v0;
  unasked.history.assign(system.model.trees.size(), 0);
  minimize(problem, newton, &workspace, &unasked, &report);
  for (std::size_t chosen = 0; chosen < problem.islands.size(); ++chosen) {
    Iterate iterate;
    iterate.v = problem.v0;
    iterate.history.assign(system.model.trees.size(), 0);
    const Island& island = problem.islands[chosen];
    iterate.history[problem.trees[island.tree_end - 1].model_tree] = 6;
    minimize(problem, newton, &workspace, &iterate, &report);
    ASSERT_TRUE(succeeded(report.status)) << report.message;
    EXPECT_GT(report.interior_point_iterations, 0) << chosen;
    for (const ProblemTree& tree : problem.trees) {
      const auto index = static_cast<int>(&tree - problem.trees.data());
      const bool inside = index >= island.tree_begin && index < island.tree_end;
      EXPECT_EQ(iterate.history[tree.model_tree], inside ? 7 : unasked.history[tree.model_tree]) << chosen;
    }
  }
}

// Of v0 and what the recurrences continue with the one of least cost is taken: one factorisation at most
// where the minimum continues the motion.
TEST(InteriorPoint, TheGuessContinuesTheMotion) {
  int num_compared = 0;
  for (const ContactSpec& law : kLaws) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      ContactSpec spec = law;
      const RandomSystem system = make_hard_system(&spec, seed);
      StepData data;
      system.build(spec, &data);
      const ConvexProblem& problem = data.problem;
      if (problem.nv() == 0) continue;
      Iterate found;
      NewtonWorkspace workspace;
      SolveReport report;
      found.v = problem.v0;
      minimize(problem, with_method(MethodKind::kAuto, 1e-9), &workspace, &found, &report);
      if (report.status != SolveStatus::kConverged) continue;
      ++num_compared;
      const int nv = problem.nv();
      const VectorX minimum = found.v.head(nv), away = minimum - problem.v0.head(nv);
      const VectorX swing = VectorX::LinSpaced(nv, -3.0, 2.0), other = swing.array().square();
      // j steps before the minimum: at rest, of even change, of decay, of a swing, of both, of period four.
      const auto sign = [](int j) { return j % 2 == 0 ? 0.0 : 2.0; };
      const std::function<VectorX(int)> motions[] = {
          [&](int) { return minimum; },
          [&](int j) { return VectorX(minimum - j * away); },
          [&](int j) { return VectorX(std::pow(1.1, j) * minimum); },
          [&](int j) { return VectorX(minimum - sign(j) * swing); },
          [&](int j) { return VectorX(minimum - j * away - sign(j) * swing); },
          [&](int j) {
            const double angle = 0.5 * std::numbers::pi * j;
            return VectorX(minimum + (std::cos(angle) - 1.0) * swing + std::sin(angle) * other);
          }};
      for (const auto& motion : motions) {
        Iterate iterate;
        iterate.v = motion(1);
        for (int k = 0; k < kMaxOrder; ++k) iterate.v_before.push_back(motion(k + 2));
        // 1e-5, as rounding of v moves stiff impulses.
        minimize(problem, with_method(MethodKind::kAuto, 1e-5), &workspace, &iterate, &report);
        EXPECT_EQ(report.status, SolveStatus::kConverged);
        EXPECT_LE(report.factorizations, 1) << problem.law->name << " seed " << seed;
      }
    }
  }
  EXPECT_GT(num_compared, 30);
}

// Whatever the guess is drawn from and wherever the islands are in the history of auto, which moves on alike.
TEST(InteriorPoint, ThreadsAndWorkspacesDoNotChangeABit) {
  StepData data;
  const RandomSystem system = make_free_bodies(300, 200, kLaws[1], 5, &data);
  const ConvexProblem& problem = data.problem;
  ASSERT_GT(problem.islands.size(), 20u);
  Iterate start;
  start.v = problem.v0;
  const VectorX slope = VectorX::LinSpaced(problem.v0.size(), -1e-2, 2e-2);
  for (int k = 0; k < kMaxOrder; ++k) start.v_before.push_back(problem.v0 - (1.0 + k) * slope);
  for (std::size_t t = 0; t < system.model.trees.size(); ++t)
    start.history.push_back(static_cast<long>(t % 7));
  for (const MethodKind method : {MethodKind::kInteriorPoint, MethodKind::kAuto}) {
    NewtonOptions newton;
    newton.method = method;
    NewtonWorkspace fresh, used;
    SolveReport report;
    Iterate one = start;
    minimize(problem, newton, &fresh, &one, &report);
    EXPECT_GT(report.interior_point_iterations, 0);
    EXPECT_NE(one.history, start.history);
    for (const int threads : {1, 2, 3, 8}) {
      Workers workers(threads);
      newton.workers = &workers;
      Iterate other = start;
      minimize(problem, newton, &used, &other, &report);
      EXPECT_EQ(other.v, one.v) << threads;
      EXPECT_EQ(other.history, one.history) << threads;
    }
  }
}

// Every island by its own scale, the whole system by the same tolerance: islands that move fast and bear
// little beside islands that bear much and stand still. With the larger of |D A v| and |D J^T gamma| as an
// island's scale the whole exceeds e_r in some of these.
TEST(InteriorPoint, IslandsMeetTheToleranceOfTheWhole) {
  double largest = 0.0;
  for (const ContactLaw& law : contact_laws()) {
    if (law.has_domain) continue;
    for (unsigned seed = 1; seed <= 40; ++seed) {
      SystemOptions options;
      options.num_free = 20;
      options.num_pairs = 14;
      options.contact.model = law.friction == ContactModel::kLagged    ? ContactModel::kLagged
                              : law.friction == ContactModel::kSimilar ? ContactModel::kSimilar
                                                                       : ContactModel::kSap;
      options.contact.normal = law.normal == NormalLaw::kLinear  ? NormalLaw::kLinear
                               : law.normal == NormalLaw::kHertz ? NormalLaw::kHertz
                                                                 : NormalLaw::kHuntCrossley;
      const RandomSystem system = make_random_system(options, seed);
      StepData data;
      system.build(options.contact, &data);
      for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
        const Solution solution =
            solve(system, data.problem, with_method(MethodKind::kAuto, tolerance), data.problem.v0);
        if (solution.report.status != SolveStatus::kConverged) continue;
        EXPECT_LE(solution.report.residual, tolerance) << law.name << " seed " << seed;
        largest = std::max(largest, solution.report.residual / tolerance);
      }
    }
  }
  EXPECT_GT(largest, 0.5);  // the tolerances are felt
}

}  // namespace
}  // namespace csim
