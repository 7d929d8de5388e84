// The still picture, by its pixels.
#include "view/still.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "view/color_map.h"
#include "view_scenes.h"

namespace csim {
namespace {

struct Rgb {
  int r, g, b;
  [[nodiscard]] int brightness() const { return r + g + b; }
  bool operator==(const Rgb&) const = default;
};

Rgb pixel(const Picture& picture, int i, int j) {
  const std::size_t at = 3 * (static_cast<std::size_t>(j) * picture.width + i);
  return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

const Rgb kBackground{0xee, 0xf1, 0xf4};

/// A ball in the middle of nothing.
ViewScene ball_alone() {
  ViewScene scene = rolling_ball();
  scene.planes.clear();
  scene.frames.resize(1);
  return scene;
}

TEST(StillTest, ABallFillsTheMiddleOfThePicture) {
  const Picture picture = render_still(ball_alone(), 0, 160, 120);
  EXPECT_EQ(pixel(picture, 0, 0), kBackground);
  EXPECT_EQ(pixel(picture, 159, 119), kBackground);
  // The palette's first colour is blue.
  const Rgb middle = pixel(picture, 80, 60);
  EXPECT_GT(middle.b, middle.r + 40);
  // It is lit from above.
  EXPECT_GT(pixel(picture, 80, 40).brightness(), pixel(picture, 80, 85).brightness());
}

TEST(StillTest, TheSameBytesEveryTime) {
  const ViewScene scene = rolling_ball();
  EXPECT_EQ(png_bytes(render_still(scene, 5, 96, 64)), png_bytes(render_still(scene, 5, 96, 64)));
  EXPECT_NE(png_bytes(render_still(scene, 5, 96, 64)), png_bytes(render_still(scene, 6, 96, 64)));
}

TEST(StillTest, ABoxThrowsAShadow) {
  // A lid over the ball keeps the sun off the floor under it: compare the same pixel with and without.
  ViewScene scene = rolling_ball();
  scene.surfaces.push_back(box_surface());
  const Picture without = render_still(scene, 0, 160, 120);
  scene.bodies.push_back({"lid", true});
  scene.parts.push_back({"lid/box", 2, 2, {}, {0.3, 0.3, 0.02}});
  for (ViewFrame& frame : scene.frames) frame.X_WB.push_back(at(0.5, 0, 0.19));
  const Picture with = render_still(scene, 0, 160, 120);
  int darker = 0;
  for (int j = 0; j < 120; ++j) {
    for (int i = 0; i < 160; ++i) {
      // Shadow: darker, and as grey as the floor was.
      const Rgb a = pixel(without, i, j), b = pixel(with, i, j);
      darker += b.brightness() < a.brightness() - 60 && std::abs(b.r - b.b) < 25;
    }
  }
  EXPECT_GT(darker, 100);
}

TEST(StillTest, AWallInFrontIsGlass) {
  ViewScene scene = ball_alone();
  const Rgb before = pixel(render_still(scene, 0, 160, 120), 80, 60);
  const Framing framing = frame_scene(scene);
  // A plate between camera and ball, turned towards the camera; large, so that the view stays.
  RigidTransform X_WG(Vector3(framing.target + 0.3 * framing.direction));
  X_WG.R = camera_axes(framing.direction);
  scene.parts.push_back({"ground/plate", 0, 1, X_WG, {5, 5, 0.01}});
  const Rgb after = pixel(render_still(scene, 0, 160, 120), 80, 60);
  EXPECT_NE(after, before);
  EXPECT_GT(after.b, after.r + 30);  // the ball is seen through it
}

TEST(StillTest, ForcesStandBeforeBodies) {
  ViewScene scene = ball_alone();
  scene.has_contacts = true;
  // From the middle of the ball upwards.
  scene.frames[0].contacts = {{{0, 0, 0.1}, {0, 0, 5.0}, 0, 1, false}};
  // Neither the blue ball nor the background has orange or purple.
  const auto count = [](const Picture& picture, auto is_mark) {
    int marks = 0;
    for (int j = 0; j < picture.height; ++j) {
      for (int i = 0; i < picture.width; ++i) marks += is_mark(pixel(picture, i, j));
    }
    return marks;
  };
  const auto orange = [](const Rgb& p) { return p.r > p.b + 80; };
  const auto purple = [](const Rgb& p) { return p.r > p.g + 80 && p.b > p.g + 60; };
  const Picture sticking = render_still(scene, 0, 640, 480);
  // A slim arrow: its head at least is wider than a pixel.
  EXPECT_GT(count(sticking, orange), 10);
  EXPECT_EQ(count(sticking, purple), 0);
  scene.frames[0].contacts[0].slips = true;
  const Picture slipping = render_still(scene, 0, 640, 480);
  EXPECT_EQ(count(slipping, orange), 0);
  EXPECT_GT(count(slipping, purple), 10);
  scene.frames[0].contacts.clear();
  const Picture bare = render_still(scene, 0, 640, 480);
  EXPECT_EQ(count(bare, orange) + count(bare, purple), 0);
}

TEST(StillTest, PolygonsHaveTheColourOfTheirPressureInsideTheBody) {
  ViewScene scene = ball_alone();
  // A square of 0.1 m through the middle of the ball that faces the camera, at 3 kPa of a run with 40 kPa:
  // the frame's largest pressure has the last colour.
  const Framing framing = frame_scene(scene);
  const Matrix3 axes = camera_axes(framing.direction);
  ViewPatch patch{framing.target, Vector3::Zero(), Vector3::Zero(), 0, 1, {}};
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    patch.polygons.corners.push_back(framing.target + 0.05 * (x * axes.col(0) + y * axes.col(1)));
    patch.polygons.pressure.push_back(3000.0);
  }
  patch.polygons.end = {4};
  scene.frames[0].patches = {patch};
  scene.has_patches = scene.has_polygons = true;
  scene.pressure = {40000.0, 40000.0};
  const Picture picture = render_still(scene, 0, 640, 480);
  const Rgb8& expected = color_map()[color_index(3000.0, 3000.0)];
  // Beside the middle, where the point that the arrows start from is.
  EXPECT_EQ(pixel(picture, 350, 250), (Rgb{expected[0], expected[1], expected[2]}));
  // The ball around it is see-through: nearer to the background than to its own blue.
  EXPECT_GT(pixel(picture, 320, 120).brightness(), 550);
  // The bar at the right: its last colour at the top, its first at the bottom.
  const auto has = [&](const Rgb8& color) {
    for (int j = 0; j < 480; ++j) {
      if (pixel(picture, 622, j) == Rgb{color[0], color[1], color[2]}) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(color_map()[254]));
  EXPECT_TRUE(has(color_map()[1]));
  // Without patches there is none.
  scene.has_patches = scene.has_polygons = false;
  scene.frames[0].patches.clear();
  EXPECT_EQ(pixel(render_still(scene, 0, 640, 480), 622, 100), kBackground);
}

TEST(StillTest, AMomentHasAnArrowOfItsOwn) {
  ViewScene scene = ball_alone();
  scene.has_patches = true;
  scene.frames[0].patches = {{{0, 0, 0.1}, {0, 0, 5.0}, {2.0, 0, 0}, 0, 1, {}}};
  const Picture picture = render_still(scene, 0, 640, 480);
  int orange = 0, violet = 0;
  for (int j = 0; j < 480; ++j) {
    for (int i = 0; i < 640; ++i) {
      const Rgb p = pixel(picture, i, j);
      orange += p.r > p.b + 80;
      violet += p.b > p.r + 60 && p.r > p.g + 5;
    }
  }
  EXPECT_GT(orange, 10);
  EXPECT_GT(violet, 10);
}

}  // namespace
}  // namespace csim
