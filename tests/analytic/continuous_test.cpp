// The acceleration level with steps of variable length (integrator.type: continuous) against closed forms,
// fine solutions of the same equations, and the discrete scheme, which converges to it.
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <sstream>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

std::string number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

std::string key(const std::string& path, double value) {
  return path + "=" + number(value);
}

/// Overrides that ask for steps of exactly h: no error is too large.
std::vector<std::string> equal_steps(double h) {
  return {key("time.step", h), "integrator.accuracy=1.0e+12", key("integrator.max_step", h)};
}

/// Steps to exactly the time t.
void run_until(Simulation* s, double t) {
  while (s->state.time < t) {
    const StepOutcome outcome = s->stepper->step(&s->state, t);
    ASSERT_TRUE(outcome.ok) << outcome.message;
  }
  s->step(0);  // the frame
}

using Rates = std::function<Vector4(const Vector4&)>;

/// Classical Runge-Kutta of y' = f(y).
Vector4 advance(const Rates& f, double h, const Vector4& y) {
  const Vector4 k1 = f(y), k2 = f(y + 0.5 * h * k1), k3 = f(y + 0.5 * h * k2), k4 = f(y + h * k3);
  return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

Vector4 integrate(const Rates& f, double t, int n, Vector4 y) {
  for (int i = 0; i < n; ++i) y = advance(f, t / n, y);
  return y;
}

// A rod of 1 m and 1 kg on a hinge at its end, from 60 degrees: theta'' = -(3 g/2) sin theta.
const char* const kPendulum = R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.08333333333333333, 0.08333333333333333, 1.0e-3]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0], position: 1.0471975511965976}]
integrator: {type: continuous}
)";

double pendulum_angle(double t) {
  const Rates f = [](const Vector4& y) { return Vector4(y[1], -1.5 * kGravity * std::sin(y[0]), 0, 0); };
  return integrate(f, t, 4000, Vector4(std::numbers::pi / 3, 0, 0, 0))[0];
}

TEST(Continuous, IsOfThirdOrderOnAPendulum) {
  const double angle = pendulum_angle(1.28);
  double errors[3];
  for (const int i : {0, 1, 2}) {
    const double h = 0.02 / (1 << i);
    Simulation s(kPendulum, equal_steps(h));
    s.step(64 << i);
    EXPECT_NEAR(s.state.time, 1.28, 1e-13);
    errors[i] = s.state.q[0] - angle;
  }
  // 8, and terms of fourth order, which halve with the step.
  EXPECT_NEAR(errors[0] / errors[1], 8.0, 0.8);
  EXPECT_NEAR(errors[1] / errors[2], 8.0, 0.4);
}

// The error follows the accuracy: the measure of a step's error is that of its local error, so that with
// steps of the length accuracy^(1/3) the error of the whole falls as accuracy^(2/3) at the least.
TEST(Continuous, ErrorFollowsTheAccuracy) {
  const double angle = pendulum_angle(1.28);
  double last = 1.0;
  for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
    Simulation s(kPendulum, {key("integrator.accuracy", accuracy)});
    run_until(&s, 1.28);
    const double error = std::abs(s.state.q[0] - angle);
    EXPECT_LT(error, 20.0 * accuracy);
    EXPECT_LT(error, last / 21.0);  // 100^(2/3)
    last = error;
  }
}

