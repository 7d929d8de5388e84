// The manifold of polytopes is continuous in the shape: against a twin by brute force, and under unevenness.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "contact/convex/corner_choice.h"
#include "contact/convex/disc_view.h"
#include "geometry/load_shape.h"
#include "unit/contact/shape_oracle.h"
#include "unit/contact/spring_potential.h"

namespace csim::test {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The hull of a prism of n corners whose base is uneven by `noise` (m, standard deviation): for a noise
// beyond that of single-precision files a base of facets.
Convex uneven_prism(int n, double radius, double height, double noise, Random* random) {
  std::normal_distribution<double> normal(0.0, 1.0);
  std::vector<Vector3> points;
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * M_PI * i / n;
      const double off = z < 0.0 ? noise * normal(*random) : 0.0;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z + off});
    }
  }
  LoadResult<ConvexPolytope> hull = convex_hull(points);
  EXPECT_TRUE(hull.ok()) << hull.error;
  EXPECT_EQ(hull.value->vertices.size(), points.size());
  return Convex{std::make_shared<ConvexPolytope>(*std::move(hull.value))};
}

std::set<std::int64_t> names(const Manifold& manifold) {
  std::set<std::int64_t> result;
  for (const ManifoldPoint& point : manifold) result.insert(point.feature);
  return result;
}

// Where the line x + t n is inside the polytope (t in m), by all its planes; false where it is not, to a part
// of the size.
bool clip_line(const ConvexPolytope& P, const RigidTransform& X, const Vector3& x, const Vector3& n,
               double* first, double* last) {
  *first = -kInfinite;
  *last = kInfinite;
  const Vector3 p = X.inverse_times(x), d = X.R.transpose() * n;
  for (std::size_t f = 0; f < P.face_normals.size(); ++f) {
    const double along = P.face_normals[f].dot(d), gap = P.face_offsets[f] - P.face_normals[f].dot(p);
    if (std::abs(along) < 1e-12) {
      if (gap < 0.0) return false;
    } else if (along > 0.0) {
      *last = std::min(*last, gap / along);
    } else {
      *first = std::max(*first, gap / along);
    }
  }
  return *first <= *last;
}

// The gap of two polytopes along the line through x: from where it leaves a to where it enters b.
bool gap_at(const Convex& a, const RigidTransform& X_A, const Convex& b, const RigidTransform& X_B,
            const Vector3& x, const Vector3& n, double* gap) {
  double enters_a, leaves_a, enters_b, leaves_b;
  if (!clip_line(*a.polytope, X_A, x, n, &enters_a, &leaves_a)) return false;
  if (!clip_line(*b.polytope, X_B, x, n, &enters_b, &leaves_b)) return false;
  *gap = enters_b - leaves_a;
  return true;
}

Convex random_hull(Random* random) {
  std::vector<Vector3> points;
  for (int i = 0; i < 14; ++i) points.push_back(0.1 * random_unit(random));
  return make_convex(points);
}

