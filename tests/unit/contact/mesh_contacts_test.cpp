#include "contact/mesh/mesh_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"
#include "unit/contact/spring_potential.h"

namespace csim {
namespace {

using testing::ball_mesh;
using testing::box_mesh;
using testing::expect_consistent;
using testing::make_convex;
using testing::make_mesh;
using testing::make_surface;
using testing::random_pose;
using testing::random_terrain;
using testing::random_vector;
using testing::subdivided;

std::vector<ManifoldPoint> query(const MeshSurface& surface, const RigidTransform& X_WM, const Shape& shape,
                                 const RigidTransform& X_WS, double max_phi) {
  MeshQuery mesh_query;
  std::vector<ManifoldPoint> points;
  mesh_query.find(surface, X_WM, shape, X_WS, max_phi, &points);
  return points;
}

/// A rotation that leaves z where it is, or nearly so.
RigidTransform pose_above(const Vector3& p, double yaw, double tilt = 0.0) {
  return {Quaternion(Eigen::AngleAxisd(tilt, Vector3::UnitX()) * Eigen::AngleAxisd(yaw, Vector3::UnitZ())),
          p};
}

std::vector<Shape> shapes_on_a_plane() {
  const std::vector<Vector3> prism{{0.06, 0, -0.05}, {-0.03, 0.05, -0.05}, {-0.03, -0.05, -0.05},
                                   {0.06, 0, 0.05},  {-0.03, 0.05, 0.05},  {-0.03, -0.05, 0.05}};
  return {Sphere{0.05},        Box{Vector3(0.1, 0.14, 0.1)}, Capsule{0.05, 0.1},
          Cylinder{0.05, 0.1}, make_convex(prism),           Ellipsoid{Vector3(0.06, 0.04, 0.05)}};
}

class OnFlatTessellation : public ::testing::TestWithParam<int> {};

/// Over a flat surface cut into random triangles a shape feels exactly the half space: the same points,
/// depths and normals, wherever it is.
TEST_P(OnFlatTessellation, FeelsTheHalfSpace) {
  const Shape shape = shapes_on_a_plane()[GetParam()];
  std::mt19937 rng(11);
  const MeshSurface surface = make_surface(random_terrain(24, 1.0, &rng));
  for (int k = 0; k < 300; ++k) {
    // Sliding, turning, with a little tilt; penetrating and not.
    const Vector3 p(-0.8 + 1.6 * k / 300, 0.3 * std::sin(0.1 * k), 0.05 + 1e-3 * std::sin(0.7 * k));
    RigidTransform X_WS = pose_above(p, 0.05 * k, k % 3 == 0 ? 0.0 : 1e-3 * std::cos(k));
    if (GetParam() == 2 && k % 2)
      X_WS.R = X_WS.R * Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitY());  // lying
    const double max_phi = 0.01;
    const std::vector<ManifoldPoint> points = query(surface, {}, shape, X_WS, max_phi);
    Manifold plane;
    query_pair(HalfSpace{}, {}, shape, X_WS, max_phi, &plane);
    expect_consistent(points, max_phi);
    ASSERT_EQ(static_cast<int>(points.size()), plane.size) << k;
    for (const ManifoldPoint& c : points) {
      EXPECT_LT((c.normal - Vector3::UnitZ()).norm(), 1e-12);
      // Each is one of the half space's points.
      double nearest = 1.0;
      for (const ManifoldPoint& d : plane)
        nearest = std::min(nearest, (c.p_b - d.p_b).norm() + std::abs(c.phi - d.phi));
      EXPECT_LT(nearest, 1e-12) << k;  // rounding of coordinates of 1 m
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OnFlatTessellation, ::testing::Range(0, 6));

/// Points exactly above inner edges and vertices belong to both sides: still one contact.
TEST(MeshContacts, SphereOverInnerEdgesAndVertices) {
  std::mt19937 rng(12);
  const TriangleMesh mesh = random_terrain(8, 1.0, &rng);
  const MeshSurface surface = make_surface(mesh);
  for (const auto& t : mesh.triangles) {
    const Vector3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]];
    for (const Vector3& foot : {a, Vector3(0.5 * (a + b))}) {
      if (foot.head<2>().cwiseAbs().maxCoeff() > 0.99) continue;
      const auto points =
          query(surface, {}, Sphere{0.05}, RigidTransform(Vector3(foot + Vector3(0, 0, 0.049))), 0.01);
      ASSERT_EQ(points.size(), 1u);
      EXPECT_LT((points[0].normal - Vector3::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(points[0].phi, -0.001, 1e-15);
    }
  }
}

/// The distance of a point from a box, negative inside (the nearest face).
double box_distance(const Vector3& size, const Vector3& p) {
  const Vector3 q = p.cwiseAbs() - 0.5 * size;
  return q.cwiseMax(0.0).norm() + std::min(0.0, q.maxCoeff());
}

TEST(MeshContacts, SphereOnABoxMeshEqualsTheBox) {
  std::mt19937 rng(13);
  const Vector3 size(0.4, 0.6, 0.8);
  const MeshSurface surface = make_surface(subdivided(box_mesh(size), 2));
  int touching = 0;
  for (int k = 0; k < 3000; ++k) {
    const RigidTransform X_WM = random_pose(&rng, 1.0);
    const Vector3 c = random_vector(&rng, 0.6);
    const double radius = 0.1, max_phi = 0.05;
    const auto points = query(surface, X_WM, Sphere{radius}, RigidTransform(X_WM * c), max_phi);
    expect_consistent(points, max_phi);
    const double phi = box_distance(size, c) - radius;
    ASSERT_EQ(points.size(), phi < max_phi ? 1u : 0u) << c.transpose();
    if (points.empty()) continue;
    ++touching;
    EXPECT_NEAR(points[0].phi, phi, 1e-14);  // rounding of coordinates of 1 m
    Manifold box;
    query_pair(Box{size}, X_WM, Sphere{radius}, RigidTransform(X_WM * c), max_phi, &box);
    ASSERT_EQ(box.size, 1);
    EXPECT_LT((points[0].normal - box.points[0].normal).norm(), 1e-9) << c.transpose();
  }
  EXPECT_GT(touching, 500);
}

/// A deep shape is pushed out along the nearest way by all of it.
TEST(MeshContacts, CentreBelowTheSurfaceIsPushedOut) {
  const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(2, 2, 1)), 3));
  for (const Shape& shape : shapes_on_a_plane()) {
    const RigidTransform X_WS = pose_above(Vector3(0.1, 0.2, 0.4), 0.3);  // the top is at z = 0.5
    const auto points = query(surface, {}, shape, X_WS, 0.001);
    expect_consistent(points, 0.001);
    ASSERT_FALSE(points.empty());
    Manifold plane;
    query_pair(HalfSpace{}, RigidTransform(Vector3(0, 0, 0.5)), shape, X_WS, 0.001, &plane);
    ASSERT_EQ(static_cast<int>(points.size()), plane.size);
    for (const ManifoldPoint& c : points) {
      EXPECT_LT((c.normal - Vector3::UnitZ()).norm(), 1e-12);
      EXPECT_LT(c.phi, -0.05);
    }
  }
}