// Free rotation about no axis of symmetry: quaternions at third order; energy and angular momentum are
// kept to the accuracy.
TEST(Continuous, TorqueFreeTop) {
  const std::string text = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
bodies: [{name: top, mass: 2, inertia: [0.02, 0.03, 0.045], velocity: {angular: [4, 7, -5], linear: [1, 2, 3]}}]
integrator: {type: continuous}
)";
  const auto momentum = [](const Simulation& s) {
    const Quaternion q(s.state.q[0], s.state.q[1], s.state.q[2], s.state.q[3]);
    return Vector3(q * (Vector3(0.02, 0.03, 0.045).cwiseProduct(q.conjugate() * s.angular_velocity("top"))));
  };
  Simulation exact(text, equal_steps(5e-4));
  exact.step(2000);
  double errors[2];
  for (const int i : {0, 1}) {
    Simulation s(text, equal_steps(0.01 / (1 << i)));
    s.step(100 << i);
    errors[i] = (s.state.q - exact.state.q).norm();
    EXPECT_NEAR(s.state.q.head<4>().norm(), 1.0, 1e-15);
  }
  EXPECT_NEAR(errors[0] / errors[1], 8.0, 0.5);
  for (const double accuracy : {1e-4, 1e-7}) {
    Simulation s(text, {key("integrator.accuracy", accuracy)});
    const Vector3 before = momentum(s);
    const double energy = s.frame.energy.total;
    run_until(&s, 1.0);
    EXPECT_LT((momentum(s) - before).norm(), 20.0 * accuracy * before.norm());
    EXPECT_LT(std::abs(s.frame.energy.total - energy), 20.0 * accuracy * energy);
    EXPECT_NEAR((s.position("top") - Vector3(1, 2, 3)).norm(), 0.0, 1e-12);
  }
}

/// e of d v0 (1 + e) = ln((1 + d v0)/(1 - d e v0)), Hunt & Crossley's restitution, by bisection.
double restitution(double dv) {
  double low = 0.0, high = std::min(1.0, 1.0 / dv);
  for (int i = 0; i < 60; ++i) {
    const double e = 0.5 * (low + high);
    (dv * (1.0 + e) > std::log((1.0 + dv) / (1.0 - dv * e)) ? low : high) = e;
  }
  return 0.5 * (low + high);
}

struct Impact {
  const char* name;
  const char* geometry;  // of the ball, 0.1 m from its centre to the ground
  const char* contact;
};

class ContinuousImpact : public testing::TestWithParam<Impact> {};

// Without gravity and friction the speeds before and after satisfy the equation whatever the elastic force:
// a point's spring, Hertz's law, the patch of a ball, of a box.
TEST_P(ContinuousImpact, RestitutionOfHuntAndCrossley) {
  EXPECT_NEAR(restitution(1.0), 0.593624, 5e-7);
  for (const double dv : {0.1, 1.0, 5.0}) {
    const std::string text = std::string(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 1}
materials: {m: {friction: 0, stiffness: 1.0e+5, hydroelastic_modulus: 1.0e+6, hertz_stiffness: 1.0e+6}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: ball
    mass: 1
    inertia: [1, 1, 1]
    pose: {xyz: [0, 0, 0.101]}
    velocity: {linear: [0, 0, -0.1]}
    geometry: [{material: m, )") +
                             GetParam().geometry + "}]\ncontact: " + GetParam().contact +
                             "\nintegrator: {type: continuous}\n";
    Simulation s(
        text, {key("integrator.accuracy", 1e-6),
               "contact.pairs=[{a: ball, b: ground, hunt_crossley_dissipation: " + number(dv / 0.1) + "}]"});
    run_until(&s, 1.0);
    // A few dozen steps each with an error of 1e-6 (0.1 m/s + v).
    EXPECT_NEAR(s.velocity("ball").z() / 0.1, restitution(dv), 3e-5) << dv;
    // Each changes the energy by 1 kg v (1e-6 (0.1 m/s + v)) = 2e-8 J at the most.
    EXPECT_LT(std::abs(s.frame.energy.balance_error), 50 * 2e-8) << dv;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Laws, ContinuousImpact,
    testing::Values(Impact{"point", "shape: sphere, radius: 0.1", "{}"},
                    Impact{"hertz", "shape: sphere, radius: 0.1", "{normal: hertz}"},
                    Impact{"patch_ball", "shape: sphere, radius: 0.1, contact: compliant, resolution: 0.1",
                           "{}"},
                    Impact{"patch_box", "shape: box, size: [0.3, 0.25, 0.2], contact: compliant",
                           "{patch: {representation: triangle, quadrature: three_point}}"}),
    [](const auto& info) { return std::string(info.param.name); });

// A rigid box in a compliant half space of uniform slope kappa is a linear spring K = kappa a b with the
// damper tau K: from the speed v0 at the surface
//
//   x = v0/w e^(-z t) sin w t,  z = tau w0^2/2,  w = sqrt(w0^2 - z^2),  w0^2 = K/m
//
// deepest where x' = 0, and the force ends where x + tau x' = 0. (6.6's relaxation time, where it is exact.)
TEST(Continuous, RelaxationTimeOfAPatch) {
  const double E = 1e6, layer = 0.05, a = 0.1, b = 0.08, m = 1.0, v0 = 0.1, tau = 1e-3;
  const double w0 = std::sqrt(E / layer * a * b / m), z = 0.5 * tau * w0 * w0, w = std::sqrt(w0 * w0 - z * z);
  const auto x = [&](double t) { return v0 / w * std::exp(-z * t) * std::sin(w * t); };
  const auto speed = [&](double t) {
    return v0 * std::exp(-z * t) * (std::cos(w * t) - z / w * std::sin(w * t));
  };
  const double deepest = x(std::atan2(w, z) / w);
  double low = std::atan2(w, z) / w, high = std::numbers::pi / w;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    (x(t) + tau * speed(t) > 0.0 ? low : high) = t;
  }
  const double v1 = -speed(low);
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 1}
materials:
  soft: {friction: 0, hydroelastic_modulus: 1.0e+6, relaxation_time: 1.0e-3}
  hard: {friction: 0, relaxation_time: 0}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: soft, contact: compliant, slab_thickness: 0.05}]}
  - name: box
    mass: 1
    inertia: [1, 1, 1]
    pose: {xyz: [0, 0, 0.1]}
    velocity: {linear: [0, 0, -0.1]}
    geometry: [{shape: box, size: [0.1, 0.08, 0.2], material: hard, contact: rigid}]
