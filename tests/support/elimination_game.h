// Gaussian elimination played on sets of neighbours: slow and obvious, the truth for orders and structures.
#pragma once

#include <set>
#include <vector>

#include "solver/linear/graph.h"
#include "support/contact_graphs.h"

namespace csim::test {

inline Graph graph_of(int n, const Edges& edges) {
  std::vector<std::set<int>> neighbours(n);
  for (const auto& [row, col] : edges) {
    neighbours[row].insert(col);
    neighbours[col].insert(row);
  }
  Graph graph;
  graph.begin.push_back(0);
  for (const auto& list : neighbours) {
    graph.neighbours.insert(graph.neighbours.end(), list.begin(), list.end());
    graph.begin.push_back(static_cast<int>(graph.neighbours.size()));
  }
  return graph;
}

inline std::vector<std::set<int>> neighbour_sets(const Graph& graph) {
  std::vector<std::set<int>> neighbours;
  for (int i = 0; i < graph.num_nodes(); ++i) neighbours.emplace_back(graph.of(i).begin(), graph.of(i).end());
  return neighbours;
}

/// Removes a node and joins its neighbours with each other.
inline void eliminate(int node, std::vector<std::set<int>>* neighbours) {
  const std::set<int> around = (*neighbours)[node];
  for (const int i : around) {
    (*neighbours)[i].insert(around.begin(), around.end());
    (*neighbours)[i].erase(i);
    (*neighbours)[i].erase(node);
  }
}

/// Scalar entries of L, diagonal included, for an order.
inline long fill_of(const Graph& graph, const std::vector<int>& weight, const std::vector<int>& order) {
  std::vector<std::set<int>> neighbours = neighbour_sets(graph);
  long entries = 0;
  for (const int node : order) {
    entries += weight[node] * (weight[node] + 1L) / 2;
    for (const int i : neighbours[node]) entries += static_cast<long>(weight[node]) * weight[i];
    eliminate(node, &neighbours);
  }
  return entries;
}

}  // namespace csim::test
