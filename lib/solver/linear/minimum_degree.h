// Fill-reducing elimination order of a graph with weighted nodes (here: trees of the model, weight = degrees
// of freedom).
#pragma once

#include <cstdint>
#include <vector>

#include "solver/linear/graph.h"

namespace csim {

/// Approximate minimum external degree on the quotient graph (Amestoy, Davis and Duff, SIAM J. Matrix Anal.
/// Appl. 17, 1996): elimination turns a node into an element (the clique of its neighbours), elements inside
/// a new one are absorbed, nodes that depend on the new element alone are eliminated with it, nodes that
/// cannot be told apart are merged. Degrees count scalar rows. Ties go to the node whose degree changed last,
/// in the order of the element that changed it: the result is a function of graph and weights alone.
class MinimumDegree {
 public:
  /// Writes the elimination order: (*order)[k] is the node eliminated k-th. Nodes of a stage wait until those
  /// of lower stages are gone, unless they cost nothing before. Allocates only when it must grow.
  void order(const Graph& graph, const std::vector<int>& weight, const std::vector<int>& stage,
             std::vector<int>* order);

  /// The same with all nodes in one stage.
  void order(const Graph& graph, const std::vector<int>& weight, std::vector<int>* order);

 private:
  void start(const Graph& graph, const std::vector<int>& weight);
  void open_stage(int stage);
  [[nodiscard]] int take_node_of_least_degree();
  void form_element(int pivot);
  void count_outside(int pivot);
  void update_lists(int pivot);
  void merge_indistinguishable(int pivot);
  void finish_element(int pivot);
  void write_order(std::vector<int>* order) const;

  void link(int node);
  void unlink(int node);
  void append_members(int node, int to);
  [[nodiscard]] bool indistinguishable(int i, int j) const;

  // Lists of nodes and elements in one pool that only grows within a call. A node's list: its elements, then
  // its plain neighbours; an element's list: its nodes.
  std::vector<int> pool_, list_begin_, list_size_, num_elements_;
  std::vector<int> weight_;  // of a node with all that was merged into it; 0: merged or eliminated; < 0: in
                             // the new element
  std::vector<int> degree_;  // of a node: bound of its external degree; of an element: weight of its nodes
  std::vector<char> alive_;  // of an element: not absorbed
  std::vector<int> head_, next_, previous_;  // nodes by degree, doubly linked; -1 ends
  std::vector<std::int64_t> outside_;        // stamp_ + weight of an element's nodes outside the new element
  std::int64_t stamp_ = 1;
  std::vector<unsigned> hash_;  // of a node's list
  std::vector<int> hash_head_, hash_next_;
  std::vector<int> compared_;  // compared_[x] == comparison_: x is in the list that others are compared with
  int comparison_ = 0;
  std::vector<int> pivots_, next_member_, last_member_;  // elimination order; chains of merged nodes
  std::vector<int> stage_;
  int open_stage_ = 0;  // nodes of later stages are not in the lists by degree
  int least_degree_ = 0;
  int remaining_weight_ = 0;
};

}  // namespace csim
