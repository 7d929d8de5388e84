// What the solvers keep from one step to the next, beside the state of the simulation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/types.h"
#include "solver/method/velocity_recurrence.h"

namespace csim {

/// Makes solves faster and changes the iterates on the way to a minimum, so that a resumed run needs it for
/// the same bits: part of a checkpoint. All in the order of the model.
struct SolverMemory {
  std::array<VectorX, kMaxOrder> v_before;  // [nv], v one, two, .. (parts of) steps before the state's
  std::vector<long> history;                // [trees], history of MethodKind::kAuto (next_position)
  /// StepState::rest_number of a state: of the trees that sleep in it, v_before is 0. 0: it may be anything.
  std::uint64_t rest_number = 0;

  /// As at the start of a simulation: the velocities v (of the state) have always been so.
  void restart(const VectorX& v, std::size_t num_trees) {
    v_before.fill(v);
    history.assign(num_trees, 0);
    rest_number = 0;
  }

  /// After a (part of a) step from the velocities v with the memory `before`, at whose end the history of
  /// `auto` is `now`.
  void follow(const SolverMemory& before, const VectorX& v, const std::vector<long>& now) {
    v_before[0] = v;
    std::copy(before.v_before.begin(), before.v_before.end() - 1, v_before.begin() + 1);
    history = now;
    rest_number = 0;
  }
};

}  // namespace csim
