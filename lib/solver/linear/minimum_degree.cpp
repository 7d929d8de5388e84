#include "solver/linear/minimum_degree.h"

#include <algorithm>

namespace csim {

void MinimumDegree::order(const Graph& graph, const std::vector<int>& weight, std::vector<int>* order) {
  stage_.assign(graph.num_nodes(), 0);
  this->order(graph, weight, stage_, order);
}

void MinimumDegree::order(const Graph& graph, const std::vector<int>& weight, const std::vector<int>& stage,
                          std::vector<int>* order) {
  stage_ = stage;
  start(graph, weight);
  while (remaining_weight_ > 0) {
    const int pivot = take_node_of_least_degree();
    form_element(pivot);
    count_outside(pivot);
    update_lists(pivot);
    merge_indistinguishable(pivot);
    finish_element(pivot);
  }
  write_order(order);
}

void MinimumDegree::start(const Graph& graph, const std::vector<int>& weight) {
  const int n = graph.num_nodes();
  pool_ = graph.neighbours;
  list_begin_.assign(graph.begin.begin(), graph.begin.end() - 1);
  list_size_.resize(n);
  degree_.resize(n);
  weight_ = weight;
  num_elements_.assign(n, 0);
  alive_.assign(n, 0);
  next_.assign(n, -1);
  previous_.assign(n, -1);
  outside_.assign(n, 0);
  stamp_ = 1;
  hash_.assign(n, 0);
  hash_head_.assign(n, -1);
  hash_next_.assign(n, -1);
  compared_.assign(n, 0);
  comparison_ = 0;
  pivots_.clear();
  next_member_.assign(n, -1);
  last_member_.resize(n);
  remaining_weight_ = 0;
  for (int i = 0; i < n; ++i) {
    last_member_[i] = i;
    remaining_weight_ += weight[i];
    list_size_[i] = graph.begin[i + 1] - graph.begin[i];
    degree_[i] = 0;
    for (int at = graph.begin[i]; at < graph.begin[i + 1]; ++at) degree_[i] += weight[graph.neighbours[at]];
  }
  head_.assign(remaining_weight_ + 1, -1);
  open_stage(0);
}

void MinimumDegree::open_stage(int stage) {
  open_stage_ = stage;
  least_degree_ = static_cast<int>(head_.size()) - 1;
  for (int i = static_cast<int>(weight_.size()) - 1; i >= 0; --i)
    if (stage_[i] == stage && weight_[i] > 0) link(i);
}

void MinimumDegree::link(int node) {
  const int degree = degree_[node];
  next_[node] = head_[degree];
  previous_[node] = -1;
  if (head_[degree] >= 0) previous_[head_[degree]] = node;
  head_[degree] = node;
  least_degree_ = std::min(least_degree_, degree);
}

void MinimumDegree::unlink(int node) {
  if (next_[node] >= 0) previous_[next_[node]] = previous_[node];
  if (previous_[node] >= 0)
    next_[previous_[node]] = next_[node];
  else
    head_[degree_[node]] = next_[node];
}

void MinimumDegree::append_members(int node, int to) {
  next_member_[last_member_[to]] = node;
  last_member_[to] = last_member_[node];
}

int MinimumDegree::take_node_of_least_degree() {
  while (head_[least_degree_] < 0)
    if (++least_degree_ == static_cast<int>(head_.size())) open_stage(open_stage_ + 1);
  const int pivot = head_[least_degree_];
  unlink(pivot);
  pivots_.push_back(pivot);
  remaining_weight_ -= weight_[pivot];
  weight_[pivot] = 0;
  return pivot;
}

// The nodes of the new element: all neighbours of the pivot, direct or through its elements, which are
// absorbed.
void MinimumDegree::form_element(int pivot) {
  const int first = static_cast<int>(pool_.size());
  int element_weight = 0;
  const auto gather = [&](int begin, int end) {
    for (int at = begin; at < end; ++at) {
      const int i = pool_[at];
      if (weight_[i] <= 0) continue;
      if (stage_[i] <= open_stage_) unlink(i);
      element_weight += weight_[i];
      weight_[i] = -weight_[i];
      pool_.push_back(i);
    }
  };
  const int begin = list_begin_[pivot], end_elements = begin + num_elements_[pivot];
  for (int at = begin; at < end_elements; ++at) {
    const int e = pool_[at];
    if (!alive_[e]) continue;
    gather(list_begin_[e], list_begin_[e] + list_size_[e]);
    alive_[e] = 0;
  }
  gather(end_elements, begin + list_size_[pivot]);
  list_begin_[pivot] = first;
  list_size_[pivot] = static_cast<int>(pool_.size()) - first;
  degree_[pivot] = element_weight;
  alive_[pivot] = 1;
}

// outside_[e] - stamp_ = weight of the nodes of e that are not in the new element, for every element that
// touches it.
void MinimumDegree::count_outside(int pivot) {
  for (int at = list_begin_[pivot]; at < list_begin_[pivot] + list_size_[pivot]; ++at) {
    const int i = pool_[at];
    for (int k = list_begin_[i]; k < list_begin_[i] + num_elements_[i]; ++k) {
      const int e = pool_[k];
      if (!alive_[e]) continue;
      if (outside_[e] < stamp_) outside_[e] = stamp_ + degree_[e];
      outside_[e] += weight_[i];  // negative: i is in the new element
    }
  }
}

// Puts the new element into the lists of its nodes, drops what it covers, and bounds the degrees by what is
// left outside.
void MinimumDegree::update_lists(int pivot) {
  for (int at = list_begin_[pivot]; at < list_begin_[pivot] + list_size_[pivot]; ++at) {
    const int i = pool_[at];
    const int begin = list_begin_[i], end_elements = begin + num_elements_[i], end = begin + list_size_[i];
    int write = begin, outside_degree = 0;
    unsigned hash = static_cast<unsigned>(pivot);
    for (int k = begin; k < end_elements; ++k) {
      const int e = pool_[k];
      if (!alive_[e]) continue;
      const int outside = static_cast<int>(outside_[e] - stamp_);
      if (outside == 0) {
        alive_[e] = 0;  // the new element holds all of e
        continue;
      }
      outside_degree += outside;
      hash += static_cast<unsigned>(e);
      pool_[write++] = e;
    }
    const int first_neighbour = write;
    for (int k = end_elements; k < end; ++k) {
      const int j = pool_[k];
      if (weight_[j] <= 0) continue;
      outside_degree += weight_[j];
      hash += static_cast<unsigned>(j);
      pool_[write++] = j;
    }
    if (outside_degree == 0) {
      // The node touches nothing but the new element: eliminated with the pivot at no cost.
      remaining_weight_ += weight_[i];
      degree_[pivot] += weight_[i];
      weight_[i] = 0;
      append_members(i, pivot);
      continue;
    }
    // The pivot or one of its elements has left the list, so there is room for the new element in front.
    pool_[write] = pool_[first_neighbour];
    pool_[first_neighbour] = pool_[begin];
    pool_[begin] = pivot;
    num_elements_[i] = first_neighbour - begin + 1;
    list_size_[i] = write - begin + 1;
    degree_[i] = std::min(degree_[i], outside_degree);
    hash_[i] = hash % static_cast<unsigned>(hash_head_.size());
    hash_next_[i] = hash_head_[hash_[i]];
    hash_head_[hash_[i]] = i;
  }
  stamp_ += static_cast<std::int64_t>(head_.size());  // more than any element weighs
}

bool MinimumDegree::indistinguishable(int i, int j) const {
  if (stage_[i] != stage_[j]) return false;
  if (list_size_[i] != list_size_[j] || num_elements_[i] != num_elements_[j]) return false;
  for (int k = list_begin_[j]; k < list_begin_[j] + list_size_[j]; ++k)
    if (compared_[pool_[k]] != comparison_) return false;
  return true;
}

// Nodes of the new element with the same list stay together for ever: the later one of the bucket is merged
// into the earlier one.
void MinimumDegree::merge_indistinguishable(int pivot) {
  for (int at = list_begin_[pivot]; at < list_begin_[pivot] + list_size_[pivot]; ++at) {
    if (weight_[pool_[at]] == 0) continue;
    int i = hash_head_[hash_[pool_[at]]];
    hash_head_[hash_[pool_[at]]] = -1;
    for (; i >= 0 && hash_next_[i] >= 0; i = hash_next_[i]) {
      ++comparison_;
      for (int k = list_begin_[i]; k < list_begin_[i] + list_size_[i]; ++k) compared_[pool_[k]] = comparison_;
      for (int before = i, j = hash_next_[i]; j >= 0; j = hash_next_[j]) {
        if (!indistinguishable(i, j)) {
          before = j;
          continue;
        }
        weight_[i] += weight_[j];
        weight_[j] = 0;
        append_members(j, i);
        hash_next_[before] = hash_next_[j];
      }
    }
  }
}

void MinimumDegree::finish_element(int pivot) {
  const int begin = list_begin_[pivot];
  int write = begin;
  for (int at = begin; at < begin + list_size_[pivot]; ++at) {
    const int i = pool_[at];
    if (weight_[i] == 0) continue;
    weight_[i] = -weight_[i];
    degree_[i] = std::min(degree_[i] + degree_[pivot], remaining_weight_) - weight_[i];
    if (stage_[i] <= open_stage_) link(i);
    pool_[write++] = i;
  }
  list_size_[pivot] = write - begin;
  pool_.resize(write);
  if (write == begin) alive_[pivot] = 0;
}

void MinimumDegree::write_order(std::vector<int>* order) const {
  order->clear();
  for (const int pivot : pivots_)
    for (int i = pivot; i >= 0; i = next_member_[i]) order->push_back(i);
}

}  // namespace csim
