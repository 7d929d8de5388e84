#include "contact/mesh/mesh_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "contact/mesh/mesh_tolerances.h"
#include "contact/mesh/way_out_planes.h"
#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"
#include "unit/contact/shape_oracle.h"
#include "unit/contact/spring_potential.h"

namespace csim {
namespace {

using testing::ball_mesh;
using testing::box_mesh;
using testing::expect_consistent;
using testing::make_convex;
using testing::make_surface;
using testing::random_pose;
using testing::random_terrain;
using testing::random_vector;
using testing::ring_mesh;
using testing::subdivided;
using testing::torus_mesh;

constexpr double kPi = std::numbers::pi;

std::vector<ManifoldPoint> query(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
                                 const RigidTransform& X_WB, double max_phi) {
  MeshPairQuery pair_query;
  std::vector<ManifoldPoint> points;
  pair_query.find(a, X_WA, b, X_WB, max_phi, &points);
  expect_consistent(points, max_phi);
  return points;
}

RigidTransform turned(const Vector3& axis, double angle, const Vector3& p) {
  return {Quaternion(Eigen::AngleAxisd(angle, axis.normalized())), p};
}

double least_phi(const std::vector<ManifoldPoint>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (const ManifoldPoint& c : points) least = std::min(least, c.phi);
  return least;
}

/// Every point of one set is one of the other, within `tolerance`.
template <typename Points>
void expect_among(const std::vector<ManifoldPoint>& points, const Points& others, double tolerance) {
  for (const ManifoldPoint& c : points) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const ManifoldPoint& d : others) {
      nearest = std::min(nearest, (c.p_a - d.p_a).norm() + (c.p_b - d.p_b).norm() + std::abs(c.phi - d.phi) +
                                      (c.normal - d.normal).norm());
    }
    EXPECT_LT(nearest, tolerance) << c.normal.transpose() << " phi " << c.phi;
  }
}

/// Stacked boxes, turned about the vertical, shifted so that they overhang or sit flush, apart and in
/// overlap: the vertices of the polygon in which the faces meet, as for box primitives, however they are
/// tessellated.
TEST(MeshPair, StackedBoxesAreBoxes) {
  const Vector3 size_a(0.2, 0.3, 0.1), size_b(0.25, 0.16, 0.12);
  std::mt19937 rng(31);
  for (const int cuts : {0, 2}) {
    const MeshSurface a = make_surface(subdivided(box_mesh(size_a), cuts)),
                      b = make_surface(subdivided(box_mesh(size_b), cuts));
    for (int k = 0; k < 200; ++k) {
      const double gap = k % 2 ? 1e-4 : -1e-4, yaw = k % 5 == 0 ? 0.0 : 0.11 * k;
      Vector3 p = 0.1 * random_vector(&rng, 1.0);
      if (k % 5 == 0) p.x() = 0.5 * (size_a.x() - size_b.x());  // side faces flush
      p.z() = 0.5 * (size_a.z() + size_b.z()) + gap;
      const RigidTransform X_B = turned(Vector3::UnitZ(), yaw, p);
      const auto points = query(a, {}, b, X_B, 1e-3);
      Manifold boxes;
      query_pair(Box{size_a}, {}, Box{size_b}, X_B, 1e-3, &boxes);
      ASSERT_EQ(static_cast<int>(points.size()), boxes.size) << k << " yaw " << yaw;
      expect_among(points, boxes, 1e-10);  // crossings of edges at small angles
      auto swapped = query(b, X_B, a, {}, 1e-3);
      ASSERT_EQ(swapped.size(), points.size());
      for (ManifoldPoint& c : swapped) {
        std::swap(c.p_a, c.p_b);
        c.normal = -c.normal;
      }
      expect_among(swapped, points, 1e-10);
    }
  }
}

