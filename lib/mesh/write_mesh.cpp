#include "mesh/write_mesh.h"

#include <span>

#include "core/number_format.h"
#include "mesh/inspect_tet_mesh.h"

namespace csim {

namespace {

/// The first lines, points and cells of a legacy VTK file, all cells of one type.
template <std::size_t N>
std::string grid(const std::vector<Vector3>& vertices, const std::vector<std::array<int, N>>& cells, int type,
                 const std::string& title) {
  // A title is one line of at most 255 characters.
  std::string text = "# vtk DataFile Version 3.0\n" + title.substr(0, title.find('\n')).substr(0, 250) +
                     "\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " + std::to_string(vertices.size()) +
                     " double\n";
  for (const Vector3& p : vertices) {
    text += format_number(p.x()) + " " + format_number(p.y()) + " " + format_number(p.z()) + "\n";
  }
  text += "CELLS " + std::to_string(cells.size()) + " " + std::to_string((N + 1) * cells.size()) + "\n";
  for (const auto& cell : cells) {
    text += std::to_string(N);
    for (const int v : cell) text += " " + std::to_string(v);
    text += "\n";
  }
  text += "CELL_TYPES " + std::to_string(cells.size()) + "\n";
  for (std::size_t i = 0; i < cells.size(); ++i) text += std::to_string(type) + "\n";
  return text;
}

void add_scalars(const std::string& name, std::span<const double> values, std::string* text) {
  *text += "SCALARS " + name + " double 1\nLOOKUP_TABLE default\n";
  for (const double value : values) *text += format_number(value) + "\n";
}

}  // namespace

std::string vtk_text(const CompliantMesh& compliant, double modulus, const std::string& title) {
  constexpr int kVtkTetra = 10;
  const TetMesh& mesh = compliant.mesh;
  std::string text = grid(mesh.vertices, mesh.tets, kVtkTetra, title);
  std::vector<double> extent, quality;
  for (const double p : compliant.pressure) extent.push_back(p / modulus);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    quality.push_back(tet_quality(mesh, static_cast<int>(t)));
  text += "POINT_DATA " + std::to_string(mesh.vertices.size()) + "\n";
  add_scalars("pressure", compliant.pressure, &text);
  add_scalars("extent", extent, &text);
  text += "CELL_DATA " + std::to_string(mesh.tets.size()) + "\n";
  add_scalars("quality", quality, &text);
  return text;
}

std::string vtk_text(const TriangleMesh& surface, const std::string& title) {
  constexpr int kTriangle = 5;
  return grid(surface.vertices, surface.triangles, kTriangle, title);
}

std::string obj_text(const TriangleMesh& surface, const std::string& title) {
  std::string text = "# " + title.substr(0, title.find('\n')) + "\n";
  for (const Vector3& p : surface.vertices) {
    text += "v " + format_number(p.x()) + " " + format_number(p.y()) + " " + format_number(p.z()) + "\n";
  }
  for (const auto& [a, b, c] : surface.triangles) {
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
  }
  return text;
}

}  // namespace csim
