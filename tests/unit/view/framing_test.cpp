// The first view: what it contains, position and direction of the camera.
#include "view/framing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "view_scenes.h"

namespace csim {
namespace {

/// Largest coordinates of the box's corners in a picture whose edges are at 1.
Vector2 reach_in_picture(const Framing& framing, double aspect) {
  const double vertical = std::tan(0.5 * kFieldOfView * std::numbers::pi / 180.0);
  const Vector3 camera = framing.target + camera_distance(framing, aspect) * framing.direction;
  Vector2 reach = Vector2::Zero();
  for (int corner = 0; corner < 8; ++corner) {
    Vector3 p;
    for (int k = 0; k < 3; ++k) p[k] = (corner >> k & 1) != 0 ? framing.upper[k] : framing.lower[k];
    const Vector3 local = camera_axes(framing.direction).transpose() * (p - camera);
    EXPECT_LT(local.z(), 0.0);
    reach.x() = std::max(reach.x(), std::abs(local.x() / local.z()) / (aspect * vertical));
    reach.y() = std::max(reach.y(), std::abs(local.y() / local.z()) / vertical);
  }
  return reach;
}

TEST(FramingTest, TheBoxHoldsWhatMoves) {
  const Framing framing = frame_scene(rolling_ball());
  // From 0.1 left of the start to 0.1 right of the end; a thousandth is left around it.
  EXPECT_NEAR(framing.lower.x(), -0.1, 0.003);
  EXPECT_NEAR(framing.upper.x(), 1.1, 0.003);
  EXPECT_NEAR(framing.lower.z(), 0.0, 0.003);
  EXPECT_NEAR(framing.upper.z(), 0.2, 0.003);
  EXPECT_TRUE(framing.target.isApprox(Vector3(0.5, 0, 0.1), 1e-12));
}

TEST(FramingTest, TheBoxFillsThePictureAndNoMore) {
  const Framing framing = frame_scene(rolling_ball());
  for (const double aspect : {0.4, 1.0, 1.6, 3.0}) {
    const Vector2 reach = reach_in_picture(framing, aspect);
    // 1/1.12 at the edge that is met first.
    EXPECT_NEAR(reach.maxCoeff(), 1.0 / 1.12, 1e-9) << aspect;
  }
}

TEST(FramingTest, ALargeFloorDoesNotCountAndATrayDoes) {
  ViewScene scene = rolling_ball();
  const Framing alone = frame_scene(scene);
  add_box(&scene, {0, 0, -0.5}, {40, 40, 1});
  EXPECT_EQ(frame_scene(scene).lower, alone.lower);
  EXPECT_EQ(frame_scene(scene).radius, alone.radius);
  add_box(&scene, {0.5, 0, -0.05}, {2, 1, 0.1});
  EXPECT_NEAR(frame_scene(scene).lower.x(), -0.5, 0.005);
}

TEST(FramingTest, ABodyThatFliesAwayDoesNotCount) {
  ViewScene scene = rolling_ball();
  const Framing before = frame_scene(scene);
  // One pose of several hundred.
  for (int f = 11; f <= 400; ++f) scene.frames.push_back({0.1 * f, scene.frames[f % 11].X_WB, {}});
  scene.frames.back().X_WB[1] = at(0, 0, 1e6);
  EXPECT_NEAR(frame_scene(scene).radius, before.radius, 1e-3);
}

TEST(FramingTest, ABodyThatComesInFastIsSeenAtTheStart) {
  // One pose of several hundred too, but the first: what a page shows before anything is played.
  ViewScene scene = rolling_ball();
  for (int f = 11; f <= 400; ++f) scene.frames.push_back({0.1 * f, scene.frames[f % 11].X_WB, {}});
  scene.frames.front().X_WB[1] = at(-2, 0, 0.1);
  EXPECT_NEAR(frame_scene(scene).lower.x(), -2.1, 0.005);
}

TEST(FramingTest, ABodyThatFallsPastATableIsNotFollowedForLong) {
  // A cube stays on a table of 1 m, a ball falls beside it for 5 s, 122 m deep.
  ViewScene scene = rolling_ball();
  scene.planes.clear();
  scene.bodies.push_back({"cube", true});
  add_box(&scene, {0, 0, -0.05}, {1, 1, 0.1});
  scene.parts.push_back({"cube/box", 2, 1, {}, Vector3::Constant(0.1)});
  scene.frames.clear();
  for (int f = 0; f <= 150; ++f) {
    const double t = f / 30.0;
    scene.frames.push_back({t, {{}, at(0.7, 0, 0.1 - 4.905 * t * t), at(0, 0, 0.05)}, {}});
  }
  const Framing framing = frame_scene(scene);
  // The table, its cube, the ball where it starts (one pose of 302 is an outlier), and not more than the
  // diagonal of all of them (1.7 m) below.
  for (const Vector3& p : {Vector3(-0.5, -0.5, -0.1), Vector3(0.5, 0.5, 0.1), Vector3(0.8, 0, 0.15)}) {
    EXPECT_TRUE((framing.lower.array() <= p.array()).all() && (p.array() <= framing.upper.array()).all());
  }
  EXPECT_GT(framing.lower.z(), -1.8);
  EXPECT_LT(framing.radius, 1.5);
  for (const Vector3& p : framing.points) EXPECT_GT(p.z(), -1.8);
  // The ball and the table alone: the same. The ball alone: there is nothing else to see.
  scene.parts.pop_back();
  EXPECT_LT(frame_scene(scene).radius, 1.5);
  scene.parts.pop_back();
  EXPECT_GT(frame_scene(scene).radius, 50.0);
}

TEST(FramingTest, TheCameraStandsAboveEveryHalfSpace) {
  ViewScene scene = rolling_ball();
  // A wall that fills y < -1: the camera, at home in front (-y), has to go elsewhere.
  EXPECT_LT(frame_scene(scene).direction.y(), 0.0);
  RigidTransform X_WP = at(0, -1, 0);
  X_WP.R = Quaternion::FromTwoVectors(Vector3::UnitZ(), Vector3::UnitY()).toRotationMatrix();
  scene.planes.push_back({"ground/wall", 0, X_WP});
  const Framing framing = frame_scene(scene);
  for (const ViewPlane& plane : scene.planes) EXPECT_GT(framing.direction.dot(plane.X_BG.R.col(2)), 0.05);
  EXPECT_NEAR(framing.direction.norm(), 1.0, 1e-12);
}

TEST(FramingTest, TheFirstFrameAloneDecidesOnTheSide) {
  // A brick along x, which slides along y: seen from the side of its longer edge before it runs and after.
  ViewScene scene = rolling_ball();
  scene.parts = {{"ball/brick", 1, 1, {}, {0.3, 0.1, 0.1}}};
  for (ViewFrame& frame : scene.frames) frame.X_WB[1] = at(0, 3.0 * frame.time, 0.1);
  // And a plate that a motion carries away along y: before it runs one sees only that it is not free.
  scene.bodies.push_back({"plate", true});
  scene.parts.push_back({"plate/box", 2, 1, {}, {0.1, 0.2, 0.01}});
  for (ViewFrame& frame : scene.frames) frame.X_WB.push_back(at(0, 5.0 * frame.time, 0));
  const Vector3 after = frame_scene(scene).direction;
  scene.frames.resize(1);
  scene.bodies[2].moves = false;
  EXPECT_EQ(frame_scene(scene).direction, after);
  EXPECT_LT(after.y(), -std::abs(after.x()));
}

TEST(FramingTest, AnEmptySceneHasAView) {
  ViewScene scene;
  scene.frames = {{0.0, {}, {}}};
  const Framing framing = frame_scene(scene);
  EXPECT_GT(framing.radius, 0.0);
  EXPECT_TRUE(std::isfinite(camera_distance(framing, 1.5)));
}

TEST(FramingTest, AWallInFrontHidesAndAFloorDoesNot) {
  const ViewScene scene = rolling_ball();
  const Framing framing = frame_scene(scene);
  const Vector3 camera = framing.target + camera_distance(framing, 1.5) * framing.direction;
  const Surface box = box_surface();
  const RigidTransform between(Vector3(0.5 * (camera + framing.target)));
  EXPECT_TRUE(hides(box, between, {3, 0.1, 3}, camera, framing.points));
  EXPECT_FALSE(hides(box, at(0, 0, -0.5), {40, 40, 1}, camera, framing.points));
  // Behind what moves, and behind the camera.
  EXPECT_FALSE(hides(box, RigidTransform(Vector3(framing.target - framing.direction)), {3, 0.1, 3}, camera,
                     framing.points));
  EXPECT_FALSE(
      hides(box, RigidTransform(Vector3(camera + framing.direction)), {3, 0.1, 3}, camera, framing.points));
  EXPECT_FALSE(hides(box, between, {3, 0.1, 3}, camera, {}));
}

TEST(FramingTest, CameraAxesAreARotation) {
  const Matrix3 axes = camera_axes(Vector3(0.3, -0.8, 0.4).normalized());
  EXPECT_TRUE((axes.transpose() * axes).isApprox(Matrix3::Identity(), 1e-14));
  EXPECT_NEAR(axes.determinant(), 1.0, 1e-14);
  EXPECT_NEAR(axes(2, 0), 0.0, 1e-15);  // the horizon is level
  EXPECT_GT(axes(2, 1), 0.0);           // and up is up
}

TEST(FramingTest, RoundLengths) {
  for (const auto& [length, round] : std::initializer_list<std::pair<double, double>>{
           {1.0, 1.0}, {1.99, 1.0}, {2.0, 2.0}, {4.9, 2.0}, {0.07, 0.05}, {530.0, 500.0}}) {
    EXPECT_NEAR(round_length(length), round, 1e-12 * round);
  }
}

TEST(FramingTest, ACameraGoesWhereItIsAskedTo) {
  ViewScene scene = rolling_ball();
  const Framing all = frame_scene(scene);
  scene.camera.azimuth = 90.0;
  scene.camera.elevation = 30.0;
  scene.camera.zoom = 2.0;
  scene.camera.target = Vector3(1.0, 0.0, 0.1);
  const Framing framing = frame_scene(scene);
  EXPECT_LT((framing.direction - Vector3(0.0, std::sqrt(0.75), 0.5)).norm(), 1e-15);  // roundings of sines
  EXPECT_EQ(framing.target, *scene.camera.target);
  EXPECT_EQ(framing.lower, all.lower);
  // From the same side, half as far.
  scene.camera = {};
  scene.camera.zoom = 2.0;
  EXPECT_EQ(camera_distance(frame_scene(scene), 1.6), 0.5 * camera_distance(all, 1.6));
  // One angle alone leaves the other.
  scene.camera.azimuth = 17.0;
  EXPECT_NEAR(frame_scene(scene).direction.z(), all.direction.z(), 1e-15);
}

}  // namespace
}  // namespace csim
