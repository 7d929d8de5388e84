// The still picture, by its pixels.
#include "view/still.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "view/color_map.h"
#include "view/frame_at.h"
#include "view/still_things.h"
#include "view_scenes.h"

namespace csim {
namespace {

struct Rgb {
  int r, g, b;
  [[nodiscard]] int brightness() const { return r + g + b; }
  bool operator==(const Rgb&) const = default;
};

Rgb pixel(const Picture& picture, int i, int j) {
  const std::uint32_t rgb = picture.pixels[static_cast<std::size_t>(j) * picture.width + i];
  return {static_cast<int>(rgb >> 16 & 255), static_cast<int>(rgb >> 8 & 255), static_cast<int>(rgb & 255)};
}

const Rgb kBackground{0xee, 0xf1, 0xf4};

/// Without anything that is written on it.
Picture plain_still(const ViewScene& scene, std::size_t frame, int width, int height) {
  return render_still(scene, frame, {width, height, true}).picture;
}

/// A ball in the middle of nothing.
ViewScene ball_alone() {
  ViewScene scene = rolling_ball();
  scene.planes.clear();
  scene.frames.resize(1);
  return scene;
}

TEST(StillTest, ABallFillsTheMiddleOfThePicture) {
  const Picture picture = plain_still(ball_alone(), 0, 160, 120);
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
  EXPECT_EQ(png_bytes(plain_still(scene, 5, 96, 64)), png_bytes(plain_still(scene, 5, 96, 64)));
  EXPECT_NE(png_bytes(plain_still(scene, 5, 96, 64)), png_bytes(plain_still(scene, 6, 96, 64)));
}

TEST(StillTest, ABoxThrowsAShadow) {
  // A lid over the ball keeps the sun off the floor under it: compare the same pixel with and without.
  ViewScene scene = rolling_ball();
  scene.surfaces.push_back(box_surface());
  const Picture without = plain_still(scene, 0, 160, 120);
  scene.bodies.push_back({"lid", true});
  scene.parts.push_back({"lid/box", 2, 2, {}, {0.3, 0.3, 0.02}});
  for (ViewFrame& frame : scene.frames) frame.X_WB.push_back(at(0.5, 0, 0.19));
  const Picture with = plain_still(scene, 0, 160, 120);
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
  const Rgb before = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  const Framing framing = frame_scene(scene);
  // A plate between camera and ball, turned towards the camera; large, so that the view stays.
  RigidTransform X_WG(Vector3(framing.target + 0.3 * framing.direction));
  X_WG.R = camera_axes(framing.direction);
  scene.parts.push_back({"ground/plate", 0, 1, X_WG, {5, 5, 0.01}});
  const Rgb after = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  EXPECT_NE(after, before);
  EXPECT_GT(after.b, after.r + 30);  // the ball is seen through it
}

TEST(StillTest, APathGoesUpToTheTimeOfTheFrame) {
  // The ball rolls from x = 0 to 1 in 1 s; its centre of mass lies 0.05 above its middle.
  ViewScene scene = rolling_ball();
  scene.planes.clear();
  scene.bodies[1].com = Vector3(0, 0, 0.05);
  const std::vector<Vector3> path = path_until(scene, 1, 0.55);
  ASSERT_EQ(path.size(), 7U);  // six frames, and the time between two of them
  EXPECT_TRUE(path.front().isApprox(Vector3(0, 0, 0.15)));
  EXPECT_LT((path.back() - Vector3(0.55, 0, 0.15)).norm(), 1e-12);
  EXPECT_EQ(path_until(scene, 1, 0.0).size(), 1U);
  // Blue on the left of where the ball is at half time, none on the right.
  scene.camera.azimuth = -90.0;
  const auto blue = [&](std::size_t frame, int from, int to) {
    const Picture picture = plain_still(scene, frame, 320, 200);
    int pixels = 0;
    for (int j = 0; j < 200; ++j) {
      for (int i = from; i < to; ++i) pixels += pixel(picture, i, j).b > pixel(picture, i, j).r + 40;
    }
    return pixels;
  };
  EXPECT_EQ(blue(5, 20, 120), 0);
  scene.traces = {1};
  EXPECT_GT(blue(5, 20, 120), 50);
  EXPECT_EQ(blue(5, 200, 300), 0);
  EXPECT_EQ(blue(0, 200, 300), 0);
  EXPECT_GT(blue(10, 20, 120), 50);
}

TEST(StillTest, ForcesAreFaintBehindBodies) {
  ViewScene scene = ball_alone();
  scene.has_contacts = true;
  // From a place in front of the ball upwards.
  const Vector3 before = Vector3(0, 0, 0.1) + 0.11 * frame_scene(scene).direction;
  scene.frames[0].contacts = {{before, {0, 0, 5.0}, 0, 1, false}};
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
  const Picture sticking = plain_still(scene, 0, 640, 480);
  // A slim arrow: its head at least is wider than a pixel.
  EXPECT_GT(count(sticking, orange), 10);
  EXPECT_EQ(count(sticking, purple), 0);
  scene.frames[0].contacts[0].slips = true;
  const Picture slipping = plain_still(scene, 0, 640, 480);
  EXPECT_EQ(count(slipping, orange), 0);
  EXPECT_GT(count(slipping, purple), 10);
  // From its middle, where it hides the whole arrow.
  scene.frames[0].contacts = {{{0, 0, 0.1}, {0, 0, 5.0}, 0, 1, false}};
  const Picture hidden = plain_still(scene, 0, 640, 480);
  EXPECT_EQ(count(hidden, orange), 0);
  scene.frames[0].contacts.clear();
  const Picture bare = plain_still(scene, 0, 640, 480);
  EXPECT_EQ(count(bare, orange) + count(bare, purple), 0);
  int redder = 0;
  for (std::size_t k = 0; k < bare.pixels.size(); ++k)
    redder += (hidden.pixels[k] >> 16 & 255) > (bare.pixels[k] >> 16 & 255) + 20;
  EXPECT_GT(redder, 10);
}

/// A part that is not drawn and still belongs to the view.
constexpr double kInvisible = 0.0;

TEST(StillTest, ArrowsEndWithinThePicture) {
  ViewScene scene = ball_alone();
  scene.parts[0].color = Vector4(1.0, 1.0, 1.0, kInvisible);
  scene.has_contacts = true;
  // With the ball high in the picture the arrow, of 0.36 radii, would go on beyond the upper edge.
  scene.camera.target = Vector3(0, 0, 0.02);
  scene.frames[0].contacts = {{{0, 0, 0.17}, {0, 0, 5.0}, 0, 1, false}};
  const Picture picture = plain_still(scene, 0, 640, 480);
  int highest = picture.height, darkest = 765;
  for (int j = 0; j < picture.height; ++j) {
    for (int i = 0; i < picture.width; ++i) {
      const Rgb p = pixel(picture, i, j);
      if (p.r <= p.b + 60) continue;
      highest = std::min(highest, j);
      darkest = std::min(darkest, p.r);
    }
  }
  // A hundredth of the height below the edge, and in the darker colour of what is cut.
  EXPECT_GE(highest, 3);
  EXPECT_LE(highest, 10);
  EXPECT_LT(darkest, 0.56 * 0xd9);
}

TEST(StillTest, ColoursOfTheScene) {
  ViewScene scene = ball_alone();
  scene.parts[0].color = Vector4(1.0, 0.0, 0.0, 1.0);
  const Rgb red = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  EXPECT_GT(red.r, 150);
  EXPECT_LT(red.g + red.b, 60);
  scene.parts[0].color->w() = 0.5;
  const Rgb pink = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  EXPECT_NEAR(pink.g, 0.5 * (red.g + kBackground.g), 2);
  scene.parts[0].color->w() = kInvisible;
  EXPECT_EQ(pixel(plain_still(scene, 0, 160, 120), 80, 60), kBackground);
}

TEST(StillTest, WhatSleepsIsPale) {
  ViewScene scene = ball_alone();
  const Rgb awake = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  scene.frames[0].asleep = {0, 0};
  EXPECT_EQ(pixel(plain_still(scene, 0, 160, 120), 80, 60), awake);
  scene.frames[0].asleep = {1, 0};  // another one
  EXPECT_EQ(pixel(plain_still(scene, 0, 160, 120), 80, 60), awake);
  scene.frames[0].asleep = {0, 1};
  const Rgb asleep = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  // Nearer to the background than half the way, as far as it is lit.
  for (const auto& [before, now, ground] :
       {std::tuple{awake.r, asleep.r, kBackground.r}, {awake.g, asleep.g, kBackground.g}}) {
    EXPECT_GT(now - before, 0.45 * (ground - before));
    EXPECT_LT(now, ground);
  }
  EXPECT_GT(asleep.b, asleep.r);  // its own colour still

  // The same in a film, whose pictures are of times between the rows.
  scene.frames.push_back(scene.frames[0]);
  scene.frames[1].time = 0.1;
  const ViewFrame between = frame_at(scene, 0.04);
  EXPECT_EQ(between.asleep, scene.frames[0].asleep);
  EXPECT_EQ(pixel(render_still(scene, between, frame_scene(scene), {160, 120, true}).picture, 80, 60),
            asleep);
}

TEST(StillTest, ASecondResultIsDrawnTranslucent) {
  ViewScene scene = ball_alone();
  const Rgb alone = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  auto other = std::make_shared<ViewScene>(rolling_ball());
  scene.overlay = other;
  // In the same place, or behind, the first is seen.
  EXPECT_EQ(pixel(plain_still(scene, 0, 160, 120), 80, 60), alone);
  const Vector3 direction = frame_scene(scene).direction;
  other->frames[0].X_WB[1].p -= 0.3 * direction;
  EXPECT_EQ(pixel(plain_still(scene, 0, 160, 120), 80, 60), alone);
  // In front of it the ball is seen through the other one.
  other->frames[0].X_WB[1].p += 0.6 * direction;
  const Rgb both = pixel(plain_still(scene, 0, 160, 120), 80, 60);
  EXPECT_LT(both.brightness(), alone.brightness() - 20);
  EXPECT_GT(both.b, both.r + 30);
}

TEST(StillTest, ASceneBeforeItRunsHasFramesAndLabels) {
  ViewScene scene = ball_alone();
  const Picture bare = render_still(scene, 0, {640, 480}).picture;
  scene.before_running = true;
  scene.bodies[1].mass = 2.5;
  const auto reddish = [](const Picture& picture) {
    int count = 0;
    for (int j = 60; j < 380; ++j) {
      for (int i = 0; i < 640; ++i) count += pixel(picture, i, j).r > pixel(picture, i, j).b + 60;
    }
    return count;
  };
  EXPECT_EQ(reddish(bare), 0);
  const Picture frames = render_still(scene, 0, {640, 480}).picture;
  EXPECT_GT(reddish(frames), 10);  // the x axis
  scene.overlaps = {{"ball/shell", "ground/plane", 1e-3, {0.0, 0.0, 0.02}}};
  const Picture overlaps = render_still(scene, 0, {640, 480}).picture;
  EXPECT_GT(reddish(overlaps), reddish(frames) + 30);
}

TEST(StillTest, LinksAndForcesOnBodiesAreSeen) {
  ViewScene scene = ball_alone();
  scene.parts[0].color = Vector4::Zero();  // nothing hides them
  // Pixels that are darker than the background, reddish (links) or bluish (forces).
  const auto count = [&](bool reddish) {
    const Picture picture = plain_still(scene, 0, 640, 480);
    int found = 0;
    for (int j = 0; j < 480; ++j) {
      for (int i = 0; i < 640; ++i) {
        const Rgb p = pixel(picture, i, j);
        if (p.brightness() < kBackground.brightness() - 60)
          found += reddish ? p.r > p.b + 10 : p.b > p.r + 40;
      }
    }
    return found;
  };
  EXPECT_EQ(count(true), 0);
  EXPECT_EQ(count(false), 0);
  scene.links = {
      {"rope", "distance", {{-1, {0.0, 0.0, 0.3}}, {1, {0.0, 0.0, 0.0}}}}};  // of the world and the ball
  EXPECT_GT(count(true), 50);
  EXPECT_EQ(count(false), 0);
  for (ViewFrame& frame : scene.frames) frame.broken = {1};
  EXPECT_EQ(count(true), 0);
  for (ViewFrame& frame : scene.frames) frame.broken = {0};
  EXPECT_GT(count(true), 50);
  scene.links.clear();
  for (ViewFrame& frame : scene.frames) frame.broken.clear();
  for (ViewFrame& frame : scene.frames) frame.forces = {{{0.0, 0.0, 0.1}, {0.0, 0.0, 5.0}, 1}};
  EXPECT_EQ(count(true), 0);
  EXPECT_GT(count(false), 50);
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
  const Picture picture = render_still(scene, 0, {640, 480}).picture;
  const Rgb8& expected = color_map()[color_index(3000.0, 3000.0)];
  // Beside the middle, where the point that the arrows start from is.
  EXPECT_EQ(pixel(picture, 350, 250), (Rgb{expected[0], expected[1], expected[2]}));
  // The ball around it is see-through: nearer to the background than to its own blue.
  EXPECT_GT(pixel(picture, 320, 120).brightness(), 550);
  // A body without patches is no glass.
  ViewScene beside = scene;
  beside.bodies.push_back({"box", true});
  beside.parts.push_back({"box/box", 2, 1, {}, Vector3::Constant(0.1)});
  beside.frames[0].X_WB.push_back(at(0.0, 0.0, 0.5));
  const std::vector<char> with_polygons = bodies_with_polygons(beside);
  EXPECT_EQ(with_polygons, (std::vector<char>{1, 1, 0}));
  const RasterCamera camera{axes, framing.target + 5.0 * framing.direction, 800.0, 0.0, 640, 480};
  const Things things(beside, beside.frames[0], framing, camera);
  EXPECT_EQ(things.see_through.size(), 1u);
  EXPECT_EQ(things.solid.size() - Things(scene, scene.frames[0], framing, camera).solid.size(), 1u);
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
  EXPECT_EQ(pixel(render_still(scene, 0, {640, 480}).picture, 622, 100), kBackground);
}

TEST(StillTest, AMomentHasAnArrowOfItsOwn) {
  ViewScene scene = ball_alone();
  scene.has_patches = true;
  scene.parts[0].color = Vector4(1.0, 1.0, 1.0, kInvisible);
  scene.frames[0].patches = {{{0, 0, 0.1}, {0, 0, 5.0}, {2.0, 0, 0}, 0, 1, {}}};
  const Picture picture = plain_still(scene, 0, 640, 480);
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

/// First and last column with a pixel that `wanted` takes, among rows [from, to).
template <typename Wanted>
std::pair<int, int> columns(const Picture& picture, int from, int to, Wanted wanted) {
  const int compass = picture.width - 200;  // at the right, which has colours of its own
  std::pair<int, int> found{picture.width, -1};
  for (int j = from; j < to; ++j) {
    for (int i = 0; i < compass; ++i) {
      if (!wanted(pixel(picture, i, j))) continue;
      found = {std::min(found.first, i), std::max(found.second, i)};
    }
  }
  return found;
}

bool is_round(double value, double tolerance) {
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    const double scaled = value / std::pow(10.0, std::floor(std::log10(value)));
    if (std::abs(scaled - digit) < tolerance * digit) return true;
  }
  return false;
}

TEST(StillTest, TheScaleBarIsARoundLengthOfTheScene) {
  // A ball of radius R at distance d, seen under asin(R/d): its silhouette is f R / sqrt(d^2 - R^2) wide from
  // its middle. A length L at the ball's middle is f L / d.
  for (const double R : {0.03, 0.7}) {
    ViewScene scene = ball_alone();
    scene.parts[0].scale = Vector3::Constant(R);
    const int width = 1200, height = 900;
    const Still still = render_still(scene, 0, {width, height});
    ASSERT_TRUE(still.annotated);
    const auto blue = [](const Rgb& p) { return p.b > p.r + 40; };
    const auto [left, right] = columns(still.picture, height / 2 - 40, height / 2 + 40, blue);
    const double d = camera_distance(frame_scene(scene), static_cast<double>(width) / height);
    const double pixels_per_metre = 0.5 * (right - left + 1) * std::sqrt(d * d - R * R) / (R * d);
    // The only line of the panel: the longest run of ink in any of its rows is the bar.
    int longest = 0;
    for (int j = height - 80; j < height; ++j) {
      int run = 0;
      for (int i = 0; i < width; ++i) {
        run = pixel(still.picture, i, j) == Rgb{0x1d, 0x27, 0x33} ? run + 1 : 0;
        longest = std::max(longest, run);
      }
    }
    // Both lengths are known to a pixel of a hundred and more.
    EXPECT_GT(longest, 60);
    EXPECT_TRUE(is_round(longest / pixels_per_metre, 0.02)) << longest / pixels_per_metre;
  }
}

TEST(StillTest, TheLegendsArrowIsOfARoundForce) {
  for (const double force : {3.7, 890.0}) {
    ViewScene scene = ball_alone();
    const int width = 1200, height = 900;
    scene.has_contacts = true;
    scene.parts[0].color = Vector4(1.0, 1.0, 1.0, kInvisible);
    // Across the view, at the depth of the ball's middle.
    const Vector3 right = camera_axes(frame_scene(scene).direction).col(0);
    scene.frames[0].contacts = {{frame_scene(scene).target, force * right, 0, 1, false}};
    const Still still = render_still(scene, 0, {width, height});
    ASSERT_TRUE(still.annotated);
    const auto orange = [](const Rgb& p) { return p.r > p.b + 80 && p.g > 40; };
    const auto drawn = columns(still.picture, 400, 500, orange);
    const auto shown = columns(still.picture, 800, 900, orange);
    // The drawn arrow starts in the middle of the picture (with a ball there).
    const double length = drawn.second - 599.5, legend = shown.second - shown.first;
    EXPECT_GT(legend, 40.0);
    // Tips fade within two pixels.
    EXPECT_TRUE(is_round(legend / length * force, 0.05)) << legend / length * force;
  }
}

TEST(StillTest, ArrowsThatAreCutAreNamed) {
  // Of a hundred forces one is much larger than the others: its arrow is cut, which the legend says.
  ViewScene scene = ball_alone();
  scene.has_contacts = true;
  for (int k = 0; k < 100; ++k) scene.frames[0].contacts.push_back({{0, 0, 0.1}, {0, 0, 5.0}, 0, 1, false});
  const auto ink = [](const Picture& picture) {
    int count = 0;
    for (int j = 700; j < 900; ++j) {
      for (int i = 0; i < 1200; ++i) count += pixel(picture, i, j).brightness() < 200;
    }
    return count;
  };
  const int before = ink(render_still(scene, 0, {1200, 900}).picture);
  scene.frames[0].contacts[7].force.z() = 9.9;
  EXPECT_EQ(ink(render_still(scene, 0, {1200, 900}).picture), before);
  scene.frames[0].contacts[7].force.z() = 500.0;
  EXPECT_GT(ink(render_still(scene, 0, {1200, 900}).picture), before + 300);
}

TEST(StillTest, WhatIsWrittenLeavesTheRestAsItIs) {
  ViewScene scene = rolling_ball();
  const Picture plain = plain_still(scene, 3, 640, 480);
  const Still still = render_still(scene, 3, {640, 480});
  ASSERT_TRUE(still.annotated);
  int above = 0, below = 0;
  for (int j = 0; j < 480; ++j) {
    for (int i = 0; i < 640; ++i) {
      if (pixel(plain, i, j) == pixel(still.picture, i, j)) continue;
      (j < 240 ? above : below) += 1;
      const bool is_compass = i > 540 && j > 370;
      EXPECT_TRUE(is_compass || (i < 320 && (j < 40 || j > 400))) << i << " " << j;
    }
  }
  EXPECT_GT(above, 500);
  EXPECT_GT(below, 500);
  // Another time is written otherwise.
  scene.frames[3].time = 0.4;
  EXPECT_NE(png_bytes(render_still(scene, 3, {640, 480}).picture), png_bytes(still.picture));
  // Without room nothing is written.
  const Still small = render_still(scene, 3, {96, 64});
  EXPECT_FALSE(small.annotated);
  EXPECT_EQ(small.picture.pixels, plain_still(scene, 3, 96, 64).pixels);
}

}  // namespace
}  // namespace csim
