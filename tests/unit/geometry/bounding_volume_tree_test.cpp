#include "geometry/bounding_volume_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::random_vector;
using Pairs = std::multiset<std::pair<int, int>>;

std::vector<Aabb> random_boxes(int n, std::mt19937* rng) {
  std::vector<Aabb> boxes(n);
  for (Aabb& box : boxes) {
    const Vector3 center = random_vector(rng, 1.0), half = random_vector(rng, 0.15).cwiseAbs();
    box.add(Vector3(center - half));
    box.add(Vector3(center + half));
  }
  return boxes;
}

class Tree : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    boxes_ = random_boxes(GetParam(), &rng_);
    tree_.build(boxes_);
  }
  std::mt19937 rng_{7};
  std::vector<Aabb> boxes_;
  BoundingVolumeTree tree_;
};

TEST_P(Tree, BoxQueryEqualsBruteForce) {
  for (const Aabb& probe : random_boxes(50, &rng_)) {
    std::multiset<int> found, expected;
    tree_.query(probe, [&](int i) { found.insert(i); });
    for (int i = 0; i < GetParam(); ++i) {
      if (boxes_[i].overlaps(probe)) expected.insert(i);
    }
    EXPECT_EQ(found, expected);
  }
}

TEST_P(Tree, SelfQueryEqualsBruteForce) {
  Pairs found, expected;
  tree_.query_self([&](int i, int j) { found.emplace(i, j); });
  for (int i = 0; i < GetParam(); ++i) {
    for (int j = i + 1; j < GetParam(); ++j) {
      if (boxes_[i].overlaps(boxes_[j])) expected.emplace(i, j);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST_P(Tree, QueryOfAnotherTreeEqualsBruteForce) {
  for (const int n : {0, 1, 9, 150}) {
    const std::vector<Aabb> others = random_boxes(n, &rng_);
    BoundingVolumeTree other;
    other.build(others);
    const RigidTransform X = testing::random_pose(&rng_, 0.5);
    for (const double by : {0.0, 0.1}) {
      Pairs found, expected;
      tree_.query_tree(other, X, by, [&](int i, int j) { found.emplace(i, j); });
      for (int i = 0; i < GetParam(); ++i) {
        for (int j = 0; j < n; ++j) {
          if (boxes_[i].overlaps(transformed(X, others[j]).inflated(by))) expected.emplace(i, j);
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

TEST_P(Tree, NearestEqualsBruteForce) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3 p = random_vector(&rng_, 2.0);
    double best = std::numeric_limits<double>::infinity(), least = best;
    const int item = tree_.nearest(p, &best, [&](int i) { return boxes_[i].squared_distance(p); });
    for (const Aabb& box : boxes_) least = std::min(least, box.squared_distance(p));
    EXPECT_EQ(best, least);
    if (GetParam() > 0) {
      EXPECT_EQ(boxes_[item].squared_distance(p), least);
    }
  }
}

/// Of items that are as near as each other the one of the least number, wherever it is in the tree.
TEST_P(Tree, NearestOfEqualsIsTheFirst) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector3 p = random_vector(&rng_, 2.0);
    const auto rounded = [&](int i) { return std::ceil(4.0 * boxes_[i].squared_distance(p)); };
    double best = std::numeric_limits<double>::infinity();
    int expected = -1;
    for (int i = 0; i < GetParam(); ++i)
      if (expected < 0 || rounded(i) < rounded(expected)) expected = i;
    EXPECT_EQ(tree_.nearest(p, &best, rounded), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Tree, ::testing::Values(0, 1, 4, 5, 9, 400));

TEST(TreeRebuild, EqualCentersAndASecondBuild) {
  BoundingVolumeTree tree;
  std::mt19937 rng(8);
  tree.build(random_boxes(100, &rng));
  Aabb box;
  box.add(Vector3::Zero());
  tree.build(std::vector<Aabb>(33, box));
  int pairs = 0;
  tree.query_self([&](int, int) { ++pairs; });
  EXPECT_EQ(pairs, 33 * 32 / 2);
}

}  // namespace
}  // namespace csim