/// Two stacks of plates between each other. Across the stacks they part at once; along them every gap is
/// followed by the next overlap, far beyond the rounds of a search, which says that it gave up.
TEST(MeshWayOut, TellsOfADirectionThatIsGivenUp) {
  const auto stack = [](int plates, double thickness, double width) {
    TriangleMesh mesh;
    mesh.closed = true;
    for (int k = 0; k < plates; ++k) {
      const TriangleMesh plate = box_mesh({thickness, width, width});
      const int first = static_cast<int>(mesh.vertices.size());
      for (const Vector3& p : plate.vertices) mesh.vertices.push_back(p + Vector3(0.01 * k, 0.0, 0.0));
      for (const auto& [i, j, l] : plate.triangles)
        mesh.triangles.push_back({first + i, first + j, first + l});
    }
    return make_surface(mesh);
  };
  for (const int plates : {20, 150}) {
    const MeshSurface a = stack(plates, 0.006, 0.1), b = stack(plates, 0.007, 0.05);
    const RigidTransform X_AB(Vector3(0.001, 0.002, 0.003));
    std::vector<std::array<int, 2>> near;
    a.tree().query_tree(b.tree(), X_AB, 0.0, [&](int i, int j) { near.push_back({i, j}); });
    MeshWayOutQuery query;
    ASSERT_EQ(query.place(a, b, X_AB, 0.05, near), MeshWayOutQuery::State::kOverlapping);
    MeshWayOut best;
    best.length = kInfinity;
    EXPECT_EQ(query.improve(Vector3::UnitX(), &best), plates == 20);
    EXPECT_EQ(query.gave_up(), plates == 150);
    if (!query.gave_up()) {
      EXPECT_NEAR(best.length, 0.01 * 19 + 0.0065 - 0.001, 1e-9);
    }
    EXPECT_TRUE(query.improve(Vector3::UnitY(), &best));
    EXPECT_NEAR(best.length, 0.075 - 0.002, 1e-9);
  }
}

/// The shortest translation beyond one plane is its foot; beyond two that hold each other's foot back the
/// foot of their line, beyond three their common point; planes that face each other leave none.
TEST(WayOutPlanes, LeaveTheShortestWayBetweenThem) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  WayOutPlanes planes;
  EXPECT_FALSE(planes.nearest().has_value());
  planes.add(3.0 * x, {0.1, 0.5, 0.7});
  EXPECT_LT((*planes.nearest() - 0.1 * x).norm(), 1e-15);
  planes.add(-(x - y), {0.0, 0.3, 0.0});  // y >= x + 0.3
  EXPECT_LT((*planes.nearest() - Vector3(0.1, 0.4, 0.0)).norm(), 1e-15);
  planes.add(x + z, {0.0, 0.0, 0.3});
  EXPECT_LT((*planes.nearest() - Vector3(0.1, 0.4, 0.2)).norm(), 1e-15);
  planes.add(x, {0.05, 0.0, 0.0});  // is behind
  EXPECT_LT((*planes.nearest() - Vector3(0.1, 0.4, 0.2)).norm(), 1e-15);
  planes.add(-x, {-0.1, 0.0, 0.0});
  EXPECT_FALSE(planes.nearest().has_value());
}

/// Boxes at random, with shallow overlaps and gaps: the deepest contact is that of the primitives. It is the
/// least overlap along any direction, so that every contact must be at least as deep.
TEST(MeshPair, RandomBoxesHaveTheDistanceOfBoxes) {
  const Vector3 size(0.2, 0.3, 0.1);
  const MeshSurface surface = make_surface(box_mesh(size));
  std::mt19937 rng(32);
  int compared = 0;
  for (int k = 0; k < 20000; ++k) {
    const RigidTransform X_A = random_pose(&rng, 0.1), X_B = random_pose(&rng, 0.15);
    Manifold boxes;
    query_pair(Box{size}, X_A, Box{size}, X_B, 5e-3, &boxes);
    double expected = std::numeric_limits<double>::infinity();
    Vector3 normal = Vector3::Zero();
    for (const ManifoldPoint& c : boxes) {
      if (c.phi >= expected) continue;
      expected = c.phi;
      normal = c.normal;
    }
    if (boxes.size == 0 || expected < -5e-3) continue;
    ++compared;
    const auto points = query(surface, X_A, surface, X_B, 5e-3);
    ASSERT_FALSE(points.empty()) << k;
    // The contact with the box's normal has the box's depth.
    bool found = false;
    for (const ManifoldPoint& c : points) {
      found = found || ((c.normal - normal).norm() < 1e-6 && std::abs(c.phi - expected) < 1e-10);
    }
    EXPECT_TRUE(found) << k << " phi " << expected << " found " << points.size() << " least "
                       << least_phi(points);
  }
  EXPECT_GT(compared, 500);
}

