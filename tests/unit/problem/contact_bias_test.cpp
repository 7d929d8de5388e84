// The bias of contacts against the motion itself: the gap and the slip that a new query finds along the way.
#include "problem/contact_bias.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "contact/find_contacts.h"
#include "model/build_model.h"
#include "model/velocity_terms.h"
#include "scene/read_scene.h"

namespace csim {
namespace {

constexpr double kStep = 1e-4;  // s: bodies turn by some 1e-3 rad

/// A scene of two bodies `a` and `b`, and what else it says, with its contacts.
struct Pair {
  explicit Pair(const std::string& bodies) {
    const SceneReadResult read = read_scene_text(
        "csim: 1\ntime: {step: 1.0e-4, end: 1}\nmaterials: {m: {friction: 0.5}}\n" + bodies, "scene.yaml");
    if (!read.ok()) throw std::runtime_error(format_diagnostics(read.diagnostics));
    Problems problems;
    std::vector<std::string> notes;
    build_model(read.scene, &model, &state, &problems, &notes);
    if (!problems.empty()) throw std::runtime_error(format_diagnostics(read.source.locate(problems)));
    finder.emplace(model);
    choose_contact_law(read.scene.contact, &data.problem);
  }

  /// The state after the time t of a step of length kStep.
  State at(double t) const {
    Kinematics start;
    compute_kinematics(model, state.q, state.time, state.time + kStep, &start);
    State s = state;
    advance_positions(model, s.v, t, &s.q);
    carry_origins(model, start, t, &s.q, &s.v);
    s.time += t;
    return s;
  }

  /// The contact nearest to `near` at a state, and the velocity of b's material at its point less that of
  /// a's.
  PointContact find(const State& s, const Vector3& near, Vector3* slip) {
    // Prescribed bodies have their mean twists over the step; `s` is at its time.
    compute_kinematics(model, s.q, s.time, s.time, &kinematics);
    compute_twists(model, kinematics, s.v, &twists);
    ContactQuery query;
    query.X_WB = &kinematics.X_WB;
    query.V0 = query.V_star = &twists;
    query.surface_velocity = &kinematics.surface_velocity_W;
    query.margin = 0.5;
    finder->find(query, &contacts);
    PointContact nearest;
    double distance = 1e300;
    for (const PointContact& c : contacts.points) {
      if ((c.p_a - near).norm() >= distance) continue;
      distance = (c.p_a - near).norm();
      nearest = c;
    }
    EXPECT_LT(distance, 1e300) << "no contact";
    const auto velocity = [&](int body, const Vector3& p) {
      return twists[body].at(p - kinematics.X_WB[body].p);
    };
    *slip = velocity(nearest.body_b, nearest.p_b) - velocity(nearest.body_a, nearest.p_a);
    return nearest;
  }

  /// The deepest contact of the start brought to phi = 0 by moving the free body b along the normal.
  Vector3 close(int body_b) {
    Vector3 slip, near = Vector3::Zero();
    for (int i = 0; i < 2; ++i) {
      (void)find(state, near, &slip);
      const auto deepest = std::min_element(contacts.points.begin(), contacts.points.end(),
                                            [](const auto& x, const auto& y) { return x.phi < y.phi; });
      near = deepest->p_a;
      if (i == 0)
        state.q.segment<3>(model.bodies[body_b].joint.q_begin + 4) -= deepest->phi * deepest->normal;
    }
    return near;
  }

