// Single pairs of elements whose polygons are known in closed form, and the polygon kit against scalar code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "patch/convex_polygon.h"
#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

/// p = 12 + 10 z + x.
CompliantMesh tet_a() {
  return {{{{2, 0, -1}, {-2, 0, -1}, {0, -2, 1}, {0, 2, 1}}, {{0, 1, 2, 3}}}, {4, 0, 22, 22}};
}
/// p = 12 - 5 z + x.
CompliantMesh tet_b() {
  return {{{{1.5, 1.5, -1}, {-1.5, -1.5, -1}, {1.5, -1.5, 1}, {-1.5, 1.5, 1}}, {{0, 1, 2, 3}}},
          {18.5, 15.5, 8.5, 5.5}};
}
/// Positive tets, whichever way the examples count their vertices.
CompliantMesh positive(CompliantMesh mesh) {
  if (tet_volume(mesh.mesh, 0) < 0.0) std::swap(mesh.mesh.tets[0][0], mesh.mesh.tets[0][1]);
  return mesh;
}

void expect_near(const Vector3& x, const Vector3& y, double tolerance) {
  EXPECT_LT((x - y).norm(), tolerance) << x.transpose() << " and " << y.transpose();
}

// Seen from above: the square |x|, |y| <= 1 of one tet with its corners cut by the diamond |x| + |y| <= 1.5
// of the other.
TEST(GoldenPolygons, Octagon) {
  SurfaceOptions options;
  options.vertices = true;
  const ContactSurface s = find(prepare_patch_geometry(positive(tet_a())), {},
                                prepare_patch_geometry(positive(tet_b())), {}, options);
  ASSERT_EQ(s.num_faces(), 1);
  EXPECT_NEAR(s.area[0], 3.5, 1e-14);
  expect_near(s.centroid[0], Vector3::Zero(), 1e-15);
  expect_near(s.normal[0], -Vector3::UnitZ(), 1e-15);  // out of A, where p_A falls
  EXPECT_NEAR(s.pressure[0], 12.0, 1e-13);
  EXPECT_NEAR(s.gradient_a[0], 10.0, 1e-13);
  EXPECT_NEAR(s.gradient_b[0], 5.0, 1e-13);
  EXPECT_NEAR(s.gradient[0], 10.0 / 3.0, 1e-13);
  EXPECT_EQ(s.num_constant, 0);
  ASSERT_EQ(s.vertices.size(), 8u);
  ASSERT_EQ(s.vertex_begin, (std::vector<int>{0, 8}));
  Vector3 area = Vector3::Zero();
  for (int k = 0; k < 8; ++k) {
    const Vector3 &x = s.vertices[k], &next = s.vertices[(k + 1) % 8];
    area += 0.5 * x.cross(next);
    EXPECT_NEAR(x.cwiseAbs().maxCoeff(), 1.0, 1e-14);
    EXPECT_NEAR(x.cwiseAbs().sum(), 1.5, 1e-14);
    EXPECT_NEAR(s.vertex_pressures[k], 12.0 + x.x(), 1e-13);
  }
  expect_near(area, 3.5 * s.normal[0], 1e-13);  // counterclockwise about the normal
}

// The same with B moved; the digits are those of an independent prototype.
TEST(GoldenPolygons, MovedOctagon) {
  const RigidTransform X = rotated(0.1, Vector3::UnitX(), {0.2, -0.1, 0.15});
  for (bool exchanged : {false, true}) {
    const PatchGeometry a = prepare_patch_geometry(positive(tet_a())),
                        b = prepare_patch_geometry(positive(tet_b()));
    const ContactSurface s = exchanged ? find(b, X, a, {}) : find(a, {}, b, X);
    ASSERT_EQ(s.num_faces(), 1);
    EXPECT_NEAR(s.area[0], 3.2788255974, 1e-10);
    expect_near(s.centroid[0], {0.112493295666, -0.0523608157093, 0.0380655922444}, 1e-11);
    const double sign = exchanged ? 1.0 : -1.0;
    expect_near(s.normal[0], sign * Vector3(0.0, -0.0333148117, 0.999444908), 1e-9);
    EXPECT_NEAR(s.pressure[0], 12.4931492181, 1e-9);
    EXPECT_NEAR(exchanged ? s.gradient_b[0] : s.gradient_a[0], 9.99444907596, 1e-10);
    EXPECT_NEAR(exchanged ? s.gradient_a[0] : s.gradient_b[0], 4.98888888752, 1e-10);
    EXPECT_NEAR(s.gradient[0] * s.area[0], 10.9111978878, 1e-9);
    EXPECT_NEAR(s.pressure[0] / s.gradient[0], 3.75420351366, 1e-10);
  }
}

