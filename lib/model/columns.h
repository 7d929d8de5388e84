// The order in which results hold positions and velocities: q and v body by body, each its own joint, and the
// joints of the scene by themselves. (Model's own order keeps the columns of a tree together; the two differ
// where the bodies of trees alternate in the scene.)
#pragma once

#include <vector>

#include "model/model.h"

namespace csim {

/// Offsets as results store them, and for each stored column the index in State::q or State::v.
struct StateColumns {
  std::vector<int> body_q_offset, body_v_offset;    // [B+1]
  std::vector<int> joint_q_offset, joint_v_offset;  // [J+1], joints of the scene
  std::vector<int> q, v;                            // [nq], [nv]
  std::vector<int> joint_q, joint_v;                // [nqj], [nvj]
};

[[nodiscard]] StateColumns make_state_columns(const Model& model);

/// recorded[i] = state[columns[i]].
void gather_columns(const std::vector<int>& columns, const VectorX& state, VectorX* recorded);

}  // namespace csim
