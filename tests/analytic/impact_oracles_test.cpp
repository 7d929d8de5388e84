// Normal impacts and collisions against closed forms: restitution, peak penetration, numerical damping,
// conserved momenta, falling energy.
#include <cmath>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kMass = 1.0, kStiffness = 1e5;

/// A ball that touches the plane with the speed v_i, without gravity; k = 1e5 N/m for the pair.
std::string impact(double v_i, double d, double tau, double h, const std::string& contact) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: [0, 0, 0]\n"
       << "time: {step: " << h << ", end: 1}\n"
       << "materials:\n"
       << "  m: {friction: 0, stiffness: 2.0e5, hertz_stiffness: 3.0e6, hunt_crossley_dissipation: " << d
       << ", relaxation_time: " << 0.5 * tau << "}\n"
       << "bodies:\n"
       << "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "  - name: ball\n"
       << "    mass: 1\n"
       << "    inertia: solid\n"
       << "    pose: {xyz: [0, 0, 0.1]}\n"
       << "    velocity: {linear: [0, 0, " << -v_i << "]}\n"
       << "    geometry: [{shape: sphere, radius: 0.1, material: m}]\n"
       << "contact: " << contact << "\n"
       << "solver: {tolerance: 1.0e-12}\n";
  return text.str();
}

struct Rebound {
  double restitution = 0.0, max_depth = 0.0;
};

/// Steps until the ball has left.
Rebound rebound(const std::string& text, double v_i) {
  Simulation s(text);
  Rebound result;
  for (int n = 0; n < 1000000; ++n) {
    s.step();
    if (testing::Test::HasFailure()) return result;
    const double depth = 0.1 - s.position("ball").z(), v = s.velocity("ball").z();
    result.max_depth = std::max(result.max_depth, depth);
    if (v > 0.0 && depth < 0.0) {
      result.restitution = v / v_i;
      return result;
    }
  }
  ADD_FAILURE() << "the ball never left";
  return result;
}

/// e of ln[(1 + d v)/(1 - d e v)] = d (1 + e) v by bisection.
double hunt_crossley_restitution(double d, double v) {
  double lo = 0.0, hi = std::min(1.0, (1.0 - 1e-15) / (d * v));
  for (int i = 0; i < 200; ++i) {
    const double e = 0.5 * (lo + hi);
    (std::log((1.0 + d * v) / (1.0 - d * e * v)) < d * (1.0 + e) * v ? lo : hi) = e;
  }
  return 0.5 * (lo + hi);
}

// 7: restitution of Hunt & Crossley depends on d v_i alone, for the linear and the Hertz spring; 8: peak
// penetration.
TEST(Impact, HuntCrossleyRestitutionAndDepth) {
  const double v = 0.5, h = 2e-6;
  for (const double dv : {0.01, 0.1, 1.0, 2.0, 10.0}) {
    const double d = dv / v;
    const double Q = v / d - std::log(1.0 + d * v) / (d * d);
    const double e = hunt_crossley_restitution(d, v);
    const Rebound linear = rebound(impact(v, d, 0.0, h, "{model: lagged}"), v);
    // First order in the step: backward Euler's damping pi/2 w0 h = 1e-3.
    EXPECT_NEAR(linear.restitution, e, 2e-3) << "d v = " << dv;
    EXPECT_NEAR(linear.max_depth, std::sqrt(2.0 * kMass / kStiffness * Q), 2e-3 * linear.max_depth)
        << "d v = " << dv;
    const Rebound hertz = rebound(impact(v, d, 0.0, h, "{model: lagged, normal: hertz}"), v);
    const double k_p = 3.0e6 / std::pow(2.0, 1.5);  // two in series: k^(-2/3) adds
    EXPECT_NEAR(hertz.restitution, e, 2e-3) << "d v = " << dv;
    EXPECT_NEAR(hertz.max_depth, std::pow(5.0 * kMass / (2.0 * k_p) * Q, 0.4), 2e-3 * hertz.max_depth)
        << "d v = " << dv;
  }
}

// The listed values of 7.
TEST(Impact, HuntCrossleyTable) {
  EXPECT_NEAR(hunt_crossley_restitution(0.01, 1.0), 0.99338, 1e-5);
  EXPECT_NEAR(hunt_crossley_restitution(0.1, 1.0), 0.93748, 1e-5);
  EXPECT_NEAR(hunt_crossley_restitution(1.0, 1.0), 0.59362, 1e-5);
  EXPECT_NEAR(hunt_crossley_restitution(2.0, 1.0), 0.41072, 1e-5);
  EXPECT_NEAR(hunt_crossley_restitution(10.0, 1.0), 0.099982, 1e-6);
  EXPECT_NEAR(hunt_crossley_restitution(100.0, 1.0), 0.01, 1e-6);
}

// 9: without dissipation backward Euler damps the contact's oscillation by 1/(1 + w0^2 h^2) a step: e =
// exp(-pi w0 h/2) to second order.
TEST(Impact, NumericalDampingOfTheElasticImpact) {
  const double w0 = std::sqrt(kStiffness / kMass);
  for (const double w0h : {0.02, 0.01, 0.005}) {
    const double e = rebound(impact(0.5, 0.0, 0.0, w0h / w0, "{model: lagged}"), 0.5).restitution;
    // The impact takes a whole number of steps: half a step of phase is second order in w0 h.
    EXPECT_NEAR(e, std::exp(-0.5 * std::acos(-1.0) * w0h), w0h * w0h);
  }
}

