// Trajectories in closed form, right to rounding, for tests of the audit.
#pragma once

#include <cmath>

#include "audit/trajectory.h"

namespace csim::audit {

inline constexpr double kStep = 1e-3;  // s
inline const Vector3 kGravity{0.0, 0.0, -9.81};

inline AuditBody ball(const std::string& name, double mass = 2.0, double radius = 0.1) {
  return {.name = name, .mass = mass, .inertia = 0.4 * mass * radius * radius * Matrix3::Identity()};
}

inline AuditBody floor_body() {
  return {.name = "floor", .motion = BodyMotion::kPrescribed};
}

/// `num_rows` rows of bodies at rest at the origin.
inline Trajectory at_rest(const std::vector<AuditBody>& bodies, std::size_t num_rows,
                          const Vector3& gravity) {
  Trajectory t{.path = "test", .format = "csim-trajectory/1", .bodies = bodies, .gravity = gravity};
  for (std::size_t f = 0; f < num_rows; ++f) t.time.push_back(kStep * static_cast<double>(f));
  t.states.assign(num_rows, std::vector<BodyState>(bodies.size()));
  t.contacts.resize(num_rows);
  return t;
}

/// Gives the body its velocity at the row, and moves it there from the row before (symplectic Euler).
inline void move(Trajectory* t, std::size_t row, std::size_t body, const Vector3& velocity) {
  BodyState& state = t->states[row][body];
  state.velocity = velocity;
  state.position = t->states[row - 1][body].position + kStep * velocity;
}

/// Falls, and spins about z by 3 rad/s.
inline Trajectory free_fall() {
  Trajectory t = at_rest({ball("ball")}, 50, kGravity);
  for (std::size_t f = 0; f < t.rows(); ++f) {
    const double angle = 3.0 * t.time[f];
    if (f > 0) move(&t, f, 0, t.states[f - 1][0].velocity + kStep * kGravity);
    t.states[f][0].angular_velocity = {0.0, 0.0, 3.0};
    t.states[f][0].quaternion = {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
  }
  return t;
}

/// Lies on the floor: one contact below its centre.
inline Trajectory resting_ball() {
  Trajectory t = at_rest({floor_body(), ball("ball")}, 20, kGravity);
  for (std::size_t f = 1; f < t.rows(); ++f)
    t.contacts[f] = {{.a = 0,
                      .b = 1,
                      .point = {0.0, 0.0, -0.1},
                      .normal = Vector3::UnitZ(),
                      .impulse = {0.0, 0.0, 2.0 * 9.81 * kStep},
                      .gap = 0.0}};
  return t;
}

/// A block of height 0.2 m that slides at mu = 0.3 from 1 m/s: v = v0 - mu g t. The resultant of the floor
/// acts where it has no moment about the centre of mass, mu times its height ahead of it.
inline Trajectory sliding_block() {
  Trajectory t = at_rest({floor_body(), ball("block")}, 50, kGravity);
  const double mu = 0.3, push = 2.0 * 9.81 * kStep;
  t.states[0][1].velocity = {1.0, 0.0, 0.0};
  for (std::size_t f = 1; f < t.rows(); ++f) {
    const Vector3 impulse(-mu * push, 0.0, push);
    t.contacts[f] = {{.a = 0,
                      .b = 1,
                      .point = t.states[f - 1][1].position + Vector3(0.1 * mu, 0.0, -0.1),
                      .normal = Vector3::UnitZ(),
                      .impulse = impulse,
                      .impulse_on_a = -impulse,
                      .gap = 0.0,
                      .friction = mu}};
    move(&t, f, 1, {1.0 - mu * 9.81 * t.time[f], 0.0, 0.0});
  }
  return t;
}

/// A ball that hits the floor in row 10 and rebounds with e = 1, by Moreau's rule v1 = -v0.
inline Trajectory elastic_bounce(double rebound = 1.0) {
  Trajectory t = at_rest({floor_body(), ball("ball")}, 20, kGravity);
  t.states[0][1].velocity = {0.0, 0.0, -1.0};
  for (std::size_t f = 1; f < t.rows(); ++f) {
    const Vector3 before = t.states[f - 1][1].velocity, falling = before + kStep * kGravity;
    if (f != 10) {
      move(&t, f, 1, falling);
      continue;
    }
    const Vector3 after = -rebound * before;
    t.contacts[f] = {{.a = 0,
                      .b = 1,
                      .point = t.states[f - 1][1].position - Vector3(0.0, 0.0, 0.1),
                      .normal = Vector3::UnitZ(),
                      .impulse = 2.0 * (after - falling),
                      .gap = 0.0,
                      .restitution = rebound}};
    move(&t, f, 1, after);
  }
  return t;
}

}  // namespace csim::audit
