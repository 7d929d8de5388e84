#include "geometry/mass_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/bounds.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using testing::make_convex;
using testing::make_mesh;

constexpr double kDensity = 700.0;

/// True for points inside a primitive, from its definition alone.
bool inside(const Shape& shape, const Vector3& p) {
  const double radial = p.head<2>().norm();
  if (const auto* s = std::get_if<Sphere>(&shape)) return p.norm() < s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return (p.cwiseAbs().array() < 0.5 * s->size.array()).all();
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return radial < s->radius && std::abs(p.z()) < 0.5 * s->length;
  if (const auto* s = std::get_if<Capsule>(&shape)) {
    const double z = std::max(0.0, std::abs(p.z()) - 0.5 * s->length);
    return std::hypot(radial, z) < s->radius;
  }
  return p.cwiseQuotient(std::get<Ellipsoid>(shape).semi_axes).norm() < 1.0;
}

/// The integrals as a sum over the midpoints of a grid of n^3 cells.
MassProperties by_grid(const Shape& shape, int n) {
  const Aabb box = bounding_box(shape);
  const Vector3 cell = (box.upper - box.lower) / n;
  double volume = 0.0;
  Matrix3 second = Matrix3::Zero();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vector3 p = box.lower + cell.cwiseProduct(Vector3(i + 0.5, j + 0.5, k + 0.5));
        if (!inside(shape, p)) continue;
        volume += cell.prod();
        second += cell.prod() * p * p.transpose();
      }
    }
  }
  MassProperties result;
  result.mass = kDensity * volume;
  result.inertia = kDensity * (second.trace() * Matrix3::Identity() - second);
  return result;
}

class PrimitiveMass : public ::testing::TestWithParam<Shape> {};

TEST_P(PrimitiveMass, AgreesWithGridSum) {
  const MassProperties exact = solid_mass_properties(GetParam(), kDensity);
  const MassProperties sum = by_grid(GetParam(), 120);
  // The grid's error is about the surface cells over the volume, divided by their number's root: below 2e-3
  // at n = 120.
  EXPECT_NEAR(sum.mass / exact.mass, 1.0, 2e-3);
  EXPECT_LT((sum.inertia - exact.inertia).norm(), 3e-3 * exact.inertia.norm());
  EXPECT_EQ(exact.com, Vector3::Zero());
  EXPECT_DOUBLE_EQ(volume(GetParam()) * kDensity, exact.mass);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PrimitiveMass,
                         ::testing::Values(Shape(Sphere{0.3}), Shape(Box{Vector3(0.2, 0.3, 0.5)}),
                                           Shape(Cylinder{0.2, 0.7}), Shape(Capsule{0.2, 0.7}),
                                           Shape(Ellipsoid{Vector3(0.2, 0.3, 0.5)})));

TEST(PolyhedronMass, BoxMeshAndHullEqualTheBox) {
  const Vector3 size(0.2, 0.3, 0.5);
  const MassProperties box = solid_mass_properties(Box{size}, kDensity);
  const TriangleMesh mesh = box_mesh(size);
  const Shape shapes[] = {make_mesh(mesh), make_convex(mesh.vertices)};
  for (const Shape& shape : shapes) {
    const MassProperties solid = solid_mass_properties(shape, kDensity);
    // Rounding of a dozen terms.
    EXPECT_NEAR(solid.mass, box.mass, 1e-14 * box.mass);
    EXPECT_LT(solid.com.norm(), 1e-15);
    EXPECT_LT((solid.inertia - box.inertia).norm(), 1e-14 * box.inertia.norm());
  }
}

TEST(PolyhedronMass, TetrahedronAwayFromTheOrigin) {
  // A corner tetrahedron with legs a, b, c: V = abc/6, com = legs/4, and about the corner int x^2 = a^2 V/10,
  // int xy = ab V/20.
  const Vector3 legs(0.3, 0.4, 0.6), corner(100.0, -50.0, 20.0);
  TriangleMesh mesh;
  mesh.vertices = {corner, corner + Vector3(legs.x(), 0, 0), corner + Vector3(0, legs.y(), 0),
                   corner + Vector3(0, 0, legs.z())};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.closed = true;
  const double V = legs.prod() / 6.0;
  Matrix3 second = V / 20.0 * legs * legs.transpose();
  second.diagonal() *= 2.0;
  const Vector3 c = legs / 4.0;
  second -= V * c * c.transpose();
  const Matrix3 inertia = kDensity * (second.trace() * Matrix3::Identity() - second);

  const MassProperties solid = solid_mass_properties(make_mesh(mesh), kDensity);
  // Coordinates of 100 m carry 1e-14 m of rounding on a body of 0.3 m: about 1e-13 relative.
  EXPECT_NEAR(solid.mass, kDensity * V, 1e-12 * kDensity * V);
  EXPECT_LT((solid.com - corner - c).norm(), 1e-13);
  EXPECT_LT((solid.inertia - inertia).norm(), 1e-12 * inertia.norm());
}

TEST(PolyhedronMass, NoMassWithoutASolid) {
  TriangleMesh open = box_mesh(Vector3::Ones());
  open.triangles.pop_back();
  open.closed = false;
  EXPECT_EQ(volume(make_mesh(open)), 0.0);
  EXPECT_EQ(volume(HalfSpace{}), 0.0);
  EXPECT_EQ(solid_mass_properties(HalfSpace{}, kDensity).inertia, Matrix3::Zero());
}

}  // namespace
}  // namespace csim