/// A box over the rim of a table: the clipped polygon of its face, two vertices and two crossings of the rim.
///
///        ______
///       |      |
///   ____|______|
///        |  table's rim at x = 0.5
TEST(MeshContacts, BoxOverTheRimIsClipped) {
  std::mt19937 rng(14);
  const MeshSurface closed = make_surface(subdivided(box_mesh(Vector3(1, 1, 1)), 2));
  TriangleMesh sheet = random_terrain(6, 0.5, &rng);
  const MeshSurface open = make_surface(sheet);
  for (const double tilt : {0.0, 1e-4, -1e-3}) {
    for (const double gap : {-1e-4, 1e-4}) {
      for (const MeshSurface* surface : {&closed, &open}) {
        const double top = surface == &closed ? 0.5 : 0.0;
        const RigidTransform X_WS{Quaternion(Eigen::AngleAxisd(tilt, Vector3::UnitY())),
                                  Vector3(0.47, 0.1, top + 0.05 + gap)};
        const auto points = query(*surface, {}, Box{Vector3(0.1, 0.1, 0.1)}, X_WS, 0.005);
        expect_consistent(points, 0.005);
        ASSERT_EQ(points.size(), 4u) << tilt << " " << gap << " " << top;
        int at_rim = 0, inside = 0;
        for (const ManifoldPoint& c : points) {
          EXPECT_NEAR(c.normal.z(), 1.0, 1e-6);
          EXPECT_NEAR(std::abs(c.p_a.y() - 0.1), 0.05, 1e-9);
          EXPECT_NEAR(c.phi, gap - std::tan(tilt) * (c.p_a.x() - 0.47), 1e-6);  // second order in the tilt
          at_rim += std::abs(c.p_a.x() - 0.5) < 1e-9;
          inside += std::abs(c.p_a.x() - 0.42) < 1e-4;
        }
        EXPECT_EQ(at_rim, 2);
        EXPECT_EQ(inside, 2);
      }
    }
  }
}

