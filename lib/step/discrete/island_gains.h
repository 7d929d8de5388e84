// What the overlaps of each island may hold for nothing at the end of a step, by what moves in that island.
#pragma once

#include <vector>

#include "step/account/pair_energies.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// Work space of judge_islands.
struct IslandGainWork {
  /// Of an island, at its first tree.
  struct Sums {
    IslandGain gain;
    double most = 0.0;                   // J, of the pair of `gain`
    double held = 0.0;                   // J, by all overlaps
    double dissipated = 0.0;             // J, so far
    double kinetic = 0.0;                // J, as it is seen
    int support = kNone;                 // body from which it is seen; kWorld; or
    Vector3 momentum = Vector3::Zero();  // kg m/s, from its centre of mass
    double mass = 0.0;                   // kg
    double gained = 0.0;                 // IslandGain
    int index = -1;                      // of `gain` in the list of all
  };
  static constexpr int kWorld = -1, kNone = -2;
  std::vector<int> groups;  // forest over the trees
  std::vector<Sums> sums;   // [trees]
};

/// Of the pairs *gains, what they hold for nothing, island by island, and what may be held so. The islands
/// are those of the step `attempted`, joined by what overlaps at its end (`overlaps`), from which `end` is
/// prepared. Fills PairGain::island, and *islands with those that hold some, sorted by `island`. Allowed is
///
///   kGainOfMotion (K + E) + kGainOfDissipated D
///
/// K: kinetic energy of the island as a support sees it that it touches or stands on with a joint, the first
/// of several; where it has none, as its centre of mass does. E: energy of its overlaps that was worked for.
/// D: what contacts of its trees have dissipated so far. Neither an observer nor what is outside the island
/// changes them. *gained, [trees]: what each has gained in the parts of the step before, of what is allowed;
/// the gains of this one are added to it. *of_trees, [trees]: their islands in *islands, -1 for none.
void judge_islands(const PreparedStep& attempted, const PreparedStep& end, const PairOverlaps& overlaps,
                   PairGains* gains, std::vector<IslandGain>* islands, std::vector<int>* of_trees,
                   VectorX* gained, IslandGainWork* work);

}  // namespace csim