// All places of the overlap have a gap of at least that of the nearest corners: the least gap is at a corner,
// and each corner has the gap that the twin finds there.
TEST(OverlapCorners, HaveTheGapOfTheSurfacesAndTheLeast) {
  Random random(7);
  int compared = 0;
  for (int pair = 0; pair < 200; ++pair) {
    const Convex a = random_hull(&random), b = random_hull(&random);
    const RigidTransform X_A(random_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(random_rotation(&random), uniform(&random, 0.17, 0.21) * random_unit(&random));
    Manifold manifold;
    query_pair(a, X_A, b, X_B, 0.02, &manifold);
    if (manifold.size == 0) continue;
    const Vector3 n = manifold.points[0].normal;
    double least = kInfinite;
    for (const ManifoldPoint& point : manifold) {
      double gap = kInfinite;
      const Vector3 middle = 0.5 * (point.p_a + point.p_b);
      // On an outline rounding decides whether the line meets the body: a step towards the middle of both.
      const Vector3 inwards = 0.5 * (X_A.p + X_B.p) - middle;
      const Vector3 x = middle + 1e-9 * (inwards - n * n.dot(inwards));
      if (gap_at(a, X_A, b, X_B, x, n, &gap)) {
        EXPECT_NEAR(gap, point.phi, 1e-8) << pair;
        ++compared;
      }
      EXPECT_LT(point.phi, 0.02);
      least = std::min(least, point.phi);
    }
    for (int sample = 0; sample < 300; ++sample) {
      const Vector3 x = 0.5 * (X_A.p + X_B.p) + 0.1 * random_unit(&random);
      double gap = kInfinite;
      if (!gap_at(a, X_A, b, X_B, x, n, &gap)) continue;
      EXPECT_GE(gap, least - 1e-4) << pair;
    }
  }
  EXPECT_GT(compared, 200);
}

// Every vertex of one body over the other and every crossing of edges within the reach is a contact.
TEST(OverlapCorners, AreAllThatATwinFinds) {
  Random random(11);
  int found = 0;
  for (int pair = 0; pair < 500; ++pair) {
    const Convex a = random_hull(&random), b = random_hull(&random);
    const RigidTransform X_A(random_rotation(&random), Vector3::Zero());
    const RigidTransform X_B(random_rotation(&random), uniform(&random, 0.17, 0.2) * random_unit(&random));
    constexpr double kMaxPhi = 0.01;
    Manifold manifold;
    query_pair(a, X_A, b, X_B, kMaxPhi, &manifold);
    if (manifold.size == 0) continue;
    const Vector3 n = manifold.points[0].normal;
    const auto is_offered = [&](const Vector3& x, double gap) {
      return std::any_of(manifold.begin(), manifold.end(), [&](const ManifoldPoint& point) {
        const Vector3 d = point.p_a - x;
        return (d - n * n.dot(d)).norm() < 1e-4 && std::abs(point.phi - gap) < 1e-4;
      });
    };
    for (const bool of_a : {true, false}) {
      const Convex& body = of_a ? a : b;
      const RigidTransform& X = of_a ? X_A : X_B;
      for (const Vector3& vertex : body.polytope->vertices) {
        const Vector3 x = X * vertex;
        double gap = kInfinite, first, last;
        if (!gap_at(a, X_A, b, X_B, x, n, &gap) || gap >= kMaxPhi - 1e-6) continue;
        clip_line(*body.polytope, X, x, n, &first, &last);
        if (std::abs(of_a ? last : first) > 1e-9) continue;  // hidden behind its own body
        EXPECT_TRUE(is_offered(x, gap)) << pair << " " << gap;
        ++found;
      }
    }
  }
  EXPECT_GT(found, 100);
}

struct Floor {
  std::string name;
  Shape shape;
  double top;
};

class UnevenBase : public testing::TestWithParam<Floor> {};
INSTANTIATE_TEST_SUITE_P(Floors, UnevenBase,
                         testing::Values(Floor{"half_space", HalfSpace{}, 0.0},
                                         Floor{"box", Box{Vector3(1, 1, 0.5)}, 0.25},
                                         Floor{"cap", Cylinder{0.5, 0.4}, 0.2},
                                         Floor{"convex", make_prism(7, 0.5, 0.4), 0.2}),
                         [](const auto& info) { return info.param.name; });

// Bases that are uneven by up to a thousandth of the size (three deviations) in all have the same contacts as
// even ones, each at its corner's own depth.
TEST_P(UnevenBase, HasTheContactsOfAnEvenOne) {
  Random random(3);
  const Floor& floor = GetParam();
  constexpr double kRadius = 0.04, kHeight = 0.02;
  for (const int n : {4, 5, 6, 8, 12, 20, 33, 64}) {
    std::set<std::int64_t> even;
    for (const double noise : {0.0, 1e-9, 1e-7, 1e-6, 1e-5}) {
      const Convex prism = uneven_prism(n, kRadius, kHeight, noise, &random);
      const RigidTransform X(Eigen::AngleAxisd(0.1, Vector3::UnitZ()).toRotationMatrix(),
                             Vector3(0.003, 0.002, floor.top + 0.5 * kHeight - 2e-4));
      Manifold manifold;
      query_pair(prism, X, floor.shape, RigidTransform(), 1e-3, &manifold);
      ASSERT_EQ(manifold.size, n) << n << " " << noise;
      if (noise == 0.0) even = names(manifold);
      EXPECT_EQ(names(manifold), even) << n << " " << noise;
      for (const ManifoldPoint& point : manifold) {
        // The vertex nearest to the contact is the contact.
        double nearest = kInfinite, depth = kInfinite;
        for (const Vector3& v : prism.polytope->vertices) {
          const Vector3 x = X * v;
          const double distance = (x - point.p_a).head<2>().norm() + (v.z() > 0.0 ? 1.0 : 0.0);
          if (distance >= nearest) continue;
          nearest = distance;
          depth = x.z() - floor.top;
        }
        EXPECT_LT(nearest, 1e-12 + 3.0 * noise);
        EXPECT_NEAR(point.phi, depth, 1e-15 + 1e-2 * noise) << n << " " << noise;
      }
    }
  }
}

// Turned by 1e-9 to 1e-4 rad, a base that presses keeps its contacts.
TEST_P(UnevenBase, KeepsItsContactsWhileItRocks) {
  Random random(5);
  const Floor& floor = GetParam();
  for (const int n : {6, 20, 64}) {
    const Convex prism = uneven_prism(n, 0.04, 0.02, 1e-6, &random);
    std::set<std::int64_t> first;
    for (int k = 0; k < 40; ++k) {
      const double angle = k == 0 ? 0.0 : std::pow(10.0, uniform(&random, -9.0, -4.0));
      const Vector3 axis(uniform(&random, -1.0, 1.0), uniform(&random, -1.0, 1.0), 0.0);
      const RigidTransform X(Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(),
                             Vector3(0.003, 0.002, floor.top + 0.01 - 1e-4));
      Manifold manifold;
      query_pair(prism, X, floor.shape, RigidTransform(), 1e-3, &manifold);
      if (k == 0) first = names(manifold);
      EXPECT_EQ(names(manifold), first) << n << " " << angle;
    }
  }
}

// Of a body over a floor at the origin (spring_potential.h).
void expect_potential(const std::string& what, const Shape& body, const Matrix3& R, const Shape& floor,
                      const Vector3& rest, double tilt) {
  Manifold manifold;
  const auto query = [&](const RigidTransform& X, std::vector<ManifoldPoint>* points) {
    query_pair(body, X, floor, RigidTransform(), 1e-2, &manifold);
    points->assign(manifold.begin(), manifold.end());
  };
  test::expect_potential(what, query, R, rest, tilt, 1e-4);
}

TEST_P(UnevenBase, HasSpringsWithAPotential) {
  Random random(8);
  for (const int n : {5, 20, 40}) {
    expect_potential(std::to_string(n), uneven_prism(n, 0.04, 0.02, 2e-5, &random), Matrix3::Identity(),
                     GetParam().shape, Vector3(0, 0, GetParam().top + 0.01), 2e-3);
  }
}

// Vertices that a hull has merged into one face are off its plane by the noise of files. What lies on the
// face has its own places for contacts, and none for the highest of these vertices.
TEST(OverlapCorners, OfAMergedFaceAreNoMore) {
  Random random(6);
  const Matrix3 upside_down = Eigen::AngleAxisd(M_PI, Vector3::UnitX()).toRotationMatrix();
  const Matrix3 lying = Eigen::AngleAxisd(0.5 * M_PI, Vector3::UnitY()).toRotationMatrix();
  for (int trial = 0; trial < 40; ++trial) {
    const Convex floor = uneven_prism(9, 0.3, 0.2, 5e-9, &random);
    const RigidTransform X_F(upside_down, Vector3::Zero());
    const Vector3 axis(uniform(&random, -1.0, 1.0), uniform(&random, -1.0, 1.0), 0.0);
    const Matrix3 tilt = Eigen::AngleAxisd(1e-4, axis.normalized()).toRotationMatrix();
    Manifold manifold;
    query_pair(Cylinder{0.06, 0.08}, RigidTransform(tilt, Vector3(0.01, 0.02, 0.14 - 1e-4)), floor, X_F, 1e-3,
               &manifold);
    EXPECT_EQ(manifold.size, 4) << trial;
    query_pair(Capsule{0.04, 0.3}, RigidTransform(tilt * lying, Vector3(0.01, 0.02, 0.14 - 1e-4)), floor, X_F,
               1e-3, &manifold);
    EXPECT_EQ(manifold.size, 2) << trial;
  }
}

DiscView disc_view(double radius, const Vector2& origin = Vector2::Zero()) {
  DiscView disc;
  disc.origin = origin;
  disc.axes = radius * Eigen::Matrix2d::Identity();
  return disc;
}

// Places of a rim that hangs over are those fixed on it up to the slope of a flat side; at twice that slope
// the deepest is one of them, and on the way there, and with the direction, their depths change steadily.
TEST(DiscView, FixedPlacesGoToTheDeepest) {
  const DiscView disc = disc_view(0.05);
  const auto least = [&](const Vector2& slope) {
    double phi = kInfinite;
    for (const RimPoint& point : fixed_rim(disc, slope)) phi = std::min(phi, slope.dot(disc.place(point.u)));
    return phi;
  };
  for (int k = 0; k < 36; ++k) {
    const Vector2 direction(std::cos(0.17 * k), std::sin(0.17 * k));
    for (const RimPoint& point : fixed_rim(disc, kFlatSide * direction))
      EXPECT_LT((point.u - fixed_rim(disc, Vector2::Zero())[point.id - 4].u).norm(), 1e-12);
    for (const double slope : {2.0 * kFlatSide, 0.1, 1.0})
      EXPECT_NEAR(least(slope * direction), -0.05 * slope, 1e-14);
    for (double slope = 0.0; slope < 3.0 * kFlatSide; slope += 1e-3 * kFlatSide) {
      const double phi = least(slope * direction), next = least((slope + 1e-3 * kFlatSide) * direction);
      EXPECT_LT(std::abs(next - phi), 2e-3 * kFlatSide * 0.05);
      EXPECT_LT(phi + slope * 0.05, kFixedRimMiss * 0.05);
    }
  }
}

// The middle of an arc over another disc goes to the deepest place of the arc, and turns steadily with the
// direction of the slope, past the ends of the arc too.
TEST(DiscView, MiddlesOfArcsGoToTheDeepestOfTheArc) {
  const DiscView disc = disc_view(0.05), under = disc_view(0.06, Vector2(0.07, 0.01));
  const Vector2 middle = (under.origin / under.origin.norm());
  Vector2 before = Vector2::Zero();
  constexpr int kDirections = 3600;
  for (int k = 0; k <= kDirections; ++k) {
    const double angle = 2.0 * M_PI * k / kDirections;
    const Vector2 slope = -2.0 * kFlatSide * Vector2(std::cos(angle), std::sin(angle));
    const Vector2 u = middle_of_arc(disc, under, slope), deepest = deepest_on_rim(disc, slope);
    EXPECT_LT((middle_of_arc(disc, under, 0.5 * slope) - middle).norm(), 1e-12);
    EXPECT_LT(under.to_unit(disc.place(u)).norm(), 1.0 + 1e-9);
    if (under.contains(disc.place(deepest))) {
      EXPECT_LT((u - deepest).norm(), 1e-12);
    }
    if (k > 0) {
      EXPECT_LT((u - before).norm(), 5.0 * 2.0 * M_PI / kDirections) << angle;
    }
    before = u;
  }
}

// So have those of cylinders and capsules on bodies with faces, which may be uneven, and on each other:
// within a face, over its edge, over its corner.
TEST(OverlapCorners, OfWhatIsRoundHaveAPotential) {
  Random random(4);
  const Matrix3 kUpright = Eigen::AngleAxisd(0.3, Vector3::UnitZ()).toRotationMatrix();
  const Matrix3 kLying = kUpright * Eigen::AngleAxisd(0.5 * M_PI, Vector3::UnitY()).toRotationMatrix();
  const Convex turned_over = uneven_prism(9, 0.5, 0.4, 1e-6, &random);
  const std::vector<std::pair<std::string, Shape>> floors = {{"box", Box{Vector3(1.0, 0.7, 0.4)}},
                                                             {"even hull", make_prism(7, 0.5, 0.4)},
                                                             {"uneven hull", turned_over},
                                                             {"drum", Cylinder{0.5, 0.4}}};
  const Cylinder can{0.04, 0.02};
  const Capsule pill{0.01, 0.2};
  const Cylinder rod{0.01, 0.2};
  for (const auto& [name, floor] : floors) {
    const double edge =
        name == "drum" || name == "box" ? 0.5 : 0.5 * std::cos(M_PI / (name == "even hull" ? 7 : 9));
    for (const double over : {0.3, 0.05, 0.01, -0.01}) {
      const std::string what = name + " " + std::to_string(over);
      // Well below the tilt from which on a rim that hangs over has its deepest place (kFlatSide).
      expect_potential("can " + what, can, kUpright, floor, Vector3(edge - over, 0.01, 0.21), 2e-4);
      if (over < 0.0) continue;
      expect_potential("pill " + what, pill, kLying, floor, Vector3(edge - over, 0.01, 0.21), 2e-3);
      expect_potential("rod " + what, rod, kLying, floor, Vector3(edge - over, 0.01, 0.21), 2e-3);
    }
  }
}

// Corners on a regular polygon of n, with the depths given by `phi`.
template <typename Depth>
std::vector<OverlapCorner> polygon(int n, const Depth& phi) {
  std::vector<OverlapCorner> corners;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * M_PI * i / n;
    corners.push_back({Vector2(std::cos(angle), std::sin(angle)), i, 0.0, phi(i)});
  }
  return corners;
}