/// A small table under a large box: the table's four corners, not its triangles.
TEST(MeshContacts, CornersOfTheSurfaceUnderAFace) {
  const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(0.2, 0.3, 0.4)), 3));
  const auto points =
      query(surface, {}, Box{Vector3(1, 1, 1)}, pose_above(Vector3(0.1, 0, 0.7 - 1e-5), 0.4), 0.001);
  expect_consistent(points, 0.001);
  ASSERT_EQ(points.size(), 4u);
  for (const ManifoldPoint& c : points) {
    EXPECT_LT((c.normal - Vector3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(c.phi, -1e-5, 1e-15);
    EXPECT_LT((c.p_a.cwiseAbs() - Vector3(0.1, 0.15, 0.2)).norm(), 1e-15);
  }
}

/// Two boxes crossing at edges (a turned cube over the rim of another): one contact, normal across both
/// edges.
TEST(MeshContacts, EdgeOverEdge) {
  const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(1, 1, 1)), 2));
  const double half_diagonal = std::sqrt(0.5) * 0.1;
  for (const double gap : {-1e-4, 1e-4}) {
    // The mesh's edge along y at (0.5, ., 0.5); the box's edge along (1, 0, -1)/sqrt 2, coming down on it
    // along (1, 0, 1)/sqrt 2.
    Matrix3 R;
    R.col(0) = Vector3(1, 0, -1).normalized();
    R.col(1) = (Vector3(1, 0, 1).normalized() + Vector3(0, 1, 0)).normalized();
    R.col(2) = R.col(0).cross(R.col(1));
    const Vector3 n = Vector3(1, 0, 1).normalized();
    const RigidTransform X_WS(R, Vector3(0.5, 0.013, 0.5) + (half_diagonal + gap) * n);
    const auto points = query(surface, {}, Box{Vector3(0.1, 0.1, 0.1)}, X_WS, 0.001);
    expect_consistent(points, 0.001);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_LT((points[0].normal - n).norm(), 1e-9);
    EXPECT_NEAR(points[0].phi, gap, 1e-12);
    EXPECT_LT((points[0].p_a - Vector3(0.5, 0.013, 0.5)).norm(), 1e-9);
  }
}

/// A cylinder that stands over the edge of a plate and rocks keeps its contacts: places of its rim that do
/// not turn with its tilt, and where the edge comes out from below it. Away from the edge it has four.
TEST(MeshContacts, CapOverAnEdgeKeepsItsPlaces) {
  const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(1, 1, 1)), 2));
  for (const auto& [x, count] : {std::pair(0.48, 5u), std::pair(0.3, 4u)}) {
    std::set<std::int64_t> first;
    for (int k = 0; k < 24; ++k) {
      const Vector3 axis(std::cos(0.9 * k), std::sin(0.9 * k), 0.0);
      const double tilt = k == 0 ? 0.0 : std::pow(10.0, -9.0 + 0.25 * k);
      const RigidTransform X_WS(Eigen::AngleAxisd(tilt, axis).toRotationMatrix(),
                                Vector3(x, 0.013, 0.6 - 1e-4));
      std::set<std::int64_t> names;
      for (const ManifoldPoint& point : query(surface, {}, Cylinder{0.05, 0.2}, X_WS, 0.001))
        names.insert(point.feature);
      EXPECT_EQ(names.size(), count) << x << " " << tilt;
      if (k == 0) first = names;
      EXPECT_EQ(names, first) << x << " " << tilt;
    }
  }
}

/// Sunk in and tilted over a corner of a block, its deepest contact is as deep as on a box: the contacts at
/// the deeper end of the face stay.
TEST(MeshContacts, CapOverACornerKeepsItsDeeperEnd) {
  const Box box{Vector3(0.14, 0.14, 0.1)};
  const MeshSurface surface = make_surface(subdivided(box_mesh(box.size), 1));
  const Cylinder can{0.07, 0.2};
  for (int k = 0; k < 36; ++k) {
    const Vector3 axis(std::cos(0.37 * k), std::sin(0.37 * k), 0.0);
    const double tilt = 2e-3 + 1.5e-4 * k;
    const RigidTransform X_WS(Eigen::AngleAxisd(tilt, axis).toRotationMatrix(),
                              Vector3(0.01, 0.013, 0.15 - 3e-4));
    Manifold twin;
    query_pair(box, RigidTransform(), can, X_WS, 0.001, &twin);
    double deepest = 0.0, of_twin = 0.0;
    for (const ManifoldPoint& point : query(surface, {}, can, X_WS, 0.001))
      deepest = std::min(deepest, point.phi);
    for (const ManifoldPoint& point : twin) of_twin = std::min(of_twin, point.phi);
    EXPECT_NEAR(deepest, of_twin, 1e-5) << k;
  }
}

