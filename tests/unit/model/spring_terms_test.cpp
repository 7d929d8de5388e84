// Springs of joints in a step: closed forms of one spring, stability of many.
#include "model/spring_terms.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>
#include <random>

#include "test_scenes.h"

namespace csim {
namespace {

using test::Built;

/// The map (q, v) -> (q1, v1) of one step about the rest position, of a tree of joints with as many positions
/// as velocities, without gravity and speed.
MatrixX step_map(const Built& built, double h, VectorX* theta) {
  const Model& model = built.model;
  const int n = model.nv;
  Kinematics kinematics;
  Dynamics dynamics;
  SpringWorkspace workspace;
  FreeMotion motion;
  MatrixX map(2 * n, 2 * n);
  for (int i = 0; i < 2 * n; ++i) {
    State state = built.state;
    (i < n ? state.q : state.v)[i % n] = 1.0;
    compute_kinematics(model, built.state.q, 0, h, &kinematics);
    compute_dynamics(model, kinematics, state, h, &dynamics);
    compute_spring_times(model, dynamics.mass, h, &workspace, &motion.theta);
    compute_free_motion(model, dynamics, state, h, &motion);
    map.col(i).head(n) = state.q + h * motion.v_star;
    map.col(i).tail(n) = motion.v_star;
  }
  *theta = motion.theta;
  return map;
}

double spectral_radius(const MatrixX& map) {
  return map.eigenvalues().cwiseAbs().maxCoeff();
}

/// Bodies on prismatic joints along z: each on the one of its index in `parents` (-1: the world).
Built sliders(const std::vector<int>& parents, const std::vector<double>& mass,
              const std::vector<double>& stiffness) {
  Scene scene;
  scene.gravity.setZero();
  for (std::size_t i = 0; i < parents.size(); ++i) {
    scene.bodies.push_back(
        test::heavy_body("b" + std::to_string(i), mass[i], Vector3::Zero(), {1, 1, 1, 0, 0, 0}));
    JointSpec joint =
        test::joint("j" + std::to_string(i), JointType::kPrismatic, parents[i], static_cast<int>(i));
    joint.axis = Vector3::UnitZ();
    joint.stiffness = {stiffness[i]};
    scene.joints.push_back(joint);
  }
  return test::build_valid(scene);
}

// a of all springs of a tree by its formula, M^-1 by Eigen: a chain, branches, some of them without a spring,
// and coordinates in another order.
TEST(SpringTerms, TakeTheSpringsOfATreeTogether) {
  const std::vector<double> mass{1.0, 0.7, 2.0, 0.4, 1.5, 0.3}, k{300, 500, 0, 900, 700, 400};
  for (const std::vector<int>& parents :
       {std::vector{-1, 0, 1, 2, 3, 4}, std::vector{-1, 0, 1, 0, 3, 3}, std::vector{-1, 0, 0, 1, 2, 1}}) {
    const Built built = sliders(parents, mass, k);
    const int n = built.model.nv;
    ASSERT_EQ(n, 6);
    const double h = 0.1;
    Kinematics kinematics;
    Dynamics dynamics;
    SpringWorkspace workspace;
    VectorX theta;
    compute_kinematics(built.model, built.state.q, 0, h, &kinematics);
    compute_dynamics(built.model, kinematics, built.state, h, &dynamics);
    compute_spring_times(built.model, dynamics.mass, h, &workspace, &theta);
    const MatrixX inverse = Eigen::Map<const MatrixX>(dynamics.mass.data(), n, n).inverse();
    for (int i = 0; i < n; ++i) {
      double a = 0.0;
      for (int j = 0; j < n; ++j) a += h * h * std::sqrt(k[i] * k[j]) * std::abs(inverse(i, j));
      if (k[i] > 0.0) {
        EXPECT_GT(a, 1.0);
      }
      EXPECT_NEAR(theta[i], k[i] > 0.0 ? 1.0 - 1.0 / a : 1.0, 1e-13) << i;
    }
  }
}

// Radius 1 for h w <= 1, 1/(h w) beyond; the frequency of the symplectic scheme.
TEST(SpringTerms, OneSpringKeepsItsEnergyWhereItIsResolved) {
  const double k = 400.0, m = 1.0, w = std::sqrt(k / m);
  const Built built = sliders({-1}, {m}, {k});
  VectorX theta;
  for (const double hw : {0.01, 0.5, 0.99, 1.0}) {
    const MatrixX map = step_map(built, hw / w, &theta);
    EXPECT_NEAR(spectral_radius(map), 1.0, 1e-12) << hw;
    EXPECT_NEAR(theta[0], 0.0, 1e-15);
    EXPECT_NEAR(std::abs(std::arg(map.eigenvalues()[0])), 2.0 * std::asin(0.5 * hw), 1e-7) << hw;
  }
  for (const double hw : {1.2, 2.0, 10.0, 100.0}) {
    EXPECT_NEAR(spectral_radius(step_map(built, hw / w, &theta)), 1.0 / hw, 1e-12) << hw;
    EXPECT_NEAR(theta[0], 1.0 - 1.0 / (hw * hw), 1e-12);
  }
  SpringWorkspace workspace;
  Kinematics kinematics;
  Dynamics dynamics;
  VectorX frequencies;
  compute_kinematics(built.model, built.state.q, 0, 0, &kinematics);
  compute_dynamics(built.model, kinematics, built.state, 0, &dynamics);
  compute_spring_frequencies(built.model, dynamics.mass, &workspace, &frequencies);
  EXPECT_NEAR(frequencies[0], w, 1e-12);
}

// Chains of springs, and a light base with heavy legs, of masses and stiffnesses apart by decades: stable at
// any step.
TEST(SpringTerms, ManySpringsAreStable) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> decades(0.0, 1.0);
  VectorX theta;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + trial % 9;
    const bool is_star = trial % 2 == 1;
    std::vector<int> parents(n);
    std::vector<double> mass(n), stiffness(n);
    for (int i = 0; i < n; ++i) {
      parents[i] = i == 0 ? -1 : is_star ? 0 : i - 1;
      mass[i] = is_star && i == 0 ? 1e-2 : std::pow(10.0, 4.0 * decades(random) - 2.0);
      stiffness[i] = std::pow(10.0, 6.0 * decades(random));
    }
    const Built built = sliders(parents, mass, stiffness);
    for (const double h : {1e-4, 1e-3, 1e-2, 0.1, 1.0})
      EXPECT_LT(spectral_radius(step_map(built, h, &theta)), 1.0 + 1e-7) << trial << " " << h;
  }
}

// The change of energy in a step is what the two columns say.
TEST(SpringTerms, TheLossIsAccounted) {
  for (const double h : {0.01, 0.2}) {
    const double k = 400.0, m = 1.0;
    Built built = sliders({-1}, {m}, {k});
    VectorX theta;
    const MatrixX map = step_map(built, h, &theta);
    Vector2 x(0.1, 0.7);
    EnergyAccounts energy;
    const auto total = [&](const Vector2& s) { return 0.5 * k * s[0] * s[0] + 0.5 * m * s[1] * s[1]; };
    for (int i = 0; i < 5; ++i) {
      const Vector2 next = map * x;
      account_springs(built.model, theta, x.head<1>(), x.tail<1>(), next.tail<1>(), h, &energy);
      x = next;
      EXPECT_NEAR(total(x) - total({0.1, 0.7}), energy.scheme_springs - energy.joint_spring_loss, 1e-12);
    }
    EXPECT_EQ(energy.joint_spring_loss == 0.0, theta[0] == 0.0);
  }
}

}  // namespace
}  // namespace csim
