// Separators of a large graph: which nodes a fill-reducing order should keep for last.
#pragma once

#include <vector>

#include "solver/linear/graph.h"

namespace csim {

/// Nested dissection (George, SIAM J. Numer. Anal. 10, 1973): every connected part of more than
/// `kLargestPart` nodes is cut by a light set of nodes, the separator, into two parts that do not touch, and
/// so on in the parts. A separator starts as a level of a breadth-first search from the end of a long path
/// and shrinks by moving nodes to a side where that makes it lighter; all middle levels are tried.
/// Deterministic; allocates only when it must grow.
class NestedDissection {
 public:
  /// Largest part that is left whole: minimum degree does as well as dissection on a hundred nodes.
  static constexpr int kLargestPart = 100;

  /// (*stage)[i] = 0: node i is in no separator; s > 0: it is in one and shall be eliminated after all nodes
  /// of lower stages.
  void find_stages(const Graph& graph, const std::vector<int>& weight, std::vector<int>* stage);

 private:
  // A range of nodes_ and the number of cuts that made it.
  struct Part {
    int begin, end, depth;
  };
  void dissect(Part part);
  int search_breadth_first(int start);
  void search_from_an_end(const Part& part);
  [[nodiscard]] bool cut();
  void cut_at_level(int level);
  void shrink_separator();
  [[nodiscard]] int weight_of_neighbours(int node, int side) const;

  const Graph* graph_ = nullptr;
  const int* weight_ = nullptr;
  std::vector<int> nodes_;    // by part
  std::vector<int> part_of_;  // number of the part being cut for its nodes, others elsewhere
  int part_number_ = 0;
  std::vector<Part> parts_;  // still to be cut
  std::vector<int> depth_;   // of a separator's nodes: cuts before it; -1: in no separator
  /// The present search: nodes in order of discovery, level of a node (-1: not reached).
  std::vector<int> queue_, level_;
  std::vector<int> level_begin_;   // first place of a level in queue_
  std::vector<signed char> side_;  // -1, 1: the parts, 0: the separator
  std::vector<int> separator_;
  int side_weight_[2] = {0, 0};         // of sides -1 and 1
  std::vector<signed char> best_side_;  // by place in queue_
};

}  // namespace csim