  /// Compares what J v + b says of the contact at `near` with the gap after the step and the slip at its
  /// middle. Returns the size of the bias, m/s.
  double compare(const Vector3& near, const std::string& what) {
    Vector3 slip, slip_middle, unused;
    const PointContact start = find(state, near, &slip);
    const ContactSet set = contacts;
    compute_kinematics(model, state.q, state.time, state.time + kStep, &kinematics);
    build_contact_problem(model, kinematics, state, set, &data);
    BodyPaths paths;
    std::vector<Vector3> bias;
    std::vector<double> speed;
    compute_body_paths(model, kinematics, state, state.v, {}, &paths);
    compute_contact_bias(model, kinematics, set, data, nullptr, paths, kStep, StepEnd::kAfter, &bias, &speed);
    ContactVelocities v_c;
    v_c.resize(data.problem.num_contacts());
    for (const Island& island : data.problem.islands)
      contact_velocities(data.problem, island, data.problem.v0, true, &v_c);
    for (int i = 0; i < data.problem.num_contacts(); ++i) {
      const PointContact& c = set.points[data.problem.source[i]];
      if (c.feature != start.feature || c.p_a != start.p_a) continue;
      const Vector3 n = c.normal, b = bias[i], b_t = b - b.dot(n) * n;
      const PointContact middle = find(at(0.5 * kStep), start.p_a, &slip_middle);
      const PointContact end = find(at(kStep), middle.p_a, &unused);
      const double gap_rate = (end.phi - start.phi) / kStep;
      const Vector3 way = slip_middle - slip_middle.dot(n) * n;
      const double size = b.norm();
      EXPECT_NEAR(v_c.normal[i] + b.dot(n), gap_rate, 0.02 * size + 1e-9) << what << ": bias " << b.dot(n);
      EXPECT_LT((v_c.tangential[i] + b_t - way).norm(), 0.02 * size + 1e-9)
          << what << ": bias " << b_t.transpose();
      return size;
    }
    ADD_FAILURE() << what << ": the contact is not in the problem";
    return 0.0;
  }

