// Hits that the solution foresees: contacts of bodies that it sends against others.
#pragma once

#include "step/solution_datum.h"

namespace csim {

/// contact.margin: auto. A second contact query, at the velocities found, adds the contacts that close within
/// the step and were not offered at v0 or v*. An impact runs on by one body a round; after kMaxRounds what
/// still closes is counted (StepStatistics::num_unforeseen) and left to the next step.
class ForeseenHits final : public SolutionDatum {
 public:
  void restart() override { rounds_ = 0; }
  [[nodiscard]] bool update(StepProblem* problem, StepOutcome* outcome) override;

 private:
  int rounds_ = 0;  // queries that have added contacts
  std::vector<Twist> twists_;
};

}  // namespace csim
