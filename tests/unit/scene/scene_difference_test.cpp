#include "scene/scene_difference.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/resolve.h"

namespace csim {
namespace {

const char* const kScene = R"(csim: 1
time: {step: 0.001, end: 1}
materials: {steel: {friction: 0.3}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: steel}]}
  - {name: ball, density: 7800, pose: {xyz: [0, 0, 0.3]}, geometry: [{shape: sphere, radius: 0.05, material: steel}]}
)";

bool is_end(const std::string& path) {
  return path == "time.end";
}

std::string resolved(const std::vector<std::string>& overrides) {
  const SceneReadResult read = read_scene_text(kScene, "scene.yaml", overrides);
  EXPECT_TRUE(read.ok()) << format_diagnostics(read.diagnostics);
  return resolved_yaml(read.scene);
}

std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return first_difference(resolved(a), resolved(b), is_end);
}

TEST(SceneDifference, NamesTheFirstKeyAndBothValues) {
  EXPECT_EQ(difference({}, {}), "");
  EXPECT_EQ(difference({}, {"time.end=2"}), "");  // ignored
  EXPECT_EQ(difference({}, {"materials.steel.friction=0.4"}), "materials.steel.friction: 0.3, now 0.4");
  EXPECT_EQ(difference({}, {"bodies.ball.pose.xyz=[0, 0, 1]"}),
            "bodies.ball.pose.xyz: [0, 0, 0.3], now [0, 0, 1]");
  EXPECT_EQ(difference({}, {"bodies.ball.geometry.geometry_0.radius=0.1"}),
            "bodies.ball.geometry.geometry_0.radius: 0.05, now 0.1");
  // The earlier of two.
  EXPECT_EQ(difference({"gravity=[0, 0, -9]"}, {"bodies.ball.name=b", "gravity=[0, 0, -10]"}),
            "gravity: [0, 0, -9], now [0, 0, -10]");
}

TEST(SceneDifference, KeysAndElementsOfOneSceneAlone) {
  EXPECT_EQ(difference({}, {"output.checkpoint=0.5"}), "output.checkpoint: none, now 0.5");
  EXPECT_EQ(first_difference("a: 1", "b: 1", is_end), "a: 1, now not given");
  EXPECT_EQ(first_difference("a: {b: 1}", "a: {b: 1, c: 2}", is_end), "a.c: not given, now 2");
  EXPECT_EQ(first_difference("a: [{name: x, b: 1}]", "a: [{name: x, b: 1}, {name: y, b: 1}]", is_end),
            "a.y: not given, now 2 keys");
  EXPECT_EQ(first_difference("a: [{name: x}]", "a: 3", is_end), "a: [1 keys], now 3");
}

}  // namespace
}  // namespace csim