/// Whether the segment from p to q goes through the triangle.
bool goes_through(const Vector3& p, const Vector3& q, const Vector3& a, const Vector3& b, const Vector3& c) {
  const auto volume = [](const Vector3& x, const Vector3& y, const Vector3& z, const Vector3& w) {
    return (y - x).cross(z - x).dot(w - x) > 0.0;
  };
  if (volume(a, b, c, p) == volume(a, b, c, q)) return false;
  const bool side = volume(p, q, a, b);
  return side == volume(p, q, b, c) && side == volume(p, q, c, a);
}

/// Whether a side of a triangle of one goes through a triangle of the other: all of them tried.
bool surfaces_cross(const MeshSurface& a, const RigidTransform& X_A, const MeshSurface& b,
                    const RigidTransform& X_B, int num_a, int num_b) {
  const auto corners = [](const MeshSurface& s, const RigidTransform& X, int t) {
    return std::array<Vector3, 3>{X * s.corner(t, 0), X * s.corner(t, 1), X * s.corner(t, 2)};
  };
  for (int i = 0; i < num_a; ++i) {
    const auto p = corners(a, X_A, i);
    for (int j = 0; j < num_b; ++j) {
      const auto q = corners(b, X_B, j);
      for (int k = 0; k < 3; ++k) {
        if (goes_through(p[k], p[(k + 1) % 3], q[0], q[1], q[2]) ||
            goes_through(q[k], q[(k + 1) % 3], p[0], p[1], p[2])) {
          return true;
        }
      }
    }
  }
  return false;
}

/// Rings with corners, apart by a search of all pairs of triangles and neither inside the other, do not
/// overlap: edges on the far sides of parts that stand side by side are no contacts.
TEST(MeshPair, SolidsThatAreApartDoNotOverlap) {
  const TriangleMesh mesh = ring_mesh(9, 0.05, 0.08, 0.05);
  const MeshSurface ring = make_surface(mesh);
  const int n = static_cast<int>(mesh.triangles.size());
  std::mt19937 rng(43);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int contacts = 0;
  for (int k = 0; k < 4000; ++k) {
    // Side by side, nearly upright, or linked at random.
    RigidTransform X_B = random_pose(&rng, 0.15);
    if (k % 2) {
      const double angle = std::numbers::pi * uniform(rng);
      X_B = turned(Vector3(uniform(rng), uniform(rng), 0.0), 0.2 * uniform(rng),
                   (0.158 + 0.004 * uniform(rng)) * Vector3(std::cos(angle), std::sin(angle), 0.0) +
                       0.03 * uniform(rng) * Vector3::UnitZ());
    }
    const auto points = query(ring, {}, ring, X_B, 3e-3);
    contacts += static_cast<int>(points.size());
    if (least_phi(points) > -1e-6 || surfaces_cross(ring, {}, ring, X_B, n, n)) continue;
    ADD_FAILURE() << k << ": apart, with a contact of " << least_phi(points);
  }
  EXPECT_GT(contacts, 500);
}

/// An angle with legs of 60 mm, 20 mm wide and 30 mm high, its notch at the origin.
TriangleMesh angle_mesh() {
  const double outline[6][2] = {{-0.02, -0.02}, {0.04, -0.02}, {0.04, 0.0},
                                {0.0, 0.0},     {0.0, 0.04},   {-0.02, 0.04}};
  TriangleMesh mesh;
  mesh.closed = true;
  for (const double z : {-0.015, 0.015})
    for (const auto& p : outline) mesh.vertices.emplace_back(p[0], p[1], z);
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const auto& [i, j, k] :
       {std::array{0, 1, 2}, std::array{0, 2, 3}, std::array{0, 3, 4}, std::array{0, 4, 5}}) {
    mesh.triangles.push_back({i, k, j});
    mesh.triangles.push_back({i + 6, j + 6, k + 6});
  }
  return mesh;
}

/// An angle that lies in the notch of another, micrometres deep in both of its walls and turned by no more
/// than 1e-4, is parted by moving 2e-6 + 1e-4 * 0.06 m along each wall. The edges that cross in the slivers
/// between the walls are no way out. (30 to 40 mm deep ones were found in 799 of these poses before
/// ways out along both walls were looked for.)
TEST(MeshPair, SliversBetweenWallsAreAsDeepAsTheyAreThin) {
  const MeshSurface angle = make_surface(angle_mesh());
  std::mt19937 rng(47);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int overlaps = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector3 p(0.02 + 2e-6 * uniform(rng), 0.02 + 2e-6 * uniform(rng), 2e-6 * uniform(rng));
    const auto points =
        query(angle, {}, angle, turned(random_vector(&rng, 1.0), 1e-4 * uniform(rng), p), 1e-3);
    overlaps += least_phi(points) < 0.0;
    EXPECT_GT(least_phi(points), -1e-5) << k;
  }
  EXPECT_GT(overlaps, 1000);
}