/// The same at any depth and on a rim cut into ever shorter segments: the contact stays where it is.
TEST(MeshContacts, EdgeSunkOverEdgeDoesNotFeelTheTessellation) {
  for (const int subdivisions : {0, 3, 6}) {
    const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(1, 1, 1)), subdivisions));
    for (const double gap : {-1e-5, -1e-3, -0.01, -0.03}) {
      // As in EdgeOverEdge, with a box that is rolled by 20 degrees about its edge.
      const Vector3 n = Vector3(1, 0, 1).normalized(), along = Vector3(1, 0, -1).normalized();
      Matrix3 R;
      R.col(0) = along;
      R.col(1) = (n + Vector3(0, 1, 0)).normalized();
      R.col(2) = R.col(0).cross(R.col(1));
      R = Eigen::AngleAxisd(0.35, along) * R;
      // The lowest of the four edges along `along`.
      double depth = 0.0;
      for (const double i : {-0.05, 0.05}) {
        for (const double j : {-0.05, 0.05}) depth = std::max(depth, -n.dot(R * Vector3(0, i, j)));
      }
      const RigidTransform X_WS(R, Vector3(0.5, 0.013, 0.5) + (depth + gap) * n);
      const auto points = query(surface, {}, Box{Vector3(0.4, 0.1, 0.1)}, X_WS, 0.001);
      expect_consistent(points, 0.001);
      ASSERT_EQ(points.size(), 1u) << subdivisions << " subdivisions, gap " << gap;
      // Golden sections find the support to 1e-4 of the arc, the supports then give the normal to rounding.
      EXPECT_LT((points[0].normal - n).norm(), 1e-9) << subdivisions << " subdivisions, gap " << gap;
      EXPECT_NEAR(points[0].phi, gap, 1e-12);
    }
  }
}

/// A bar that lies across the rim of a hole, one of its long edges down, and sinks into the plate.
TEST(MeshContacts, BarOverTheRimOfAHole) {
  const int sides = 84;
  const MeshSurface surface = make_surface(testing::ring_mesh(sides, 0.05, 0.15, 0.06));
  // The rim's segment around the x axis lies along y at x = r; the bar's edge along x, tilted down towards
  // the hole.
  const double r = 0.05 * std::cos(std::numbers::pi / sides);
  const double tilt = 0.1;
  const Vector3 edge(std::cos(tilt), 0, std::sin(tilt)), n = Vector3(-edge.z(), 0, edge.x());
  for (const double roll : {0.6, 0.785, 0.95}) {
    const Matrix3 R =
        (Eigen::AngleAxisd(roll, edge) * Eigen::AngleAxisd(-tilt, Vector3::UnitY())).toRotationMatrix();
    Vector3 lowest = Vector3::Zero();
    for (const double i : {-0.01, 0.01}) {
      for (const double j : {-0.01, 0.01}) {
        if (const Vector3 corner = R * Vector3(0, i, j); n.dot(corner) < n.dot(lowest)) lowest = corner;
      }
    }
    for (const double gap : {5e-5, -1e-5, -1e-3, -3e-3, -8e-3}) {
      const RigidTransform X_WS(R, Vector3(r, 0.0, 0.03) + 0.03 * edge - lowest + gap * n);
      const auto points = query(surface, {}, Box{Vector3(0.1, 0.02, 0.02)}, X_WS, 1e-4);
      expect_consistent(points, 1e-4);
      // One end is over the hole, the other over the plate and touches it at last.
      ASSERT_GE(points.size(), 1u) << "roll " << roll << ", gap " << gap;
      ASSERT_LE(points.size(), 2u) << "roll " << roll << ", gap " << gap;
      const auto deepest = std::min_element(points.begin(), points.end(),
                                            [](const auto& x, const auto& y) { return x.phi < y.phi; });
      EXPECT_LT((deepest->normal - n).norm(), 1e-9) << "roll " << roll << ", gap " << gap;
      EXPECT_NEAR(deepest->phi, gap, 1e-12) << "roll " << roll;
      // On the rim, within half a segment: deep in overlap the closest points of the two edges are one choice
      // of many.
      EXPECT_LT((deepest->p_a - Vector3(r, 0, 0.03)).norm(), 1.9e-3) << "roll " << roll << ", gap " << gap;
    }
  }
}

