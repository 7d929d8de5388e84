// Velocity terms at the mean velocity: the equation that defines them, by forces and solutions from
// elsewhere.
#include "model/velocity_terms.h"

#include <Eigen/LU>

#include "all_joints_scene.h"

namespace csim {
namespace {

using test::Built;

constexpr double kStep = 0.004;  // s

struct MeanStep {
  Kinematics kinematics;
  Dynamics dynamics;
  FreeMotion motion;
  VectorX impulse;  // N s, N m s
};

/// A step of the scene with springs and dampers, and impulses on all coordinates.
MeanStep begin(const Built& built) {
  MeanStep step;
  const int nv = built.model.nv;
  step.impulse = VectorX::LinSpaced(nv, -0.03, 0.04);
  compute_kinematics(built.model, built.state.q, 0, kStep, &step.kinematics);
  compute_dynamics(built.model, step.kinematics, built.state, kStep, &step.dynamics);
  step.motion.theta.setConstant(nv, 0.5);
  compute_free_motion(built.model, step.dynamics, built.state, kStep, &step.motion);
  return step;
}

Built build_scene(double speed) {
  Scene scene = test::all_joints_scene();
  for (JointSpec& spec : scene.joints) {
    for (double& v : spec.velocity) v *= speed;
    for (std::size_t i = 0; i < spec.velocity.size(); ++i) {
      spec.damping[i] = 0.1 + 0.05 * static_cast<double>(i);
      if (!has_quaternion(spec.type)) spec.stiffness[i] = 20.0;
    }
  }
  return test::build_valid(scene);
}

/// v of A (v - v0) = h (f - L v0) + p with the forces f of compute_dynamics at the velocities `mean`.
VectorX solve_by_elimination(const Built& built, const MeanStep& step, const VectorX& mean) {
  State state = built.state;
  state.v = mean;
  Dynamics dynamics;
  compute_dynamics(built.model, step.kinematics, state, kStep, &dynamics);
  VectorX right = kStep * dynamics.force + step.impulse;
  for (int i = 0; i < built.model.nv; ++i)
    right[i] -= kStep * implicit_gain(built.model, step.motion, kStep, i) * built.state.v[i];
  VectorX v = built.state.v;
  for (const Tree& tree : built.model.trees) {
    const Eigen::Map<const MatrixX> A(step.motion.A.data() + tree.block_begin, tree.nv, tree.nv);
    v.segment(tree.v_begin, tree.nv) += A.fullPivLu().solve(right.segment(tree.v_begin, tree.nv));
  }
  return v;
}

// v = v* + A^-1 p solves the equation whose forces are those at (v0 + v)/2, wherever the search begins, from
// speeds of 1 to 100 rad/s. Rounding: some 1e-15 of the speed times the condition of A, 1e3.
TEST(VelocityTerms, SolveTheirEquation) {
  for (const double speed : {1.0, 10.0, 100.0}) {
    const Built built = build_scene(speed);
    VectorX v_of_first;
    for (const bool begins_near : {false, true}) {
      MeanStep step = begin(built);
      MeanVelocityWorkspace workspace;
      const VectorX guess = begins_near ? v_of_first : step.motion.v_star;
      ASSERT_EQ(take_mean_velocity_terms(built.model, step.kinematics, built.state, {}, step.impulse, guess,
                                         0.0, kStep, &step.dynamics, &step.motion, &workspace),
                -1);
      VectorX change = step.impulse;
      solve_trees(built.model, step.motion.A, step.motion.factor, &change);
      const VectorX v = step.motion.v_star + change;
      const VectorX expected = solve_by_elimination(built, step, 0.5 * (built.state.v + v));
      EXPECT_LT((v - expected).norm(), 1e-12 * v.norm()) << speed << ' ' << begins_near;
      if (begins_near) {
        EXPECT_LT((v - v_of_first).norm(), 1e-12 * v.norm()) << speed;
      }
      v_of_first = v;
    }
  }
}

// From a guess off by a thousandth, with the contraction that the search before has seen.
TEST(VelocityTerms, EndWithinTheAccuracy) {
  const Built built = build_scene(10.0);
  MeanStep step = begin(built);
  MeanVelocityWorkspace workspace;
  const auto search = [&](const VectorX& guess, double accuracy) {
    EXPECT_EQ(take_mean_velocity_terms(built.model, step.kinematics, built.state, {}, step.impulse, guess,
                                       accuracy, kStep, &step.dynamics, &step.motion, &workspace),
              -1);
    VectorX change = step.impulse;
    solve_trees(built.model, step.motion.A, step.motion.factor, &change);
    return VectorX(step.motion.v_star + change);
  };
  const VectorX exact = search(VectorX(step.motion.v_star), 0.0), guess = 1.001 * exact;
  double last = 0.0;
  for (const double accuracy : {1e-8, 1e-6}) {
    const double error = (search(guess, accuracy) - exact).norm();
    EXPECT_LT(error, accuracy * exact.norm());
    EXPECT_GT(error, last);  // it ends earlier
    last = error;
  }
}

// Columns of the inverse by the factors, and by elimination; a block that is none has NaN.
TEST(FreeMotion, FactorsSolveBlocks) {
  const Built built = build_scene(1.0);
  MeanStep step = begin(built);
  for (const Tree& tree : built.model.trees) {
    const Eigen::Map<const MatrixX> A(step.motion.A.data() + tree.block_begin, tree.nv, tree.nv);
    const MatrixX inverse = A.fullPivLu().inverse();
    for (int i = 0; i < tree.nv; ++i) {
      VectorX x = VectorX::Unit(built.model.nv, tree.v_begin + i);
      solve_trees(built.model, step.motion.A, step.motion.factor, &x);
      EXPECT_LT((x.segment(tree.v_begin, tree.nv) - inverse.col(i)).norm(), 1e-11 * inverse.norm());
    }
  }
  const Tree& tree = built.model.trees.front();
  step.motion.A[tree.block_begin + tree.nv + 1] = -1.0;
  factor_trees(built.model, step.motion.A, &step.motion.factor);
  VectorX x = VectorX::Ones(built.model.nv);
  solve_trees(built.model, step.motion.A, step.motion.factor, &x);
  EXPECT_TRUE(x.segment(tree.v_begin, tree.nv).array().isNaN().all());
}

}  // namespace
}  // namespace csim