/// Overlaps up to 30 % of the thinner box: none is missed, and where a way out is the boxes' none of the
/// contacts is deeper than it. What differs are overlaps whose way out shows at no corner of one in a facet
/// of the other.
TEST(MeshPair, DeepOverlapsOfBoxesAreAsDeepAsTheBoxes) {
  const Vector3 block(0.3, 0.3, 0.2);
  for (const Vector3& size : {Vector3(0.1, 0.06, 0.08), Vector3(0.2, 0.2, 0.01), Vector3(0.3, 0.02, 0.03)}) {
    for (const int cuts : {0, 2}) {
      const MeshSurface a = make_surface(subdivided(box_mesh(block), cuts)),
                        b = make_surface(subdivided(box_mesh(size), cuts));
      const double limit = 0.3 * size.minCoeff();
      std::mt19937 rng(42);
      std::uniform_real_distribution<double> depth(0.0, limit);
      int overlaps = 0, differ = 0, far = 0;
      for (int k = 0; k < 4000; ++k) {
        RigidTransform X = random_pose(&rng, 1.0);
        X.p = X.p.cwiseProduct(Vector3(0.2, 0.2, 0.15));
        Manifold boxes;
        query_pair(Box{block}, {}, Box{size}, X, 1.0, &boxes);
        const auto shallower = [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.phi < y.phi; };
        const ManifoldPoint first = *std::min_element(boxes.begin(), boxes.end(), shallower);
        X.p -= (first.phi + depth(rng)) * first.normal;
        query_pair(Box{block}, {}, Box{size}, X, 1e-6, &boxes);
        if (boxes.size == 0) continue;
        const double expected = std::min_element(boxes.begin(), boxes.end(), shallower)->phi;
        if (!(expected < -1e-7 && expected > -limit)) continue;
        ++overlaps;
        const double found = least_phi(query(a, {}, b, X, 1e-6));
        ASSERT_LT(found, 0.0) << k;
        differ += std::abs(found / expected - 1.0) > 0.01;
        far += std::abs(found / expected - 1.0) > 0.5;
      }
      EXPECT_GT(overlaps, 3000);
      EXPECT_LE(differ, overlaps / 40) << size.transpose() << ", cut " << cuts;
      EXPECT_LE(far, overlaps / 400) << size.transpose() << ", cut " << cuts;
    }
  }
}

/// Blades and spikes that lean at any angle against the faces and edges of a block: none is missed, none is
/// shallower than the hulls of their points but for rounding, and none is deeper by more than a factor of 2:
/// a single shallow contact is not compared with other ways out. (Nothing was found, or the far side of the
/// block, where the shortest way out of the block leads past the tip.)
TEST(MeshPair, PointedSolidsThatLeanAreAsDeepAsTheirTips) {
  const Vector3 block(0.3, 0.3, 0.2);
  const MeshSurface a = make_surface(box_mesh(block));
  TriangleMesh blade;  // with an edge of 23 degrees along z
  for (const double z : {-0.02, 0.02})
    for (const Vector3& p : {Vector3(0, 0, z), Vector3(0.1, 0.02, z), Vector3(0.1, -0.02, z)})
      blade.vertices.push_back(p);
  blade.triangles = {{0, 1, 2}, {3, 5, 4}, {0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3}, {2, 3, 0}};
  TriangleMesh spike;
  spike.vertices = {{0, 0, 0}, {0.1, 0.02, -0.01}, {0.1, -0.02, -0.01}, {0.1, 0, 0.02}};
  spike.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  for (TriangleMesh& mesh : std::array{blade, spike}) {
    const Convex hull = make_convex(mesh.vertices);
    mesh.closed = true;
    const MeshSurface b = make_surface(mesh);
    const double size = b.tree().bounds().half_size().norm();  // m
    std::mt19937 rng(48);
    std::uniform_real_distribution<double> exponent(-7.0, -3.5);
    for (int k = 0; k < 2000; ++k) {
      RigidTransform X = random_pose(&rng, 1.0);
      X.p = X.p.cwiseProduct(Vector3(0.2, 0.2, 0.15));
      const auto hulls_meet = [&] {
        Manifold hulls;
        query_pair(Box{block}, {}, hull, X, 1.0, &hulls);
        return *std::min_element(
            hulls.begin(), hulls.end(),
            [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.phi < y.phi; });
      };
      for (int i = 0; i < 3; ++i) {  // other features are nearest on the way
        const ManifoldPoint first = hulls_meet();
        X.p -= (first.phi + std::pow(10.0, exponent(rng))) * first.normal;
      }
      const double expected = hulls_meet().phi, found = least_phi(query(a, {}, b, X, 1e-3));
      ASSERT_LT(expected, 0.0) << k;
      EXPECT_LT(found, 0.999999 * expected + MeshTolerances::kRounding * size) << k;
      EXPECT_GT(found, 2.002 * expected) << k;
    }
  }
}

