// Some of the trees of a model.
#pragma once

#include <algorithm>
#include <vector>

namespace csim {

/// [trees of the model], nonzero for those of the set; empty: all trees.
using TreeSet = std::vector<char>;

/// Whether the tree is in the set; the tree -1, of what no velocity moves, is in none but that of all.
[[nodiscard]] inline bool contains(const TreeSet& trees, int tree) {
  return trees.empty() || (tree >= 0 && trees[static_cast<std::size_t>(tree)] != 0);
}

/// Whether the set has all trees there are.
[[nodiscard]] inline bool is_all(const TreeSet& trees) {
  return std::all_of(trees.begin(), trees.end(), [](char is_in) { return is_in != 0; });
}

}  // namespace csim
