// Prescribed motions: values at known times, derivatives by differences, and trees on moving roots against
// the same in inertial frames.
#include "model/motion.h"

#include <numbers>

#include "unit/model/all_joints_scene.h"

namespace csim {
namespace {

using namespace test;

MotionSpec keyframes(Interpolation interpolation) {
  MotionSpec spec;
  spec.type = MotionType::kKeyframes;
  spec.interpolation = interpolation;
  spec.times = {0.2, 0.5, 1.1, 1.3};
  spec.xyz = {{0, 1, 0.5}, {0.4, 0.7, -0.3}, {-0.2, 0.9, 0.8}, {0.1, 0.2, 1.1}};
  spec.rpy = {{0, 0.3, 0}, {0.7, -0.4, 1.5}, {1.2, 0.9, 2.5}, {0.8, 1.0, 4.0}};
  return spec;
}

MotionSpec sine() {
  MotionSpec spec;
  spec.type = MotionType::kSine;
  spec.amplitude = {0.1, 0, -0.3};
  spec.frequency = 1.5;
  spec.phase = 0.4;
  return spec;
}

MotionSpec turning() {
  MotionSpec spec;
  spec.type = MotionType::kVelocity;
  spec.velocity = {0.3, -0.2, 0.1};
  spec.angular_velocity = {1.0, -2.0, 0.5};
  return spec;
}

const Pose kBase = pose({0.5, -0.1, 0.2}, {0.3, 0.2, -0.8});

// scipy.interpolate.CubicSpline(times, xyz, bc_type="clamped"): value, first, second derivative.
TEST(Motion, CubicIsTheClampedSpline) {
  const Motion motion = make_motion(keyframes(Interpolation::kCubic), Pose());
  const MotionState a = evaluate_motion(motion, 0.3);
  EXPECT_LT((a.position - Vector3(0.08975571315996847, 0.9267139479905437, 0.3412923561859733)).norm(),
            1e-14);
  EXPECT_LT((a.velocity.v - Vector3(1.5685579196217496, -1.2659574468085109, -2.825059101654846)).norm(),
            1e-13);
  EXPECT_LT((a.acceleration.v - Vector3(8.888888888888895, -6.666666666666671, -17.77777777777778)).norm(),
            1e-12);
  const MotionState b = evaluate_motion(motion, 0.77);
  EXPECT_LT((b.position - Vector3(0.11364920212765953, 1.0216231382978724, -0.18823005319148958)).norm(),
            1e-14);
  EXPECT_LT((b.velocity.v - Vector3(-1.9667819148936179, 1.6416755319148932, 2.369547872340425)).norm(),
            1e-13);
  const MotionState c = evaluate_motion(motion, 1.25);
  EXPECT_LT((c.velocity.v - Vector3(1.301861702127661, -2.753989361702131, 0.8597074468085119)).norm(),
            1e-13);
  EXPECT_LT((c.acceleration.v - Vector3(-19.414893617021274, 43.031914893617014, -15.877659574468096)).norm(),
            1e-12);
}

TEST(Motion, LinearGoesThroughKeysAndHoldsOutside) {
  const Motion motion = make_motion(keyframes(Interpolation::kLinear), Pose());
  const MotionState middle = evaluate_motion(motion, 0.35);
  EXPECT_LT((middle.position - Vector3(0.2, 0.85, 0.1)).norm(), 1e-15);
  EXPECT_LT((middle.velocity.v - Vector3(0.4, -0.3, -0.8) / 0.3).norm(), 1e-14);
  EXPECT_TRUE(middle.rotation.isApprox(rotation_from_rpy({0.35, -0.05, 0.75}), 1e-15));
  for (double t : {-1.0, 0.0, 0.1, 0.2}) {
    const MotionState before = evaluate_motion(motion, t);
    EXPECT_EQ(before.position, Vector3(0, 1, 0.5));
    EXPECT_EQ(before.velocity.v, Vector3::Zero());
    EXPECT_EQ(before.velocity.w, Vector3::Zero());
  }
  const MotionState after = evaluate_motion(motion, 2.0);
  EXPECT_EQ(after.position, Vector3(0.1, 0.2, 1.1));
  EXPECT_EQ(after.velocity.v, Vector3::Zero());
  EXPECT_TRUE(after.rotation.isApprox(rotation_from_rpy({0.8, 1.0, 4.0}), 1e-15));
}

// At a key the segment before it counts, whichever way n h rounds.
TEST(Motion, LinearVelocityAtAKeyIsTheOneBefore) {
  const Motion motion = make_motion(keyframes(Interpolation::kLinear), Pose());
  const Vector3 first = Vector3(0.4, -0.3, -0.8) / 0.3, second = Vector3(-0.6, 0.2, 1.1) / 0.6;
  EXPECT_LT((evaluate_motion(motion, 0.5).velocity.v - first).norm(), 1e-14);
  EXPECT_LT((evaluate_motion(motion, 0.5 + 1e-12).velocity.v - first).norm(), 1e-14);
  EXPECT_LT((evaluate_motion(motion, 0.5 + 1e-6).velocity.v - second).norm(), 1e-14);
  EXPECT_LT((evaluate_motion(motion, 1.3).velocity.v - Vector3(0.3, -0.7, 0.3) / 0.2).norm(), 1e-13);
  // Nothing comes before the start of a run: a motion whose first key is at 0 moves from there on.
  MotionSpec spec = keyframes(Interpolation::kLinear);
  for (double& time : spec.times) time -= 0.2;
  EXPECT_LT((evaluate_motion(make_motion(spec, Pose()), 0.0).velocity.v - first).norm(), 1e-14);
}

TEST(Motion, StepHoldsEachKeyUntilTheNext) {
  const Motion motion = make_motion(keyframes(Interpolation::kStep), Pose());
  EXPECT_EQ(evaluate_motion(motion, 0.49).position, Vector3(0, 1, 0.5));
  EXPECT_EQ(evaluate_motion(motion, 0.5).position, Vector3(0.4, 0.7, -0.3));
  EXPECT_EQ(evaluate_motion(motion, 0.5 - 1e-12).position, Vector3(0.4, 0.7, -0.3));
  EXPECT_EQ(evaluate_motion(motion, 0.5).velocity.v, Vector3::Zero());
  EXPECT_EQ(evaluate_motion(motion, 5.0).position, Vector3(0.1, 0.2, 1.1));
}

TEST(Motion, SineAndVelocityStartAtTheirPose) {
  const MotionState moved = evaluate_motion(make_motion(turning(), kBase), 0.0);
  EXPECT_EQ(moved.position, kBase.xyz);
  EXPECT_TRUE(moved.rotation.isApprox(kBase.rotation, 1e-15));
  const MotionState swung = evaluate_motion(make_motion(sine(), kBase), 0.7);
  const double angle = 2 * std::numbers::pi * 1.5 * 0.7 + 0.4;
  EXPECT_LT((swung.position - kBase.xyz - std::sin(angle) * Vector3(0.1, 0, -0.3)).norm(), 1e-15);
  EXPECT_TRUE(swung.rotation.isApprox(kBase.rotation, 1e-15));
}

TEST(Motion, KeyframesMayLeaveOutEitherPart) {
  MotionSpec spec = keyframes(Interpolation::kLinear);
  spec.rpy.clear();
  EXPECT_TRUE(
      evaluate_motion(make_motion(spec, Pose()), 0.4).rotation.isApprox(Quaternion::Identity(), 1e-15));
  spec = keyframes(Interpolation::kLinear);
  spec.xyz.clear();
  EXPECT_EQ(evaluate_motion(make_motion(spec, Pose()), 0.4).position, Vector3::Zero());
  EXPECT_GT(evaluate_motion(make_motion(spec, Pose()), 0.4).velocity.w.norm(), 1.0);
}

TEST(Motion, VelocitiesAndAccelerationsAreDerivatives) {
  // Truncation dt^2 times third derivatives up to 2e3 (sine): 2e-7; rounding 1e-16/dt.
  constexpr double kStep = 1e-5, kTolerance = 1e-6;
  for (const MotionSpec& spec :
       {keyframes(Interpolation::kLinear), keyframes(Interpolation::kCubic), sine(), turning()}) {
    const Motion motion = make_motion(spec, kBase);
    for (double t : {0.1, 0.33, 0.87, 1.21, 1.6}) {
      const MotionState before = evaluate_motion(motion, t - kStep), at = evaluate_motion(motion, t),
                        after = evaluate_motion(motion, t + kStep);
      const Eigen::AngleAxisd turn(after.rotation * before.rotation.conjugate());
      EXPECT_LT((at.velocity.v - (after.position - before.position) / (2 * kStep)).norm(), kTolerance);
      EXPECT_LT((at.velocity.w - turn.angle() / (2 * kStep) * turn.axis()).norm(), kTolerance);
      EXPECT_LT((at.acceleration.v - (after.velocity.v - before.velocity.v) / (2 * kStep)).norm(),
                kTolerance);
      EXPECT_LT((at.acceleration.w - (after.velocity.w - before.velocity.w) / (2 * kStep)).norm(),
                kTolerance);
    }
  }
}

}  // namespace
}  // namespace csim
