// Bodies on supports that move as prescribed: turntables, a shaker, a lift.
#include <cmath>
#include <numbers>
#include <sstream>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

enum class Rider { kSphere, kBox, kPatch };

/// A rider at the radius 0.3 m of a table that turns at 2 rad/s, with the table's velocity there. `kind`: a
/// sphere on the table's half space, a box with four points, or a box with a pressure field. Its origin is
/// (0.02, 0.01, 0) m from its centre of mass, which stands 0.05 m high.
std::string turntable(Rider rider, const std::string& model, double step) {
  std::ostringstream text;
  text.precision(17);
  const char* const contact = rider == Rider::kPatch ? ", contact: compliant" : "";
  text << "csim: 1\ntime: {step: " << step << ", end: 5}\n"
       << "materials: {rubber: {friction: 0.9, stiffness: 1.0e5, hydroelastic_modulus: 1.0e6}}\n"
       << "bodies:\n"
       << "  - {name: table, motion: {angular_velocity: [0, 0, 2]}, geometry: [{shape: half_space, material: "
          "rubber"
       << (rider == Rider::kPatch ? ", contact: rigid" : "") << "}]}\n"
       << "  - name: rider\n    mass: 1\n    com: [-0.02, -0.01, 0]\n"
       << "    inertia: [1.6e-3, 1.6e-3, 1.6e-3]\n"
       << "    pose: {xyz: [0.32, 0.01, 0.05]}\n"
       << "    velocity: {linear: [-0.02, 0.64, 0], angular: [0, 0, 2]}\n    geometry: [{";
  if (rider == Rider::kSphere) {
    text << "shape: sphere, radius: 0.05";
  } else {
    text << "shape: box, size: [0.1, 0.1, 0.1]";
  }
  text << contact << ", material: rubber, pose: {xyz: [-0.02, -0.01, 0]}}]\n"
       << "contact: {model: " << model << "}\nsolver: {tolerance: 1.0e-9}\n";
  return text.str();
}

/// Radius of the rider's centre of mass on the table, m.
double radius(const Simulation& s) {
  const int body = s.body("rider");
  const Vector3 com = s.frame.position[body] + s.frame.quaternion[body] * s.model.bodies[body].mass.com;
  return std::hypot(com.x(), com.y());
}

// A body that sticks moves on a chord of its circle in each step: what is left is the creep of friction below
// its stiction tolerance, v_s (m w^2 r)/(mu m g) outward. Without the chord the radius grew by the factor
// (1 + h^2 w^2)^(1/2) a step, 10 % in these 5 s. After half a second the rider rests in its depth.
TEST(Turntable, ABodyThatSticksStaysOnItsCircle) {
  const double h = 0.01, v_s = 1e-4;
  for (const Rider rider : {Rider::kBox, Rider::kPatch}) {
    for (const char* const model : {"lagged", "similar", "sap", "coulomb", "tamsi"}) {
      Simulation s(turntable(rider, model, h));
      s.step(50);
      const double start = radius(s);
      EXPECT_NEAR(start, 0.3, 2e-4);
      s.step(450);
      // Of a soft norm, s/(s^2 + v_s^2)^(1/2) = load; SAP's, sigma mu w m g h, is smaller.
      const double load = 2.0 * 2.0 * 0.3 / (0.9 * kGravity);
      const double creep = 4.5 * v_s * load / std::sqrt(1.0 - load * load);
      EXPECT_GT(radius(s), start) << model;
      EXPECT_LT(radius(s), start + 1.2 * creep) << model << " " << static_cast<int>(rider);
      EXPECT_NEAR(s.angular_velocity("rider").z(), 2.0, 1e-3) << model;
    }
  }
}

// With a tight stiction tolerance the circle is kept to what the tolerance and the bias leave: 4.5e-6 m
// outward on 2.7 m of way. Without the bias, and with the support's velocity at the start, it would be 27 mm.
TEST(Turntable, NothingButCreepIsLeft) {
  for (const Rider rider : {Rider::kBox, Rider::kPatch}) {
    Simulation s(turntable(rider, "lagged", 0.01),
                 {"contact.stiction_tolerance=1e-8", "contact.regularise_stiction=false"});
    s.step(50);
    const double start = radius(s);
    s.step(450);
    EXPECT_NEAR(radius(s), start, 1e-5) << static_cast<int>(rider);
  }
}

// A solid ball that rolls on a turntable runs on a circle at 2/7 of the table's rate: 7/5 m v' = 2/5 m u', u
// the table's velocity under it.
TEST(Turntable, ABallRollsAtTwoSevenths) {
  const auto run = [](double h) {
    Simulation s(turntable(Rider::kSphere, "lagged", h),
                 {"bodies.rider.com=[0, 0, 0]", "bodies.rider.inertia=[1e-3, 1e-3, 1e-3]",
                  "bodies.rider.geometry.0.pose.xyz=[0, 0, 0]", "bodies.rider.pose.xyz=[0.3, 0, 0.05]",
                  "contact.stiction_tolerance=1e-7", "materials.rubber.stiffness=1e8"});
    // On a circle about the axis v = 4/7 z x r; rolling, v + w x (-R z) = 2 z x r.
    const double v = 4.0 / 7.0 * 0.3;
    s.state.v << (0.6 - v) / 0.05, 0.0, 0.0, 0.0, v, 0.0;
    s.stepper->start(&s.state);
    s.step(std::lround(2.0 / h));
    return std::pair(std::atan2(s.position("rider").y(), s.position("rider").x()), radius(s));
  };
  for (const double h : {2e-3, 1e-3}) {
    const auto [angle, r] = run(h);
    EXPECT_NEAR(angle, 8.0 / 7.0, 1e-3) << h;
    EXPECT_NEAR(r / 0.3 - 1.0, 0.0, 1e-5) << h;
  }
}

