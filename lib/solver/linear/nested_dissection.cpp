#include "solver/linear/nested_dissection.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace csim {
namespace {

// No side may be lighter than this part of the whole: a light separator that cuts off a corner is worth
// little.
constexpr double kLightestSide = 0.25;

// A separator may be heavier by this part times the imbalance of its sides.
constexpr double kCostOfImbalance = 0.5;

}  // namespace

void NestedDissection::find_stages(const Graph& graph, const std::vector<int>& weight,
                                   std::vector<int>* stage) {
  const int n = graph.num_nodes();
  graph_ = &graph;
  weight_ = weight.data();
  nodes_.resize(n);
  std::iota(nodes_.begin(), nodes_.end(), 0);
  part_of_.assign(n, 0);
  part_number_ = 0;
  depth_.assign(n, -1);
  level_.resize(n);
  side_.assign(n, 0);
  parts_.clear();
  parts_.push_back({0, n, 0});
  while (!parts_.empty()) {
    const Part part = parts_.back();
    parts_.pop_back();
    if (part.end - part.begin > kLargestPart) dissect(part);
  }
  int deepest = -1;
  for (const int depth : depth_) deepest = std::max(deepest, depth);
  stage->resize(n);
  for (int i = 0; i < n; ++i) (*stage)[i] = depth_[i] < 0 ? 0 : deepest + 1 - depth_[i];
}

void NestedDissection::dissect(Part part) {
  ++part_number_;
  for (int at = part.begin; at < part.end; ++at) part_of_[nodes_[at]] = part_number_;
  search_from_an_end(part);

  // What the search did not reach is a part of its own.
  const int reached = static_cast<int>(queue_.size());
  if (reached < part.end - part.begin) {
    const auto begin = nodes_.begin() + part.begin, end = nodes_.begin() + part.end;
    std::stable_partition(begin, end, [&](int node) { return level_[node] >= 0; });
    parts_.push_back({part.begin, part.begin + reached, part.depth});
    parts_.push_back({part.begin + reached, part.end, part.depth});
    return;
  }
  if (!cut()) return;

  const auto begin = nodes_.begin() + part.begin, end = nodes_.begin() + part.end;
  const auto first_of_separator =
      std::stable_partition(begin, end, [&](int node) { return side_[node] != 0; });
  const auto first_of_second =
      std::stable_partition(begin, first_of_separator, [&](int node) { return side_[node] < 0; });
  for (auto node = first_of_separator; node != end; ++node) {
    depth_[*node] = part.depth;
    part_of_[*node] = 0;
  }
  const int middle = static_cast<int>(first_of_second - nodes_.begin());
  parts_.push_back({part.begin, middle, part.depth + 1});
  parts_.push_back({middle, static_cast<int>(first_of_separator - nodes_.begin()), part.depth + 1});
}

// Levels of the present part by distance from the start. Returns the number of levels.
int NestedDissection::search_breadth_first(int start) {
  queue_.assign(1, start);
  level_begin_.assign(1, 0);
  level_[start] = 0;
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    const int node = queue_[at];
    if (level_[node] == static_cast<int>(level_begin_.size())) level_begin_.push_back(static_cast<int>(at));
    for (const int neighbour : graph_->of(node)) {
      if (part_of_[neighbour] != part_number_ || level_[neighbour] >= 0) continue;
      level_[neighbour] = level_[node] + 1;
      queue_.push_back(neighbour);
    }
  }
  const int num_levels = static_cast<int>(level_begin_.size());
  level_begin_.push_back(static_cast<int>(queue_.size()));
  return num_levels;
}

// A start with many levels: the last node found from the last node found, as long as that makes more levels
// (Gibbs, Poole and Stockmeyer, SIAM J. Numer. Anal. 13, 1976).
void NestedDissection::search_from_an_end(const Part& part) {
  int start = nodes_[part.begin], num_levels = 0;
  for (;;) {
    for (int at = part.begin; at < part.end; ++at) level_[nodes_[at]] = -1;
    const int found = search_breadth_first(start);
    if (found <= num_levels) return;
    num_levels = found;
    start = queue_.back();
  }
}

// The lightest separator that grows from a level with enough on both sides. False when there is none, as in
// dense parts.
bool NestedDissection::cut() {
  int total = 0;
  for (const int node : queue_) total += weight_[node];
  double least_cost = std::numeric_limits<double>::infinity();
  const int num_levels = static_cast<int>(level_begin_.size()) - 1;
  for (int level = 1; level + 1 < num_levels; ++level) {
    cut_at_level(level);
    if (std::min(side_weight_[0], side_weight_[1]) < kLightestSide * total) continue;
    shrink_separator();
    const double weight = total - side_weight_[0] - side_weight_[1];
    const double cost =
        weight * (1.0 + kCostOfImbalance * std::abs(side_weight_[0] - side_weight_[1]) / total);
    if (cost >= least_cost) continue;
    least_cost = cost;
    best_side_.clear();
    for (const int node : queue_) best_side_.push_back(side_[node]);
  }
  if (least_cost == std::numeric_limits<double>::infinity()) return false;
  for (std::size_t at = 0; at < queue_.size(); ++at) side_[queue_[at]] = best_side_[at];
  return true;
}

void NestedDissection::cut_at_level(int level) {
  separator_.assign(queue_.begin() + level_begin_[level], queue_.begin() + level_begin_[level + 1]);
  side_weight_[0] = side_weight_[1] = 0;
  for (const int node : queue_) {
    const int distance = level_[node] - level;
    side_[node] = static_cast<signed char>(distance < 0 ? -1 : distance > 0 ? 1 : 0);
    if (distance != 0) side_weight_[distance > 0] += weight_[node];
  }
}

int NestedDissection::weight_of_neighbours(int node, int side) const {
  int weight = 0;
  for (const int neighbour : graph_->of(node))
    if (part_of_[neighbour] == part_number_ && side_[neighbour] == side) weight += weight_[neighbour];
  return weight;
}

// A node of the separator may go to one side when its neighbours on the other side come in for it. Done where
// that makes the separator lighter, or leaves its weight and makes the sides more even.
void NestedDissection::shrink_separator() {
  constexpr int kMaxPasses = 20;
  const double least = kLightestSide * (side_weight_[0] + side_weight_[1]);
  bool changed = true;
  for (int pass = 0; changed && pass < kMaxPasses; ++pass) {
    changed = false;
    const std::size_t num_nodes = separator_.size();
    for (std::size_t at = 0; at < num_nodes; ++at) {
      const int node = separator_[at];
      for (const int side : {-1, 1}) {
        const int to = side > 0, from = 1 - to, incoming = weight_of_neighbours(node, -side);
        const int gain = weight_[node] - incoming;
        const bool evens = gain == 0 && side_weight_[to] + weight_[node] < side_weight_[from];
        if (!(gain > 0 || evens) || side_weight_[from] - incoming < least) continue;
        side_[node] = static_cast<signed char>(side);
        side_weight_[to] += weight_[node];
        side_weight_[from] -= incoming;
        for (const int neighbour : graph_->of(node)) {
          if (part_of_[neighbour] != part_number_ || side_[neighbour] != -side) continue;
          side_[neighbour] = 0;
          separator_.push_back(neighbour);
        }
        changed = true;
        break;
      }
    }
    std::erase_if(separator_, [&](int node) { return side_[node] != 0; });
  }
}

}  // namespace csim
