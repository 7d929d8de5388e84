// Constraints that break under load.
#pragma once

#include "model/model.h"

namespace csim {

/// State::broken at the start of a run: none is.
[[nodiscard]] std::vector<char> all_whole(const Model& model);

/// Whether the state may be one of this model.
[[nodiscard]] bool fits(const Model& model, const std::vector<char>& broken);

/// Whether a constraint (index in Model::constraint_names, or -1: none) is gone.
[[nodiscard]] inline bool is_broken(const State& state, int constraint) {
  return constraint >= 0 && !state.broken.empty() && state.broken[static_cast<std::size_t>(constraint)] != 0;
}

/// The reaction that a breaking load bounds, N or N m, at the forces [num_constraint_rows] of the rows: the
/// length of a vector, or the sum of rows along one direction.
[[nodiscard]] double reaction(const BreakingLoad& load, const VectorX& row_forces);

}  // namespace csim
