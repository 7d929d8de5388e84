#include "contact/search/broad_phase.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "unit/contact/fcl_engine.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::random_vector;
using Pairs = std::vector<std::pair<int, int>>;

std::vector<int> own_groups(int n) {
  std::vector<int> groups(n);
  std::iota(groups.begin(), groups.end(), 0);
  return groups;
}

std::vector<Aabb> random_boxes(int n, double extent, std::mt19937* rng) {
  std::vector<Aabb> boxes(n);
  for (Aabb& box : boxes) {
    const Vector3 center = random_vector(rng, extent), half = random_vector(rng, 0.1).cwiseAbs();
    box.add(Vector3(center - half));
    box.add(Vector3(center + half));
  }
  return boxes;
}

using BroadPhaseTwins = test::WithFcl;

/// The same pairs and neighbours by our tree and by FCL's dynamic one, while boxes move.
TEST_F(BroadPhaseTwins, AgreeWhileBoxesMove) {
  std::mt19937 rng(31);
  for (const int n : {2, 40, 700}) {
    std::vector<Aabb> boxes = random_boxes(n, 0.06 * std::cbrt(n), &rng);
    boxes[0].add(Vector3(-5, -5, -0.1));  // a floor among small ones
    boxes[0].add(Vector3(5, 5, 0.0));
    BroadPhase ours(own_groups(n));
    BroadPhase fcl(own_groups(n), engine_.get());
    std::vector<int> near, fcl_near;
    for (int k = 0; k < 20; ++k) {
      const Pairs& found = ours.find(boxes);
      EXPECT_EQ(found, fcl.find(boxes)) << n << " boxes, move " << k;
      EXPECT_FALSE(n > 2 && found.empty());
      const Aabb around = boxes[n / 2].inflated(0.1);
      ours.find_near(n / 2, around, &near);
      fcl.find_near(n / 2, around, &fcl_near);
      EXPECT_EQ(near, fcl_near) << n << " boxes, move " << k;
      for (Aabb& box : boxes) {
        const Vector3 move = random_vector(&rng, 0.05);
        box.lower += move;
        box.upper += move;
      }
    }
  }
}

TEST(BroadPhase, GroupsEmptyAndUnboundedBoxes) {
  std::mt19937 rng(32);
  std::vector<Aabb> boxes = random_boxes(6, 0.0, &rng);  // all overlap
  boxes[1] = Aabb();
  boxes[3].lower.setConstant(-std::numeric_limits<double>::infinity());
  boxes[5].upper.z() = std::numeric_limits<double>::infinity();
  BroadPhase broad_phase({0, 1, 0, 2, 3, 2});
  EXPECT_EQ(broad_phase.find(boxes), (Pairs{{0, 3}, {0, 4}, {0, 5}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {4, 5}}));
}

// Of some bodies: those of all pairs that have one of them, whatever the calls before were.
TEST(BroadPhase, FindsThePairsAskedFor) {
  std::mt19937 rng(33);
  std::bernoulli_distribution is_asked(0.3), moves(0.5);
  std::vector<Aabb> boxes = random_boxes(200, 0.5, &rng);
  boxes[17] = Aabb();
  boxes[40].lower.z() = -std::numeric_limits<double>::infinity();
  boxes[41].upper.x() = std::numeric_limits<double>::infinity();
  BroadPhase all(own_groups(200)), some(own_groups(200));
  std::vector<char> asked(200);
  std::vector<int> near, near_of_all;
  std::size_t num_pairs = 0;
  for (int n = 0; n < 40; ++n) {
    if (n % 3 == 0)
      for (char& a : asked) a = is_asked(rng) ? 1 : 0;
    Pairs expected = all.find(boxes);
    std::erase_if(expected, [&](const auto& pair) { return !asked[pair.first] && !asked[pair.second]; });
    const bool others_stay = n % 3 != 0;
    EXPECT_EQ(some.find(boxes, &asked, others_stay), expected) << n;
    num_pairs += expected.size();
    for (const int body : {0, 40, 199}) {
      all.find_near(body, boxes[7].inflated(1.0), &near_of_all);
      some.find_near(body, boxes[7].inflated(1.0), &near);
      EXPECT_EQ(near, near_of_all);
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (!asked[i] || !moves(rng) || !boxes[i].bounded()) continue;
      boxes[i].lower.x() += 0.1;
      boxes[i].upper.x() += 0.1;
    }
  }
  EXPECT_GT(num_pairs, 1000u);
}

// A body that is asked for may come to be without end, and to have one again, while the others stay.
TEST(BroadPhase, BoxesAskedForLoseAndFindTheirEnds) {
  std::mt19937 rng(34);
  const std::vector<Aabb> bounded = random_boxes(60, 0.5, &rng);
  std::vector<char> asked(60);
  for (int i = 0; i < 60; i += 4) asked[i] = 1;
  BroadPhase some(own_groups(60));
  std::vector<int> near, near_of_all;
  const std::vector<std::vector<int>> without_end{{}, {8}, {8, 20}, {20, 24}, {}, {12}, {16}, {}};
  bool others_stay = false;
  for (const std::vector<int>& bodies : without_end) {
    std::vector<Aabb> boxes = bounded;
    for (const int i : bodies) boxes[i].lower.z() = -std::numeric_limits<double>::infinity();
    BroadPhase all(own_groups(60));
    Pairs expected = all.find(boxes);
    std::erase_if(expected, [&](const auto& pair) { return !asked[pair.first] && !asked[pair.second]; });
    EXPECT_EQ(some.find(boxes, &asked, others_stay), expected);
    all.find_near(1, boxes[7].inflated(1.0), &near_of_all);
    some.find_near(1, boxes[7].inflated(1.0), &near);
    EXPECT_EQ(near, near_of_all);
    others_stay = true;
  }
}

}  // namespace
}  // namespace csim
