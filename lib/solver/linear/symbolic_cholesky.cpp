#include "solver/linear/symbolic_cholesky.h"

#include <algorithm>

namespace csim {
namespace {

// Below this, minimum degree is as good and a second order would cost a fair part of the factorisation.
constexpr double kOperationsWorthDissection = 2e8;

// A supernode while it grows: scalar columns, scalar rows below, entries that are zero but stored, end of its
// range of positions.
struct Group {
  int columns, below, end;
  double zeros;
};

// Whether a child and the supernode after it, merged to `merged`, are worth their zeros: the narrower the
// panels, the more their overhead (one pass over the target per panel) weighs against multiplications by
// zero. Measured on contact graphs.
bool worth_merging(const Group& merged) {
  const double entries =
      0.5 * merged.columns * (merged.columns + 1.0) + double(merged.columns) * merged.below;
  const double fraction = merged.zeros / entries;
  if (merged.columns <= 12) return fraction < 0.4;
  if (merged.columns <= 24) return fraction < 0.25;
  if (merged.columns <= 48) return fraction < 0.12;
  return fraction < 0.05;
}

}  // namespace

void SymbolicCholesky::analyze(const BlockSymmetricMatrix& H, int max_columns,
                               SupernodalStructure* structure) {
  build_graph(H);
  find_order(H.size);
  apply_postorder(H.size, structure);
  merge_supernodes();
  split_supernodes(max_columns, structure);
  find_rows(structure);
  count_work(structure);
}

void SymbolicCholesky::build_graph(const BlockSymmetricMatrix& H) {
  const int n = H.num_blocks();
  graph_.begin.assign(n + 1, 0);
  graph_.neighbours.resize(2 * H.edges.size());
  for (const auto& [row, col] : H.edges) {
    ++graph_.begin[row + 1];
    ++graph_.begin[col + 1];
  }
  for (int i = 0; i < n; ++i) graph_.begin[i + 1] += graph_.begin[i];
  stack_ = graph_.begin;  // next free entry of a node
  for (const auto& [row, col] : H.edges) {
    graph_.neighbours[stack_[row]++] = col;
    graph_.neighbours[stack_[col]++] = row;
  }
}

// Minimum degree, and nested dissection where the factorisation is so long that a second try costs little:
// whichever takes fewer operations.
void SymbolicCholesky::find_order(const std::vector<int>& weight) {
  minimum_degree_.order(graph_, weight, &elimination_order_);
  const double operations = find_tree_and_counts(weight);
  if (operations < kOperationsWorthDissection) return;
  nested_dissection_.find_stages(graph_, weight, &stage_);
  other_order_.swap(elimination_order_);
  minimum_degree_.order(graph_, weight, stage_, &elimination_order_);
  if (find_tree_and_counts(weight) <= operations) return;
  other_order_.swap(elimination_order_);
  find_tree_and_counts(weight);
}

// Row k of L has an entry in every column on the paths of the tree from k's earlier neighbours up to k.
// Returns the multiplications and additions of the numeric factorisation.
double SymbolicCholesky::find_tree_and_counts(const std::vector<int>& weight) {
  const int n = graph_.num_nodes();
  elimination_position_.resize(n);
  for (int k = 0; k < n; ++k) elimination_position_[elimination_order_[k]] = k;
  tree_parent_.assign(n, -1);
  tree_below_.assign(n, 0);
  ancestor_.assign(n, -1);
  mark_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    const int node = elimination_order_[k];
    for (int at = graph_.begin[node]; at < graph_.begin[node + 1]; ++at) {
      // To the root of the present subtree, shortening the path; a root below k becomes a child of k.
      int next;
      for (int j = elimination_position_[graph_.neighbours[at]]; j >= 0 && j < k; j = next) {
        next = ancestor_[j];
        ancestor_[j] = k;
        if (next < 0) tree_parent_[j] = k;
      }
    }
    mark_[k] = k;
    for (int at = graph_.begin[node]; at < graph_.begin[node + 1]; ++at) {
      int j = elimination_position_[graph_.neighbours[at]];
      if (j > k) continue;
      for (; mark_[j] != k; j = tree_parent_[j]) {
        tree_below_[j] += weight[node];
        mark_[j] = k;
      }
    }
  }
  double operations = 0.0;
  for (int k = 0; k < n; ++k) {
    const int columns = weight[elimination_order_[k]];
    for (int rows = tree_below_[k] + 1; rows <= tree_below_[k] + columns; ++rows)
      operations += double(rows) * rows;
  }
  return operations;
}

// Renumbers by a postorder in which the child with the longest column comes last, next to its parent, where
// it may be merged.
void SymbolicCholesky::apply_postorder(const std::vector<int>& weight, SupernodalStructure* structure) {
  const int n = static_cast<int>(elimination_order_.size());
  last_child_.assign(n, -1);
  for (int j = 0; j < n; ++j) {
    const int p = tree_parent_[j];
    if (p >= 0 && (last_child_[p] < 0 || tree_below_[j] >= tree_below_[last_child_[p]])) last_child_[p] = j;
  }
  child_ = last_child_;
  sibling_.assign(n, -1);
  for (int j = n - 1; j >= 0; --j) {
    const int p = tree_parent_[j];
    if (p < 0 || last_child_[p] == j) continue;
    sibling_[j] = child_[p];
    child_[p] = j;
  }

  structure->order.clear();
  structure->position.resize(n);
  stack_.clear();
  for (int root = 0; root < n; ++root) {
    if (tree_parent_[root] >= 0) continue;
    stack_.push_back(root);
    while (!stack_.empty()) {
      const int top = stack_.back();
      if (child_[top] >= 0) {
        stack_.push_back(child_[top]);
        child_[top] = sibling_[child_[top]];
      } else {
        stack_.pop_back();
        structure->position[elimination_order_[top]] = static_cast<int>(structure->order.size());
        structure->order.push_back(elimination_order_[top]);
      }
    }
  }

  parent_.resize(n);
  weight_.resize(n);
  below_.resize(n);
  for (int k = 0; k < n; ++k) {
    const int node = structure->order[k], j = elimination_position_[node];
    parent_[k] = tree_parent_[j] < 0 ? -1 : structure->position[elimination_order_[tree_parent_[j]]];
    weight_[k] = weight[node];
    below_[k] = tree_below_[j];
  }
}