std::set<std::int64_t> choose(std::vector<OverlapCorner> corners) {
  CornerChoice choice;
  join_corners(2.0, &corners);
  choice.choose(2.0, 2.0 * CornerTolerances::kLevel, &corners);
  std::set<std::int64_t> result;
  for (const OverlapCorner& corner : corners) result.insert(corner.id);
  return result;
}

TEST(CornerChoice, TakesAllOfFew) {
  for (int n = 1; n <= 64; ++n) {
    EXPECT_EQ(choose(polygon(n, [](int i) { return 0.1 * i - 0.2; })).size(), static_cast<std::size_t>(n));
  }
}

// A quarter of them: no two that are taken lie more than five apart, and none next to each other.
TEST(CornerChoice, SpreadsThoseOfManyEvenly) {
  const std::set<std::int64_t> chosen = choose(polygon(256, [](int) { return -1e-3; }));
  EXPECT_EQ(chosen.size(), 64u);
  for (auto it = chosen.begin(); it != chosen.end(); ++it) {
    const std::int64_t next = std::next(it) == chosen.end() ? *chosen.begin() + 256 : *std::next(it);
    EXPECT_LE(next - *it, 5);
    EXPECT_GE(next - *it, 2);
  }
}

TEST(CornerChoice, JoinsCornersAtOnePlaceTheDeeperStays) {
  std::vector<OverlapCorner> corners = polygon(3, [](int) { return -1e-3; });
  corners.push_back({corners[1].q + Vector2(1e-5, 0), 7, 0.0, -2e-3});
  corners.push_back({corners[2].q + Vector2(1e-5, 0), 8, 0.0, -1e-3 - 1e-12});
  EXPECT_EQ(choose(corners), (std::set<std::int64_t>{0, 2, 7}));
}

