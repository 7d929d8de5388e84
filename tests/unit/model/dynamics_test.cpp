// Mass matrix and forces against the definition by Jacobians, finite differences of the motion and of the
// energy, and Pinocchio.
#include "model/dynamics.h"

#include <Eigen/Cholesky>

#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

struct Evaluated {
  Kinematics kinematics;
  Dynamics dynamics;
  MatrixX M;  // of the only tree
};

Evaluated evaluate(const Model& model, const State& state) {
  Evaluated result;
  compute_kinematics(model, state.q, 0, 0, &result.kinematics);
  compute_dynamics(model, result.kinematics, state, 0, &result.dynamics);
  result.M = Eigen::Map<const MatrixX>(result.dynamics.mass.data(), model.nv, model.nv);
  return result;
}

Matrix6X body_jacobian(const Model& model, const Kinematics& kinematics, int body) {
  if (kinematics.jacobian_begin[body] < 0) return Matrix6X::Identity(6, model.nv);
  return Eigen::Map<const Matrix6X>(kinematics.jacobians.data() + kinematics.jacobian_begin[body], 6,
                                    model.nv);
}

// M = sum over bodies of J^T I J.
MatrixX mass_by_definition(const Model& model, const Kinematics& kinematics) {
  MatrixX M = model.armature.asDiagonal();
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const MassProperties& mass = model.bodies[i].mass;
    const Matrix3& R = kinematics.X_WB[i].R;
    const Matrix6X J = body_jacobian(model, kinematics, static_cast<int>(i));
    M += J.transpose() * spatial_inertia(mass.mass, R * mass.com, R * mass.inertia * R.transpose()) * J;
  }
  return M;
}

// Kane's equations with the accelerations of the motion at constant v by central differences of the twists
// J(q(t)) v:
//   force = - sum of J_com^T (m (a_com - g), I w' + w x I w).
VectorX force_by_differences(const Model& model, const State& state, double dt) {
  Kinematics middle, before, after;
  std::vector<Twist> V, V0, V1;
  VectorX q0 = state.q, q1 = state.q;
  advance_positions(model, state.v, -dt, &q0);
  advance_positions(model, state.v, dt, &q1);
  compute_kinematics(model, state.q, 0, 0, &middle);
  compute_kinematics(model, q0, 0, 0, &before);
  compute_kinematics(model, q1, 0, 0, &after);
  compute_twists(model, middle, state.v, &V);
  compute_twists(model, before, state.v, &V0);
  compute_twists(model, after, state.v, &V1);
  VectorX force = VectorX::Zero(model.nv);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const MassProperties& mass = model.bodies[i].mass;
    const auto com_velocity = [&](const Kinematics& kinematics, const std::vector<Twist>& twists) {
      return twists[i].at(kinematics.X_WB[i].R * mass.com);
    };
    const Vector3 a = (com_velocity(after, V1) - com_velocity(before, V0)) / (2 * dt);
    const Vector3 alpha = (V1[i].w - V0[i].w) / (2 * dt);
    const Matrix3& R = middle.X_WB[i].R;
    const Matrix3 I = R * mass.inertia * R.transpose();
    const Vector3 f = mass.mass * (a - model.gravity);
    const Vector3 moment = I * alpha + V[i].w.cross(I * V[i].w) + (R * mass.com).cross(f);
    const Matrix6X J = body_jacobian(model, middle, static_cast<int>(i));
    force -= J.topRows<3>().transpose() * moment + J.bottomRows<3>().transpose() * f;
  }
  return force;
}

