// Signed distances proved by certificates. Along any direction n the gap s(n) = min_b n.x - max_a n.x bounds
// the distance from below; points p_a of a and p_b of b bound it from above. Where both meet, phi is the
// distance; where phi < 0 they prove that moving b by -phi along n separates and that less along n does not.
#include <gtest/gtest.h>

#include "unit/contact/shape_oracle.h"

namespace csim::test {
namespace {

// The oracle and the query round differently: a few hundred ulps of sizes of order one.
constexpr double kExact = 2e-12;

// A witness on a smooth surface is as good as the direction: near the rounding floor of s, whose second
// derivative is of order one.
constexpr double kWitness = 2e-8;

struct Pose2 {
  RigidTransform X_A, X_B;
};

Pose2 random_poses(Random* random, double spread) {
  const auto place = [&] {
    return Vector3(uniform(random, -spread, spread), uniform(random, -spread, spread),
                   uniform(random, -spread, spread));
  };
  Pose2 poses;
  poses.X_A = RigidTransform(random_rotation(random), place());
  poses.X_B = RigidTransform(random_rotation(random), place());
  return poses;
}

class EveryPair : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

std::vector<std::string> all_kinds() {
  std::vector<std::string> kinds = bounded_kinds();
  kinds.push_back("half_space");
  return kinds;
}

std::string pair_name(const testing::TestParamInfo<EveryPair::ParamType>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPair,
                         testing::Combine(testing::ValuesIn(bounded_kinds()), testing::ValuesIn(all_kinds())),
                         pair_name);

TEST_P(EveryPair, SignedDistanceIsCertified) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(11);
  int separated = 0, overlapping = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const auto [X_A, X_B] = random_poses(&random, trial % 2 == 0 ? 0.4 : 0.8);
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 10.0, &manifold);
    ASSERT_GT(manifold.size, 0) << trial;
    EXPECT_FALSE(manifold.degenerate) << trial;
    for (const ManifoldPoint& point : manifold) {
      EXPECT_NEAR(point.normal.norm(), 1.0, 1e-14) << trial;
      EXPECT_LT((point.p_b - point.p_a - point.phi * point.normal).norm(), 1e-14) << trial;
      // On both surfaces' supporting features: never outside by more than a witness may be.
      EXPECT_LT(outside(a, X_A, point.p_a), kWitness) << trial;
      EXPECT_LT(outside(b, X_B, point.p_b), kWitness) << trial;
    }
    const ManifoldPoint& point = deepest(manifold);
    Vector3 n = point.normal;
    if (kind_b == "half_space") {
      // The half space's support is finite along its normal alone; the query must have taken it.
      EXPECT_LT((n + X_B.R.col(2)).norm(), 1e-14) << trial;
      n = -X_B.R.col(2);
    }
    EXPECT_NEAR(point.phi, separation(a, X_A, b, X_B, n), kExact) << trial;
    (point.phi > 0.0 ? separated : overlapping)++;
  }
  EXPECT_GT(separated, 20);
  EXPECT_GT(overlapping, 20);
}

// No direction separates better: sampled on the whole sphere, then searched locally.
TEST_P(EveryPair, OverlapIsTheLeastTranslation) {
  const auto& [kind_a, kind_b] = GetParam();
  if (kind_b == "half_space") return;  // one direction only
  Random random(12);
  for (int trial = 0; trial < 30; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const auto [X_A, X_B] = random_poses(&random, 0.25);
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 10.0, &manifold);
    ASSERT_GT(manifold.size, 0);
    // The search stops at steps of 1e-9, where s is flat to 1e-18 on smooth pairs and off by 1e-9 at edges,
    // always below.
    EXPECT_GT(deepest(manifold).phi, sampled_separation(a, X_A, b, X_B, 400) - 1e-10) << trial;
  }
}

TEST_P(EveryPair, SwappingMirrors) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(13);
  for (int trial = 0; trial < 300; ++trial) {
    const Shape a = random_shape(kind_a, &random),
                b = kind_a == kind_b && trial % 3 == 0 ? a : random_shape(kind_b, &random);
    auto [X_A, X_B] = random_poses(&random, 0.5);
    if (trial % 4 == 0) X_B.R = X_A.R;  // aligned faces and axes: ties everywhere
    Manifold ab, ba;
    query_pair(a, X_A, b, X_B, 0.1, &ab);
    query_pair(b, X_B, a, X_A, 0.1, &ba);
    ASSERT_EQ(ab.size, ba.size) << trial;
    EXPECT_EQ(ab.degenerate, ba.degenerate);
    for (const ManifoldPoint& p : ab) {
      double nearest = 1.0;
      for (const ManifoldPoint& q : ba) {
        nearest = std::min(nearest, (p.p_a - q.p_b).norm() + (p.p_b - q.p_a).norm() +
                                        (p.normal + q.normal).norm() + std::abs(p.phi - q.phi));
      }
      EXPECT_LT(nearest, 1e-12) << trial;
    }
  }
}

