#include "step/event.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(Events, OfAStepAreToldOnce) {
  std::vector<Event> events;
  add_event({EventKind::kPassage, 1, 2, 3.0}, &events);
  add_event({EventKind::kPassage, 1, 3, 1.0}, &events);   // other subjects
  add_event({EventKind::kFallback, 1, 2, 1.0}, &events);  // another kind
  add_event({EventKind::kPassage, 1, 2, 2.0}, &events);   // a count: adds up
  add_event({EventKind::kFastSpin, 1, -1, 0.5}, &events);
  add_event({EventKind::kFastSpin, 1, -1, 0.4}, &events);  // a measure: the largest
  add_event({EventKind::kInexactStep, -1, -1, 0.1}, &events);
  add_event({EventKind::kInexactStep, -1, -1, 0.2}, &events);
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0].value, 5.0);
  EXPECT_EQ(events[1].value, 1.0);
  EXPECT_EQ(events[2].value, 1.0);
  EXPECT_EQ(events[3].value, 0.5);
  EXPECT_EQ(events[4].value, 0.2);
}

TEST(Events, TotalsKeepTheFirst) {
  EventTotals totals;
  EXPECT_EQ(totals[EventKind::kDividedStep].count, 0);
  totals.add({EventKind::kDividedStep, -1, -1, 2.0}, 0.5);
  totals.add({EventKind::kFastSpin, 7, -1, 0.4}, 0.5);
  totals.add({EventKind::kDividedStep, -1, -1, 3.0}, 0.6);
  totals.add({EventKind::kFastSpin, 8, -1, 0.3}, 0.6);
  const EventTotal &divided = totals[EventKind::kDividedStep], &spins = totals[EventKind::kFastSpin];
  EXPECT_EQ(divided.count, 2);
  EXPECT_EQ(divided.first_time, 0.5);
  EXPECT_EQ(divided.value, 5.0);
  EXPECT_EQ(spins.count, 2);
  EXPECT_EQ(spins.first.subject_a, 7);
  EXPECT_EQ(spins.value, 0.4);
  EXPECT_EQ(totals[EventKind::kPassage].count, 0);
}

TEST(Events, TotalsKnowThePairThatLagsMostOften) {
  EventTotals totals;
  EXPECT_EQ(totals.most_lagging_pair().count, 0);
  totals.add({EventKind::kFrictionLag, 1, 2, 0.9}, 0.1);
  totals.add({EventKind::kFrictionLag, 1, 3, 0.6}, 0.2);
  totals.add({EventKind::kFrictionLag, 1, 3, 0.8}, 0.3);
  const EventTotal most = totals.most_lagging_pair();
  EXPECT_EQ(most.count, 2);
  EXPECT_EQ(most.first.subject_b, 3);
  EXPECT_EQ(most.first_time, 0.2);
  EXPECT_EQ(most.value, 0.8);
  EXPECT_EQ(totals[EventKind::kFrictionLag].count, 3);
}

}  // namespace
}  // namespace csim
