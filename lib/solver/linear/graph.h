// An undirected graph.
#pragma once

#include <span>
#include <vector>

namespace csim {

/// Undirected graph without loops in compressed rows: the neighbours of node i are neighbours[begin[i] ..
/// begin[i + 1]), each edge twice.
struct Graph {
  std::vector<int> begin;       // [N+1]
  std::vector<int> neighbours;  // [2 E]

  [[nodiscard]] int num_nodes() const { return static_cast<int>(begin.size()) - 1; }
  [[nodiscard]] std::span<const int> of(int node) const {
    return {neighbours.data() + begin[node], neighbours.data() + begin[node + 1]};
  }
};

}  // namespace csim