/// A box in the corner of a room, deeper in one wall than in the other: the shorter way out leaves the other
/// wall.
TEST(MeshPair, BothWallsOfACornerHold) {
  const double half = 0.1;  // m, of the square hole
  const MeshSurface room = make_surface(ring_mesh(4, std::numbers::sqrt2 * half, 0.3, 0.4)),
                    box = make_surface(box_mesh(Vector3(0.1, 0.08, 0.12)));
  const RigidTransform X_B(Vector3(half + 0.001 - 0.05, half + 0.005 - 0.04, 0.01));
  double x = 0.0, y = 0.0;
  for (const ManifoldPoint& c : query(room, {}, box, X_B, 1e-3)) {
    if (c.normal.x() < -0.999) x = std::min(x, c.phi);
    if (c.normal.y() < -0.999) y = std::min(y, c.phi);
  }
  EXPECT_NEAR(x, -0.001, 1e-12);
  EXPECT_NEAR(y, -0.005, 1e-12);
}

/// Balls: the distance of the spheres within the sagitta of the facets, and a normal within their angle.
TEST(MeshPair, BallsHaveTheDistanceOfSpheres) {
  const double r_a = 0.05, r_b = 0.08;
  const MeshSurface a = make_surface(ball_mesh(r_a, 4)), b = make_surface(ball_mesh(r_b, 4));
  const double edge =
      std::numbers::sqrt2 / 16.0 *
      std::numbers::sqrt3;  // rad, the longest: at the middle of an octahedron's face cut into 16^2
  const double sagitta = (r_a + r_b) * (1.0 - std::cos(edge / std::sqrt(3.0)));
  std::mt19937 rng(33);
  for (int k = 0; k < 500; ++k) {
    const RigidTransform X_A = random_pose(&rng, 0.1);
    RigidTransform X_B = random_pose(&rng, 0.1);
    const Vector3 direction = (X_B.p - X_A.p).normalized();
    const double gap = -1e-3 + 1.5e-3 * (k % 5) / 4.0;
    X_B.p = X_A.p + (r_a + r_b + gap) * direction;
    const auto points = query(a, X_A, b, X_B, 2e-3);
    ASSERT_FALSE(points.empty()) << k;
    const double least = least_phi(points);
    EXPECT_GE(least, gap - 1e-12) << k;  // facets are inside the spheres
    EXPECT_LE(least, gap + sagitta) << k;
    for (const ManifoldPoint& c : points) {
      if (c.phi == least) {
        EXPECT_GT(c.normal.dot(direction), std::cos(2.0 * edge));
      }
    }
  }
}

