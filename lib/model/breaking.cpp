#include "model/breaking.h"

#include <cmath>

namespace csim {

std::vector<char> all_whole(const Model& model) {
  return std::vector<char>(model.breaking_loads.empty() ? 0 : model.constraint_names.size(), 0);
}

bool fits(const Model& model, const std::vector<char>& broken) {
  return broken.size() == all_whole(model).size();
}

double reaction(const BreakingLoad& load, const VectorX& row_forces) {
  const auto rows = row_forces.segment(load.row_begin, load.row_end - load.row_begin);
  return load.is_vector ? rows.norm() : std::abs(rows.sum());
}

}  // namespace csim
