// The ledger of pairs: a contact gives back what it took, and no more.
#include "step/account/pair_energies.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

/// Of bodies a and b, whose contacts took `taken` (J).
PairWork took(int a, int b, double taken) {
  return {.body_a = a, .body_b = b, .taken = taken};
}

/// Of a support and three bodies.
Model three_trees() {
  Model model;
  model.bodies.resize(4);
  for (int b = 1; b < 4; ++b) model.bodies[static_cast<std::size_t>(b)].tree = b - 1;
  return model;
}

TEST(PairEnergies, GivesBackWhatItTookAndGainsTheRest) {
  const Model model = three_trees();
  VectorX dissipated = VectorX::Zero(3);
  PairEnergies ledger, scratch;
  const auto step = [&](double least, PairWorks works) {
    add_pair_works(model, {}, least, &works, &ledger, &dissipated, &scratch);
  };
  step(0.1, {took(0, 1, 2.0), took(0, 2, 1.0)});
  step(0.1, {took(0, 1, -1.5), took(0, 2, -1.25)});
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].stored, 0.5);
  EXPECT_EQ(ledger[0].gained, 0.0);
  EXPECT_EQ(ledger[1].stored, 0.0);
  EXPECT_EQ(ledger[1].gained, 0.25);
  // (0, 1) parts without a gain and is forgotten, with what it has not given back; (0, 2) keeps its gain.
  step(0.1, {took(1, 2, 0.5)});
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].body_b, 2);
  EXPECT_EQ(ledger[0].gained, 0.25);
  EXPECT_EQ(ledger[1].body_a, 1);
  // It touches again: what it gives now it has not taken.
  step(0.1, {took(0, 1, -1.0), took(0, 2, -1.0)});
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(ledger[0].gained, 1.0);
  EXPECT_EQ(ledger[1].gained, 1.25);
  // Gains below the least are dropped when the bodies part.
  step(1.1, {});
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].gained, 1.25);
}

// What the overlaps of a pair hold at the start of a step beyond what the step before has left.
TEST(PairEnergies, JumpsAreWhatWasNotLeft) {
  const Model model = three_trees();
  VectorX dissipated = VectorX::Zero(3);
  PairEnergies ledger{{.body_a = 0, .body_b = 1, .stored = 3.0, .left = 3.0}}, scratch;
  PairWorks works{{.body_a = 0, .body_b = 1, .before = 3.5, .after = 2.0},
                  {.body_a = 0, .body_b = 2, .before = 0.25}};
  EXPECT_EQ(add_pair_works(model, {}, 0.1, &works, &ledger, &dissipated, &scratch), 0.75);
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(works[0].jumped, 0.5);
  EXPECT_EQ(ledger[0].left, 2.0);
  EXPECT_EQ(works[1].jumped, 0.25);  // touches for the first time
  works = {{.body_a = 0, .body_b = 1, .taken = -4.0, .before = 2.0, .after = 1.0}};
  EXPECT_EQ(add_pair_works(model, {}, 0.1, &works, &ledger, &dissipated, &scratch), 0.0);
  EXPECT_EQ(works[0].jumped, 0.0);
  EXPECT_EQ(energy_left(ledger), 1.0);
  // Apart, with a gain to keep: nothing is left of the overlap.
  works.clear();
  EXPECT_EQ(add_pair_works(model, {}, 0.1, &works, &ledger, &dissipated, &scratch),
            -1.0);  // what (0, 1) had left
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger[0].gained, 1.0);
  EXPECT_EQ(ledger[0].left, 0.0);
}

// A step of some trees: the rows of pairs without them stay as they are.
TEST(PairEnergies, OfTreesThatTakeNoPartStay) {
  const Model model = three_trees();
  VectorX dissipated = VectorX::Zero(3);
  PairEnergies ledger{{.body_a = 0, .body_b = 1, .stored = 3.0, .left = 3.0},
                      {.body_a = 0, .body_b = 2, .stored = 1.0, .left = 0.5},
                      {.body_a = 2, .body_b = 3, .stored = 1.0, .left = 0.25}},
      scratch;
  PairWorks works{{.body_a = 0, .body_b = 1, .before = 3.5, .after = 2.0}};
  EXPECT_EQ(add_pair_works(model, {1, 0, 0}, 0.1, &works, &ledger, &dissipated, &scratch), 0.5);
  ASSERT_EQ(ledger.size(), 3u);
  EXPECT_EQ(ledger[0].left, 2.0);
  EXPECT_EQ(ledger[1].left, 0.5);
  EXPECT_EQ(ledger[2].left, 0.25);
  works.clear();
  EXPECT_EQ(add_pair_works(model, {0, 0, 1}, 0.1, &works, &ledger, &dissipated, &scratch), -0.25);
  ASSERT_EQ(ledger.size(), 2u);
  EXPECT_EQ(energy_left(ledger), 2.5);
}

// What the contacts have taken and do not hold any more, with friction: of two trees each has half.
TEST(PairEnergies, TreesDissipateWhatTheirPairsDo) {
  const Model model = three_trees();
  VectorX dissipated = VectorX::Zero(3);
  PairEnergies ledger{{.body_a = 0, .body_b = 3, .stored = 1.0, .left = 0.75}}, scratch;
  PairWorks works{{.body_a = 0, .body_b = 1, .taken = 3.0, .after = 2.0, .rubbed = 0.5},
                  {.body_a = 1, .body_b = 2, .taken = 1.0, .before = 4.0, .after = 4.0, .rubbed = 0.25}};
  (void)add_pair_works(model, {}, 0.1, &works, &ledger, &dissipated, &scratch);
  // (1, 2) begins with 4 J from nothing, which count against it; (0, 3) has parted with what it held.
  EXPECT_EQ(dissipated, VectorX(Vector3(1.5 - 0.5 * 2.75, -0.5 * 2.75, 0.75)));
  works = {{.body_a = 0, .body_b = 1, .taken = -0.5, .before = 2.0, .after = 1.25, .rubbed = 0.5}};
  dissipated.setZero();
  (void)add_pair_works(model, {1, 0, 0}, 0.1, &works, &ledger, &dissipated, &scratch);
  EXPECT_EQ(dissipated, VectorX(Vector3(0.75 + 2.0, 2.0, 0.0)));
}

}  // namespace
}  // namespace csim
