// The ledger of pairs: a contact gives back what it took, and no more.
#include "step/account/pair_energies.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(PairEnergies, GivesBackWhatItTookAndGainsTheRest) {
  PairEnergies ledger, work;
  add_pair_energies({{0, 1, 2.0, 0.0}, {0, 2, 1.0, 0.0}}, 0.1, &ledger, &work);
  add_pair_energies({{0, 1, -1.5, 0.0}, {0, 2, -1.25, 0.0}}, 0.1, &ledger, &work);
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].stored, 0.5);
  EXPECT_EQ(ledger[0].gained, 0.0);
  EXPECT_EQ(ledger[1].stored, 0.0);
  EXPECT_EQ(ledger[1].gained, 0.25);
  // (0, 1) parts without a gain and is forgotten, with what it has not given back; (0, 2) keeps its gain.
  add_pair_energies({{1, 2, 0.5, 0.0}}, 0.1, &ledger, &work);
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].body_b, 2);
  EXPECT_EQ(ledger[0].gained, 0.25);
  EXPECT_EQ(ledger[1].body_a, 1);
  // It touches again: what it gives now it has not taken.
  add_pair_energies({{0, 1, -1.0, 0.0}, {0, 2, -1.0, 0.0}}, 0.1, &ledger, &work);
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].gained, 1.0);
  EXPECT_EQ(ledger[1].gained, 1.25);
  // Gains below the least are dropped when the bodies part.
  add_pair_energies({}, 1.1, &ledger, &work);
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].gained, 1.25);
}

// What the overlaps of a pair hold at the start of a step beyond what the step before has left.
TEST(PairEnergies, JumpsAreWhatWasNotLeft) {
  PairEnergies ledger{{.body_a = 0, .body_b = 1, .stored = 3.0, .left = 3.0}}, work;
  const auto step = [&](const PairEnergies& found) { add_pair_energies(found, 0.1, &ledger, &work); };
  step({{.body_a = 0, .body_b = 1, .left = 2.0, .jumped = 3.5}, {.body_a = 0, .body_b = 2, .jumped = 0.25}});
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].jumped, 0.5);
  EXPECT_EQ(ledger[0].left, 2.0);
  EXPECT_EQ(ledger[1].jumped, 0.25);  // touches for the first time
  // Apart, with a gain to keep: nothing is left of the overlap.
  step({{.body_a = 0, .body_b = 1, .stored = -4.0, .left = 1.0, .jumped = 2.0}});
  EXPECT_EQ(ledger[0].jumped, 0.0);
  step({});
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].jumped, 0.0);
  EXPECT_EQ(ledger[0].left, 0.0);
}

}  // namespace
}  // namespace csim
