// The fixture of these tests: an invalid scene stops with its errors.
#include "support/simulation.h"

#include <gmock/gmock.h>

namespace csim {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::Simulation;

TEST(SimulationFixture, StopsAtASceneThatCannotBeRead) {
  EXPECT_THAT([] { Simulation("csim: 1\ntime: {end: 1}\nbodis: []\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("scene.yaml:3:1: error: bodis: unknown key")));
}

TEST(SimulationFixture, StopsAtASceneOfWhichThereIsNoModel) {
  EXPECT_THAT([] { Simulation("csim: 1\ntime: {end: 1}\nbodies: [{name: a, density: 1}]\n"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("scene.yaml:3:29: error: bodies.a.density")));
}

}  // namespace
}  // namespace csim