// The same pair elsewhere in the world: the same contacts, moved.
TEST_P(EveryPair, FollowsTheFrame) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(14);
  for (int trial = 0; trial < 100; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const auto [X_A, X_B] = random_poses(&random, 0.5);
    const RigidTransform X(random_rotation(&random), Vector3(3.0, -2.0, 5.0));
    Manifold here, there;
    query_pair(a, X_A, b, X_B, 10.0, &here);
    query_pair(a, X * X_A, b, X * X_B, 10.0, &there);
    ASSERT_GT(here.size, 0);
    ASSERT_GT(there.size, 0);
    // The poses themselves carry rounding of 1e-15 after the motion.
    EXPECT_NEAR(deepest(here).phi, deepest(there).phi, 1e-13) << trial;
  }
}

TEST_P(EveryPair, OffersNothingBeyondTheMargin) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(15);
  for (int trial = 0; trial < 100; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const auto [X_A, X_B] = random_poses(&random, 0.8);
    Manifold all, some;
    query_pair(a, X_A, b, X_B, 10.0, &all);
    const double phi = deepest(all).phi;
    query_pair(a, X_A, b, X_B, phi + 1e-6, &some);
    ASSERT_GT(some.size, 0) << trial;
    EXPECT_NEAR(deepest(some).phi, phi, kExact);
    for (const ManifoldPoint& point : some) EXPECT_LT(point.phi, phi + 1e-6);
    query_pair(a, X_A, b, X_B, phi - 1e-6, &some);
    EXPECT_EQ(some.size, 0) << trial;
  }
}

TEST(ConvexSupportQuery, SignedDistanceAgreesWithTheManifold) {
  Random random(16);
  for (int trial = 0; trial < 300; ++trial) {
    const Shape a = random_shape("box", &random), b = random_shape("convex", &random);
    const auto [X_A, X_B] = random_poses(&random, 0.6);
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 10.0, &manifold);
    const SignedDistance d = signed_distance(ConvexSupport(a, X_A), ConvexSupport(b, X_B), 10.0);
    EXPECT_NEAR(d.phi, deepest(manifold).phi, 1e-13);
    EXPECT_LT((d.p_b - d.p_a - d.phi * d.normal).norm(), 1e-14);
    EXPECT_LT(outside(a, X_A, d.p_a), kExact) << trial;
    EXPECT_LT(outside(b, X_B, d.p_b), kExact) << trial;
  }
}

// A triangle against a sphere, by hand: above its inside, beside an edge, off a corner, below, cutting.
TEST(ConvexSupportQuery, SphereOnTriangle) {
  const ConvexSupport triangle = ConvexSupport::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const auto query = [&](const Vector3& center) {
    return signed_distance(triangle, ConvexSupport(Sphere{0.1}, RigidTransform(center)), 10.0);
  };
  const SignedDistance above = query({0.2, 0.2, 0.3});
  EXPECT_NEAR(above.phi, 0.2, 1e-15);
  EXPECT_LT((above.normal - Vector3(0, 0, 1)).norm(), 1e-15);
  EXPECT_LT((above.p_a - Vector3(0.2, 0.2, 0)).norm(), 1e-15);
  const SignedDistance beside = query({0.5, -0.3, 0.4});
  EXPECT_NEAR(beside.phi, 0.4, 1e-15);
  EXPECT_LT((beside.p_a - Vector3(0.5, 0, 0)).norm(), 1e-15);
  const SignedDistance corner = query({-2.0, -1.0, 2.0});
  EXPECT_NEAR(corner.phi, 2.9, 1e-14);
  const SignedDistance below = query({0.3, 0.3, -0.05});
  EXPECT_NEAR(below.phi, -0.05, 1e-15);
  EXPECT_LT((below.normal - Vector3(0, 0, -1)).norm(), 1e-14);
  const SignedDistance cutting = query({0.3, 0.3, 0.0});
  EXPECT_NEAR(cutting.phi, -0.1, 1e-15);
  EXPECT_NEAR(std::abs(cutting.normal.z()), 1.0, 1e-14);
}

}  // namespace
}  // namespace csim::test