/// A box of 1 kg at rest on a support with the given motion; k = 4e5 N/m in all.
std::string box_on_support(const std::string& motion, double step) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: " << step << ", end: 5}\n"
       << "materials:\n  hard: {friction: 0.9, stiffness: rigid}\n"
       << "  rubber: {friction: 0.9, stiffness: 1.0e5, hunt_crossley_dissipation: 20}\n"
       << "bodies:\n  - {name: support, motion: " << motion
       << ", geometry: [{shape: half_space, material: hard}]}\n"
       << "  - name: box\n    mass: 1\n    inertia: solid\n"
       << "    pose: {xyz: [0, 0, " << 0.05 - kGravity / 4e5 << "]}\n"
       << "    geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: rubber}]\n"
       << "contact: {stiction_tolerance: 1.0e-8, regularise_stiction: false}\nsolver: {tolerance: 1.0e-11}\n";
  return text.str();
}

/// A slider of 1 kg that moves along x and z, on one point, at rest on a support with the given motion.
std::string slider_on_support(const std::string& motion, double step) {
  std::ostringstream text;
  text.precision(17);
  text
      << "csim: 1\ntime: {step: " << step << ", end: 5}\n"
      << "materials:\n  hard: {friction: 0.9, stiffness: rigid}\n"
      << "  rubber: {friction: 0.9, stiffness: 1.0e5, hunt_crossley_dissipation: 20}\n"
      << "bodies:\n  - {name: support, motion: " << motion
      << ", geometry: [{shape: half_space, material: hard}]}\n"
      << "  - {name: carriage, mass: 0, inertia: [0, 0, 0]}\n"
      << "  - {name: box, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: "
         "rubber}]}\n"
      << "joints:\n  - {name: x, type: prismatic, parent: world, child: carriage, axis: [1, 0, 0], position: "
         "0.05}\n"
      << "  - {name: z, type: prismatic, parent: carriage, child: box, axis: [0, 0, 1], position: "
      << 0.05 - kGravity / 1e5 << "}\n"
      << "contact: {stiction_tolerance: 1.0e-8, regularise_stiction: false}\nsolver: {tolerance: 1.0e-11}\n";
  return text.str();
}

// A shaker along x: the slider is where the shaker is, at any step (with the velocity of the step's end it
// went ahead by h/2 times the change of velocity), and its velocity that of the middle of the step, to second
// order.
TEST(MovingSupport, AShakerTakesASliderWithIt) {
  const double amplitude = 0.05, rate = 2.0 * std::numbers::pi;
  const auto velocity_error = [&](double h) {
    Simulation s(
        slider_on_support("{sine: {amplitude: [0.05, 0, 0], frequency: 1, phase: 1.5707963267948966}}", h));
    double largest = 0.0;
    for (int n = 0; n < std::lround(1.0 / h); ++n) {
      s.step();
      const double t = s.frame.time;
      // Creep of at most v_s a second.
      EXPECT_NEAR(s.position("box").x(), amplitude * std::cos(rate * t), 1e-8 + 1e-9) << h << " " << n;
      const double middle = -amplitude * rate * std::sin(rate * (t - 0.5 * h));
      largest = std::max(largest, std::abs(s.velocity("box").x() - middle));
    }
    return largest;
  };
  const double coarse = velocity_error(0.01), fine = velocity_error(0.005);
  // sin a/a - 1 = -a^2/6, a = rate h/2
  EXPECT_NEAR(fine, amplitude * rate * std::pow(rate * 0.005 / 2.0, 2) / 6.0, 5e-7);
  EXPECT_NEAR(coarse / fine, 4.0, 0.02);
}

// A lift that starts and stops smoothly: at the floor of the car all the way, less the depth m (g + a)/k.
TEST(MovingSupport, ALiftCarriesABox) {
  const double amplitude = 0.4, rate = std::numbers::pi, k = 4e5;
  const auto error = [&](double h) {
    Simulation s(
        box_on_support("{sine: {amplitude: [0, 0, 0.4], frequency: 0.5, phase: -1.5707963267948966}}", h));
    s.state.q[6] -= amplitude;
    s.stepper->start(&s.state);
    double largest = 0.0;
    for (int n = 0; n < std::lround(2.0 / h); ++n) {
      s.step();
      const double t = s.frame.time, a = amplitude * rate * rate * std::cos(rate * t);
      const double exact = -amplitude * std::cos(rate * t) + 0.05 - (kGravity + a) / k;
      if (n > 50) largest = std::max(largest, std::abs(s.position("box").z() - exact));
    }
    return largest;
  };
  // The depth belongs to the acceleration a step before: m/k h a', and the closed form leaves out the box's
  // own oscillation, of which backward Euler keeps nothing.
  for (const double h : {4e-3, 2e-3})
    EXPECT_LT(error(h), 1.2 * h * amplitude * rate * rate * rate / k + 1e-7) << h;
}

}  // namespace
}  // namespace csim::testing_support
