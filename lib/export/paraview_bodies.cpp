#include "export/paraview_bodies.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "view/looks.h"

namespace csim {
namespace {

/// Cells of one size over points, with the body and the geometry that each belongs to.
struct Gathered {
  std::vector<std::int64_t> connectivity, end;
  std::vector<std::int32_t> body, geometry;
  std::vector<std::uint8_t> color;  // of surfaces: red, green, blue, opacity

  void add(std::initializer_list<std::int64_t> corners, std::int64_t first, int of_body, int of_geometry) {
    for (const std::int64_t corner : corners) connectivity.push_back(first + corner);
    end.push_back(static_cast<std::int64_t>(connectivity.size()));
    body.push_back(of_body);
    geometry.push_back(of_geometry);
  }

  void paint(const Look& look) {
    for (const double share : {look.color[0], look.color[1], look.color[2], look.opacity})
      color.push_back(static_cast<std::uint8_t>(std::lround(255.0 * share)));
  }

  void write(VtkFile::Cells kind, VtkFile* file) const {
    file->cells(kind, connectivity, end);
    file->cell_data("body", 1, body);
    file->cell_data("geometry", 1, geometry);
    if (!color.empty()) file->cell_data("color", 4, color);
  }
};

}  // namespace

bool BodySurfaces::any(bool moving) const {
  const auto here = [&](const auto& part) { return (moves[part.body] != 0) == moving; };
  return std::any_of(parts.parts.begin(), parts.parts.end(), here) ||
         std::any_of(parts.planes.begin(), parts.planes.end(), here);
}

void BodySurfaces::write(const std::vector<RigidTransform>& X_WB, bool moving, VtkFile* file) const {
  std::vector<float> points;
  Gathered cells;
  const std::vector<Color> colors = body_colors(moves);
  const auto push = [&](const Vector3& p) {
    for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<float>(p[axis]));
  };
  for (const ViewPart& part : parts.parts) {
    if ((moves[part.body] != 0) != moving) continue;
    const Look look = look_of(part.color, colors[part.body]);
    const Surface& surface = parts.surfaces[part.surface];
    const RigidTransform X_WG = X_WB[part.body] * part.X_BG;
    const auto first = static_cast<std::int64_t>(points.size() / 3);
    for (const Vector3& v : surface.vertices) push(X_WG * v.cwiseProduct(part.scale).eval());
    for (const auto& [a, b, c] : surface.triangles) {
      cells.add({a, b, c}, first, part.body, part.geometry);
      cells.paint(look);
    }
  }
  for (const ViewPlane& plane : parts.planes) {
    if ((moves[plane.body] != 0) != moving) continue;
    const RigidTransform X_WG = X_WB[plane.body] * plane.X_BG;
    const auto first = static_cast<std::int64_t>(points.size() / 3);
    const double half = 0.5 * reach;
    for (const auto& [x, y] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}})
      push(X_WG * Vector3(x, y, 0.0));
    cells.add({0, 1, 2, 3}, first, plane.body, plane.geometry);
    cells.paint(look_of(plane.color, color_of(kGroundColor)));
  }
  file->points(points);
  cells.write(VtkFile::Cells::kPolygons, file);
}

std::vector<PressureField> read_fields(const ResultFile& result) {
  std::vector<PressureField> fields;
  const auto names = result.texts("/geometries/name");
  const auto body = result.index("/geometries/body", result.texts("/bodies/name").size());
  for (std::size_t g = 0; g < names.size(); ++g) {
    const std::string path = "/meshes/" + names[g];
    if (!result.has(path + "/tets")) continue;
    const auto coordinates = result.real(path + "/vertices");
    PressureField field{static_cast<int>(body[g]),
                        static_cast<int>(g),
                        {},
                        result.index(path + "/tets", coordinates.size() / 3),
                        result.real(path + "/pressure")};
    for (std::size_t v = 0; v < coordinates.size() / 3; ++v)
      field.vertices.push_back(vector_at(coordinates, v));
    fields.push_back(std::move(field));
  }
  return fields;
}

void write_fields(const std::vector<PressureField>& fields, const std::vector<RigidTransform>& X_WB,
                  VtkFile* file) {
  std::vector<float> points;
  std::vector<double> pressure;
  Gathered cells;
  for (const PressureField& field : fields) {
    const auto first = static_cast<std::int64_t>(points.size() / 3);
    for (const Vector3& p_B : field.vertices) {
      const Vector3 p_W = X_WB[field.body] * p_B;
      for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<float>(p_W[axis]));
    }
    pressure.insert(pressure.end(), field.pressure.begin(), field.pressure.end());
    for (std::size_t t = 0; t + 3 < field.tets.size(); t += 4) {
      cells.add({field.tets[t], field.tets[t + 1], field.tets[t + 2], field.tets[t + 3]}, first, field.body,
                field.geometry);
    }
  }
  file->points(points);
  file->point_data("pressure", 1, pressure);
  cells.write(VtkFile::Cells::kTets, file);
}

}  // namespace csim
