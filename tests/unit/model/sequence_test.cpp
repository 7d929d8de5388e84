#include "model/sequence.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "test_scenes.h"

namespace csim {
namespace {

/// A slide with two drives, and a sequence of three phases.
Model slide() {
  const std::string text = R"(
csim: 1
name: slide
time: {end: 1}
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: j, type: prismatic, parent: world, child: a}]
actuators:
  - {name: first, joint: j, type: effort, command: {sine: {mean: 1, amplitude: 2, frequency: 1}}}
  - {name: second, joint: j, type: effort, command: 5}
sequence:
  - {name: up, commands: {second: {ramp: {to: 7, duration: 0.5}}}}
  - {name: over, commands: {first: {times: [0, 0.2], values: [3, 4]}}, until: {joint_position: j, above: 0.3}}
  - {name: last, commands: {second: {ramp: {to: 0, duration: 0}}}, until: {time: 0.25}}
)";
  const test::Built built = test::build_valid(read_scene_text(text, "slide.yaml").scene);
  EXPECT_EQ(built.state.sequence, begin_sequence(built.model));
  return built.model;
}

TEST(Sequence, PhasesTellActuatorsInTurn) {
  const Model model = slide();
  SequenceState state = begin_sequence(model);
  const auto at = [&](std::size_t actuator, double t) { return command_at(model, state, actuator, t); };
  EXPECT_EQ(state.phase, 0);
  EXPECT_DOUBLE_EQ(at(0, 0.25).value, 3.0);  // its own
  EXPECT_DOUBLE_EQ(at(1, 0.25).value, 6.0);
  EXPECT_DOUBLE_EQ(at(1, 0.25).rate, 4.0);
  EXPECT_DOUBLE_EQ(at(1, 0.75).value, 7.0);
  EXPECT_DOUBLE_EQ(at(1, 0.75).rate, 0.0);
  end_phase(model, 0.25, &state);  // before the ramp is over
  EXPECT_EQ(state.phase, 1);
  EXPECT_DOUBLE_EQ(at(0, 0.35).value, 3.5);
  EXPECT_DOUBLE_EQ(at(0, 0.9).value, 4.0);
  EXPECT_DOUBLE_EQ(at(1, 0.9).value, 6.0);  // held
  EXPECT_DOUBLE_EQ(at(1, 0.9).rate, 0.0);
  end_phase(model, 0.35, &state);
  EXPECT_DOUBLE_EQ(at(0, 0.4).value, 3.5);  // held
  EXPECT_DOUBLE_EQ(at(1, 0.35).value, 0.0);
  EXPECT_FALSE(state.is_over);
  end_phase(model, 0.6, &state);
  EXPECT_EQ(state.phase, 2);  // stays in force
  EXPECT_TRUE(state.is_over);
  EXPECT_DOUBLE_EQ(at(1, 2.0).value, 0.0);
}

TEST(Sequence, APhaseTellsActuatorsInAnyOrder) {
  const std::string text = R"(
csim: 1
name: slides
time: {end: 1}
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: j, type: prismatic, parent: world, child: a}]
actuators:
  - {name: first, joint: j, type: effort, command: 1}
  - {name: second, joint: j, type: effort, command: 2}
  - {name: third, joint: j, type: effort, command: 3}
sequence: [{name: all, commands: {third: 30, first: 10}, until: {time: 1}}]
)";
  const Model model = test::build_valid(read_scene_text(text, "slides.yaml").scene).model;
  const SequenceState state = begin_sequence(model);
  EXPECT_DOUBLE_EQ(command_at(model, state, 0, 0.5).value, 10.0);
  EXPECT_DOUBLE_EQ(command_at(model, state, 1, 0.5).value, 2.0);  // its own
  EXPECT_DOUBLE_EQ(command_at(model, state, 2, 0.5).value, 30.0);
}

TEST(Sequence, PhasesEndByTheirConditions) {
  const Model model = slide();
  EXPECT_FALSE(is_phase_over(model.phases[0], 1.0, 1.499, 0.0));  // of its ramp
  EXPECT_TRUE(is_phase_over(model.phases[0], 1.0, 1.5 - 1e-12, 0.0));
  EXPECT_FALSE(is_phase_over(model.phases[1], 0.0, 9.0, 0.3));  // above
  EXPECT_TRUE(is_phase_over(model.phases[1], 0.0, 0.0, 0.3001));
  EXPECT_FALSE(is_phase_over(model.phases[2], 1.0, 1.2, 0.0));
  EXPECT_TRUE(is_phase_over(model.phases[2], 1.0, 1.25 - 1e-12, 0.0));
  EXPECT_EQ(model.phases[1].waits_for, "the position of joint 'j' above 0.3");
}

TEST(Sequence, WithoutOneActuatorsFollowTheirOwnCommands) {
  Model model = slide();
  model.phases.clear();
  const SequenceState none = begin_sequence(model);
  EXPECT_EQ(none.phase, -1);
  EXPECT_DOUBLE_EQ(command_at(model, none, 1, 3.0).value, 5.0);
}

}  // namespace
}  // namespace csim
