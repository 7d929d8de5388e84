// Where the Cholesky factor of a graph has entries: elimination order, supernodes and their rows.
#pragma once

#include <vector>

#include "solver/linear/block_matrix.h"
#include "solver/linear/graph.h"
#include "solver/linear/minimum_degree.h"
#include "solver/linear/nested_dissection.h"

namespace csim {

/// Structure of L for a symmetric matrix with one dense block a node. A supernode is a range of consecutive
/// columns whose rows below the range are the same (or nearly: `SymbolicCholesky` merges where a few zeros
/// buy larger dense blocks). All positions count in the elimination order.
struct SupernodalStructure {
  std::vector<int> order;       // [N] node at a position
  std::vector<int> position;    // [N] position of a node
  std::vector<int> begin;       // [S+1] first position of a supernode
  std::vector<int> rows_begin;  // [S+1] first entry of a supernode in `rows`
  std::vector<int> rows;        // positions of the rows below a supernode's own range, ascending
  long nonzeros = 0;   // scalar entries of L, diagonal included, the zeros that merging added included
  double flops = 0.0;  // scalar multiplications and additions of the numeric factorisation

  [[nodiscard]] int num_supernodes() const { return static_cast<int>(begin.size()) - 1; }
};

/// Fill-reducing order, elimination tree (Liu, SIAM J. Matrix Anal. Appl. 11, 1990), postorder, column counts
/// and rows by traversal of row subtrees, O(nonzero blocks of L). The order is minimum degree, free or, for
/// large graphs where that takes fewer operations, within the stages of nested dissection. Deterministic;
/// allocates only when it must grow.
class SymbolicCholesky {
 public:
  /// Structure of the factor of H's pattern. Supernodes wider than `max_columns` scalar columns are split, so
  /// that a strip of one panel stays in the cache.
  void analyze(const BlockSymmetricMatrix& H, int max_columns, SupernodalStructure* structure);

 private:
  void build_graph(const BlockSymmetricMatrix& H);
  void find_order(const std::vector<int>& weight);
  double find_tree_and_counts(const std::vector<int>& weight);
  void apply_postorder(const std::vector<int>& weight, SupernodalStructure* structure);
  void merge_supernodes();
  void split_supernodes(int max_columns, SupernodalStructure* structure);
  void find_rows(SupernodalStructure* structure);
  void count_work(SupernodalStructure* structure) const;

  Graph graph_;
  MinimumDegree minimum_degree_;
  NestedDissection nested_dissection_;
  std::vector<int> stage_, other_order_;
  std::vector<int> elimination_order_, elimination_position_;
  std::vector<int> tree_parent_, tree_below_;  // by position of the elimination order
  std::vector<int> ancestor_, mark_, child_, sibling_, last_child_, stack_;
  // By position of the postorder: parent in the elimination tree (-1: a root), scalar columns, scalar rows of
  // L below the own ones.
  std::vector<int> parent_, weight_, below_;
  std::vector<int> group_begin_;  // first position of a merged supernode
  std::vector<int> supernode_of_, supernode_parent_;
};

}  // namespace csim
