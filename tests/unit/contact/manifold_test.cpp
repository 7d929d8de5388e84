// Face and line contacts by hand.
//
//        +-----+            the upper body A rests on B (half space, box, cylinder, convex) at a gap phi
//        |  A  |
//     ===+==B==+===
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "contact/convex/corner_choice.h"
#include "unit/contact/shape_oracle.h"

namespace csim::test {
namespace {

const Matrix3 kLying =
    Eigen::AngleAxisd(0.5 * M_PI, Vector3::UnitX()).toRotationMatrix();  // the axis along -y

struct Case {
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

  std::string name;
  Shape a;
  Matrix3 R_A;
  double height;  // of the centre of A over its lowest point
  Shape b;
  double top;  // of B over its centre
  int count;
};

std::vector<Case> face_cases() {
  const Matrix3 I = Matrix3::Identity();
  const Matrix3 turned = Eigen::AngleAxisd(0.3, Vector3::UnitZ()).toRotationMatrix();
  const Box box{Vector3(0.4, 0.3, 0.2)}, table{Vector3(2, 2, 0.5)};
  const Cylinder can{0.1, 0.3}, drum{1.0, 0.4};
  const Capsule pill{0.1, 0.3};
  const Convex prism = make_prism(6, 0.2, 0.3), many = make_prism(20, 0.2, 0.3),
               slab = make_prism(5, 1.5, 0.4);
  return {{"box_half_space", box, turned, 0.1, HalfSpace{}, 0.0, 4},
          {"box_box", box, turned, 0.1, table, 0.25, 4},
          {"box_convex", box, turned, 0.1, slab, 0.2, 4},
          {"box_cylinder", box, turned, 0.1, drum, 0.2, 4},
          {"upright_cylinder_half_space", can, turned, 0.15, HalfSpace{}, 0.0, 4},
          {"upright_cylinder_box", can, turned, 0.15, table, 0.25, 4},
          {"upright_cylinder_convex", can, turned, 0.15, slab, 0.2, 4},
          {"stacked_cylinders", can, turned, 0.15, drum, 0.2, 4},
          {"equal_cylinders", drum, turned, 0.2, drum, 0.2, 4},
          {"lying_cylinder_half_space", can, turned * kLying, 0.1, HalfSpace{}, 0.0, 2},
          {"lying_cylinder_box", can, turned * kLying, 0.1, table, 0.25, 2},
          {"lying_cylinder_convex", can, turned * kLying, 0.1, slab, 0.2, 2},
          {"lying_cylinder_drum", can, turned * kLying, 0.1, drum, 0.2, 2},
          {"lying_capsule_half_space", pill, turned * kLying, 0.1, HalfSpace{}, 0.0, 2},
          {"lying_capsule_box", pill, turned * kLying, 0.1, table, 0.25, 2},
          {"lying_capsule_convex", pill, turned * kLying, 0.1, slab, 0.2, 2},
          {"upright_capsule_box", pill, I, 0.25, table, 0.25, 1},
          {"prism_half_space", prism, turned, 0.15, HalfSpace{}, 0.0, 6},
          {"prism_box", prism, turned, 0.15, table, 0.25, 6},
          {"many_sided_half_space", many, turned, 0.15, HalfSpace{}, 0.0, 20},
          {"many_sided_box", many, turned, 0.15, table, 0.25, 20},
          {"sphere_box", Sphere{0.1}, I, 0.1, table, 0.25, 1},
          {"ellipsoid_box", Ellipsoid{Vector3(0.3, 0.2, 0.1)}, turned, 0.1, table, 0.25, 1},
          {"ellipsoid_half_space", Ellipsoid{Vector3(0.3, 0.2, 0.1)}, turned, 0.1, HalfSpace{}, 0.0, 1}};
}

class FaceContact : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, FaceContact, testing::ValuesIn(face_cases()),
                         [](const auto& info) { return info.param.name; });

Manifold rest(const Case& c, double phi, const Matrix3& tilt = Matrix3::Identity()) {
  Manifold manifold;
  query_pair(c.a, RigidTransform(Matrix3(tilt * c.R_A), Vector3(0.03, 0.02, c.top + c.height + phi)), c.b,
             RigidTransform(), 0.01, &manifold);
  return manifold;
}

TEST_P(FaceContact, HasItsPointsAndKeepsThemThroughZero) {
  const Case& c = GetParam();
  std::map<std::int64_t, Vector3> named;
  // Down through touching to overlap: the same points under the same names, phi to rounding.
  for (const double phi : {1e-3, 1e-6, 1e-9, 1e-12, 1e-16, 0.0, -1e-16, -1e-12, -1e-9, -1e-6, -1e-3}) {
    const Manifold manifold = rest(c, phi);
    ASSERT_EQ(manifold.size, c.count) << phi;
    EXPECT_FALSE(manifold.degenerate);
    for (const ManifoldPoint& point : manifold) {
      EXPECT_NEAR(point.phi, phi, 1e-15) << phi;
      EXPECT_LT((point.normal - Vector3(0, 0, -1)).norm(), 1e-15) << phi;
      EXPECT_NEAR(point.p_b.z(), c.top, 2e-15) << phi;
      const auto [it, is_new] = named.emplace(point.feature, point.p_b);
      EXPECT_TRUE(!is_new || phi == 1e-3) << phi;
      EXPECT_LT((it->second - point.p_b).norm(), 1e-12) << phi;
    }
  }
}

// Tilted by little, either way about two axes: the deepest point of the manifold is the deepest of all, and
// the points stay.
TEST_P(FaceContact, TiltsSmoothly) {
  const Case& c = GetParam();
  for (const double phi : {1e-4, -1e-4}) {
    for (const double angle : {1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3}) {
      for (const Vector3& axis : {Vector3(1, 0, 0), Vector3(-0.6, 0.8, 0), Vector3(0.1, -1, 0)}) {
        const Matrix3 tilt = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
        const Manifold manifold = rest(c, phi, tilt);
        ASSERT_EQ(manifold.size, c.count) << phi << " " << angle;
        const RigidTransform X_A(Matrix3(tilt * c.R_A), Vector3(0.03, 0.02, c.top + c.height + phi));
        const double lowest = separation(c.a, X_A, c.b, RigidTransform(), Vector3(0, 0, -1));
        // On a half space or a larger face exactly; where A's own face leads the normal leans by the angle.
        // (The lowest point of a cylinder beside an equal one hangs over.)
        if (c.name != "equal_cylinders") {
          EXPECT_NEAR(deepest(manifold).phi, lowest, 1e-12 + 0.5 * angle * angle) << phi << " " << angle;
        }
        for (const ManifoldPoint& point : manifold) {
          EXPECT_NEAR(point.phi, phi, 1.1 * angle + 1e-12);
          EXPECT_LT((point.normal - Vector3(0, 0, -1)).norm(), 1.01 * angle + 1e-12);
        }
      }
    }
  }
}

// An upright cylinder over the edge of a box x < 0: two points of the rim's crossing with the edge, and the
// rim inside.
TEST(Manifold, CylinderOverAnEdge) {
  const Box table{Vector3(2, 2, 1)};
  const Cylinder can{0.1, 0.2};
  for (const double x : {-0.05, 0.0, 0.05, 0.09}) {
    Manifold manifold;
    query_pair(can, RigidTransform(Vector3(x, 0, 0.6 - 1e-5)), table, RigidTransform(Vector3(-1, 0, 0)), 0.01,
               &manifold);
    const double half_chord = std::sqrt(0.01 - x * x);
    double low = 1.0, high = -1.0;
    for (const ManifoldPoint& point : manifold) {
      EXPECT_NEAR(point.phi, -1e-5, 1e-15);
      EXPECT_LT(point.p_a.x(), 1e-12);
      low = std::min(low, point.p_a.y());
      high = std::max(high, point.p_a.y());
    }
    // The chord's ends, or for x < 0 the rim's own extreme points.
    EXPECT_NEAR(high, x < 0.0 ? 0.1 : half_chord, 1e-12) << x;
    EXPECT_NEAR(low, x < 0.0 ? -0.1 : -half_chord, 1e-12) << x;
    EXPECT_GE(manifold.size, 3) << x;
  }
}

// Crossed boxes overlap in a smaller rectangle, whose corners are crossings of edges.
TEST(Manifold, CrossedBoxes) {
  const Box beam{Vector3(1.0, 0.2, 0.1)};
  const Matrix3 quarter = Eigen::AngleAxisd(0.5 * M_PI, Vector3::UnitZ()).toRotationMatrix();
  Manifold manifold;
  query_pair(beam, RigidTransform(quarter, Vector3(0, 0, 0.1 - 1e-4)), beam, RigidTransform(), 0.01,
             &manifold);
  ASSERT_EQ(manifold.size, 4);
  for (const ManifoldPoint& point : manifold) {
    EXPECT_NEAR(std::abs(point.p_a.x()), 0.1, 1e-15);
    EXPECT_NEAR(std::abs(point.p_a.y()), 0.1, 1e-15);
    EXPECT_NEAR(point.phi, -1e-4, 1e-15);
  }
}

// Edges across each other: one point, at the crossing.
TEST(Manifold, CrossedEdges) {
  const Box box{Vector3(1, 1, 1)};
  const Matrix3 roof = Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitX()).toRotationMatrix();
  const Matrix3 keel = Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitY()).toRotationMatrix();
  for (const double phi : {1e-3, 1e-9, -1e-9, -1e-3}) {
    Manifold manifold;
    query_pair(box, RigidTransform(roof, Vector3::Zero()), box,
               RigidTransform(keel, Vector3(0.1, 0.2, std::sqrt(2.0) + phi)), 0.01, &manifold);
    ASSERT_EQ(manifold.size, 1);
    EXPECT_NEAR(manifold.points[0].phi, phi, 2e-15);
    EXPECT_LT((manifold.points[0].p_a - Vector3(0.1, 0.0, std::sqrt(0.5))).norm(), 1e-14);
  }
}

