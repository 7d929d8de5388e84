// Pairs of convex shapes by FCL's directions, and by those of engines that are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "unit/contact/fcl_engine.h"
#include "unit/contact/placed_pairs.h"

namespace csim::test {
namespace {

class EnginePairs : public WithFcl,
                    public testing::WithParamInterface<std::tuple<std::string, std::string>> {};

std::vector<std::string> all_kinds() {
  std::vector<std::string> kinds = bounded_kinds();
  kinds.push_back("half_space");
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EnginePairs,
                         testing::Combine(testing::ValuesIn(all_kinds()), testing::ValuesIn(all_kinds())),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" + std::get<1>(info.param);
                         });

bool both_half_spaces(const std::tuple<std::string, std::string>& kinds) {
  return std::get<0>(kinds) == "half_space" && std::get<1>(kinds) == "half_space";
}

void expect_same_bits(const Manifold& x, const Manifold& y) {
  ASSERT_EQ(x.size, y.size);
  for (int i = 0; i < x.size; ++i) {
    EXPECT_EQ(x.points[i].p_a, y.points[i].p_a);
    EXPECT_EQ(x.points[i].p_b, y.points[i].p_b);
    EXPECT_EQ(x.points[i].normal, y.points[i].normal);
    EXPECT_EQ(x.points[i].phi, y.points[i].phi);
    EXPECT_EQ(x.points[i].feature, y.points[i].feature);
  }
}

// Signed distances that are known by construction, for large and small shapes, gaps and overlaps.
TEST_P(EnginePairs, SignedDistanceIsRight) {
  const auto& [kind_a, kind_b] = GetParam();
  if (both_half_spaces(GetParam())) GTEST_SKIP() << "half spaces do not meet";
  Random random(71);
  int unanswered = 0;
  constexpr int kTrials = 120;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double scale = trial % 2 == 0 ? 1.0 : 0.01;
    const double size = std::pow(10.0, uniform(&random, -9.0, -3.0));
    const double phi = (trial / 2 % 2 == 0 ? 1.0 : -0.1) * size * scale;
    const PlacedPair pair = place_pair(kind_a, kind_b, scale, phi, &random);
    Manifold manifold;
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 0.01 * scale, &manifold, engine_.get());
    unanswered += manifold.unanswered ? 1 : 0;
    ASSERT_GT(manifold.size, 0) << trial;
    // 1e-9 of the size: Newton's method on rims and ellipsoids, as in the tests of our own queries.
    EXPECT_NEAR(deepest(manifold).phi, pair.phi, 1e-9 * scale) << trial;
    for (const ManifoldPoint& point : manifold) {
      EXPECT_LT((point.p_b - point.p_a - point.phi * point.normal).norm(), 1e-12) << trial;
    }
    EXPECT_LT(std::abs(outside(pair.a, pair.X_A, deepest(manifold).p_a)), 1e-7 * scale) << trial;
    EXPECT_LT(std::abs(outside(pair.b, pair.X_B, deepest(manifold).p_b)), 1e-7 * scale) << trial;
  }
  RecordProperty("unanswered", unanswered);
  // Most are FCL's own. (Gaps down to 1e-9 of the size are its worst; 35 of two capsules were seen.)
  EXPECT_LT(unanswered, kTrials / 3);
}

// Deep: what it takes to part them along the normal, by the oracle, is the depth; our own search finds no
// longer way.
TEST_P(EnginePairs, DeepOverlapsSeparateByTheirDepth) {
  const auto& [kind_a, kind_b] = GetParam();
  if (both_half_spaces(GetParam())) GTEST_SKIP() << "half spaces do not meet";
  Random random(72);
  for (int trial = 0; trial < 60; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const RigidTransform X_A(random_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(random_rotation(&random), uniform(&random, 0.05, 0.6) * random_unit(&random));
    Manifold ours, manifold;
    query_pair(a, X_A, b, X_B, 0.0, &ours);
    query_pair(a, X_A, b, X_B, 0.0, &manifold, engine_.get());
    ASSERT_EQ(manifold.size > 0, ours.size > 0) << trial;
    if (manifold.size == 0) continue;
    const ManifoldPoint& point = deepest(manifold);
    EXPECT_NEAR(point.phi, separation(a, X_A, b, X_B, point.normal), 1e-9) << trial;
    if (kind_a == "half_space" || kind_b == "half_space") {
      EXPECT_NEAR(point.phi, deepest(ours).phi, 1e-12) << trial;
    }
  }
}

// What a pair was asked before, and what else was asked, changes no bit; swapping mirrors.
TEST_P(EnginePairs, AnswersDependOnPosesAlone) {
  const auto& [kind_a, kind_b] = GetParam();
  if (both_half_spaces(GetParam())) GTEST_SKIP() << "half spaces do not meet";
  Random random(73);
  std::vector<PlacedPair> pairs;
  for (int k = 0; k < 20; ++k)
    pairs.push_back(
        place_pair(kind_a, kind_b, 1.0, std::pow(-1.0, k) * uniform(&random, 0.0, 1e-3), &random));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const PlacedPair &pair = pairs[k], &other = pairs[(k + 7) % pairs.size()];
    const std::unique_ptr<QueryEngine> fresh = make_fcl_engine();
    Manifold first, again, any, swapped;
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 0.01, &first, fresh.get());
    query_pair(other.a, pair.X_A, other.b, pair.X_B, 0.01, &any, engine_.get());
    query_pair(pair.a, pair.X_A, pair.b, pair.X_B, 0.01, &again, engine_.get());
    expect_same_bits(first, again);
    query_pair(pair.b, pair.X_B, pair.a, pair.X_A, 0.01, &swapped, engine_.get());
    ASSERT_EQ(swapped.size, first.size);
    EXPECT_EQ(deepest(swapped).normal, -deepest(first).normal);
    EXPECT_EQ(deepest(swapped).phi, deepest(first).phi);
  }
}

