// Points that stand for faces: force and moment of linear pressures against closed forms.
#include "patch/face_quadrature.h"

#include <gtest/gtest.h>

#include "patch/polygon_integrals.h"
#include "patch/surface_integrals.h"
#include "unit/patch/patch_testing.h"

namespace csim::testing {
namespace {

/// A linear pressure, Pa.
struct Pressure {
  double constant;
  Vector3 gradient;
  double operator()(const Vector3& x) const { return constant + gradient.dot(x); }
};

/// Adds a face in the plane z = 0, corners counterclockwise seen from above.
void add_face(const std::vector<Vector3>& corners, const Pressure& pressure, ContactSurface* s) {
  std::vector<double> p;
  for (const Vector3& x : corners) p.push_back(pressure(x));
  const PolygonIntegrals integrals = integrate_polygon(corners, p, Vector3::UnitZ());
  s->area.push_back(integrals.area);
  s->centroid.push_back(integrals.centroid);
  s->normal.push_back(Vector3::UnitZ());
  s->pressure.push_back(integrals.pressure);
  if (s->vertex_begin.empty()) s->vertex_begin.push_back(0);
  s->vertices.insert(s->vertices.end(), corners.begin(), corners.end());
  s->vertex_pressures.insert(s->vertex_pressures.end(), p.begin(), p.end());
  s->vertex_begin.push_back(static_cast<int>(s->vertices.size()));
}

/// Force along the normal, and first moment sum of x f, of the points of all faces.
std::pair<double, Vector3> moments(const ContactSurface& s, FaceQuadrature quadrature) {
  std::vector<FacePoint> points;
  append_face_points(s, 0, s.num_faces(), quadrature, &points);
  double force = 0.0;
  Vector3 moment = Vector3::Zero();
  for (const FacePoint& point : points) {
    force += point.area * point.pressure;
    moment += point.area * point.pressure * point.point;
  }
  return {force, moment};
}

std::vector<Vector3> rectangle(double x0, double x1, double y0, double y1) {
  return {{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y1, 0}};
}

std::vector<Vector3> regular(int n, double radius, double turn) {
  std::vector<Vector3> corners;
  for (int i = 0; i < n; ++i) {
    const double angle = turn + 2.0 * kPi * i / n;
    corners.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  }
  return corners;
}

// Integrals over a regular n-gon of circumradius r about its centre: area (n/2) r^2 sin(2 pi/n), second
// moment about any axis in the plane (n r^4/24) sin(2 pi/n) (2 + cos(2 pi/n)).
TEST(PolygonIntegrals, RegularPolygons) {
  for (const int n : {3, 4, 5, 8}) {
    const double r = 0.7, angle = 2.0 * kPi / n;
    const double area = 0.5 * n * r * r * std::sin(angle);
    const double second = n * std::pow(r, 4) / 24.0 * std::sin(angle) * (2.0 + std::cos(angle));
    const Vector3 at(3.0, -2.0, 0.5);
    std::vector<Vector3> corners = regular(n, r, 0.3);
    for (Vector3& x : corners) x += at;
    const Pressure pressure{1.5 - Vector3(2.0, -1.0, 0.0).dot(at), {2.0, -1.0, 0.0}};
    std::vector<double> p;
    for (const Vector3& x : corners) p.push_back(pressure(x));
    const PolygonIntegrals found = integrate_polygon(corners, p, Vector3::UnitZ());
    EXPECT_NEAR(found.area, area, 1e-14);
    EXPECT_LT((found.centroid - at).norm(), 1e-14);
    EXPECT_NEAR(found.pressure, 1.5, 1e-14);
    EXPECT_LT((found.pressure_moment - second * Vector3(2.0, -1.0, 0.0)).norm(), 1e-14);
  }
}

TEST(PolygonIntegrals, WithoutAreaTheMeanOfTheCorners) {
  const std::vector<Vector3> line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const std::vector<double> p{1.0, 2.0, 6.0};
  const PolygonIntegrals found = integrate_polygon(line, p, Vector3::UnitZ());
  EXPECT_EQ(found.area, 0.0);
  EXPECT_LT((found.centroid - Vector3(1, 0, 0)).norm(), 1e-15);
  EXPECT_NEAR(found.pressure, 3.0, 1e-15);
  EXPECT_EQ(found.pressure_moment.norm(), 0.0);
}

// A rectangle a x b with p = p0 + g x: force p0 a b, moment g a^3 b/12; the centre of pressure and three
// points give both, the centroid the force alone.
TEST(FaceQuadrature, ForceAndMomentOfARectangle) {
  const double a = 0.4, b = 0.3, p0 = 5.0, g = 10.0;
  ContactSurface s;
  add_face(rectangle(-0.5 * a, 0.5 * a, -0.5 * b, 0.5 * b), {p0, {g, 0, 0}}, &s);
  for (const auto& [quadrature, fraction, num_points] : {std::tuple(FaceQuadrature::kCentroid, 0.0, 1),
                                                         {FaceQuadrature::kCenterOfPressure, 1.0, 1},
                                                         {FaceQuadrature::kThreePoint, 1.0, 6}}) {
    std::vector<FacePoint> points;
    append_face_points(s, 0, 1, quadrature, &points);
    EXPECT_EQ(static_cast<int>(points.size()), num_points);
    const auto [force, moment] = moments(s, quadrature);
    EXPECT_NEAR(force, p0 * a * b, 1e-14);
    EXPECT_LT((moment - Vector3(fraction * g * a * a * a * b / 12.0, 0, 0)).norm(), 1e-15);
    double area = 0.0;
    for (const FacePoint& point : points) area += point.area;
    EXPECT_NEAR(area, a * b, 1e-15);
  }
}

// Where the mean pressure is not positive, or the centre of pressure is not on the face, it is the centroid.
TEST(FaceQuadrature, CenterOfPressureStaysOnTheFace) {
  ContactSurface s;
  add_face(rectangle(-1, 1, -1, 1), {-1.0, {0.5, 0, 0}}, &s);
  add_face(rectangle(-1, 1, -1, 1), {0.1, {1.0, 0, 0}}, &s);  // x of the centre: g/(3 p0) = 3.3
  std::vector<FacePoint> points;
  append_face_points(s, 0, 2, FaceQuadrature::kCenterOfPressure, &points);
  ASSERT_EQ(points.size(), 2u);
  for (const FacePoint& point : points) EXPECT_LT(point.point.norm(), 1e-15);
}

/// Restoring moment of the pressure 1 + x and the one about the other axis, as parts of that about x.
Vector3 tilt_fractions(const ContactSurface& s, double second_moment) {
  return moments(s, FaceQuadrature::kCentroid).second / second_moment;
}

// What one point a face leaves of the restoring moment of a slightly tilted body: 1/3 of two triangles, with
// a moment about the other axis of a^2 b^2/36; 2/3 of four triangles; 1 - 1/k^2 of k x k cells; (8/3)
// cos^2(pi/n)/(2 + cos(2 pi/n)) of n sectors.
TEST(FaceQuadrature, FractionsOfTheMomentByOnePointAFace) {
  const double a = 0.3, b = 0.2;
  const Pressure tilted{1.0, {1, 0, 0}};
  const std::vector<Vector3> c = rectangle(-0.5 * a, 0.5 * a, -0.5 * b, 0.5 * b);
  const double second = a * a * a * b / 12.0;

  ContactSurface two, four;
  add_face({c[0], c[1], c[2]}, tilted, &two);
  add_face({c[0], c[2], c[3]}, tilted, &two);
  EXPECT_NEAR(tilt_fractions(two, second).x(), 1.0 / 3.0, 1e-13);
  EXPECT_NEAR(std::abs(tilt_fractions(two, second).y()), a * a * b * b / 36.0 / second, 1e-13);
  for (int i = 0; i < 4; ++i) add_face({c[i], c[(i + 1) % 4], Vector3::Zero()}, tilted, &four);
  EXPECT_NEAR(tilt_fractions(four, second).x(), 2.0 / 3.0, 1e-13);
  EXPECT_NEAR(tilt_fractions(four, second).y(), 0.0, 1e-13);
  for (const int k : {2, 3, 5}) {
    ContactSurface cells;
    for (int i = 0; i < k * k; ++i) {
      const double x = a * (i / k) / k - 0.5 * a, y = b * (i % k) / k - 0.5 * b;
      add_face(rectangle(x, x + a / k, y, y + b / k), tilted, &cells);
    }
    EXPECT_NEAR(tilt_fractions(cells, second).x(), 1.0 - 1.0 / (k * k), 1e-13);
  }
  for (const int n : {8, 32, 152}) {
    ContactSurface fan;
    const std::vector<Vector3> rim = regular(n, 0.5, 0.1);
    for (int i = 0; i < n; ++i) add_face({Vector3::Zero(), rim[i], rim[(i + 1) % n]}, tilted, &fan);
    const double angle = 2.0 * kPi / n;
    const double polygon = n * std::pow(0.5, 4) / 24.0 * std::sin(angle) * (2.0 + std::cos(angle));
    const double expected = 8.0 / 3.0 * std::pow(std::cos(kPi / n), 2) / (2.0 + std::cos(angle));
    EXPECT_NEAR(tilt_fractions(fan, polygon).x(), expected, 1e-12);
    EXPECT_NEAR(tilt_fractions(fan, polygon).y(), 0.0, 1e-12);
  }
}

// Nothing pulls: of p = x - c on the unit square the part x > c remains, force (1 - c)^2/2 at x = (2 + c)/3.
TEST(SurfaceIntegrals, NegativePressureIsLeftOut) {
  for (const double c : {-0.5, 0.0, 0.3, 0.9, 1.5}) {
    ContactSurface s;
    add_face(rectangle(0, 1, 0, 1), {-c, {1, 0, 0}}, &s);
    const SurfaceIntegrals found = integrate_surface(s, 0, 1);
    const double low = std::clamp(c, 0.0, 1.0);
    const double force = 0.5 * ((1 - c) * (1 - c) - (low - c) * (low - c));
    // integral of (x - c)(x - 1/2) from low to 1
    const auto primitive = [c](double x) { return x * x * x / 3.0 - (c + 0.5) * x * x / 2.0 + 0.5 * c * x; };
    const double moment = primitive(1.0) - primitive(low);
    EXPECT_NEAR(found.area, 1.0, 1e-15);
    EXPECT_NEAR(found.force.z(), c < 1.0 ? force : 0.0, 1e-15) << c;
    EXPECT_NEAR(found.moment.y(), c < 1.0 ? -moment : 0.0, 1e-15) << c;
    EXPECT_NEAR(found.max_pressure, 1.0 - c, 1e-15);
  }
}

}  // namespace
}  // namespace csim::testing
