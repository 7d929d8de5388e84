// Whether the contacts of a body that rocks are springs with a potential.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "contact/convex/narrow_phase.h"

namespace csim::test {

/// The springs of a body that rocks about `rest` (m) over a floor below it, tilting by up to twice `tilt`
/// (rad) and sinking in by `sinks` (m), have a potential: the work of their forces along a way is what they
/// store. query(X, &points): the contacts of the body with the pose X.
template <typename Query>
void expect_potential(const std::string& what, const Query& query, const Matrix3& R, const Vector3& rest,
                      double tilt, double sinks) {
  const auto place = [&](const Vector3& turn, double sunk) {
    const double angle = turn.norm();
    const Vector3 axis = angle > 0.0 ? Vector3(turn / angle) : Vector3::UnitX();
    return RigidTransform(Eigen::AngleAxisd(angle, axis).toRotationMatrix() * R,
                          rest - sunk * Vector3::UnitZ());
  };
  // A way that tilts to all sides, by more and by less than a base is uneven.
  constexpr int kPoints = 4000;
  const auto turn_at = [&](double t) {
    return Vector3(tilt * (1.0 + std::cos(3.0 * t)) * Vector3(std::cos(7.0 * t), std::sin(5.0 * t), 0.0));
  };
  const auto sunk_at = [&](double t) { return sinks * std::sin(2.0 * t); };
  Vector3 turn = turn_at(0.0);
  double sunk = sunk_at(0.0), stored = 0.0, work = 0.0, most = 0.0;
  std::vector<ManifoldPoint> points;
  for (int k = 0; k <= kPoints; ++k) {
    const double t = 2.0 * M_PI * k / kPoints;
    const Vector3 next = turn_at(t), step = next - turn;
    const double next_sunk = sunk_at(t);
    const RigidTransform X = place(0.5 * (turn + next), 0.5 * (sunk + next_sunk));
    query(X, &points);
    for (const ManifoldPoint& point : points) {
      const Vector3 moved = (sunk - next_sunk) * Vector3::UnitZ() + step.cross(point.p_a - X.p);
      if (point.phi < 0.0) work += point.phi * moved.dot(point.normal) * std::copysign(1.0, point.normal.z());
    }
    query(place(next, next_sunk), &points);
    double energy = 0.0;
    for (const ManifoldPoint& point : points) energy += 0.5 * point.phi * std::min(point.phi, 0.0);
    if (k == 0) stored = energy;
    most = std::max(most, energy);
    ASSERT_NEAR(energy - stored, work, 1e-3 * most) << what << " " << k;
    turn = next;
    sunk = next_sunk;
  }
  EXPECT_GT(most, 0.0) << what;
}

}  // namespace csim::test