/// In the corner of a room each wall acts along its own normal: no diagonal ones from the inner edges.
TEST(MeshContacts, RoomCornerHasWallNormalsOnly) {
  // A room: the inside of a box mesh as an open surface, without its lid.
  TriangleMesh room = subdivided(box_mesh(Vector3(1, 1, 1)), 2);
  std::erase_if(room.triangles, [&](const auto& t) {
    return room.vertices[t[0]].z() + room.vertices[t[1]].z() + room.vertices[t[2]].z() > 1.4;
  });
  room.closed = false;
  const MeshSurface surface = make_surface(room);
  for (const double overlap : {-1e-4, 1e-5, 1e-3}) {
    const double p = -0.5 + 0.05 - overlap;
    for (const Shape& shape : {Shape(Sphere{0.05}), Shape(Box{Vector3(0.1, 0.1, 0.1)})}) {
      const auto points = query(surface, {}, shape, RigidTransform(Vector3(p, p, p)), 0.005);
      expect_consistent(points, 0.005);
      Vector3 seen = Vector3::Zero();
      for (const ManifoldPoint& c : points) {
        int axis = 0;
        EXPECT_NEAR(c.normal.maxCoeff(&axis), 1.0, 1e-12);
        EXPECT_NEAR(c.phi, -overlap, 1e-12);
        seen[axis] += 1.0;
      }
      EXPECT_GE(seen.minCoeff(), 1.0);
      if (std::holds_alternative<Sphere>(shape)) {
        EXPECT_EQ(points.size(), 3u);
      }
    }
  }
}

/// On a convex tessellated hill the normal is that of a facet, or lies between those of the facets at the
/// edge or corner touched.
TEST(MeshContacts, BallOnBallMeshHasOneContactInTheNormalCone) {
  std::mt19937 rng(15);
  const MeshSurface surface = make_surface(ball_mesh(0.5, 3));
  const double angle = 0.25;  // rad, more than half an edge of the tessellation seen from the centre
  for (int k = 0; k < 500; ++k) {
    const Vector3 direction = random_vector(&rng, 1.0).normalized();
    const auto points = query(surface, {}, Sphere{0.1}, RigidTransform(Vector3(0.595 * direction)), 0.003);
    expect_consistent(points, 0.003);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_GT(points[0].normal.dot(direction), std::cos(angle));
  }
}

TEST(MeshContacts, OpenSurfacePushesToTheSideOfTheCentre) {
  std::mt19937 rng(16);
  const MeshSurface surface = make_surface(random_terrain(6, 1.0, &rng));
  for (const Shape& shape : shapes_on_a_plane()) {
    const auto above = query(surface, {}, shape, pose_above(Vector3(0.1, 0.1, 0.0499), 0.2), 0.001);
    const auto below = query(surface, {}, shape, pose_above(Vector3(0.1, 0.1, -0.0499), 0.2), 0.001);
    ASSERT_FALSE(above.empty());
    ASSERT_EQ(above.size(), below.size());
    for (const auto& c : above) EXPECT_LT((c.normal - Vector3::UnitZ()).norm(), 1e-12);
    for (const auto& c : below) EXPECT_LT((c.normal + Vector3::UnitZ()).norm(), 1e-12);
  }
}

/// An open sheet holds whatever reaches through it less far than its centre, even where nothing is offered
/// beyond touching.
TEST(MeshContacts, OpenSurfaceHoldsAtAnyDepth) {
  TriangleMesh plate;
  plate.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  const MeshSurface surface = make_surface(plate);
  for (const Shape& shape : shapes_on_a_plane()) {
    const double height = std::holds_alternative<Capsule>(shape) ? 0.1 : 0.05;
    for (const double side : {1.0, -1.0}) {
      for (const double overlap : {1e-6, 1e-4, 1e-2, 4e-2}) {
        for (const double max_phi : {1e-9, 1e-3}) {
          const RigidTransform X_WS = pose_above(Vector3(0.1, 0.23, side * (height - overlap)), 0.3);
          const auto points = query(surface, {}, shape, X_WS, max_phi);
          expect_consistent(points, max_phi);
          const RigidTransform X_WH(
              Matrix3(Eigen::AngleAxisd(side > 0 ? 0.0 : std::numbers::pi, Vector3::UnitX())),
              Vector3::Zero());
          Manifold plane;
          query_pair(HalfSpace{}, X_WH, shape, X_WS, max_phi, &plane);
          ASSERT_EQ(static_cast<int>(points.size()), plane.size) << shape.index() << " " << overlap;
          double deepest = 0.0;
          for (const ManifoldPoint& c : points) {
            EXPECT_LT((c.normal - side * Vector3::UnitZ()).norm(), 1e-12);
            double nearest = 1.0;
            for (const ManifoldPoint& d : plane)
              nearest = std::min(nearest, (c.p_b - d.p_b).norm() + std::abs(c.phi - d.phi));
            EXPECT_LT(nearest, 1e-12);
            deepest = std::min(deepest, c.phi);
          }
          EXPECT_NEAR(deepest, -overlap, 1e-12);
        }
      }
    }
  }
}

