#include "step/discrete/part_levels.h"

#include "model/tree_bodies.h"

namespace csim {

int keeping_level(std::span<const PartLevel> levels, int tree) {
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (!contains(levels[l].divided.trees, tree)) return static_cast<int>(l);
  return -1;
}

void take_kept(const Model& model, const TreeSet& divided, const StepOutcome& kept, StepOutcome* part) {
  State& end = part->state;
  copy_outside(model, divided, kept.state.q, kept.state.v, &end.q, &end.v);
  SolverMemory& memory = part->memory;
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (contains(divided, static_cast<int>(t))) continue;
    const Tree& tree = model.trees[t];
    for (std::size_t i = 0; i < memory.v_before.size(); ++i)
      memory.v_before[i].segment(tree.v_begin, tree.nv) =
          kept.memory.v_before[i].segment(tree.v_begin, tree.nv);
    memory.history[t] = kept.memory.history[t];
  }
}

}  // namespace csim
