// Parts within parts: what some trees keep of a part of a step of constant length, while others, for which it
// is refused, take it in shorter parts.
#pragma once

#include <span>

#include "step/discrete/lengths.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// A part that was refused for some of its trees. Those of the first level are all that take the step, those
/// of each other level the trees `divided` of the level before it.
struct PartLevel {
  HalvedPart part;
  HalvedPart first;                        // the longest of the shorter ones at its start
  Participants divided{{}, false, false};  // the trees that take those
  StepOutcome start;                       // the step up to the start of the part
  std::vector<int> longest;                // [trees], as in the stepper, after the refusal
  int part_number = 0;                     // likewise
  VectorX gained;                          // [trees], StepOutcome::gained at the end of that attempt
  std::vector<Event> seen;                 // by the attempt of all its trees
  StepOutcome kept;                        // what that attempt makes of the others
};

/// The level that keeps the tree, which takes the step; -1: it takes the part at hand.
[[nodiscard]] int keeping_level(std::span<const PartLevel> levels, int tree);

/// At the end of the last of the parts that the trees `divided` take, *part: the others are where the attempt
/// of all has led them, to the last bit (`kept`).
void take_kept(const Model& model, const TreeSet& divided, const StepOutcome& kept, StepOutcome* part);

}  // namespace csim