/// A box that hangs beside a sheet, partly below it, does not touch it.
TEST(MeshContacts, OpenSurfaceEndsAtItsBorder) {
  TriangleMesh plate;
  plate.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  const MeshSurface surface = make_surface(plate);
  for (const Shape& shape : shapes_on_a_plane()) {
    for (const double y : {0.1, 1.11}) {
      EXPECT_TRUE(query(surface, {}, shape, RigidTransform(Vector3(1.11, y, 0.02)), 1e-3).empty())
          << shape.index();
    }
  }
}

/// The contacts hold the shape up (along the world's z times `side`) all over the footprint, and nothing
/// pushes it sideways.
void expect_flush_stack(const std::vector<ManifoldPoint>& points, double side, double overlap) {
  expect_consistent(points, 0.01);
  Vector3 low = Vector3::Constant(1.0), high = -low;
  for (const ManifoldPoint& c : points) {
    const bool vertical = std::abs(side * c.normal.z() - 1.0) < 1e-9;
    EXPECT_TRUE(vertical) << c.normal.transpose() << " phi " << c.phi;
    if (!vertical) continue;
    EXPECT_NEAR(c.phi, -overlap, 1e-12);
    low = low.cwiseMin(c.p_a);
    high = high.cwiseMax(c.p_a);
  }
  EXPECT_LT(low.x(), -0.049);
  EXPECT_LT(low.y(), -0.049);
  EXPECT_GT(high.x(), 0.049);
  EXPECT_GT(high.y(), 0.049);
}

/// Stacks whose side faces are flush, or nearly, rest on the faces between them.
TEST(MeshContacts, FlushSideFacesDoNotHideTheFaceBetween) {
  const std::vector<Vector3> cube{{-0.1, -0.1, -0.1}, {0.1, -0.1, -0.1}, {-0.1, 0.1, -0.1}, {0.1, 0.1, -0.1},
                                  {-0.1, -0.1, 0.1},  {0.1, -0.1, 0.1},  {-0.1, 0.1, 0.1},  {0.1, 0.1, 0.1}};
  const std::vector<Shape> shapes{Box{Vector3(0.2, 0.2, 0.2)}, make_convex(cube), Cylinder{0.1, 0.2},
                                  Box{Vector3(0.1, 0.2, 0.2)}, Box{Vector3(0.2, 0.4, 0.2)}};
  for (const int cuts : {0, 2}) {
    const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(0.2, 0.2, 0.1)), cuts));
    for (const Shape& shape : shapes) {
      for (const double overlap : {0.0, 1e-6, 1e-4, 1e-3}) {
        for (const double side : {1.0, -1.0}) {
          for (const double shift : {0.0, 1e-15, 1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-4}) {
            SCOPED_TRACE(::testing::Message() << "shape " << &shape - shapes.data() << " overlap " << overlap
                                              << " side " << side << " shift " << shift << " cuts " << cuts);
            const Vector3 p(shift, -0.5 * shift, side * (0.15 - overlap));
            expect_flush_stack(query(surface, {}, shape, RigidTransform(p), 0.01), side, overlap);
            // The shape below or above the mesh, away from the origin, with its rounding.
            const RigidTransform X_W(Vector3(0.3, -0.7, 1.1));
            auto moved = query(surface, X_W, shape, X_W * RigidTransform(p), 0.01);
            for (ManifoldPoint& c : moved) {
              c.p_a -= X_W.p;
              c.p_b -= X_W.p;
            }
            expect_flush_stack(moved, side, overlap);
          }
        }
      }
    }
  }
}

TEST(MeshContacts, HalfSpaceTakesTheLowestCorners) {
  std::mt19937 rng(17);
  const TriangleMesh box = subdivided(box_mesh(Vector3(0.2, 0.3, 0.4)), 2);
  const MeshSurface surface = make_surface(box);
  const auto flat = query(surface, RigidTransform(Vector3(0, 0, 0.199)), HalfSpace{}, {}, 0.01);
  ASSERT_EQ(flat.size(), 4u);
  for (const auto& c : flat) {
    EXPECT_EQ(c.normal, -Vector3::UnitZ());
    EXPECT_NEAR(c.phi, -0.001, 1e-15);
  }
  // Of a round body every vertex below the limit, with its height.
  const TriangleMesh ball = ball_mesh(0.5, 4);
  const MeshSurface round = make_surface(ball);
  for (int k = 0; k < 100; ++k) {
    const RigidTransform X_WM = random_pose(&rng, 0.3), X_WH = random_pose(&rng, 0.3);
    const auto points = query(round, X_WM, HalfSpace{}, X_WH, 0.1);
    expect_consistent(points, 0.1);
    std::vector<double> expected, found;
    for (const Vector3& v : ball.vertices) {
      const double height = X_WH.inverse_times(X_WM * v).z();
      if (height < 0.1) expected.push_back(height);
    }
    for (const auto& c : points) found.push_back(c.phi);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
  }
}

