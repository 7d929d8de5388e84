#include "contact/mesh/mesh_reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::random_pose;
using testing::random_vector;

/// Points of two faces, each with normals within 1 mrad of its own, and gaps foreseen at random.
std::vector<SurfaceContact> two_faces(const RigidTransform& X, std::mt19937* rng) {
  std::vector<SurfaceContact> contacts(60);
  std::uniform_real_distribution<double> gap(-2e-3, 5e-3);
  for (int i = 0; i < 60; ++i) {
    const Vector3 face = i % 3 ? Vector3::UnitZ() : Vector3(0.6, 0, 0.8);
    contacts[i].contact.feature = i;
    contacts[i].contact.normal = X.R * (face + random_vector(rng, 5e-4)).normalized();
    contacts[i].contact.p_a = X * random_vector(rng, 0.1);
    contacts[i].contact.phi = gap(*rng);
    contacts[i].end_gap = contacts[i].contact.phi + gap(*rng);
  }
  return contacts;
}

std::set<std::int64_t> kept(const std::vector<SurfaceContact>& contacts) {
  std::set<std::int64_t> features;
  for (const SurfaceContact& c : contacts)
    if (c.kept) features.insert(c.contact.feature);
  return features;
}

/// Where they will be decides: the deepest of each face at the end of the step is kept, and in directions all
/// around nothing farther out by the rule's own measure is left out, but for what seven directions miss; a
/// search of all points says so.
/// What overlaps deepest now is kept beside them.
TEST(MeshReduction, KeepsWhatIsDeepestNowAndAtTheEndOfTheStep) {
  std::mt19937 rng(71);
  MeshReduction reduction;
  int not_now = 0;
  for (int k = 0; k < 200; ++k) {
    auto contacts = two_faces({}, &rng);
    reduction.reduce(1e-2, Matrix3::Identity(), &contacts);
    for (const int first : {0, 1}) {
      const SurfaceContact *deepest = nullptr, *now = nullptr;
      int size = 0, num_kept = 0;
      for (const SurfaceContact& c : contacts) {
        if ((c.contact.feature % 3 == 0) != (first == 0)) continue;
        ++size;
        num_kept += c.kept ? 1 : 0;
        if (deepest == nullptr || c.end_gap < deepest->end_gap) deepest = &c;
        if (now == nullptr || c.contact.phi < now->contact.phi) now = &c;
      }
      ASSERT_GT(size, MeshReduction::kMaxPoints);
      EXPECT_LE(num_kept, MeshReduction::kMaxPoints);
      EXPECT_TRUE(deepest->kept);
      ASSERT_LT(now->contact.phi, 0.0);
      EXPECT_TRUE(now->kept);
      not_now += deepest != now ? 1 : 0;
      // One of the seven directions is the perpendicular of the deepest's normal in the frame.
      const Vector3 out = deepest->contact.normal.unitOrthogonal();
      double all = -1.0, best = -1.0;
      for (const SurfaceContact& c : contacts) {
        if ((c.contact.feature % 3 == 0) != (first == 0)) continue;
        EXPECT_EQ(c.face, deepest->contact.normal);
        const double score = out.dot(c.contact.p_a) - MeshReduction::kDepthWeight * c.end_gap;
        all = std::max(all, score);
        if (c.kept) best = std::max(best, score);
      }
      EXPECT_EQ(all, best);
    }
  }
  EXPECT_GT(not_now, 100);
}

/// The choice hangs neither on the order of the points nor on the place of the world's axes.
TEST(MeshReduction, OrderAndFrameDoNotMatter) {
  std::mt19937 rng(72);
  MeshReduction reduction;
  for (int k = 0; k < 100; ++k) {
    auto contacts = two_faces({}, &rng);
    auto shuffled = contacts, moved = contacts;
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    const RigidTransform X = random_pose(&rng, 1.0);
    for (SurfaceContact& c : moved) {
      c.contact.normal = X.R * c.contact.normal;
      c.contact.p_a = X * c.contact.p_a;
    }
    reduction.reduce(1e-2, Matrix3::Identity(), &contacts);
    reduction.reduce(1e-2, Matrix3::Identity(), &shuffled);
    reduction.reduce(1e-2, X.R, &moved);
    EXPECT_EQ(kept(contacts), kept(shuffled));
    EXPECT_EQ(kept(contacts), kept(moved));
  }
}

/// As few as there is room for are all kept.
TEST(MeshReduction, FewAreKept) {
  std::mt19937 rng(73);
  auto contacts = two_faces({}, &rng);
  contacts.resize(12);  // four on one face, eight on the other
  MeshReduction().reduce(1e-2, Matrix3::Identity(), &contacts);
  EXPECT_EQ(kept(contacts).size(), 12u);
}

/// A contact that is no number is like no other, not even itself; the others are as without it.
TEST(MeshReduction, ComesToAnEndWithNaN) {
  std::mt19937 rng(74);
  auto contacts = two_faces({}, &rng), with_nan = contacts;
  with_nan[0].contact.normal.setConstant(std::numeric_limits<double>::quiet_NaN());
  contacts.erase(contacts.begin());
  MeshReduction reduction;
  reduction.reduce(1e-2, Matrix3::Identity(), &contacts);
  reduction.reduce(1e-2, Matrix3::Identity(), &with_nan);
  std::set<std::int64_t> others = kept(with_nan);
  others.erase(0);
  EXPECT_EQ(others, kept(contacts));
}

}  // namespace
}  // namespace csim
