// The choice of pieces on its own, for a mass matrix that no tree has to have, against all choices there are.
#include "model/drive_limits.h"

#include <gtest/gtest.h>

#include <cmath>

namespace csim {
namespace {

constexpr int kNum = 5;

/// Velocity drives with the gain K on the coordinates of M v = M v0 + h clamp(u0 - K v, -L, L).
struct Drives {
  double h, K;
  MatrixX M;
  VectorX v0, u0, L;

  Drives(double step, double gain, const MatrixX& mass, const VectorX& v, const VectorX& effort,
         const VectorX& limit)
      : h(step), K(gain), M(mass), v0(v), u0(effort), L(limit) {
    dynamics.limited_effort = u0;
    for (int i = 0; i < kNum; ++i) {
      Actuator actuator;
      actuator.v = i;
      actuator.damping = K;
      actuator.effort_limit = L[i];
      model.actuators.push_back(actuator);
      model.limited_drives.push_back({i, 0});
    }
  }

  [[nodiscard]] VectorX solve(const std::vector<int>& piece) const {
    MatrixX A = M;
    VectorX b = M * v0;
    for (int i = 0; i < kNum; ++i) {
      if (piece[i] == 0) A(i, i) += h * K;
      b[i] += h * (piece[i] == 0 ? u0[i] : piece[i] * L[i]);
    }
    return A.llt().solve(b);
  }

  [[nodiscard]] double error(const VectorX& v) const {
    return (M * (v - v0) - h * (u0 - K * v).cwiseMin(L).cwiseMax(-L)).cwiseAbs().maxCoeff();
  }

  Model model;
  Dynamics dynamics;
};

/// Symmetric and positive definite; changing all drives at once goes round and round here.
Drives circling_drives() {
  MatrixX M(kNum, kNum);
  M << 35.1, 2, -15, -8, 5,  //
      2, 19.1, -3, 13, -11,  //
      -15, -3, 18.1, 9, 10,  //
      -8, 13, 9, 28.1, -11,  //
      5, -11, 10, -11, 24.1;
  VectorX v0(kNum), u0(kNum), L(kNum);
  v0 << 0, 1, 0, 0, 1;
  u0 << 1, 9, -20, -14, 12;
  L << 3, 2, 1, 2, 1;
  return {0.01, 1000.0, M, v0, u0, L};
}

TEST(DriveLimits, ComeToAnEndWhereChangingAllAtOnceDoesNot) {
  const Drives drives = circling_drives();
  FreeMotion motion;
  DriveLimits limits;
  limits.restart(drives.model, &motion);
  int num_changes = 0;
  VectorX v = drives.solve(motion.saturation);
  while (limits.change(drives.model, drives.dynamics, v, drives.h, 1e-5, &motion)) {
    v = drives.solve(motion.saturation);
    ++num_changes;
  }
  EXPECT_TRUE(limits.settled());
  EXPECT_GT(num_changes, 9);  // beyond those that change all at once
  EXPECT_LT(drives.error(v), 1e-12);

  // The one of all 3^5 choices that its own velocities confirm.
  int num_solutions = 0;
  for (int code = 0; code < 243; ++code) {
    std::vector<int> piece(kNum);
    for (int i = 0, rest = code; i < kNum; ++i, rest /= 3) piece[i] = rest % 3 - 1;
    if (drives.error(drives.solve(piece)) > 1e-12) continue;
    ++num_solutions;
    EXPECT_EQ(piece, motion.saturation);
  }
  EXPECT_EQ(num_solutions, 1);
}

// What one limit's force leaves of the velocity says nothing of the other limit: with M v = M v0 + h u and
// hK/M = 20, the drive at +L sees an effort beyond -L, though the solution is between the two.
TEST(DriveLimits, GoFromOneLimitToTheOtherBetweenThem) {
  const Drives drives(0.01, 2000.0, MatrixX::Identity(kNum, kNum), VectorX::Zero(kNum), VectorX::Zero(kNum),
                      VectorX::Ones(kNum));
  FreeMotion motion;
  DriveLimits limits;
  limits.restart(drives.model, &motion);
  motion.saturation[0] = 1;
  const VectorX v = drives.solve(motion.saturation);
  ASSERT_LT(-drives.K * v[0], -1.0);
  ASSERT_TRUE(limits.change(drives.model, drives.dynamics, v, drives.h, 1e-5, &motion));
  EXPECT_EQ(motion.saturation, std::vector<int>(kNum, 0));
  EXPECT_FALSE(
      limits.change(drives.model, drives.dynamics, drives.solve(motion.saturation), drives.h, 1e-5, &motion));
}

// Velocities that never confirm a choice: it gives up, says so, and can be asked anew.
TEST(DriveLimits, GiveUpAndSaySo) {
  const Drives drives(0.01, 1.0, MatrixX::Identity(kNum, kNum), VectorX::Zero(kNum), VectorX::Zero(kNum),
                      VectorX::Ones(kNum));
  FreeMotion motion;
  DriveLimits limits;
  limits.restart(drives.model, &motion);
  int num_changes = 0;
  const auto change = [&] {
    const VectorX v = VectorX::Constant(kNum, motion.saturation[0] == 0 ? 5.0 : 0.0);
    return limits.change(drives.model, drives.dynamics, v, drives.h, 1e-5, &motion);
  };
  while (change()) ASSERT_LT(++num_changes, 1000);
  EXPECT_FALSE(limits.settled());
  EXPECT_GT(num_changes, 100);
  EXPECT_FALSE(change());
  limits.count_anew();
  EXPECT_TRUE(limits.settled());
  EXPECT_TRUE(change());
}

}  // namespace
}  // namespace csim