// Ranges of columns with the same rows, from the root of the tree down, each merged with the range after it
// where that pays.
void SymbolicCholesky::merge_supernodes() {
  const int n = static_cast<int>(parent_.size());
  group_begin_.clear();  // descending until the end of this function
  Group group{};
  for (int end = n; end > 0;) {
    int begin = end - 1;
    int columns = weight_[begin];
    while (begin > 0 && parent_[begin - 1] == begin && below_[begin - 1] == below_[begin] + weight_[begin])
      columns += weight_[--begin];
    const int parent = parent_[end - 1], below = below_[end - 1];
    const double added_zeros = double(columns) * (group.columns + group.below - below);
    const Group merged{columns + group.columns, group.below, group.end, group.zeros + added_zeros};
    if (end < n && parent >= 0 && parent < group.end && worth_merging(merged)) {
      group = merged;
      group_begin_.back() = begin;
    } else {
      group = {columns, below, end, 0.0};
      group_begin_.push_back(begin);
    }
    end = begin;
  }
  std::reverse(group_begin_.begin(), group_begin_.end());
  group_begin_.push_back(n);
}

// Cuts wide groups into panels of about equal width. A panel's parent is the next panel of its group, the
// last one's is the group's.
void SymbolicCholesky::split_supernodes(int max_columns, SupernodalStructure* structure) {
  const int n = static_cast<int>(parent_.size());
  structure->begin.clear();
  supernode_of_.resize(n);
  supernode_parent_.clear();
  for (std::size_t g = 0; g + 1 < group_begin_.size(); ++g) {
    const int begin = group_begin_[g], end = group_begin_[g + 1];
    int columns = 0;
    for (int k = begin; k < end; ++k) columns += weight_[k];
    const int panels = 1 + (columns - 1) / max_columns;
    int before = 0, panel = -1;
    for (int k = begin; k < end; ++k) {
      const int wanted = static_cast<int>(static_cast<long>(before) * panels / columns);
      if (wanted > panel) {
        panel = wanted;
        if (k > begin) supernode_parent_.push_back(k);
        structure->begin.push_back(k);
      }
      supernode_of_[k] = static_cast<int>(structure->begin.size()) - 1;
      before += weight_[k];
    }
    supernode_parent_.push_back(parent_[end - 1]);
  }
  structure->begin.push_back(n);
  for (int& parent : supernode_parent_)
    if (parent >= 0) parent = supernode_of_[parent];
}

// Row by row, so that every supernode's rows come out ascending; the first pass counts, the second writes.
void SymbolicCholesky::find_rows(SupernodalStructure* structure) {
  const int n = graph_.num_nodes(), num_supernodes = structure->num_supernodes();
  const auto visit = [&](auto&& add) {
    mark_.assign(num_supernodes, -1);
    for (int k = 0; k < n; ++k) {
      const int own = supernode_of_[k], node = structure->order[k];
      for (int at = graph_.begin[node]; at < graph_.begin[node + 1]; ++at) {
        const int neighbour = structure->position[graph_.neighbours[at]];
        if (neighbour > k) continue;
        for (int s = supernode_of_[neighbour]; s != own && mark_[s] != k; s = supernode_parent_[s]) {
          mark_[s] = k;
          add(s, k);
        }
      }
    }
  };
  structure->rows_begin.assign(num_supernodes + 1, 0);
  visit([&](int s, int) { ++structure->rows_begin[s + 1]; });
  for (int s = 0; s < num_supernodes; ++s) structure->rows_begin[s + 1] += structure->rows_begin[s];
  structure->rows.resize(structure->rows_begin[num_supernodes]);
  stack_.assign(structure->rows_begin.begin(),
                structure->rows_begin.end());  // next free entry of a supernode
  visit([&](int s, int k) { structure->rows[stack_[s]++] = k; });
}

void SymbolicCholesky::count_work(SupernodalStructure* structure) const {
  structure->nonzeros = 0;
  structure->flops = 0.0;
  for (int s = 0; s < structure->num_supernodes(); ++s) {
    int rows = 0;
    for (int at = structure->rows_begin[s]; at < structure->rows_begin[s + 1]; ++at)
      rows += weight_[structure->rows[at]];
    for (int k = structure->begin[s]; k < structure->begin[s + 1]; ++k) rows += weight_[k];
    for (int k = structure->begin[s]; k < structure->begin[s + 1]; ++k) {
      for (int column = 0; column < weight_[k]; ++column, --rows) {
        structure->nonzeros += rows;
        structure->flops += double(rows) * rows;
      }
    }
  }
}

}  // namespace csim