  Model model;
  State state;
  std::optional<ContactFinder> finder;
  Kinematics kinematics;
  std::vector<Twist> twists;
  ContactSet contacts;
  StepData data;
};

std::string vector(std::mt19937* random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  std::ostringstream text;
  text << "[" << uniform(*random) << ", " << uniform(*random) << ", " << uniform(*random) << "]";
  return text.str();
}

std::string free_body(const std::string& name, const std::string& shape, const std::string& place,
                      std::mt19937* random) {
  return "  - {name: " + name + ", mass: 1, com: " + vector(random, 0.02) +
         ", inertia: [0.01, 0.012, 0.015], pose: {" + place + "}, velocity: {linear: " + vector(random, 0.3) +
         ", angular: " + vector(random, 5.0) + "}, geometry: [{" + shape + ", material: m}]}\n";
}

const std::string kSphere = "shape: sphere, radius: 0.05", kBall = "shape: sphere, radius: 0.03",
                  kBox = "shape: box, size: [0.1, 0.12, 0.14]", kPlate = "shape: box, size: [0.6, 0.6, 0.02]",
                  kCylinder = "shape: cylinder, radius: 0.04, length: 0.1",
                  kCapsule = "shape: capsule, radius: 0.02, length: 0.12",
                  kEllipsoid = "shape: ellipsoid, semi_axes: [0.05, 0.03, 0.04]",
                  kEgg = "shape: ellipsoid, semi_axes: [0.06, 0.05, 0.03]", kHalfSpace = "shape: half_space";

// Vertices, rims, balls, lines and faces, on each other, of two free bodies that turn and slide as they like.
TEST(ContactBias, ForeseesTheGapAndTheWay) {
  std::mt19937 random(7);
  const std::string up = "xyz: [0.013, 0.021, 0.2]", turned = up + ", rpy: [0.6, 0.5, 0.3]",
                    standing = up + ", rpy: [0.3, 0, 0.2]", tilted = "xyz: [0, 0, 0], rpy: [0.7, 0, 0.1]";
  const struct {
    std::string a, place_a, b, place_b;
  } cases[] = {
      {kPlate, "xyz: [0, 0, 0]", kSphere, up},
      {kPlate, "xyz: [0, 0, 0]", kBox, turned},
      {kPlate, "xyz: [0, 0, 0]", kCylinder, standing},
      {kPlate, "xyz: [0, 0, 0]", kCylinder, turned},
      {kPlate, "xyz: [0, 0, 0]", kEllipsoid, turned},
      {kPlate, "xyz: [0, 0, 0]", kCapsule, standing},
      {kSphere, "xyz: [0, 0, 0]", kBall, up},
      {kEgg, "xyz: [0, 0, 0]", kBall, up},
      {kEgg, "xyz: [0, 0, 0]", kEllipsoid, turned},
      {kSphere, "xyz: [0, 0, 0]", kPlate, up},
      {kCylinder, "xyz: [0, 0, 0], rpy: [1.3, 0.2, 0]", kBall, up},
      {kCapsule, "xyz: [0, 0, 0], rpy: [1.5, 0.2, 0]", kCapsule,
       "xyz: [0.005, 0.003, 0.2], rpy: [0.1, 1.4, 0.5]"},
      {kBox, "xyz: [0, 0, 0], rpy: [0.785, 0, 0]", kBox, "xyz: [0.005, 0.003, 0.2], rpy: [0, 0.785, 0.2]"},
      {kSphere, "xyz: [0, 0, 0]", kCylinder, "xyz: [0.035, 0, 0.2], rpy: [0, 0.4, 0]"},
      {kSphere, "xyz: [0, 0, 0]", kBox, "xyz: [0.01, 0, 0.2], rpy: [0.785, 0, 0.1]"},
  };
  for (const auto& c : cases) {
    for (int i = 0; i < 3; ++i) {
      Pair pair("bodies:\n" + free_body("a", c.a, c.place_a, &random) +
                free_body("b", c.b, c.place_b, &random));
      const Vector3 near = pair.close(1);
      EXPECT_GT(pair.compare(near, c.a + " | " + c.b), 1e-5);
    }
  }
}

// The same with a plane that is prescribed, to turn and to go on.
TEST(ContactBias, KnowsPrescribedBodies) {
  std::mt19937 random(3);
  for (const std::string& shape : {kSphere, kBox, kCylinder}) {
    Pair pair(
        "bodies:\n  - {name: a, motion: {velocity: [0.2, 0.1, 0.05], angular_velocity: [1, -2, 3]}, "
        "geometry: [{shape: "
        "half_space, material: m}]}\n" +
        free_body("b", shape, "xyz: [0.3, 0.1, 0.2], rpy: [0.5, 0.4, 0.2]", &random));
    const Vector3 near = pair.close(1);
    EXPECT_GT(pair.compare(near, shape), 1e-5);
  }
}

// Of a body on joints, an arm on a root that turns, and of two bodies of one tree.
TEST(ContactBias, KnowsTrees) {
  std::mt19937 random(5);
  const std::string arm =
      "bodies:\n  - {name: root, motion: {velocity: [0.1, 0, 0.2], angular_velocity: [0.5, 1, -1]}}\n"
      "  - {name: link, mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  - {name: a, mass: 1, inertia: [0.01, 0.01, 0.01], geometry: [{" +
      kPlate + ", material: m}]}\n";
  const std::string joints =
      "joints:\n  - {name: j, type: revolute, parent: root, child: link, axis: [0, 0.6, 0.8], velocity: 3}\n"
      "  - {name: k, type: universal, parent: link, child: a, pose: {xyz: [0.2, 0.1, 0]}, position: [0.2, "
      "-0.3], velocity: "
      "[2, -4]}\n";
  Pair pair(arm + free_body("b", kEllipsoid, "xyz: [0.25, 0.1, 0.3], rpy: [0.5, 0.4, 0.2]", &random) +
            joints);
  const Vector3 near = pair.close(3);
  EXPECT_GT(pair.compare(near, "arm"), 1e-5);
}

// A ball, a disc on its rim and a cylinder on its side that roll on a plane at rest have no bias: their gap
// and their way are those of the start.
TEST(ContactBias, WhatRollsOnAPlaneHasNone) {
  const struct {
    std::string shape, pose, velocity;
  } cases[] = {
      {kSphere, "xyz: [0, 0, 0.05]", "linear: [0.1, 0, 0], angular: [0, 2, 0]"},
      {kCylinder, "xyz: [0, 0, 0.04], rpy: [1.5707963267948966, 0, 0]",
       "linear: [0.08, 0, 0], angular: [0, 2, 0]"},
  };
  for (const auto& c : cases) {
    Pair pair(
        "bodies:\n  - {name: a, fixed: true, geometry: [{shape: half_space, material: m}]}\n  - {name: b, "
        "mass: 1, inertia: solid, pose: {" +
        c.pose + "}, velocity: {" + c.velocity + "}, geometry: [{" + c.shape + ", material: m}]}\n");
    EXPECT_LT(pair.compare(Vector3::Zero(), c.shape), 1e-12);
  }
}

}  // namespace
}  // namespace csim
