// What the end of a step holds that its contacts did not foresee.
#pragma once

#include <utility>

namespace csim {

/// The worst of a step: pairs that passed through each other before others, then the deepest.
struct EndOverlap {
  double depth = 0.0;     // m, beyond the foreseen one; of pressure fields their way in the step
  bool passed = false;    // the way out is now on the other side
  bool too_long = false;  // of this or another pair: a shorter step foresees better
  int geometry_a = -1, geometry_b = -1;  // -1: none

  [[nodiscard]] bool any() const { return geometry_a >= 0; }
  void add(EndOverlap other) {
    other.too_long = too_long = too_long || other.too_long;
    if (!any() || std::pair(passed, depth) < std::pair(other.passed, other.depth)) *this = other;
  }
};

/// Two pressure fields that move fast against each other, at the end of a step.
struct FieldMeeting {
  int geometry_a, geometry_b, body_a, body_b;
  double speed0;     // m/s, of b against a at the start, at the middle of the smaller one
  double travel;     // m, in the step
  double thickness;  // m, of the thinner compliant side, or of what enters a compliant half space
  bool meet;         // there is a contact surface at the end, or was on the way
  double energy;  // J, that it stores; 0 where the angle rule leaves nothing of it: one is beyond the other's
                  // middle
};

}  // namespace csim
