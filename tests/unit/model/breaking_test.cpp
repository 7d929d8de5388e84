#include "model/breaking.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "test_scenes.h"

namespace csim {
namespace {

TEST(Breaking, ReactionsByKind) {
  const std::string text = R"(
csim: 1
name: ties
time: {end: 1}
bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1]}
  - {name: b, mass: 1, inertia: [1, 1, 1], pose: {xyz: [1, 0, 0]}}
constraints:
  - {name: rod, type: distance, a: a, b: b, length: 1, max: 1.2, breaking_load: 1}
  - {name: pin, type: ball, a: a, b: b, point_b: [-1, 0, 0]}
  - {name: seam, type: weld, a: a, b: b, pose_b: {xyz: [-1, 0, 0]}, breaking_load: 2, breaking_torque: 3}
  - {name: knob, type: ball, a: a, b: b, point_b: [-1, 0, 0], breaking_load: 4}
)";
  auto [model, state, problems, notes] = test::build_valid(read_scene_text(text, "ties.yaml").scene);
  EXPECT_EQ(state.broken, std::vector<char>(4, 0));
  EXPECT_FALSE(fits(model, std::vector<char>{}));

  VectorX force(2 + 3 + 6 + 3);
  force << 1.5, -2.0, 7, 7, 7, 2, 3, 6, -1, 2, 2, 3, 0, -4;
  ASSERT_EQ(model.breaking_loads.size(), 4U);
  const double found[] = {0.5, 7.0, 3.0, 5.0}, limit[] = {1, 3, 2, 4};
  const int constraint[] = {0, 2, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(reaction(model.breaking_loads[i], force), found[i]);
    EXPECT_EQ(model.breaking_loads[i].limit, limit[i]);
    EXPECT_EQ(model.breaking_loads[i].constraint, constraint[i]);
  }
  state.broken[2] = 1;
  EXPECT_TRUE(is_broken(state, 2));
  EXPECT_FALSE(is_broken(state, 3));
  EXPECT_FALSE(is_broken(state, -1));
}

// Where nothing can break there is nothing to keep.
TEST(Breaking, NothingOfAModelThatDoesNotBreak) {
  Model model;
  model.constraint_names = {"rod"};
  EXPECT_TRUE(all_whole(model).empty());
  EXPECT_FALSE(is_broken(State(), 0));
}

}  // namespace
}  // namespace csim
