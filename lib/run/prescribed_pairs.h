// Prescribed bodies that meet what does not give way.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace csim {

/// Of each prescribed body that comes, at some of 65 times of the run, as near as its box tells to a geometry
/// of a fixed or prescribed body with which it would collide if one of them could move: a sentence that there
/// is no force between the two. `end`: of the run, s.
[[nodiscard]] std::vector<std::string> describe_prescribed_pairs(const Model& model, const State& start,
                                                                 double end);

}  // namespace csim
