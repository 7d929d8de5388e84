// Impacts transmitted within a step, combined with drives that saturate, divided steps, and meshes in the
// row.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "analytic/laws_and_solvers.h"
#include "analytic/spring_twin.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

VectorX stiff(Eigen::Index n) {
  return VectorX::Constant(n, kStiffness);
}

// ------------------------------------------------------------------------------------------- drives

constexpr double kGain = 400.0, kTarget = 3.0;  // N s/m; m/s

/// A pusher of 2 kg on a rail along x, whose drive holds 3 m/s with at most `limit`; two balls of 1 kg before
/// it.
std::string pushed_row(double limit) {
  return kHead +
         "  - {name: pusher, mass: 2, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: "
         "m}]}\n" +
         ball(0, 0.105, 0) + ball(1, 0.206, 0) +
         "joints:\n  - {name: rail, type: prismatic, parent: world, child: pusher, axis: [1, 0, 0], "
         "velocity: 3}\n"
         "actuators:\n  - {name: motor, joint: rail, type: velocity, damping: 400, command: 3, "
         "effort_limit: " +
         std::to_string(limit) + "}\n";
}

/// The same: each of the drive's three pieces is a row without a drive, with h times its gain in the mass or
/// a constant force. The one whose velocities lie on it is the step; the effort falls with v, so that there
/// is one.
VectorX pushed_step(const VectorX& v0, const VectorX& gaps, double limit, int* piece) {
  const MatrixX D = row_of(3, 2);
  const VectorX M{{2.0, 1.0, 1.0}};
  VectorX found;
  int num_found = 0;
  for (const int side : {-1, 0, 1}) {
    VectorX mass = M, start = v0;
    if (side == 0) mass[0] += kStep * kGain;
    start[0] =
        side == 0 ? (M[0] * v0[0] + kStep * kGain * kTarget) / mass[0] : v0[0] + side * kStep * limit / M[0];
    const VectorX v = spring_step(kStep, stiff(2), mass, D, start, gaps);
    const double u = kGain * (kTarget - v[0]);
    const bool on_it = side == 0 ? std::abs(u) <= limit : side * u > limit;
    if (!on_it) continue;
    found = v;
    *piece = side;
    ++num_found;
  }
  EXPECT_EQ(num_found, 1);
  return found;
}

class DrivenKnock : public testing::TestWithParam<LawAndSolver> {};

// The pusher has its target speed, so that its drive rests and nothing else moves: that it is stopped by the
// first ball, and then is at its limit, and that the first ball goes on to the second, comes out within the
// step.
TEST_P(DrivenKnock, ADriveAtItsLimitPushesIntoAHitThatIsPassedOn) {
  int at_limit_with_rounds = 0, between_with_rounds = 0;
  for (const double limit : {2.0, 100.0, 1e4}) {
    Simulation s(pushed_row(limit), GetParam().overrides);
    VectorX v{{3.0, 0.0, 0.0}}, gaps{{0.005, 0.001}};
    for (int n = 0; n < 12; ++n) {
      int piece = 0;
      v = pushed_step(v, gaps, limit, &piece);
      gaps += kStep * row_of(3, 2) * v;
      s.step();
      if (testing::Test::HasFailure()) return;
      // The solver's tolerance, 1e-10 of the momentum, over h^2 k/m = 1000 of each spring and a dozen steps.
      EXPECT_NEAR(s.state.v[0], v[0], 1e-6) << "limit " << limit << ", step " << n + 1;
      EXPECT_NEAR(s.velocity("ball_0").x(), v[1], 1e-6) << "limit " << limit << ", step " << n + 1;
      EXPECT_NEAR(s.velocity("ball_1").x(), v[2], 1e-6) << "limit " << limit << ", step " << n + 1;
      EXPECT_NEAR(s.frame.actuator_effort[0], std::clamp(kGain * (kTarget - v[0]), -limit, limit),
                  kGain * 1e-6);
      EXPECT_EQ(s.stepper->statistics().num_unforeseen, 0);
      if (s.stepper->statistics().num_rounds > 0)
        (piece == 0 ? between_with_rounds : at_limit_with_rounds) += 1;
    }
  }
  EXPECT_GE(at_limit_with_rounds, 2);
  EXPECT_GE(between_with_rounds, 1);
}

