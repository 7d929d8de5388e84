// One implicit step of masses between springs that push, solved on its own: what a step of bodies that meet
// centrally has to give, whatever the contact law, without friction and dissipation.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include <Eigen/LU>

#include "core/types.h"

namespace csim::testing_support {

/// The scenes of impacts that are transmitted: steps and the stiffness of a pair, and what stands before the
/// bodies.
inline constexpr double kStep = 0.01, kStiffness = 1e7;  // s; N/m
inline const std::string kHead = R"(csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
materials:
  m: {friction: 0, stiffness: 2.0e7, hunt_crossley_dissipation: 0, relaxation_time: 0}
solver: {tolerance: 1.0e-10}
bodies:
)";

/// A ball of 1 kg and 50 mm radius on the x axis, of the material m.
inline std::string ball(int number, double x, double v) {
  std::ostringstream text;
  text.precision(17);
  text << "  - {name: ball_" << number << ", mass: 1, inertia: solid, pose: {xyz: [" << x
       << ", 0, 0]}, velocity: {linear: [" << v
       << ", 0, 0]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}\n";
  return text.str();
}

/// Masses M (diagonal) with velocities v0 and springs of stiffness k at the gaps g + h D v of the step's end:
/// M (v - v0) = h D^T f, f = k max(0, -(g + h D v))^e, e = 1, or 1.5 after Hertz. Newton's method; it lowers
/// the potential, which is convex, with every step.
inline VectorX spring_step(double h, const VectorX& k, const VectorX& M, const MatrixX& D, const VectorX& v0,
                           const VectorX& gaps, double exponent = 1.0) {
  const auto depth = [&](const VectorX& v) { return (-(gaps + h * D * v)).cwiseMax(0.0).eval(); };
  const auto potential = [&](const VectorX& v) {
    const VectorX springs = k.array() * depth(v).array().pow(exponent + 1.0) / (exponent + 1.0);
    return 0.5 * M.dot((v - v0).cwiseAbs2()) + springs.sum();
  };
  VectorX v = v0;
  for (int iteration = 0; iteration < 1000; ++iteration) {
    const VectorX d = depth(v);
    MatrixX H = M.asDiagonal();
    VectorX r = M.cwiseProduct(v - v0);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      if (d[i] == 0.0) continue;
      H += h * h * k[i] * exponent * std::pow(d[i], exponent - 1.0) * D.row(i).transpose() * D.row(i);
      r -= h * k[i] * std::pow(d[i], exponent) * D.row(i).transpose();
    }
    const VectorX dv = H.partialPivLu().solve(r);
    if (dv.norm() < 1e-13) return v - dv;
    double part = 1.0;
    while (part > 1e-6 && potential(v - part * dv) > potential(v) * (1.0 + 1e-14)) part *= 0.5;
    v -= part * dv;
  }
  ADD_FAILURE() << "the springs do not settle";
  return v;
}

/// The gaps' velocities of a row along x: D v, gap i between i and i + 1; with as many gaps as masses the
/// last one is to a wall.
inline MatrixX row_of(Eigen::Index num_masses, Eigen::Index num_gaps) {
  MatrixX D = MatrixX::Zero(num_gaps, num_masses);
  for (Eigen::Index i = 0; i < num_gaps; ++i) {
    D(i, i) = -1.0;
    if (i + 1 < num_masses) D(i, i + 1) = 1.0;
  }
  return D;
}

}  // namespace csim::testing_support