TEST(GoldenPolygons, TriangleCutToSevenCorners) {
  const double e = 3.0 / 22.0;
  TriangleMesh triangle{{{-e, 1.6 + e, 0}, {-9.5, -9.5, 0}, {1.6 + e, -e, 0}}, {{0, 1, 2}}, false};
  SurfaceOptions options;
  options.vertices = true;
  const PatchGeometry soft_side = prepare_patch_geometry(positive(tet_a()));
  ContactSurface s = find(prepare_patch_geometry(triangle), {}, soft_side, {}, options);
  ASSERT_EQ(s.num_faces(), 1);
  EXPECT_EQ(s.vertices.size(), 7u);
  EXPECT_NEAR(s.area[0], 3.845, 1e-13);
  expect_near(s.centroid[0], {-0.0178695275249, -0.0178695275249, 0.0}, 1e-12);
  expect_near(s.normal[0], Vector3::UnitZ(), 1e-15);  // the rigid side's own, out of A
  EXPECT_NEAR(s.pressure[0], 11.9821304725, 1e-9);
  EXPECT_NEAR(s.gradient_b[0], 10.0, 1e-13);
  EXPECT_EQ(s.gradient_a[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(s.gradient[0], s.gradient_b[0]);

  // The other way round the triangle is the far side of a thin body.
  std::swap(triangle.triangles[0][0], triangle.triangles[0][1]);
  s = find(soft_side, {}, prepare_patch_geometry(triangle), {}, options);
  EXPECT_EQ(s.num_faces(), 0);
  EXPECT_EQ(s.num_dropped_angle, 1);
  s = find(soft_side, {}, prepare_patch_geometry(triangle), {}, kUncut);
  ASSERT_EQ(s.num_faces(), 1);
  expect_near(s.normal[0], Vector3::UnitZ(), 1e-15);
  EXPECT_NEAR(s.gradient_a[0], -10.0, 1e-13);
  EXPECT_EQ(s.gradient[0], 0.0);  // presses with a constant force
  EXPECT_EQ(s.num_constant, 1);
}

TEST(GoldenPolygons, FanOfTriangles) {
  SurfaceOptions options;
  options.triangles = options.vertices = true;
  const ContactSurface s = find(prepare_patch_geometry(positive(tet_a())), {},
                                prepare_patch_geometry(positive(tet_b())), {}, options);
  ASSERT_EQ(s.num_faces(), 8);
  EXPECT_EQ(s.vertex_begin.back(), 24);
  EXPECT_NEAR(sum(s).area, 3.5, 1e-14);
  // Sum of areas times pressures at centroids: 12 A, for the pressure is linear.
  expect_near(sum(s).force, {0.0, 0.0, -42.0}, 1e-12);
  for (int i = 0; i < 8; ++i) {
    const int v = s.vertex_begin[i];
    const Vector3 area = 0.5 * (s.vertices[v + 1] - s.vertices[v]).cross(s.vertices[v + 2] - s.vertices[v]);
    expect_near(area, s.area[i] * s.normal[i], 1e-14);
    expect_near(s.centroid[i], (s.vertices[v] + s.vertices[v + 1] + s.vertices[v + 2]) / 3.0, 1e-15);
    EXPECT_NEAR(s.pressure[i], 12.0 + s.centroid[i].x(), 1e-13);
  }
}

/// Corners of a polygon, one by one.
std::vector<Vector3> corners_of(const ConvexPolygon& polygon) {
  double x[8], y[8], z[8];
  polygon.corner.x.store(x);
  polygon.corner.y.store(y);
  polygon.corner.z.store(z);
  std::vector<Vector3> corners;
  for (int k = 0; k < polygon.count; ++k) corners.emplace_back(x[k], y[k], z[k]);
  return corners;
}

Vector3 area_vector(const std::vector<Vector3>& ring) {
  Vector3 area = Vector3::Zero();
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) {
    area += 0.5 * (ring[k] - ring[0]).cross(ring[k + 1] - ring[0]);
  }
  return area;
}

/// Each of the fourteen ways in which a plane parts four vertices.
TEST(ConvexPolygon, SlicesLieInThePlaneAndTurnAboutItsNormal) {
  std::mt19937 rng(3);
  std::array<int, 16> seen{};
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<Vector3, 4> v;
    for (Vector3& x : v) x = random_vector(&rng, 1.0);
    if (tet_volume(v[0], v[1], v[2], v[3]) < 0.0) std::swap(v[2], v[3]);
    const Vector3 normal = random_vector(&rng, 1.0).normalized();
    double x[8] = {}, y[8] = {}, z[8] = {}, h[8] = {};
    unsigned above = 0;
    for (int i = 0; i < 4; ++i) {
      x[i] = v[i].x();
      y[i] = v[i].y();
      z[i] = v[i].z();
      h[i] = normal.dot(v[i]);
      above |= static_cast<unsigned>(h[i] > 0.0) << i;
    }
    if (above == 0 || above == 15) continue;
    ++seen[above];
    const ConvexPolygon polygon =
        slice({Eight::load(x), Eight::load(y), Eight::load(z)}, Eight::load(h), above);
    const std::vector<Vector3> ring = corners_of(polygon);
    ASSERT_EQ(ring.size(), std::popcount(above) == 2 ? 4u : 3u);
    for (const Vector3& corner : ring) EXPECT_NEAR(normal.dot(corner), 0.0, 1e-15);
    const Vector3 area = area_vector(ring);
    EXPECT_GT(area.dot(normal), 0.0);
    EXPECT_NEAR(area.norm(), area.dot(normal), 1e-13);
    // Convex: every corner turns left.
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vector3 &a = ring[k], &b = ring[(k + 1) % ring.size()], &c = ring[(k + 2) % ring.size()];
      EXPECT_GT((b - a).cross(c - b).dot(normal), 0.0);
    }
  }
  for (unsigned above = 1; above < 15; ++above) EXPECT_GT(seen[above], 0) << above;
}