TEST(Dynamics, MassMatrixIsTheSumOverBodies) {
  Scene scene = all_joints_scene();
  scene.joints[2].armature = {0.7};
  const Built built = build_valid(scene);
  const Evaluated result = evaluate(built.model, built.state);
  const MatrixX M = mass_by_definition(built.model, result.kinematics);
  // Entries up to 2, sums of some tens of terms.
  EXPECT_LT((result.M - M).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ((result.M - result.M.transpose()).cwiseAbs().maxCoeff(), 0.0);

  // And the kinetic energy is its quadratic form.
  std::vector<Twist> twists;
  compute_twists(built.model, result.kinematics, built.state.v, &twists);
  const MechanicalEnergy energy = mechanical_energy(built.model, result.kinematics, twists, built.state);
  EXPECT_NEAR(energy.kinetic, 0.5 * built.state.v.dot(M * built.state.v), 1e-14);
}

TEST(Dynamics, ForcesMatchAccelerationsByDifferences) {
  const Built built = build_valid(all_joints_scene());
  const Evaluated result = evaluate(built.model, built.state);
  // Truncation dt^2 times third derivatives below 100: 1e-8; rounding 1e-16/dt: 1e-11.
  EXPECT_LT(
      (result.dynamics.force - force_by_differences(built.model, built.state, 1e-5)).cwiseAbs().maxCoeff(),
      1e-7);
}

TEST(Dynamics, FreeBodyMatchesAccelerationsByDifferences) {
  Scene scene;
  BodySpec body = heavy_body("body", 1.7, {0.2, -0.1, 0.3}, {0.05, 0.06, 0.07, 0.01, -0.005, 0.003});
  body.pose = pose({1, 2, 3}, {0.4, -0.9, 2.0});
  body.angular_velocity = {3, -2, 4};
  body.linear_velocity = {0.5, 0.2, -1};
  scene.bodies = {body};
  const Built built = build_valid(scene);
  const Evaluated result = evaluate(built.model, built.state);
  EXPECT_LT(
      (result.dynamics.force - force_by_differences(built.model, built.state, 1e-5)).cwiseAbs().maxCoeff(),
      1e-7);
  EXPECT_LT((result.M - mass_by_definition(built.model, result.kinematics)).cwiseAbs().maxCoeff(), 1e-15);
}

// Lagrange: with coordinates q' = v, force = -d/dt(dT/dv) + dT/dq - dU/dq at constant v, all by finite
// differences of the two energies.
TEST(Dynamics, ForcesMatchLagrangesEquations) {
  Scene scene = all_joints_scene();
  scene.bodies.resize(6);
  // Without the ball and free joints, whose velocities are no derivatives of coordinates.
  scene.joints[3] = joint("ball", JointType::kPlanar, 2, 3);
  scene.joints[3].pose = pose({0.15, 0.25, -0.05}, {-0.1, 0.3, 0.7});
  scene.joints[3].position = {0.2, 0.1, -0.4};
  scene.joints[3].velocity = {0.5, -0.8, 1.2};
  scene.joints.erase(scene.joints.begin() + 1);
  for (JointSpec& spec : scene.joints) {
    for (std::size_t i = 0; i < spec.velocity.size(); ++i) {
      spec.stiffness[i] = 3.0 + static_cast<double>(i);
      spec.rest_position[i] = 0.1;
    }
  }
  const Built built = build_valid(scene);
  const Model& model = built.model;
  ASSERT_EQ(model.nq, model.nv);

  const auto energies = [&](const VectorX& q, const VectorX& v) {
    State state = built.state;
    state.q = q;
    state.v = v;
    Kinematics kinematics;
    compute_kinematics(model, q, 0, 0, &kinematics);
    std::vector<Twist> twists;
    compute_twists(model, kinematics, v, &twists);
    return mechanical_energy(model, kinematics, twists, state);
  };
  const VectorX& q = built.state.q;
  const VectorX& v = built.state.v;
  // T is quadratic in v: central differences of it are exact at any width. In q, dt = 1e-4: truncation dt^2
  // times third derivatives of the energies, some 10 J: 1e-7; rounding 1e-15/dt: 1e-11.
  constexpr double kWidth = 1e-4;
  const auto momentum = [&](const VectorX& at) {
    VectorX p(model.nv);
    for (int i = 0; i < model.nv; ++i) {
      const VectorX e = VectorX::Unit(model.nv, i);
      p[i] = 0.5 * (energies(at, v + e).kinetic - energies(at, v - e).kinetic);
    }
    return p;
  };
  VectorX expected = -(momentum(q + kWidth * v) - momentum(q - kWidth * v)) / (2 * kWidth);
  for (int i = 0; i < model.nv; ++i) {
    const VectorX e = kWidth * VectorX::Unit(model.nv, i);
    const MechanicalEnergy plus = energies(q + e, v), minus = energies(q - e, v);
    expected[i] +=
        ((plus.kinetic - plus.potential - plus.springs) - (minus.kinetic - minus.potential - minus.springs)) /
        (2 * kWidth);
  }
  const Evaluated result = evaluate(model, built.state);
  EXPECT_LT((result.dynamics.force - expected).cwiseAbs().maxCoeff(), 1e-6);
}

// Pinocchio 4.1.0: RevoluteUnaligned, PrismaticUnaligned, Universal, Spherical, Planar and FreeFlyer joints
// at the frames of `all_joints_scene`; crba and nonLinearEffects, carried from its body-axes velocities v_p =
// T v to ours: M = T^T M_p T, force = -T^T (h_p + M_p T' v). (Joints added depth first, as its crba needs.)
TEST(Dynamics, BranchedTreeMatchesPinocchio) {
  const Built built = build_valid(all_joints_scene());
  const Evaluated result = evaluate(built.model, built.state);
  VectorX force(16), acceleration(16), diagonal(16);
  force << 1.9274408368482407, -10.564241666330789, 0.6067041512361455, 1.5235356426654922,
      0.20097535502882918, -0.12787728435258033, 0.08481934791834124, -4.695814241789485, -4.801384036283326,
      -0.39093888807076665, -0.09159176080360704, 0.2831980107132158, 0.07952840379738169, -5.004136752716093,
      -1.12714242554862, -1.5385518414473565;
  acceleration << 0.6248625783453545, -8.187658953382414, 23.81006743168776, 28.762390208403794,
      -55.70921709183566, -17.423575368566674, 7.211049434827442, 2.4222058443875674, -6.696819698945698,
      -0.17691141212064426, 9.295424099549614, -10.352429822105504, -18.43902149949557, -8.538398022731455,
      -1.1752245938180836, -3.7973265801817857;
  diagonal << 0.7592832431441521, 1.7, 0.16752894626690015, 0.09042162032738138, 0.03766195184222385,
      0.02262692934996977, 0.035940671845297756, 1.0, 1.0, 0.02138275906259177, 0.014128980899610025,
      0.018107605473019123, 0.014163413627370862, 0.8, 0.8, 0.8;
  // Two recursions in double; the accelerations through a condition number of some 1e3.
  EXPECT_LT((result.dynamics.force - force).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((result.M.diagonal() - diagonal).cwiseAbs().maxCoeff(), 1e-14);
  const VectorX a = result.M.llt().solve(result.dynamics.force);
  EXPECT_LT((a - acceleration).cwiseAbs().maxCoeff(), 1e-11);

  std::vector<Twist> twists;
  compute_twists(built.model, result.kinematics, built.state.v, &twists);
  const MechanicalEnergy energy = mechanical_energy(built.model, result.kinematics, twists, built.state);
  EXPECT_NEAR(energy.kinetic, 0.9394195743810032, 1e-14);
  EXPECT_NEAR(energy.potential, 27.69048968849953, 1e-13);
}

// Many trees and free bodies side by side solve as each alone: A (v* - v0) = h (force - D v0 - h K v0) by a
// dense solution.
TEST(FreeMotion, SolvesItsEquation) {
  Scene scene = all_joints_scene();
  for (JointSpec& spec : scene.joints) {
    for (std::size_t i = 0; i < spec.velocity.size(); ++i) {
      spec.damping[i] = 0.1 + 0.05 * static_cast<double>(i);
      spec.armature[i] = 0.02 * static_cast<double>(i);
      if (!has_quaternion(spec.type)) spec.stiffness[i] = 20.0;
    }
  }
  BodySpec free = heavy_body("free", 1.7, {0.2, -0.1, 0.3}, {0.05, 0.06, 0.07, 0.01, -0.005, 0.003});
  free.angular_velocity = {3, -2, 4};
  scene.bodies.push_back(free);
  free.name = "damped";
  scene.bodies.push_back(free);
  JointSpec damped = joint("damped", JointType::kFree, -1, 8);
  damped.damping = {0.1, 0.1, 0.1, 2, 2, 2};
  damped.velocity = {1, 2, 3, 4, 5, 6};
  scene.joints.push_back(damped);
  const Built built = build_valid(scene);
  const Model& model = built.model;
  ASSERT_EQ(model.trees.size(), 3u);
  ASSERT_EQ(model.free_bodies.size(), 2u);

  constexpr double kTimeStep = 0.01;
  Kinematics kinematics;
  Dynamics dynamics;
  FreeMotion motion;
  compute_kinematics(model, built.state.q, 0, 0, &kinematics);
  compute_dynamics(model, kinematics, built.state, 0, &dynamics);
  compute_free_motion(model, dynamics, built.state, kTimeStep, &motion);

  MatrixX M = MatrixX::Zero(model.nv, model.nv), A = M;
  for (const Tree& tree : model.trees) {
    const auto place = [&](const std::vector<double>& blocks, MatrixX* full) {
      full->block(tree.v_begin, tree.v_begin, tree.nv, tree.nv) =
          Eigen::Map<const MatrixX>(blocks.data() + tree.block_begin, tree.nv, tree.nv);
    };
    place(dynamics.mass, &M);
    place(motion.A, &A);
  }
  const VectorX implicit = model.damping + kTimeStep * model.stiffness;
  const MatrixX expected = M + MatrixX((kTimeStep * implicit).asDiagonal());
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-15);
  const VectorX right = kTimeStep * (dynamics.force - implicit.cwiseProduct(built.state.v));
  EXPECT_LT((expected * (motion.v_star - built.state.v) - right).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace csim
