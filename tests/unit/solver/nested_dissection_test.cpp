#include "solver/linear/nested_dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "solver/linear/minimum_degree.h"
#include "support/contact_graphs.h"
#include "support/elimination_game.h"

namespace csim {
namespace {

// Size of the largest connected part of the nodes of stage 0.
int largest_part(const Graph& graph, const std::vector<int>& stage) {
  std::vector<char> seen(graph.num_nodes(), 0);
  int largest = 0;
  for (int start = 0; start < graph.num_nodes(); ++start) {
    if (seen[start] || stage[start] != 0) continue;
    std::vector<int> queue{start};
    seen[start] = 1;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const int neighbour : graph.of(queue[at])) {
        if (seen[neighbour] || stage[neighbour] != 0) continue;
        seen[neighbour] = 1;
        queue.push_back(neighbour);
      }
    }
    largest = std::max(largest, static_cast<int>(queue.size()));
  }
  return largest;
}

std::vector<int> stages_of(const Graph& graph, const std::vector<int>& weight) {
  std::vector<int> stage;
  NestedDissection().find_stages(graph, weight, &stage);
  return stage;
}

TEST(NestedDissection, LeavesSmallGraphsWhole) {
  const Graph graph = test::graph_of(100, test::jittered_pile(100));
  EXPECT_EQ(stages_of(graph, std::vector<int>(100, 6)), std::vector<int>(100, 0));
  EXPECT_TRUE(stages_of(test::graph_of(0, {}), {}).empty());
}

TEST(NestedDissection, CutsAPathAtSingleNodes) {
  test::Edges edges;
  for (int i = 1; i < 1000; ++i) edges.push_back({i, i - 1});
  const Graph graph = test::graph_of(1000, edges);
  const std::vector<int> stage = stages_of(graph, std::vector<int>(1000, 1));
  EXPECT_LE(largest_part(graph, stage), NestedDissection::kLargestPart);
  // At least 9 cuts leave parts of 100; with sides of 25 % at least, no more than 1000 / 25 of them.
  const auto in_separators = std::count_if(stage.begin(), stage.end(), [](int s) { return s > 0; });
  EXPECT_GE(in_separators, 9);
  EXPECT_LE(in_separators, 40);
}

TEST(NestedDissection, SeparatesPilesByFewNodes) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Graph graph = test::graph_of(1728, test::jittered_pile(1728, seed));  // 12 x 12 x 12
    const std::vector<int> stage = stages_of(graph, std::vector<int>(1728, 6));
    EXPECT_LE(largest_part(graph, stage), NestedDissection::kLargestPart);
    const int last = *std::max_element(stage.begin(), stage.end());
    // A plane of the lattice has 144 nodes; jitter and uneven cuts cost a little.
    EXPECT_LE(std::count(stage.begin(), stage.end(), last), 165);
  }
}

TEST(NestedDissection, TakesGraphsInPartsAndGraphsThatCannotBeCut) {
  // Three piles that do not touch, and a complete graph.
  test::Edges edges;
  for (const auto& [i, j] : test::jittered_pile(300))
    for (int pile = 0; pile < 3; ++pile) edges.push_back({i + 300 * pile, j + 300 * pile});
  for (int i = 900; i < 1100; ++i)
    for (int j = 900; j < i; ++j) edges.push_back({i, j});
  const Graph graph = test::graph_of(1100, edges);
  const std::vector<int> stage = stages_of(graph, std::vector<int>(1100, 6));
  EXPECT_TRUE(std::all_of(stage.begin() + 900, stage.end(), [](int s) { return s == 0; }));
  std::vector<int> pile_stage(stage.begin(), stage.begin() + 900);
  EXPECT_GT(*std::max_element(pile_stage.begin(), pile_stage.end()), 0);
}

TEST(NestedDissection, LowersTheFillOfLargePiles) {
  const int n = 1728;
  const std::vector<int> weight(n, 6);
  double plain = 0.0, staged = 0.0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Graph graph = test::graph_of(n, test::jittered_pile(n, seed));
    MinimumDegree minimum_degree;
    std::vector<int> order;
    minimum_degree.order(graph, weight, &order);
    plain += static_cast<double>(test::fill_of(graph, weight, order));
    minimum_degree.order(graph, weight, stages_of(graph, weight), &order);
    staged += static_cast<double>(test::fill_of(graph, weight, order));
    std::sort(order.begin(), order.end());
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    ASSERT_EQ(order, all);
  }
  EXPECT_LT(staged, 0.9 * plain) << staged / plain;  // piles of 1000 and 2000 bodies: 0.84
}

}  // namespace
}  // namespace csim