TEST(ConvexPolygon, ClipsLikeScalarCode) {
  std::mt19937 rng(4);
  std::uniform_real_distribution<double> u(0.0, 1.0);
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = 3 + trial % 5;
    double x[8] = {}, y[8] = {}, z[8] = {};
    std::vector<Vector3> ring;
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * kPi * (k + 0.8 * u(rng)) / n;
      ring.emplace_back(std::cos(angle), std::sin(angle), 0.0);
      x[k] = ring[k].x();
      y[k] = ring[k].y();
    }
    const Vector3 normal = random_vector(&rng, 1.0).normalized();
    const double offset = 0.5 * (u(rng) - 0.5);
    std::vector<Vector3> expected;
    for (int k = 0; k < n; ++k) {
      const Vector3 &a = ring[k], &b = ring[(k + 1) % n];
      const double ha = normal.dot(a) - offset, hb = normal.dot(b) - offset;
      if (ha <= 0.0) expected.push_back(a);
      if ((ha <= 0.0) != (hb <= 0.0)) expected.push_back(a + ha / (ha - hb) * (b - a));
    }
    ConvexPolygon polygon{{Eight::load(x), Eight::load(y), Eight::load(z)}, n};
    const bool left = clip_by<1>({Plane{normal.x(), normal.y(), normal.z(), offset}}, 0, &polygon);
    ASSERT_EQ(left, !expected.empty());
    if (!left) continue;
    const std::vector<Vector3> found = corners_of(polygon);
    ASSERT_EQ(found.size(), expected.size());
    expect_near(area_vector(found), area_vector(expected), 1e-14);
    const PolygonMeasure measured = measure(polygon, Vector3::UnitZ());
    EXPECT_NEAR(measured.area, area_vector(expected).norm(), 1e-14);
    Vector3 moment = Vector3::Zero();
    for (std::size_t k = 1; k + 1 < expected.size(); ++k) {
      const std::vector<Vector3> part{expected[0], expected[k], expected[k + 1]};
      moment += area_vector(part).norm() * (part[0] + part[1] + part[2]) / 3.0;
    }
    if (measured.area > 1e-3) expect_near(measured.centroid, moment / measured.area, 1e-12);
  }
}

TEST(ConvexPolygon, CoplanarPlanesCutNothing) {
  const double x[8] = {0, 1, 1, 0}, y[8] = {0, 0, 1, 1}, z[8] = {1e-17, -1e-17, 1e-17, -1e-17};
  ConvexPolygon polygon{{Eight::load(x), Eight::load(y), Eight::load(z)}, 4};
  const std::array<Plane, 2> planes{Plane{0, 0, 1, 0}, Plane{1, 0, 0, 0.5}};
  ASSERT_TRUE(clip_by<2>(planes, 1u, &polygon));
  EXPECT_EQ(measure(polygon, Vector3::UnitZ()).area, 0.5);
}

TEST(ConvexPolygon, MeasureOfAPointIsThePoint) {
  const double x[8] = {2, 2, 2}, y[8] = {3, 3, 3}, z[8] = {4, 4, 4};
  const ConvexPolygon polygon{{Eight::load(x), Eight::load(y), Eight::load(z)}, 3};
  const PolygonMeasure measured = measure(polygon, Vector3::UnitZ());
  EXPECT_EQ(measured.area, 0.0);
  EXPECT_EQ(measured.centroid, Vector3(2, 3, 4));
}

}  // namespace
}  // namespace csim::testing