INSTANTIATE_TEST_SUITE_P(Laws, DrivenKnock, testing::ValuesIn(laws_and_solvers()), parameter_name);

// ------------------------------------------------------------------------------------ divided steps

constexpr double kHertz = 1e8;  // N/m^1.5, of a material: a force that bends takes more than one iteration

struct Row {
  VectorX x, v;  // of balls of 1 kg and 0.1 m
};

VectorX gaps_of(const Row& row) {
  return (row.x.tail(row.x.size() - 1) - row.x.head(row.x.size() - 1)).array() - 0.1;
}

Row advanced(const Row& row, double h) {
  Row next = row;
  const Eigen::Index n = row.x.size();
  // k^(-2/3) of both sides adds up.
  const VectorX k = VectorX::Constant(n - 1, kHertz / std::pow(2.0, 1.5));
  next.v = spring_step(h, k, VectorX::Ones(n), row_of(n, n - 1), row.v, gaps_of(row), 1.5);
  next.x += h * next.v;
  return next;
}

/// What a step of length h becomes in every way to halve it, and its parts, at most `depth` times; first the
/// whole one.
std::vector<Row> ways(const Row& row, double h, int depth) {
  std::vector<Row> all = {advanced(row, h)};
  if (depth == 0) return all;
  for (const Row& first : ways(row, 0.5 * h, depth - 1)) {
    for (const Row& second : ways(first, 0.5 * h, depth - 1)) all.push_back(second);
  }
  return all;
}

/// The ways whose velocities are those of the simulation's balls, by the solver's tolerance (1e-10 of the
/// momentum) over stiff springs, and whose places are the sums of their parts' motions.
std::vector<std::size_t> matches(const Simulation& s, const std::vector<Row>& all) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < all.size(); ++k) {
    double error = 0.0;
    for (Eigen::Index i = 0; i < all[k].x.size(); ++i) {
      const std::string name = "ball_" + std::to_string(i);
      error = std::max({error, std::abs(s.velocity(name).x() - all[k].v[i]),
                        std::abs(s.position(name).x() - all[k].x[i]) / kStep});
    }
    if (error < 1e-6) found.push_back(k);
  }
  return found;
}

// Few iterations are allowed, so that the step fails after some of its rounds and is made in parts, which
// have rounds of their own: the parts are steps like any other, and nothing of the whole one stays. Which
// parts, the solver chooses; what they give must be one of the ways to divide the step, and one alone.
TEST(DividedKnock, PartsOfAStepHaveTheirOwnRounds) {
  constexpr int kBalls = 5;
  Row row{VectorX(kBalls), VectorX::Zero(kBalls)};
  std::string text = kHead;
  row.v[0] = 4.0;
  for (int i = 0; i < kBalls; ++i) {
    row.x[i] = 0.101 * i + (i > 2 ? 0.004 : 0.0);
    text += ball(i, row.x[i], row.v[i]);
  }
  const std::vector<Row> all = ways(row, kStep, 4);
  int divided = 0;
  for (const int limit : {5, 6, 7, 50}) {
    std::vector<std::string> overrides = {"solver.method=newton", "contact.normal=hertz",
                                          "materials.m.hertz_stiffness=1e8",
                                          "solver.max_iterations=" + std::to_string(limit)};
    Simulation fails(text, overrides);
    const State before = fails.state;
    const bool whole = fails.stepper->step(&fails.state).ok;
    if (!whole) {
      EXPECT_EQ(fails.state.v, before.v);
      EXPECT_EQ(fails.state.q, before.q);
    }
    overrides.push_back("solver.on_nonconvergence=shorter_step");
    Simulation s(text, overrides);
    s.step();
    EXPECT_EQ(s.stepper->statistics().status == StepStatus::kShorterStep, !whole);
    EXPECT_GT(s.stepper->statistics().num_rounds, 0);
    const std::vector<std::size_t> found = matches(s, all);
    ASSERT_EQ(found.size(), 1U) << "iterations " << limit;
    EXPECT_EQ(found[0] == 0, whole);
    divided += !whole;
  }
  EXPECT_GE(divided, 2);
}