// Depths within the level, the order of the corners and the axes of the view do not matter.
TEST(CornerChoice, DoesNotHangOnHeightsOrderOrAxes) {
  Random random(2);
  const std::set<std::int64_t> even = choose(polygon(150, [](int) { return -0.1; }));
  ASSERT_EQ(even.size(), 64u);
  for (int k = 0; k < 50; ++k) {
    std::vector<OverlapCorner> corners =
        polygon(150, [&](int) { return -0.1 + uniform(&random, 0.0, 1e-3); });
    const double angle = uniform(&random, 0.0, 6.0);
    for (OverlapCorner& corner : corners) {
      const Vector2 moved(uniform(&random, -1e-6, 1e-6), uniform(&random, -1e-6, 1e-6));
      corner.q = Eigen::Rotation2Dd(angle) * Vector2(corner.q + moved);
    }
    std::shuffle(corners.begin(), corners.end(), random);
    EXPECT_EQ(choose(corners), even) << k;
  }
}

// Of many corners all that press are taken where they are few: those on which the body rests.
TEST(CornerChoice, TakesWhatPresses) {
  Random random(4);
  for (int k = 0; k < 50; ++k) {
    std::set<std::int64_t> pressing;
    while (pressing.size() < 40) pressing.insert(std::uniform_int_distribution<int>(0, 199)(random));
    const auto chosen =
        choose(polygon(200, [&](int i) { return pressing.count(i) ? -1e-6 : uniform(&random, 1e-6, 1e-3); }));
    EXPECT_EQ(chosen.size(), 64u);
    EXPECT_TRUE(std::includes(chosen.begin(), chosen.end(), pressing.begin(), pressing.end())) << k;
  }
}

