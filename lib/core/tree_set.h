// Some of the trees of a model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace csim {

/// [trees of the model], nonzero for those of the set; empty: all trees.
using TreeSet = std::vector<char>;

/// Whether the tree is in the set; the tree -1, of what no velocity moves, is in none but that of all.
[[nodiscard]] inline bool contains(const TreeSet& trees, int tree) {
  return trees.empty() || (tree >= 0 && trees[static_cast<std::size_t>(tree)] != 0);
}

/// visit(i) for all i of [begin, end) that are marked, in their order. Eight marks are looked at together: of
/// many bodies that sleep few are awake.
template <typename Visit>
void for_each_marked(const std::vector<char>& marks, int begin, int end, Visit&& visit) {
  constexpr int kWord = sizeof(std::uint64_t);
  const auto look_at = [&](int first, int last) {
    for (int i = first; i < last; ++i)
      if (marks[static_cast<std::size_t>(i)] != 0) visit(i);
  };
  int i = begin;
  for (; i + kWord <= end; i += kWord) {
    std::uint64_t word;
    std::memcpy(&word, marks.data() + i, kWord);
    if (word != 0) look_at(i, i + kWord);
  }
  look_at(i, end);
}

/// The same of all.
template <typename Visit>
void for_each_marked(const std::vector<char>& marks, Visit&& visit) {
  for_each_marked(marks, 0, static_cast<int>(marks.size()), visit);
}

/// visit(tree) for all trees of [begin, end) that are in the set, in their order.
template <typename Visit>
void for_each_in(const TreeSet& trees, int begin, int end, Visit&& visit) {
  if (!trees.empty()) return for_each_marked(trees, begin, end, visit);
  for (int t = begin; t < end; ++t) visit(t);
}

/// Whether the set has all trees there are.
[[nodiscard]] inline bool is_all(const TreeSet& trees) {
  return std::all_of(trees.begin(), trees.end(), [](char is_in) { return is_in != 0; });
}

}  // namespace csim
