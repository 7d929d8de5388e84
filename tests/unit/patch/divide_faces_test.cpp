// Divided faces: areas and forces are kept, and any valid size terminates.
#include "patch/divide_faces.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

/// A unit square in the plane z = 0 with the pressure 2 + x.
ContactSurface square() {
  ContactSurface surface;
  surface.area = {1.0};
  surface.centroid = {Vector3(0.5, 0.5, 0)};
  surface.normal = {Vector3::UnitZ()};
  surface.pressure = {2.5};
  surface.gradient_a = surface.gradient_b = surface.gradient = {1.0};
  surface.storage = surface.softness = {1.0};
  surface.element_a = surface.element_b = {0};
  surface.vertex_begin = {0, 4};
  surface.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  surface.vertex_pressures = {2, 3, 3, 2};
  return surface;
}

// Parts keep area, force and the linear pressure.
TEST(DivideFaces, PartsMakeTheWhole) {
  for (const double size : {2.0, 0.5, 0.1, 1e-300}) {
    ContactSurface parts;
    divide_faces(square(), size, &parts);
    double area = 0.0, force = 0.0, largest = 0.0;
    for (int i = 0; i < parts.num_faces(); ++i) {
      area += parts.area[i];
      force += parts.area[i] * parts.pressure[i];
      EXPECT_NEAR(parts.pressure[i], 2.0 + parts.centroid[i].x(), 1e-13);
      for (int j = parts.vertex_begin[i]; j < parts.vertex_begin[i + 1]; ++j) {
        largest = std::max(largest, (parts.vertices[j] - parts.centroid[i]).norm());
      }
    }
    EXPECT_NEAR(area, 1.0, 1e-12);
    EXPECT_NEAR(force, 2.5, 1e-12);
    if (size > 1e-2) {
      EXPECT_LE(largest, size);
    }
    // A diagonal is halved at most 7 times to fall below 1/64 of the first; a polygon has two directions.
    EXPECT_LE(parts.num_faces(), 1 << 16);
  }
}

}  // namespace
}  // namespace csim
