// Connected components as a forest of parents whose roots are the smallest members.
#pragma once

#include <algorithm>
#include <vector>

namespace csim {

/// Representative of a member's component, with path halving.
inline int find_root(std::vector<int>* parent, int member) {
  std::vector<int>& p = *parent;
  while (p[member] != member) {
    p[member] = p[p[member]];
    member = p[member];
  }
  return member;
}

/// The components of a and b become one.
inline void join_components(int a, int b, std::vector<int>* parent) {
  const int root_a = find_root(parent, a), root_b = find_root(parent, b);
  (*parent)[std::max(root_a, root_b)] = std::min(root_a, root_b);
}

}  // namespace csim