// ------------------------------------------------------------------------------------------- meshes

/// A cube of edge a as a surface, its faces across x divided about a place beside their middle, so that a
/// ball on the axis meets the inside of a triangle.
std::string write_cube(const std::string& name, double a) {
  // Of its own name in each process: tests run side by side.
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / (std::to_string(::getpid()) + "_" + name);
  std::ofstream file(path);
  file.precision(17);
  for (const double x : {-0.5 * a, 0.5 * a}) {
    for (const auto& [y, z] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {0.2, 0.3}})
      file << "v " << x << " " << a * y << " " << a * z << "\n";
  }
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    file << "f " << next + 1 << " " << k + 1 << " 5\n"
         << "f " << k + 6 << " " << next + 6 << " 10\n";
    file << "f " << k + 1 << " " << next + 1 << " " << next + 6 << "\nf " << k + 1 << " " << next + 6 << " "
         << k + 6 << "\n";
  }
  return path.string();
}

std::string mesh_cube(int number, const std::string& file, double x, double v) {
  std::ostringstream text;
  text.precision(17);
  text << "  - {name: ball_" << number << ", mass: 1, inertia: solid, pose: {xyz: [" << x
       << ", 0, 0]}, velocity: {linear: [" << v << ", 0, 0]}, geometry: [{shape: mesh, file: " << file
       << ", material: m}]}\n";
  return text.str();
}

class MeshKnock : public testing::TestWithParam<LawAndSolver> {};

// Ball, mesh, mesh, ball, mesh: a hit goes on from each kind to each other one. Two meshes that meet with
// their faces have a spring at each corner of the smaller one.
TEST_P(MeshKnock, AHitRunsAlongARowWithMeshes) {
  const std::string large = write_cube("knock_large.obj", 0.1), small = write_cube("knock_small.obj", 0.08);
  const VectorX v0{{4.0, 0.0, 0.0, 0.0, 0.0}};
  VectorX gaps{{0.002, 0.001, 0.003, 0.002}};
  const VectorX half{{0.05, 0.05, 0.04, 0.05, 0.05}};
  std::string text = kHead;
  double x = 0.0;
  for (int i = 0; i < 5; ++i) {
    if (i > 0) x += half[i - 1] + gaps[i - 1] + half[i];
    const bool is_ball = i == 0 || i == 3;
    text += is_ball ? ball(i, x, v0[i]) : mesh_cube(i, i == 2 ? small : large, x, v0[i]);
  }
  const VectorX k = kStiffness * VectorX{{1.0, 4.0, 1.0, 1.0}};
  Simulation s(text, GetParam().overrides);
  for (const std::string& file : {large, small}) std::filesystem::remove(file);
  VectorX v = v0;
  int rounds = 0;
  for (int n = 0; n < 5; ++n) {
    v = spring_step(kStep, k, VectorX::Ones(5), row_of(5, 4), v, gaps);
    gaps += kStep * row_of(5, 4) * v;
    s.step();
    if (testing::Test::HasFailure()) return;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "ball_" + std::to_string(i);
      EXPECT_NEAR(s.velocity(name).x(), v[i], 1e-6) << name << ", step " << n + 1;
      // All is central: nothing turns or leaves the axis.
      EXPECT_NEAR(s.velocity(name).tail<2>().norm() + s.angular_velocity(name).norm(), 0.0, 1e-6) << name;
    }
    rounds += s.stepper->statistics().num_rounds;
    EXPECT_EQ(s.stepper->statistics().num_unforeseen, 0);
    if (n == 0) {
      EXPECT_GE(rounds, 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, MeshKnock, testing::ValuesIn(laws_and_solvers()), parameter_name);

}  // namespace
}  // namespace csim::testing_support