// 10: restitution of SAP's linear law with the relaxation time tau, zeta = tau w0/2.
TEST(Impact, SapRestitution) {
  const double w0 = std::sqrt(kStiffness / kMass), h = 1e-6;
  const std::vector<std::pair<double, double>> table{{0.05, 0.858758}, {0.2, 0.571740},  {0.6, 0.248841},
                                                     {0.8, 0.179783},  {0.99, 0.137157}, {1.5, 0.075588},
                                                     {3.0, 0.023770}};
  for (const auto& [zeta, e] : table) {
    const double tau = 2.0 * zeta / w0;
    EXPECT_NEAR(rebound(impact(0.5, 0.0, tau, h, "{model: sap}"), 0.5).restitution, e, 1e-3)
        << "zeta = " << zeta;
  }
}

class Collision : public testing::TestWithParam<LawAndSolver> {};

const char* const kCollision = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
materials:
  m: {friction: 0.8, stiffness: 2.0e5, hunt_crossley_dissipation: 2, relaxation_time: 0.001}
bodies:
  - name: a
    mass: 1
    inertia: solid
    pose: {xyz: [0, 0, 0]}
    velocity: {linear: [1, 0.3, 0], angular: [4, -2, 1]}
    geometry: [{shape: sphere, radius: 0.1, material: m}]
  - name: b
    mass: 3
    inertia: solid
    pose: {xyz: [0.21, 0.05, 0.02]}
    velocity: {linear: [-1, 0, 0.2], angular: [0, 3, -5]}
    geometry: [{shape: sphere, radius: 0.1, material: m}]
solver: {tolerance: 1.0e-12}
)";

// 16: two free balls collide: linear and angular momentum about the world's origin stay, whatever the law.
TEST_P(Collision, MomentumStays) {
  Simulation s(kCollision, GetParam().overrides);
  const auto momenta = [&] {
    Vector3 p = Vector3::Zero(), L = Vector3::Zero();
    for (const char* name : {"a", "b"}) {
      const MassProperties& mass = s.model.bodies[s.body(name)].mass;
      p += mass.mass * s.velocity(name);
      L += mass.mass * s.position(name).cross(s.velocity(name)) + mass.inertia * s.angular_velocity(name);
    }
    return std::make_pair(p, L);
  };
  const auto [p0, L0] = momenta();
  double peak_force = 0.0;
  for (int n = 0; n < 200; ++n) {
    s.step();
    peak_force = std::max(peak_force, s.normal_force());
  }
  const auto [p, L] = momenta();
  EXPECT_GT(peak_force, 100.0);  // they did collide
  EXPECT_LT((p - p0).norm(), 1e-12 * 4.0);
  EXPECT_LT((L - L0).norm(),
            1e-11);  // force and points are those of the step's start, where r x m v changes by v x m v = 0
}

// 17: Lagged, no external force, a flat contact (the gap is linear in the motion): kinetic energy + k x^2/2
// changes by at most -1/2 |v - v0|_A^2 + gamma_t . v_t in every step, whatever the step and the stiffness.
TEST(Energy, LaggedNeverGrowsOnAFlatContact) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    for (const double k : {1e3, 1e6, 1e9}) {
      std::ostringstream text;
      text << "csim: 1\ngravity: [0, 0, 0]\ntime: {step: " << h << ", end: 1}\n"
           << "materials:\n  m: {friction: 0.5, stiffness: " << 2.0 * k << ", hunt_crossley_dissipation: 1}\n"
           << "bodies:\n  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
           << "  - name: slider\n    mass: 1\n    inertia: solid\n"
           << "    geometry: [{shape: sphere, radius: 0.05, material: m}]\n"
           << "joints:\n"
           << "  - {name: x, type: prismatic, parent: world, child: carriage, axis: [1, 0, 0], velocity: 2}\n"
           << "  - {name: z, type: prismatic, parent: carriage, child: slider, axis: [0, 0, 1], position: "
              "0.049, velocity: -1}\n"
           << "contact: {model: lagged}\nsolver: {tolerance: 1.0e-12}\n";
      std::string scene = text.str();
      scene.insert(scene.find("  - name: slider"), "  - {name: carriage, mass: 0.5, inertia: [1, 1, 1]}\n");
      Simulation s(scene);
      const double start = s.frame.energy.kinetic + s.frame.energy.elastic;
      double before = start;
      VectorX v0 = s.state.v;
      for (int n = 0; n < 300; ++n) {
        s.step();
        const double now = s.frame.energy.kinetic + s.frame.energy.elastic;
        double friction = 0.0;  // gamma_t . v_t, J
        for (std::size_t i = 0; i < s.frame.contacts.size(); ++i) {
          const ContactRows& c = s.frame.contacts;
          friction += h * (c.force[i] - c.normal_force[i] * c.normal[i]).dot(c.slip_velocity[i]);
        }
        const VectorX dv = s.state.v - v0;
        const double backward_euler = 0.5 * (1.5 * dv[0] * dv[0] + 1.0 * dv[1] * dv[1]);  // 1/2 |v - v0|_A^2
        EXPECT_LE(friction, 0.0);
        EXPECT_LE(now - before, friction - backward_euler + 1e-12 * start)
            << "h = " << h << ", k = " << k << ", step " << n;
        before = now;
        v0 = s.state.v;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Collision, testing::ValuesIn(laws_and_solvers()), parameter_name);

}  // namespace
}  // namespace csim::testing_support