/// A rough ball, not convex, presses into a wide plate from above with any of its bumps: straight up is the
/// least way out. Once bumps have come through the plate while others are in it, contacts may not hold all of
/// it; of some of these the query says so.
TEST(MeshContacts, RoughBallInAThinPlateIsHeldAsDeepAsItIs) {
  std::mt19937 rng(17);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const double half = 1e-3;
  const Box plate{Vector3(0.2, 0.2, 2 * half)};
  MeshQuery mesh_query;
  int num_unheld = 0;
  for (int k = 0; k < 2000; ++k) {
    TriangleMesh ball = testing::ball_mesh(0.02, 2);
    for (Vector3& v : ball.vertices) v *= 0.6 + 0.4 * unit(rng);
    const MeshSurface surface = make_surface(ball);
    RigidTransform X_WM = testing::random_pose(&rng, 0.0);
    double lowest = 0.0;
    for (const Vector3& v : ball.vertices) lowest = std::min(lowest, (X_WM * v).z());
    const double depth = 2 * half * (k % 2 == 0 ? std::pow(unit(rng), 2) : 1.0 + unit(rng));
    X_WM.p.z() += half - depth - lowest;
    std::vector<ManifoldPoint> points;
    mesh_query.find(surface, X_WM, plate, {}, 1e-4, &points);
    num_unheld += mesh_query.unheld() ? 1 : 0;
    if (depth >= 2 * half) continue;
    EXPECT_FALSE(mesh_query.unheld()) << k;
    const auto deepest = std::min_element(points.begin(), points.end(),
                                          [](const auto& x, const auto& y) { return x.phi < y.phi; });
    ASSERT_NE(deepest, points.end()) << k;
    EXPECT_NEAR(deepest->phi, -depth, 1e-9) << k;
    EXPECT_LT((deepest->normal + Vector3::UnitZ()).norm(), 1e-6) << k;
  }
  EXPECT_GT(num_unheld, 0);
}

/// Random poses of everything against everything, deep and shallow, and degenerate ones: finite, consistent,
/// never fatal.
TEST(MeshContacts, RandomPosesGiveConsistentContacts) {
  std::mt19937 rng(18);
  const auto wave = [](double x, double y) { return 0.1 * std::sin(5 * x) * std::cos(4 * y); };
  const std::array<MeshSurface, 4> surfaces{
      make_surface(subdivided(box_mesh(Vector3(0.3, 0.4, 0.5)), 1)), make_surface(ball_mesh(0.3, 2)),
      make_surface(random_terrain(8, 0.5, &rng, wave)), make_surface(box_mesh(Vector3(1, 1, 1e-3)))};
  long contacts = 0;
  for (const MeshSurface& surface : surfaces) {
    for (const Shape& shape : shapes_on_a_plane()) {
      for (int k = 0; k < 300; ++k) {
        RigidTransform X_WM = random_pose(&rng, 0.1), X_WS = random_pose(&rng, 0.5);
        if (k % 10 == 0) X_WM = X_WS = {};                                     // coincident frames
        if (k % 10 == 1) X_WS.R = X_WM.R;                                      // parallel axes
        if (k % 10 == 2) X_WS = X_WM * RigidTransform(surface.vertex(k % 8));  // centred on a vertex
        const auto points = query(surface, X_WM, shape, X_WS, 0.02);
        expect_consistent(points, 0.02);
        contacts += static_cast<long>(points.size());
      }
    }
  }
  EXPECT_GT(contacts, 3000);
}