// No corner left out is deeper than the deepest one taken by more than the level.
TEST(CornerChoice, LeavesOutNothingMuchDeeper) {
  Random random(6);
  for (int k = 0; k < 200; ++k) {
    std::vector<OverlapCorner> corners;
    const Vector2 tilt(uniform(&random, -0.1, 0.1), uniform(&random, -0.1, 0.1));
    for (int i = 0; i < 200; ++i) {
      const Vector2 q(uniform(&random, -1.0, 1.0), uniform(&random, -1.0, 1.0));
      corners.push_back({q, i, 0.0, tilt.dot(q) + uniform(&random, -1e-2, 1e-2) - (k % 2 == 0 ? 0.2 : 0.0)});
    }
    double least = kInfinite, taken = kInfinite;
    for (const OverlapCorner& corner : corners) least = std::min(least, corner.phi);
    const auto chosen = choose(corners);
    for (const std::int64_t i : chosen) taken = std::min(taken, corners[i].phi);
    EXPECT_LE(taken, least + CornerTolerances::kLevel * 2.0) << k;
    EXPECT_LE(chosen.size(), 64u);
  }
}

// The corners of the overlap of two equal square plates, turned by `angle` (rad) against each other.
int num_corners_of_plates(double angle) {
  std::vector<Vector3> points;
  for (const double x : {-0.05, 0.05}) {
    for (const double y : {-0.05, 0.05}) {
      for (const double z : {-0.01, 0.01}) points.push_back({x, y, z});
    }
  }
  const Convex plate = make_convex(points);
  Manifold manifold;
  query_pair(plate, RigidTransform(), plate,
             RigidTransform(Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix(),
                            Vector3(0, 0, 0.02 - 1e-6)),
             1e-4, &manifold);
  return manifold.size;
}

