// What tests of divided steps ask of a step.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "model/energy_accounts.h"
#include "support/simulation.h"

namespace csim::testing_support {

/// The step that another stepper made from the same state is that which the simulation has made.
inline void expect_same_bits(const StepOutcome& again, const Simulation& s) {
  EXPECT_EQ(again.state.q, s.state.q);
  EXPECT_EQ(again.state.v, s.state.v);
  EXPECT_EQ(again.state.tree_steps, s.state.tree_steps);
  for (const auto account : kEnergyAccounts) EXPECT_EQ(again.state.energy.*account, s.state.energy.*account);
  EXPECT_EQ(again.memory.v_before, s.stepper->memory().v_before);
  EXPECT_EQ(again.statistics.iterations, s.stepper->statistics().iterations);
}

/// Number of contacts and vertical force (N) on each body that is the second of its pairs.
struct BodyContacts {
  std::map<int, int> count;
  std::map<int, double> force;
};
inline BodyContacts contacts_by_body(const Simulation& s, const Frame& frame) {
  BodyContacts found;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const int body = s.model.geometries[frame.contacts.geometry_b[i]].body;
    ++found.count[body];
    found.force[body] += frame.contacts.force[i].z();
  }
  return found;
}

}  // namespace csim::testing_support