/// A turn and a shift of the whole world turn and shift the contacts; swapped surfaces mirror them. Of a way
/// out of a deep overlap a turn leaves the depth alone, since of two places either may be where the two part
/// last, and a swap not even that: the search begins with directions around the first surface.
TEST(MeshPair, FrameAndOrderDoNotMatter) {
  const MeshSurface ring = make_surface(ring_mesh(12, 0.04, 0.1, 0.05)),
                    box = make_surface(box_mesh(Vector3(0.05, 0.06, 0.2)));
  const auto has_way_out = [](const std::vector<ManifoldPoint>& points) {
    constexpr int kWayOut = 8;  // of MeshPairQuery's kinds
    return std::any_of(points.begin(), points.end(),
                       [](const ManifoldPoint& c) { return MeshFeature::kind(c.feature) == kWayOut; });
  };
  const auto depth_of = [](const std::vector<ManifoldPoint>& points) {
    double depth = 0.0;
    for (const ManifoldPoint& c : points) depth = std::max(depth, -c.phi);
    return depth;
  };
  std::mt19937 rng(34);
  int contacts = 0, compared = 0;
  for (int k = 0; k < 400; ++k) {
    const RigidTransform X_A = random_pose(&rng, 0.02), X_B = random_pose(&rng, 0.1),
                         X = random_pose(&rng, 1.0);
    const auto points = query(ring, X_A, box, X_B, 2e-3);
    contacts += static_cast<int>(points.size());
    const auto moved = query(ring, X * X_A, box, X * X_B, 2e-3);
    auto swapped = query(box, X_B, ring, X_A, 2e-3);
    if (has_way_out(points) || has_way_out(moved) || has_way_out(swapped)) {
      const double depth = depth_of(points);
      EXPECT_NEAR(depth_of(moved), depth, MeshTolerances::kShorter * depth) << k;
      continue;
    }
    ++compared;
    ASSERT_EQ(points.size(), moved.size()) << k;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].feature, moved[i].feature);
      EXPECT_LT((X * points[i].p_a - moved[i].p_a).norm(), 1e-9);
      EXPECT_LT((X.R * points[i].normal - moved[i].normal).norm(), 1e-9);
      EXPECT_NEAR(points[i].phi, moved[i].phi, 1e-9);
    }
    ASSERT_EQ(points.size(), swapped.size()) << k;
    for (ManifoldPoint& c : swapped) {
      std::swap(c.p_a, c.p_b);
      c.normal = -c.normal;
    }
    expect_among(swapped, points, 1e-9);
  }
  EXPECT_GT(contacts, 500);
  EXPECT_GT(compared, 200);
}

/// Two linked rings, each through the hole of the other: pulled apart they meet in the middle of the link and
/// nowhere else, and a ring that has been pulled too far is held back, not let out.
TEST(MeshPair, LinkedToriHoldEachOther) {
  const double ring = 0.1, tube = 0.02;
  const MeshSurface torus = make_surface(torus_mesh(ring, tube, 48, 16));
  // The first in the plane z = 0, the second, turned into the plane y = 0, hangs through its hole.
  for (const double overlap : {-5e-4, 1e-4, 1e-3, 4e-3}) {
    for (const double turn : {0.0, 0.03, 0.7}) {
      const RigidTransform X_A = turned(Vector3::UnitZ(), turn, Vector3::Zero());
      const Vector3 p(2.0 * (ring - tube) + overlap, 0, 0);
      const RigidTransform X_B{
          Matrix3(Eigen::AngleAxisd(0.5 * kPi, Vector3::UnitX()) * Eigen::AngleAxisd(turn, Vector3::UnitZ())),
          p};
      const auto points = query(torus, X_A, torus, X_B, 1e-3);
      ASSERT_FALSE(points.empty()) << overlap << " " << turn;
      Vector3 force = Vector3::Zero();
      for (const ManifoldPoint& c : points) {
        EXPECT_LT((c.p_a - Vector3(ring - tube, 0, 0)).norm(), 0.02);
        force += std::max(0.0, -c.phi) * c.normal;
      }
      // Facets of the tubes stay inside the torus by up to their sagitta, 0.02 (1 - cos(pi/16)) = 4e-4 m
      // along the tube and 0.08 (1 - cos(pi/48)) along the ring, on both sides.
      EXPECT_NEAR(least_phi(points), -overlap, 1.2e-3);
      if (overlap > 5e-4) {
        EXPECT_LT(force.normalized().x(), -0.95) << overlap << " " << turn;  // b is pulled back
      }
    }
  }
}

/// A ball on a rough open sheet feels what a sphere feels, from both sides.
TEST(MeshPair, OpenSheetsPushToTheSideOfTheCentre) {
  std::mt19937 rng(35);
  const MeshSurface sheet = make_surface(random_terrain(20, 0.5, &rng)),
                    box = make_surface(box_mesh(Vector3(0.1, 0.1, 0.1)));
  for (const double side : {1.0, -1.0}) {
    for (const double overlap : {-1e-4, 1e-4, 5e-3, 3e-2}) {
      const RigidTransform X_B = turned(Vector3::UnitZ(), 0.3, Vector3(0.07, 0.02, side * (0.05 - overlap)));
      for (const bool swap : {false, true}) {
        const auto points = swap ? query(box, X_B, sheet, {}, 1e-3) : query(sheet, {}, box, X_B, 1e-3);
        ASSERT_EQ(points.size(), 4u) << overlap << " " << swap;
        for (const ManifoldPoint& c : points) {
          EXPECT_NEAR(c.phi, -overlap, 1e-12);
          EXPECT_LT((c.normal - (swap ? -side : side) * Vector3::UnitZ()).norm(), 1e-9);
        }
      }
    }
  }
}