/// A capsule that lies on a side of triangles which are off by micrometres touches with its two ends, each as
/// deep as it is: nothing comes and goes with the edges below it, nor with how the capsule is tilted.
TEST(MeshContacts, ALineOnAnUnevenSideTouchesWithItsEnds) {
  std::mt19937 rng(20);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  TriangleMesh block = subdivided(box_mesh(Vector3(0.4, 0.4, 0.2)), 4);
  for (Vector3& v : block.vertices) v += random_vector(&rng, 4e-6);
  const MeshSurface surface = make_surface(block);
  const Capsule capsule{0.04, 0.2};
  for (int k = 0; k < 300; ++k) {
    const Quaternion lying(Eigen::AngleAxisd(3.0 * unit(rng), Vector3::UnitZ()) *
                           Eigen::AngleAxisd(0.5 * std::numbers::pi + 1e-4 * unit(rng), Vector3::UnitX()));
    const RigidTransform X(lying, Vector3(0.05 * unit(rng), 0.05 * unit(rng), 0.1 + 0.04 - 4e-5));
    const auto points = query(surface, {}, capsule, X, 0.0);
    ASSERT_EQ(points.size(), 2) << k;
    for (const double s : {-0.1, 0.1}) {
      const Vector3 end = X * Vector3(0.0, 0.0, s);
      double distance = 1.0;
      for (int t = 0; t < static_cast<int>(block.triangles.size()); ++t)
        distance = std::min(distance, (surface.closest_on_triangle(t, end).p - end).norm());
      const auto nearest = std::min_element(points.begin(), points.end(), [&](const auto& x, const auto& y) {
        return (x.p_a - end).norm() < (y.p_a - end).norm();
      });
      EXPECT_NEAR(nearest->phi, distance - 0.04, 1e-8) << k;  // a wedge at an edge: r (4e-6 / 0.025)^2
    }
    EXPECT_EQ(query(surface, {}, Cylinder{0.04, 0.2}, X, 0.0).size(), 2) << k;
  }
}

/// The springs of an upright cylinder on an uneven side have a potential.
TEST(MeshContacts, ACapOnAnUnevenSideHasAPotential) {
  std::mt19937 rng(22);
  std::normal_distribution<double> off(0.0, 1.0);
  for (const double uneven : {0.0, 1e-8, 1e-6, 4e-6}) {
    const MeshSurface floor =
        make_surface(random_terrain(10, 0.15, &rng, [&](double, double) { return uneven * off(rng); }));
    const auto query_can = [&](const RigidTransform& X, std::vector<ManifoldPoint>* points) {
      *points = query(floor, RigidTransform(), Cylinder{0.07, 0.01}, X, 1e-3);
    };
    test::expect_potential(std::to_string(uneven), query_can, Matrix3::Identity(),
                           Vector3(0.013, -0.02, 0.005), 1e-4, 2e-5);
  }
}

/// What lies across a body and hangs over two of its edges touches at both, tilted to either side.
TEST(MeshContacts, ALineThatHangsOverTwoEdgesTouchesAtBoth) {
  std::mt19937 rng(21);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const MeshSurface surface = make_surface(subdivided(box_mesh(Vector3(0.2, 0.3, 0.1)), 2));
  for (int k = 0; k < 200; ++k) {
    const double tilt = k == 0 ? 0.0 : 5e-3 * unit(rng);
    const Quaternion lying(Eigen::AngleAxisd(0.4 * unit(rng), Vector3::UnitZ()) *
                           Eigen::AngleAxisd(0.5 * std::numbers::pi + tilt, Vector3::UnitY()));
    const RigidTransform X(lying, Vector3(0.02 * unit(rng), 0.02 * unit(rng), 0.05 + 0.04 - 1e-3));
    const Vector3 axis = X.R.col(2);
    for (const Shape& shape : {Shape(Capsule{0.04, 0.4}), Shape(Cylinder{0.04, 0.4})}) {
      const auto points = query(surface, {}, shape, X, 0.0);
      ASSERT_EQ(points.size(), 2) << k;
      for (const ManifoldPoint& c : points) {
        // The distance of the axis from the edge, which goes along y.
        const double side = std::copysign(0.1, c.p_a.x());
        const Vector3 n = axis.cross(Vector3::UnitY()).normalized();
        EXPECT_NEAR(c.phi, std::abs(n.dot(X.p - Vector3(side, 0.0, 0.05))) - 0.04, 1e-12) << k;
        EXPECT_NEAR(std::abs(c.normal.dot(n)), 1.0, 1e-12) << k;
        EXPECT_NEAR(c.p_a.x(), side, 1e-12) << k;
        EXPECT_NEAR(c.p_a.z(), 0.05, 1e-12) << k;
      }
      EXPECT_LT(points[0].p_a.x() * points[1].p_a.x(), 0.0) << k;
    }
  }
}

TEST(MeshContacts, SmallMotionKeepsTheFeatures) {
  std::mt19937 rng(19);
  const MeshSurface surface = make_surface(random_terrain(24, 1.0, &rng));
  std::vector<std::int64_t> first;
  for (int k = 0; k < 100; ++k) {
    const auto points = query(surface, {}, Box{Vector3(0.1, 0.1, 0.1)},
                              pose_above(Vector3(0.005 * k, 0, 0.05 - 1e-6), 0.01 * k), 0.01);
    std::vector<std::int64_t> features;
    for (const auto& c : points) features.push_back(c.feature);
    if (k == 0) first = features;
    EXPECT_EQ(features, first);
  }
}

}  // namespace
}  // namespace csim