contact: {normal: linear, patch: {cull_angle_deg: none}}
integrator: {type: continuous, accuracy: 1.0e-7, max_step: 2.0e-4}
)");
  double seen = 0.0;
  while (s.state.time < 0.03) {
    s.step(1);
    seen = std::max(seen, 0.1 - s.position("box").z());
  }
  // The parabola between steps of 2e-4 s: v0 w (1e-4 s)^2/2 at most.
  EXPECT_LT(seen, deepest * (1.0 + 1e-6));
  EXPECT_NEAR(seen, deepest, 0.5 * v0 * w * 1e-8);
  EXPECT_NEAR(s.velocity("box").z(), v1, 1e-5 * v0);
}

// The force of a box's patch on a plane at the depth d is F(d) = E/H (a b d - (a + b) d^2 + 4/3 d^3): the
// motion is that of m x'' = g m - F(x)(1 + dissipation x'), with the walls' share, at any time.
TEST(Continuous, PatchOfABoxFollowsItsForceLaw) {
  const double a = 0.10, b = 0.14, E = 1e6, H = 0.04, m = 2.0, d = 2.0;
  const Rates f = [&](const Vector4& y) {
    const double F = E / H * (a * b * y[0] - (a + b) * y[0] * y[0] + 4.0 / 3.0 * y[0] * y[0] * y[0]);
    return Vector4(y[1], kGravity - F * (1.0 + d * y[1]) / m, 0, 0);
  };
  Simulation s(R"(
csim: 1
time: {step: 1.0e-4, end: 1}
materials: {m: {friction: 0.5, hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 2}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: box
    mass: 2
    inertia: [10, 10, 10]
    pose: {xyz: [0, 0, 0.039]}
    velocity: {linear: [0, 0, -0.2]}
    geometry: [{shape: box, size: [0.10, 0.14, 0.08], material: m, contact: compliant}]
contact: {patch: {quadrature: center_of_pressure}}
integrator: {type: continuous, accuracy: 1.0e-7}
)");
  // Before it leaves the ground again.
  Vector4 y(1e-3, 0.2, 0, 0);
  for (int i = 1; i <= 5; ++i) {
    y = integrate(f, 5e-4, 1000, y);
    run_until(&s, i * 5e-4);
    ASSERT_GT(y[0], 0.0);
    EXPECT_NEAR(0.04 - s.position("box").z(), y[0], 1e-6 * 1e-3);
    EXPECT_NEAR(s.velocity("box").z(), -y[1], 1e-6 * 0.2);
  }
}

/// A ball of 1 kg thrown on the floor: it slides, sticks or leaves.
std::string thrown_ball(const std::string& contact) {
  return R"(
csim: 1
time: {step: 1.0e-4, end: 1}
materials: {m: {friction: 0.3, stiffness: 1.0e+4, hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 0.5, relaxation_time: 0.005}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: ball
    mass: 1
    inertia: solid
    pose: {xyz: [0, 0, 0.11]}
    velocity: {linear: [1.5, 0.3, -0.5], angular: [0, 3, 0]}
    geometry: [{shape: sphere, radius: 0.1, material: m)" +
         contact;
}

// Without friction and dissipation nothing but the integration takes energy: the drift over some bounces
// falls with the accuracy.
TEST(Continuous, EnergyDriftFallsWithTheAccuracy) {
  double last = 1.0;
  for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
    Simulation s(thrown_ball("}]\nintegrator: {type: continuous}\n"),
                 {"materials.m.friction=0", "materials.m.hunt_crossley_dissipation=0",
                  key("integrator.accuracy", accuracy)});
    const double energy = s.frame.energy.total;
    run_until(&s, 0.5);
    const double drift = std::abs(s.frame.energy.total - energy) / energy;
    EXPECT_EQ(s.frame.energy.dissipated, 0.0);
    EXPECT_LT(drift, 30.0 * accuracy);
    EXPECT_LT(drift, last / 10.0);
    last = drift;
  }
}

// The balance of a mechanism with everything that stores, takes and gives energy: springs, damping, drives,
// a driven root and a belt under contact with friction.
TEST(Continuous, BalanceErrorIsThatOfTheIntegration) {
  const std::string text = R"(
csim: 1
time: {step: 1.0e-4, end: 1}
materials: {m: {friction: 0.4, stiffness: 2.0e+3, hunt_crossley_dissipation: 1}}
bodies:
  - {name: belt, surface_velocity: [0.3, 0, 0], geometry: [{shape: box, size: [4, 4, 0.2], material: m}], pose: {xyz: [0, 0, -0.1]}}
  - {name: root, motion: {sine: {amplitude: [0.05, 0.02, 0.03], frequency: 1.5, phase: 0.4}}, pose: {xyz: [0, 0, 0.6]}}
  - {name: arm, mass: 1, com: [0.1, 0, -0.2], inertia: [0.02, 0.02, 0.01]}
  - {name: slider, mass: 0.5, inertia: [0.01, 0.01, 0.01]}
  - {name: knob, mass: 0.4, inertia: solid, geometry: [{shape: sphere, radius: 0.05, material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0.5, 0, 0.12]}, velocity: {angular: [1, 2, 3]},
     geometry: [{shape: sphere, radius: 0.1, material: m}]}
joints:
  - {name: hinge, type: revolute, parent: root, child: arm, axis: [0, 1, 0], damping: 0.05, stiffness: 3, armature: 0.02, position: 0.3}
  - {name: rail, type: prismatic, parent: arm, child: slider, axis: [0, 0, -1], stiffness: 200, damping: 0.5, position: 0.2}
  - {name: neck, type: ball, parent: slider, child: knob, pose: {xyz: [0, 0, -0.28]}, damping: 0.01, velocity: [1, 0.5, -2]}
actuators:
  - {name: motor, joint: hinge, type: position, stiffness: 5, damping: 0.3, feed_forward_velocity: true, command: {sine: {mean: 0.2, amplitude: 0.4, frequency: 1}}}
  - {name: push, joint: rail, type: effort, effort_limit: 3, command: {sine: {amplitude: 3.5, frequency: 3}}}
integrator: {type: continuous}
output: {period: 0.01}
)";
  double last = 1.0;
  for (const double accuracy : {1e-4, 1e-6}) {
    Simulation s(text, {key("integrator.accuracy", accuracy)});
    double largest = 0.0;
    for (int i = 1; i <= 20; ++i) {
      run_until(&s, 0.05 * i);
      largest = std::max(largest, std::abs(s.frame.energy.balance_error));
    }
    EXPECT_GT(s.frame.energy.dissipated, 0.1);
    EXPECT_GT(std::abs(s.frame.energy.work), 0.1);
    EXPECT_LT(largest, 50.0 * accuracy);
    EXPECT_LT(largest, last / 10.0);
    last = largest;
  }
}

struct Limit {
  const char* name;
  const char* geometry;  // the rest of the ball's
  std::vector<std::string> overrides;
};

class DiscreteLimit : public testing::TestWithParam<Limit> {};

// The discrete scheme tends to the continuous form at first order in its step, friction and all. (Plain laws:
// eq. 44 of Castro et al. 2023 softens stiction during impacts by an amount that vanishes with the step.
// Similar and SAP without dissipation, see continuous_law.h.)
TEST_P(DiscreteLimit, IsTheContinuousFormAtFirstOrder) {
  const auto state_at_the_end = [&](const std::vector<std::string>& more) {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    Simulation s(thrown_ball(GetParam().geometry), overrides);
    if (s.scene.integrator.type == IntegratorType::kContinuous) {
      run_until(&s, 0.06);
    } else {
      s.step(std::lround(0.06 / s.scene.time.step));
    }
    return std::array<Vector3, 3>{s.position("ball"), s.velocity("ball"), s.angular_velocity("ball")};
  };
  const auto limit = state_at_the_end({"integrator={type: continuous, accuracy: 1.0e-7}"});
  double errors[2];
  for (const int i : {0, 1}) {
    const auto end = state_at_the_end({key("time.step", 5e-5 / (1 << i)), "solver.tolerance=1.0e-10"});
    errors[i] =
        std::hypot((end[0] - limit[0]).norm(), (end[1] - limit[1]).norm(), 0.1 * (end[2] - limit[2]).norm());
  }
  // The scheme damps an impact of frequency w0 by exp(-pi w0 h) of its energy: here 0.8 % for the point, more
  // for the patch, of 0.6 m/s.
  EXPECT_LT(errors[1], 0.01);
  EXPECT_NEAR(errors[0] / errors[1], 2.0, 0.15);  // 2, and terms of second order
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, DiscreteLimit,
    testing::Values(
        Limit{"point_lagged", "}]\n", {"contact.regularise_stiction=false"}},
        Limit{"point_similar",
              "}]\n",
              {"contact.model=similar", "contact.regularise_stiction=false",
               "materials.m.hunt_crossley_dissipation=0"}},
        Limit{"point_lagged_linear", "}]\n", {"contact.normal=linear", "contact.regularise_stiction=false"}},
        Limit{"point_sap",
              "}]\n",
              {"contact.model=sap", "contact.stiction_tolerance=1.0e-5", "materials.m.relaxation_time=0"}},
        Limit{"patch_lagged",
              ", contact: compliant, resolution: 0.1}]\n",
              {"contact.regularise_stiction=false"}},
        Limit{"patch_sap",
              ", contact: compliant, resolution: 0.1}]\n",
              {"contact.model=sap", "contact.stiction_tolerance=1.0e-5", "materials.m.relaxation_time=0"}}),
    [](const auto& info) { return std::string(info.param.name); });

/// A point without extent on a slope: gravity turned by the angle whose tangent is `slope`.
std::string on_a_slope(double slope, double speed) {
  const double c = 1.0 / std::sqrt(1.0 + slope * slope), g = kGravity;
  return "csim: 1\ngravity: [" + number(g * slope * c) + ", 0, " + number(-g * c) + R"(]
time: {step: 1.0e-5, end: 1}
materials: {m: {friction: 0.5, stiffness: 1.0e+5, hunt_crossley_dissipation: 20}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: block
    mass: 1
    inertia: [100, 100, 100]
    pose: {xyz: [0, 0, )" +
         number(0.1 - 2.0 * g * c / 1e5) + "]}\n    velocity: {linear: [" + number(speed) + R"(, 0, 0]}
    geometry: [{shape: sphere, radius: 0.1, material: m}]
integrator: {type: continuous}
)";
}

// Sliding: x' = W(t) speed with d/dt v = -mu g v/sqrt(v^2 + v_s^2), so that to v >> v_s the speed falls by
// mu g t. Sticking: the creep v_s q/sqrt(1 - q^2), q = slope/mu, of the law.
TEST(Continuous, FrictionSlidesAndHolds) {
  Simulation slides(on_a_slope(0.0, 1.0), {"integrator.accuracy=1.0e-6"});
  run_until(&slides, 0.1);
  // O(v_s^2) of the law, and the rotation that the friction brings: mu m g r t/I = 0.05 mrad.
  EXPECT_NEAR(slides.velocity("block").x(), 1.0 - 0.5 * kGravity * 0.1, 1e-5);
  const double q = 0.8;
  Simulation holds(on_a_slope(0.5 * q, 0.0), {"integrator.accuracy=1.0e-4"});
  run_until(&holds, 0.05);
  const double creep = 1e-4 * q / std::sqrt(1.0 - q * q);
  // At the contact point, where the little rotation adds to it; the steps ride on the stability limit of the
  // friction with errors of 1e-4 0.1 m/s at the most.
  const double slip = holds.frame.contacts.slip_speed.at(0);
  EXPECT_NEAR(slip, creep, 1e-5);
  EXPECT_EQ(holds.frame.contacts.mode.at(0), 2);  // 1.33 v_s
  EXPECT_NEAR(holds.frame.contacts.force.at(0).x(), -kGravity * 0.5 * q / std::sqrt(1.0 + 0.25 * q * q), 0.1);
}

// What cannot go on says so: a spring that no step of 1e-12 s resolves, and a barrier that starts closed.
// What a position within the accuracy is worth is no energy from nothing: 2e-2 J of weight here, where 3e-6 J
// were half of all that was turned over.
TEST(Continuous, ABobHangsAtRestOnATautRope) {
  Simulation s(R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies: [{name: bob, mass: 2, inertia: [0.01, 0.02, 0.03], pose: {xyz: [0, 0, -0.5]}}]
constraints: [{name: tie, a: world, b: bob, type: distance, max: 0.5}]
integrator: {type: continuous}
)");
  EXPECT_NEAR(unresolved_energy(s.model, 1e-3), 2.0 * kGravity * 1e-3 + 0.5 * 2.0 * 1e-4 * 1e-4, 1e-15);
  run_until(&s, 1.0);
  EXPECT_NEAR(s.position("bob").z(), -0.5, 1e-3);
  EXPECT_EQ(s.events[EventKind::kEnergyGain].count, 0);
}

TEST(Continuous, FailsWhereItMust) {
  Simulation stiff(on_a_slope(0.0, 0.0),
                   {"materials.m.stiffness=1.0e+40", "bodies.block.pose.xyz=[0,0,0.1001]"});
  StepOutcome outcome;
  for (int i = 0; i < 1000 && outcome.ok; ++i) outcome = stiff.stepper->step(&stiff.state);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("the step fell below 1e-12 s"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("'block'"), std::string::npos) << outcome.message;
  EXPECT_NEAR(stiff.state.time, std::sqrt(2.0 * 1e-4 / kGravity), 1e-6);  // where it touches

  Simulation closed(on_a_slope(0.0, 0.0),
                    {"contact={normal: ipc_barrier, barrier: {stiffness: 100, thickness: 1.0e-3}}"});
  outcome = closed.stepper->step(&closed.state);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("acceleration of body 'block'"), std::string::npos) << outcome.message;
  EXPECT_EQ(closed.state.step, 0);
}

// A new stepper goes on from a state with the same bits, at any step.
TEST(Continuous, StateIsAllThatAStepReads) {
  const std::string text = thrown_ball("}]\nintegrator: {type: continuous, accuracy: 1.0e-4}\n");
  Simulation whole(text);
  for (int i = 0; i < 60; ++i) {
    const State before = whole.state;
    whole.step(1);
    State after = before;
    const auto fresh = make_stepper(whole.model, whole.scene, 2);
    ASSERT_TRUE(fresh->step(&after).ok);
    ASSERT_EQ(after.q, whole.state.q);
    ASSERT_EQ(after.v, whole.state.v);
    ASSERT_EQ(after.time, whole.state.time);
    ASSERT_EQ(after.next_step, whole.state.next_step);
    ASSERT_EQ(after.energy.dissipated(), whole.state.energy.dissipated());
  }
  EXPECT_GT(whole.state.energy.dissipated(), 0.0);
}

}  // namespace
}  // namespace csim::testing_support