/// A solid wholly inside another is pushed out as a whole.
TEST(MeshPair, WhollyInside) {
  const MeshSurface large = make_surface(box_mesh(Vector3(1, 1, 1))),
                    small = make_surface(ball_mesh(0.05, 2));
  const RigidTransform X_B(Vector3(0.1, 0.2, 0.4));
  for (const bool swap : {false, true}) {
    const auto points = swap ? query(small, X_B, large, {}, 1e-3) : query(large, {}, small, X_B, 1e-3);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].phi, -0.15, 1e-12);
    EXPECT_NEAR(points[0].normal.z(), swap ? -1.0 : 1.0, 1e-12);
  }
}

/// The springs of a thin plate on an uneven floor have a potential: what stands out of a flat side carries
/// neither when it is all that overlaps nor when corners do.
TEST(MeshPair, AThinPlateOnAnUnevenSideHasAPotential) {
  std::mt19937 rng(23);
  std::normal_distribution<double> off(0.0, 1.0);
  const MeshSurface plate = make_surface(box_mesh(Vector3(0.16, 0.12, 2e-3)));
  for (const double uneven : {1e-8, 4e-6}) {
    const MeshSurface floor =
        make_surface(random_terrain(8, 0.12, &rng, [&](double, double) { return uneven * off(rng); }));
    const auto query_plate = [&](const RigidTransform& X, std::vector<ManifoldPoint>* points) {
      *points = query(floor, RigidTransform(), plate, X, 1e-3);
    };
    test::expect_potential(std::to_string(uneven), query_plate, Matrix3::Identity(),
                           Vector3(0.013, -0.02, 1e-3), 2e-5, 5e-6);
  }
}

/// Boxes that touch, asked for overlaps alone: what is not below the bound is neither a contact nor a way
/// out.
TEST(MeshPair, TouchingFacesAreNoOverlap) {
  const MeshSurface large = make_surface(box_mesh(Vector3::Constant(0.125)));
  const MeshSurface small = make_surface(box_mesh(Vector3::Constant(0.0625)));
  const RigidTransform X(Vector3(0.0, 0.0, 0.09375));  // exact in binary: heights are 0
  EXPECT_TRUE(query(large, {}, small, X, 0.0).empty());
  EXPECT_EQ(query(large, {}, small, X, 1e-9).size(), 4u);
}

/// Random poses of everything with everything, deep and shallow: finite, consistent, never fatal, and nothing
/// that is farther apart than asked for.
TEST(MeshPair, RandomPosesGiveConsistentContacts) {
  std::mt19937 rng(36);
  std::vector<MeshSurface> surfaces;
  surfaces.push_back(make_surface(box_mesh(Vector3(0.1, 0.2, 0.3))));
  surfaces.push_back(make_surface(ball_mesh(0.1, 2)));
  surfaces.push_back(make_surface(torus_mesh(0.1, 0.03, 16, 8)));
  surfaces.push_back(make_surface(ring_mesh(7, 0.05, 0.12, 0.08)));
  surfaces.push_back(make_surface(random_terrain(6, 0.2, &rng, [](double x, double y) { return x * y; })));
  int deep = 0;
  for (int k = 0; k < 1500; ++k) {
    const MeshSurface &a = surfaces[rng() % 5], &b = surfaces[rng() % 5];
    RigidTransform X_A = random_pose(&rng, 0.1), X_B = random_pose(&rng, 0.1);
    if (k % 4 == 0) X_A.R = X_B.R = Matrix3::Identity();  // degenerate
    if (k % 12 == 0) X_B.p = X_A.p;
    const auto points = query(a, X_A, b, X_B, 1e-3);
    for (const ManifoldPoint& c : points) deep += c.phi < -0.01 ? 1 : 0;
    if (!a.closed() && !b.closed()) {
      EXPECT_TRUE(points.empty());
    }
  }
  EXPECT_GT(deep, 100);
}

}  // namespace
}  // namespace csim
