// FCL 0.7 as a twin: where it disagrees, the independent separation along each normal decides.
#include <gtest/gtest.h>

#include "unit/contact/fcl_engine.h"
#include "unit/contact/shape_oracle.h"

namespace csim::test {
namespace {

using Status = PairDirection::Status;

class FclTwin : public WithFcl, public testing::WithParamInterface<std::tuple<std::string, std::string>> {};
using FclHalfSpace = WithFcl;

INSTANTIATE_TEST_SUITE_P(
    Kinds, FclTwin, testing::Combine(testing::ValuesIn(bounded_kinds()), testing::ValuesIn(bounded_kinds())),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

// Deep or shallow, FCL's normal never separates with less than our depth.
TEST_P(FclTwin, OurTranslationIsTheShorter) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(31);
  int both = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const RigidTransform X_A(random_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(random_rotation(&random), uniform(&random, 0.1, 0.9) * random_unit(&random));
    const PairDirection fcl = engine_->find_direction(a, X_A, b, X_B, 0.0);
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 0.0, &manifold);
    if (manifold.size > 0 && deepest(manifold).phi < -1e-5) {
      EXPECT_EQ(fcl.status, Status::kOverlap) << trial;
    }
    if (fcl.status != Status::kOverlap || manifold.size == 0) continue;
    ++both;
    // What moving along FCL's normal takes, by the oracle: its own depth may be wrong. 1e-10 for overlaps of
    // many equal directions.
    EXPECT_LT(-deepest(manifold).phi, -separation(a, X_A, b, X_B, fcl.normal.normalized()) + 1e-10) << trial;
  }
  EXPECT_GT(both, 25);
}

// At the depth of a contact, up to 1e-3: FCL's depth against what a translation along its normal really
// takes, and against ours.
TEST_P(FclTwin, ShallowDepthsAgree) {
  const auto& [kind_a, kind_b] = GetParam();
  Random random(33);
  int found = 0, close = 0;
  double worst_depth = 0.0, worst_normal = 0.0;
  for (int trial = 0; trial < 150; ++trial) {
    const Shape a = random_shape(kind_a, &random), b = random_shape(kind_b, &random);
    const RigidTransform X_A(random_rotation(&random), Vector3::Zero());
    RigidTransform X_B(random_rotation(&random), 2.0 * random_unit(&random));
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 10.0, &manifold);
    X_B.p -= (deepest(manifold).phi + 1e-3) * deepest(manifold).normal;
    query_pair(a, X_A, b, X_B, 10.0, &manifold);
    // Vertices and edges that face each other part sideways with less.
    const double ours = -deepest(manifold).phi;
    EXPECT_LT(ours, 1e-3 + 1e-12) << trial;
    const PairDirection fcl = engine_->find_direction(a, X_A, b, X_B, 0.0);
    if (fcl.status != Status::kOverlap || ours < 1e-6) continue;
    ++found;
    const Vector3 n = fcl.normal.normalized();
    EXPECT_LT(ours, -separation(a, X_A, b, X_B, n) + 1e-12) << trial;
    worst_depth = std::max(worst_depth, std::abs(-fcl.phi - ours));
    worst_normal = std::max(worst_normal, (n - deepest(manifold).normal).norm());
    if (std::abs(-fcl.phi - ours) < 1e-4) ++close;
  }
  RecordProperty("worst_depth_difference", std::to_string(worst_depth));
  RecordProperty("worst_normal_difference", std::to_string(worst_normal));
  RecordProperty("found", found);
  RecordProperty("close", close);
  EXPECT_GT(found, 100);
  // libccd's portal refinement is a local search: most of its depths are near the least one, none is below
  // it.
  EXPECT_GT(close, 0.8 * found);
}

// Half space second, as FCL needs it.
TEST_F(FclHalfSpace, DepthsAgree) {
  Random random(32);
  for (const std::string& kind : bounded_kinds()) {
    for (int trial = 0; trial < 200; ++trial) {
      const Shape a = random_shape(kind, &random);
      const RigidTransform X_A(random_rotation(&random), uniform(&random, 0.0, 0.3) * random_unit(&random));
      const RigidTransform X_B(random_rotation(&random), Vector3::Zero());
      const PairDirection fcl = engine_->find_direction(a, X_A, HalfSpace{}, X_B, 0.0);
      Manifold manifold;
      query_pair(a, X_A, HalfSpace{}, X_B, 0.0, &manifold);
      ASSERT_EQ(fcl.status == Status::kOverlap, manifold.size > 0) << kind << " " << trial;
      if (manifold.size == 0) continue;
      EXPECT_NEAR(fcl.phi, deepest(manifold).phi, 1e-12) << kind << " " << trial;
      EXPECT_LT((fcl.normal - deepest(manifold).normal).norm(), 1e-12) << kind << " " << trial;
    }
  }
}

}  // namespace
}  // namespace csim::test