// Rims that cross at a small angle are one straight outline: four corners, as of plates that are not turned.
TEST(OverlapCorners, OfPlatesTurnedALittleAreFour) {
  for (const double angle : {0.0, 1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.019}) {
    EXPECT_EQ(num_corners_of_plates(angle), 4) << angle;
    EXPECT_EQ(num_corners_of_plates(-angle), 4) << angle;
  }
  EXPECT_EQ(num_corners_of_plates(0.05), 8);
}

// Ridges that cross touch there, at however small an angle: nothing else of the roofs does.
TEST(OverlapCorners, OfRidgesAreTheirCrossing) {
  const Convex roof = make_convex(
      {{-0.1, -0.05, 0}, {-0.1, 0.05, 0}, {0.1, -0.05, 0}, {0.1, 0.05, 0}, {-0.1, 0, 0.05}, {0.1, 0, 0.05}});
  for (const double angle : {0.01, 0.03, 0.3}) {
    // The second roof upside down over the first, dipping 1 mm into it.
    const Matrix3 R = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix() *
                      Eigen::AngleAxisd(M_PI, Vector3::UnitX()).toRotationMatrix();
    Manifold manifold;
    query_pair(roof, RigidTransform(), roof, RigidTransform(R, Vector3(0.01, 0, 0.099)), 0.0, &manifold);
    bool is_at_crossing = false;
    for (const ManifoldPoint& point : manifold)
      is_at_crossing = is_at_crossing || (point.p_a.head<2>() - Vector2(0.01, 0)).norm() < 1e-6;
    EXPECT_TRUE(is_at_crossing) << angle;
  }
}

// A hull whose upper side is a grid of points has four corners there, however uneven, and a foot that stands
// out by more is one, too. On a box that reaches under a part of it no edge inside the side is a contact.
TEST(OverlapCorners, AreNoPointsOfAFlatSide) {
  Random random(1);
  for (const double uneven : {0.0, 1e-9, 1e-7, 1e-6}) {
    for (const bool foot : {false, true}) {
      std::vector<Vector3> points;
      for (int i = 0; i <= 4; ++i) {
        for (int j = 0; j <= 4; ++j) {
          points.push_back({0.02 * i - 0.04, 0.02 * j - 0.04, 0.02 + uniform(&random, -uneven, uneven)});
          if (i % 4 == 0 && j % 4 == 0) points.push_back({points.back().x(), points.back().y(), -0.02});
        }
      }
      if (foot) points.push_back({0.003, 0.004, 0.021});
      const LoadResult<ConvexPolytope> hull = convex_hull(points);
      ASSERT_TRUE(hull.ok()) << hull.error;
      const Convex body{std::make_shared<ConvexPolytope>(*hull.value)};
      const RigidTransform flip(Eigen::AngleAxisd(M_PI, Vector3::UnitX()).toRotationMatrix(),
                                Vector3(0, 0, 0.0199));
      Manifold manifold;
      query_pair(body, flip, HalfSpace{}, RigidTransform(), 5e-3, &manifold);
      EXPECT_EQ(manifold.size, foot ? 5 : 4) << uneven;
      if (foot) continue;
      query_pair(body, flip, Box{Vector3(0.03, 0.2, 0.02)},
                 RigidTransform(Matrix3::Identity(), Vector3(0.005, 0, -0.01)), 5e-3, &manifold);
      EXPECT_EQ(manifold.size, 4) << uneven;
    }
  }
}

}  // namespace
}  // namespace csim::test
