#include "core/tree_set.h"

#include <gtest/gtest.h>

#include <random>

namespace csim {
namespace {

std::vector<int> visited(const TreeSet& trees, int begin, int end) {
  std::vector<int> all;
  for_each_in(trees, begin, end, [&](int t) { all.push_back(t); });
  return all;
}

// Every range of sets of every size about a word of marks, against a plain loop.
TEST(TreeSet, VisitsItsTreesInOrder) {
  std::mt19937 rng(5);
  for (const double share : {0.0, 0.05, 0.5, 1.0}) {
    std::bernoulli_distribution is_in(share);
    for (int size = 1; size <= 35; ++size) {
      TreeSet trees(static_cast<std::size_t>(size));
      for (char& mark : trees) mark = is_in(rng) ? 1 : 0;
      for (int begin = 0; begin <= size; ++begin) {
        for (int end = begin; end <= size; ++end) {
          std::vector<int> expected;
          for (int t = begin; t < end; ++t)
            if (contains(trees, t)) expected.push_back(t);
          ASSERT_EQ(visited(trees, begin, end), expected) << size << " " << begin << " " << end;
        }
      }
      std::vector<int> all;
      for_each_marked(trees, [&](int t) { all.push_back(t); });
      ASSERT_EQ(all, visited(trees, 0, size));
    }
  }
}

TEST(TreeSet, EmptyMeansAll) {
  EXPECT_EQ(visited({}, 2, 5), (std::vector<int>{2, 3, 4}));
}

}  // namespace
}  // namespace csim
