#include "solver/linear/minimum_degree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "support/contact_graphs.h"
#include "support/elimination_game.h"

namespace csim {
namespace {

std::vector<int> minimum_degree(const Graph& graph, const std::vector<int>& weight) {
  std::vector<int> order;
  MinimumDegree().order(graph, weight, &order);
  return order;
}

// The textbook algorithm: exact external degrees, ties to the smaller index.
std::vector<int> exact_minimum_degree(const Graph& graph, const std::vector<int>& weight) {
  const int n = graph.num_nodes();
  std::vector<std::set<int>> neighbours = test::neighbour_sets(graph);
  std::vector<char> done(n, 0);
  std::vector<int> order;
  while (static_cast<int>(order.size()) < n) {
    int best = -1, least = 0;
    for (int i = 0; i < n; ++i) {
      if (done[i]) continue;
      int degree = 0;
      for (const int j : neighbours[i]) degree += weight[j];
      if (best < 0 || degree < least) best = i, least = degree;
    }
    test::eliminate(best, &neighbours);
    done[best] = 1;
    order.push_back(best);
  }
  return order;
}

TEST(MinimumDegree, OrdersEveryNodeOnce) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 generator(seed);
    const int n = static_cast<int>(generator() % 60);
    test::Edges edges;
    for (int e = 0; n > 1 && e < static_cast<int>(generator() % (4 * n)); ++e) {
      const int i = static_cast<int>(generator() % n), j = static_cast<int>(generator() % n);
      if (i != j) edges.push_back({i, j});
    }
    std::vector<int> weight(n);
    for (int& w : weight) w = 1 + static_cast<int>(generator() % 9);
    std::vector<int> order = minimum_degree(test::graph_of(n, edges), weight);
    std::sort(order.begin(), order.end());
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    ASSERT_EQ(order, all) << "seed " << seed;
  }
}

TEST(MinimumDegree, AForestFillsNothing) {
  // Node i > 0 hangs on node (i - 1) / 3; every seventh edge is missing.
  const int n = 200;
  test::Edges edges;
  for (int i = 1; i < n; ++i)
    if (i % 7 != 0) edges.push_back({i, (i - 1) / 3});
  const Graph graph = test::graph_of(n, edges);
  const std::vector<int> weight(n, 6);
  EXPECT_EQ(test::fill_of(graph, weight, minimum_degree(graph, weight)),
            n * 21 + 36 * static_cast<long>(edges.size()));
}

TEST(MinimumDegree, EliminatesTheHubOfAStarLast) {
  test::Edges edges;
  for (int i = 1; i < 30; ++i) edges.push_back({i, 0});
  const std::vector<int> order = minimum_degree(test::graph_of(30, edges), std::vector<int>(30, 6));
  // The hub and one leaf are alike when the others are gone.
  EXPECT_GE(std::find(order.begin(), order.end(), 0) - order.begin(), 28);
}

TEST(MinimumDegree, WeightsDecide) {
  // A square 0-1-2-3: eliminating a node costs the weight of its two neighbours, so the light nodes'
  // neighbours go first.
  const Graph graph = test::graph_of(4, {{1, 0}, {2, 1}, {3, 2}, {3, 0}});
  const std::vector<int> order = minimum_degree(graph, {1, 9, 1, 9});
  EXPECT_TRUE(order[0] == 1 || order[0] == 3);
}

TEST(MinimumDegree, IsAsGoodAsExactDegreesAndFarBetterThanNaturalOrder) {
  double total = 0.0, total_exact = 0.0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const int n = 250;
    const Graph graph = test::graph_of(n, test::jittered_pile(n, seed));
    const std::vector<int> weight(n, 6);
    std::vector<int> natural(n);
    std::iota(natural.begin(), natural.end(), 0);
    const double fill = static_cast<double>(test::fill_of(graph, weight, minimum_degree(graph, weight)));
    EXPECT_LT(fill, 0.6 * static_cast<double>(test::fill_of(graph, weight, natural)));
    total += fill;
    total_exact += static_cast<double>(test::fill_of(graph, weight, exact_minimum_degree(graph, weight)));
  }
  EXPECT_LT(total, 1.1 * total_exact);  // bounds instead of degrees, other ties: a few per cent either way
}

TEST(MinimumDegree, KeepsLaterStagesForLast) {
  // Every third node waits: all of them come last, but for those that fill nothing when they go with an
  // earlier one.
  const int n = 120;
  const Graph graph = test::graph_of(n, test::jittered_pile(n));
  std::vector<int> stage(n), order;
  for (int i = 0; i < n; ++i) stage[i] = i % 3 == 0 ? 2 : 0;
  MinimumDegree().order(graph, std::vector<int>(n, 6), stage, &order);
  std::vector<std::set<int>> neighbours = test::neighbour_sets(graph);
  int waiting = 2 * n / 3;
  for (const int node : order) {
    if (stage[node] == 0) {
      --waiting;
    } else if (waiting > 0) {
      for (const int i : neighbours[node])
        for (const int j : neighbours[node]) ASSERT_TRUE(i == j || neighbours[i].count(j));
    }
    test::eliminate(node, &neighbours);
  }
}

TEST(MinimumDegree, IsDeterministicAndIndependentOfWhatItOrderedBefore) {
  const Graph graph = test::graph_of(100, test::jittered_pile(100));
  const std::vector<int> weight(100, 6);
  MinimumDegree used;
  std::vector<int> order;
  used.order(test::graph_of(300, test::jittered_pile(300)), std::vector<int>(300, 3), &order);
  used.order(graph, weight, &order);
  EXPECT_EQ(order, minimum_degree(graph, weight));
}

}  // namespace
}  // namespace csim