/// Answers as it is told.
class WrongEngine final : public QueryEngine {
 public:
  void find_overlaps(const std::vector<Aabb>&, std::vector<std::pair<int, int>>*) override {}
  void find_near(const Aabb&, std::vector<int>*) override {}
  std::unique_ptr<TriangleSearch> make_triangle_search(const TriangleMesh&) override { return nullptr; }
  PairDirection find_direction(const Shape&, const RigidTransform&, const Shape&, const RigidTransform&,
                               double) override {
    return answer;
  }
  PairDirection answer;
};

// An answer that our supports contradict is counted, and changes no bit of what stands in its place.
TEST(WrongEngines, AreRefused) {
  using Status = PairDirection::Status;
  const double nan = std::nan("");
  for (const double gap : {1e-3, -1e-3}) {
    const Status status = gap > 0.0 ? Status::kApart : Status::kOverlap;
    const Box a{Vector3(1.0, 1.0, 1.0)}, b{Vector3(0.5, 0.5, 0.5)};
    const RigidTransform X_A, X_B(Vector3(0.1, 0.2, 0.75 + gap));
    const Vector3 up = Vector3::UnitZ(), middle(0.1, 0.2, 0.5);
    const PairDirection right{status, up, gap, middle, middle + gap * up};
    Manifold ours, manifold;
    query_pair(a, X_A, b, X_B, 0.01, &ours);
    WrongEngine engine;
    engine.answer = right;
    query_pair(a, X_A, b, X_B, 0.01, &manifold, &engine);
    EXPECT_FALSE(manifold.unanswered);
    expect_same_bits(manifold, ours);
    std::vector<PairDirection> wrong(6, right);
    wrong[0].status = Status::kUnknown;
    wrong[1].normal = -up;     // does not separate
    wrong[2].phi = gap - 0.1;  // not what it takes along the normal
    wrong[3].normal = Vector3(nan, nan, nan);
    wrong[4].normal = 0.5 * up;
    wrong[5].normal = Vector3(0.6, 0.0, 0.8);  // another way out than its depth
    for (const PairDirection& answer : wrong) {
      engine.answer = answer;
      query_pair(a, X_A, b, X_B, 0.01, &manifold, &engine);
      EXPECT_TRUE(manifold.unanswered);
      expect_same_bits(manifold, ours);
    }
    // Against a half space likewise.
    const RigidTransform X_B_on_plane(Vector3(0.1, 0.2, 0.25 + gap));
    query_pair(HalfSpace{}, {}, b, X_B_on_plane, 0.01, &ours);
    ASSERT_EQ(ours.size, 4);
    engine.answer = {Status::kOverlap, -up, gap, {}, {}};
    query_pair(HalfSpace{}, {}, b, X_B_on_plane, 0.01, &manifold, &engine);
    EXPECT_FALSE(manifold.unanswered);
    expect_same_bits(manifold, ours);
    for (const PairDirection& answer : {PairDirection{Status::kOverlap, -up, gap + 1e-6, {}, {}},
                                        PairDirection{Status::kOverlap, up, gap, {}, {}},
                                        PairDirection{Status::kApart, -up, 0.01, {}, {}}}) {
      engine.answer = answer;
      query_pair(HalfSpace{}, {}, b, X_B_on_plane, 0.01, &manifold, &engine);
      EXPECT_TRUE(manifold.unanswered);
      expect_same_bits(manifold, ours);
    }
  }
}

}  // namespace
}  // namespace csim::test
