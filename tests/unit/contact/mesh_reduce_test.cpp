#include "contact/mesh/mesh_reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::random_pose;
using testing::random_vector;

/// Points of two faces, each with normals within 1 mrad of its own, and gaps foreseen at random.
std::vector<SurfaceContact> two_faces(const RigidTransform& X, std::mt19937* rng) {
  std::vector<SurfaceContact> contacts(400);
  std::uniform_real_distribution<double> gap(-2e-3, 5e-3);
  for (int i = 0; i < 400; ++i) {
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

/// The deepest of each face, now or at the end of the step, is kept to within the level, and no more than
/// there is room for.
TEST(MeshReduction, KeepsWhatIsDeepestNowOrAtTheEndOfTheStep) {
  std::mt19937 rng(71);
  MeshReduction reduction;
  int not_now = 0;
  for (int k = 0; k < 200; ++k) {
    auto contacts = two_faces({}, &rng);
    if (k % 2 == 1) {
      for (SurfaceContact& c : contacts) c.end_gap += 4e-3;  // the body leaves
    }
    reduction.reduce(1e-2, 0.0, Matrix3::Identity(), &contacts);
    for (const int first : {0, 1}) {
      const SurfaceContact *deepest = nullptr, *at_end = nullptr;
      std::size_t size = 0, num_kept = 0;
      const auto depth = [](const SurfaceContact& c) { return std::min(c.contact.phi, c.end_gap); };
      for (const SurfaceContact& c : contacts) {
        if ((c.contact.feature % 3 == 0) != (first == 0)) continue;
        ++size;
        num_kept += c.kept ? 1 : 0;
        if (deepest == nullptr || depth(c) < depth(*deepest)) deepest = &c;
        if (at_end == nullptr || c.end_gap < at_end->end_gap) at_end = &c;
      }
      ASSERT_GT(size, CornerTolerances::kMost);
      EXPECT_EQ(num_kept, CornerTolerances::kMost);
      ASSERT_LT(depth(*deepest), 0.0);
      EXPECT_TRUE(deepest->kept);
      for (const SurfaceContact& c : contacts) {
        if ((c.contact.feature % 3 == 0) != (first == 0)) continue;
        EXPECT_EQ(c.face, at_end->contact.normal);
      }
      not_now += at_end != deepest ? 1 : 0;
    }
  }
  EXPECT_GT(not_now, 20);
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
    reduction.reduce(1e-2, 0.0, Matrix3::Identity(), &contacts);
    reduction.reduce(1e-2, 0.0, Matrix3::Identity(), &shuffled);
    reduction.reduce(1e-2, 0.0, X.R, &moved);
    EXPECT_EQ(kept(contacts), kept(shuffled));
    EXPECT_EQ(kept(contacts), kept(moved));
  }
}

/// As few as there is room for are all kept.
TEST(MeshReduction, FewAreKept) {
  std::mt19937 rng(73);
  auto contacts = two_faces({}, &rng);
  contacts.resize(96);  // 32 on one face, 64 on the other
  MeshReduction().reduce(1e-2, 0.0, Matrix3::Identity(), &contacts);
  EXPECT_EQ(kept(contacts).size(), 96u);
}

/// A ring of corners on a plane, their gaps alike but for `noise` (m) and a tilt.
std::vector<SurfaceContact> ring(int size, double noise, double tilt, std::mt19937* rng) {
  std::vector<SurfaceContact> contacts(size);
  std::uniform_real_distribution<double> off(-noise, noise);
  for (int i = 0; i < size; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / size;
    contacts[i].contact.feature = i;
    contacts[i].contact.normal = Vector3::UnitZ();
    contacts[i].contact.p_a =
        Vector3(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.0) + random_vector(rng, 1e-16);
    contacts[i].contact.phi = -1e-5 + tilt * contacts[i].contact.p_a.x() + off(*rng);
    contacts[i].end_gap = contacts[i].contact.phi;
  }
  return contacts;
}

/// Corners of a flat side are all contacts up to the limit, however they differ in depth; of more of them the
/// same ones carry while their depths differ by less than the level, also where a direction has two as far
/// out.
TEST(MeshReduction, TheChoiceOfABodyThatLiesStillStays) {
  std::mt19937 rng(75);
  MeshReduction reduction;
  for (const int size : {12, 20, 64}) {
    auto contacts = ring(size, 1e-4, 0.0, &rng);
    reduction.reduce(1e-2, 1e-6, Matrix3::Identity(), &contacts);
    EXPECT_EQ(kept(contacts).size(), static_cast<std::size_t>(size));
  }
  for (const int size : {65, 96, 128, 256, 1000}) {
    auto first = ring(size, 0.0, 0.0, &rng);
    reduction.reduce(1e-2, 1e-6, Matrix3::Identity(), &first);
    EXPECT_EQ(kept(first).size(), CornerTolerances::kMost);
    for (int k = 0; k < 20; ++k) {
      auto later = ring(size, 3e-7, 1e-6, &rng);
      reduction.reduce(1e-2, 1e-6, Matrix3::Identity(), &later);
      EXPECT_EQ(kept(first), kept(later)) << size;
    }
  }
}

/// However the body tilts, none that is left out is deeper than all that are kept by more than the level.
TEST(MeshReduction, NoneLeftOutIsDeeperByMoreThanTheLevel) {
  std::mt19937 rng(76);
  MeshReduction reduction;
  const double level = 1e-6;
  for (int k = 0; k < 200; ++k) {
    auto contacts = ring(100 + k, 1e-5, 1e-7 * k * k, &rng);
    reduction.reduce(1e-2, level, Matrix3::Identity(), &contacts);
    double deepest_kept = 1.0, deepest = 1.0;
    for (const SurfaceContact& c : contacts) {
      deepest = std::min(deepest, c.end_gap);
      if (c.kept) deepest_kept = std::min(deepest_kept, c.end_gap);
    }
    EXPECT_LE(deepest_kept, deepest + level);
  }
}

/// Of a rounded place, whose normals share a face only roughly, a few are enough.
TEST(MeshReduction, ARoundedPlaceKeepsFew) {
  std::mt19937 rng(77);
  auto contacts = ring(200, 1e-5, 0.0, &rng);
  for (SurfaceContact& c : contacts) c.contact.normal = (Vector3::UnitZ() + c.contact.p_a).normalized();
  MeshReduction().reduce(0.2, 1e-6, Matrix3::Identity(), &contacts);
  EXPECT_LT(kept(contacts).size(), 40u);
}

/// A contact that is no number is like no other, not even itself; the others are as without it.
TEST(MeshReduction, ComesToAnEndWithNaN) {
  std::mt19937 rng(74);
  auto contacts = two_faces({}, &rng), with_nan = contacts;
  with_nan[0].contact.normal.setConstant(std::numeric_limits<double>::quiet_NaN());
  contacts.erase(contacts.begin());
  MeshReduction reduction;
  reduction.reduce(1e-2, 0.0, Matrix3::Identity(), &contacts);
  reduction.reduce(1e-2, 0.0, Matrix3::Identity(), &with_nan);
  std::set<std::int64_t> others = kept(with_nan);
  others.erase(0);
  EXPECT_EQ(others, kept(contacts));
}

}  // namespace
}  // namespace csim