// Parallel round bodies touch along a line.
TEST(Manifold, ParallelRoundBodies) {
  const std::vector<Shape> rods = {Cylinder{0.1, 1.0}, Capsule{0.1, 1.0}};
  for (const Shape& a : rods) {
    for (const Shape& b : rods) {
      for (const double phi : {1e-4, -1e-4}) {
        Manifold manifold;
        query_pair(a, RigidTransform(kLying, Vector3(0, 0.2, 0.2 + phi)), b,
                   RigidTransform(kLying, Vector3::Zero()), 0.01, &manifold);
        ASSERT_EQ(manifold.size, 2);
        for (const ManifoldPoint& point : manifold) {
          EXPECT_NEAR(point.phi, phi, 1e-15);
          EXPECT_NEAR(point.p_a.x(), 0.0, 1e-15);
        }
        const double y0 = manifold.points[0].p_a.y(), y1 = manifold.points[1].p_a.y();
        EXPECT_NEAR(std::min(y0, y1), -0.3, 1e-14);
        EXPECT_NEAR(std::max(y0, y1), 0.5, 1e-14);
      }
    }
  }
}

// A turned square on an equal square: the octagon's eight corners.
TEST(Manifold, Octagon) {
  const Box box{Vector3(1, 1, 1)};
  Manifold manifold;
  query_pair(
      box,
      RigidTransform(Eigen::AngleAxisd(0.25 * M_PI, Vector3::UnitZ()).toRotationMatrix(), Vector3(0, 0, 1)),
      box, RigidTransform(), 0.01, &manifold);
  ASSERT_EQ(manifold.size, 8);
  for (const ManifoldPoint& point : manifold) {
    EXPECT_NEAR(std::max(std::abs(point.p_a.x()), std::abs(point.p_a.y())), 0.5, 1e-15);
    EXPECT_NEAR(std::min(std::abs(point.p_a.x()), std::abs(point.p_a.y())), 0.5 * (std::sqrt(2.0) - 1.0),
                1e-15);
  }
}

// Coincident centres: flagged, finite, and the depth is right.
TEST(Manifold, CoincidentCentres) {
  Manifold manifold;
  query_pair(Sphere{0.2}, RigidTransform(), Sphere{0.3}, RigidTransform(), 0.0, &manifold);
  ASSERT_EQ(manifold.size, 1);
  EXPECT_TRUE(manifold.degenerate);
  EXPECT_NEAR(manifold.points[0].phi, -0.5, 1e-15);
  query_pair(Capsule{0.1, 1.0}, RigidTransform(), Capsule{0.1, 1.0}, RigidTransform(kLying, Vector3::Zero()),
             0.0, &manifold);
  ASSERT_EQ(manifold.size, 1);
  EXPECT_TRUE(manifold.degenerate);
  EXPECT_NEAR(manifold.points[0].phi, -0.2, 1e-15);
  EXPECT_NEAR(std::abs(manifold.points[0].normal.x()), 1.0, 1e-15);
}

}  // namespace
}  // namespace csim::test
