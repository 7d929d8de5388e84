#include <algorithm>
#include <map>

#include "core/number_format.h"
#include "geometry/file_cursor.h"
#include "mesh/tet_files.h"

namespace csim {

namespace {

constexpr int kVtkTetra = 10;

/// VTK's cell types of three dimensions that are no linear tetrahedra (vtkCellType.h).
std::string_view solid_name(double type) {
  static const std::map<int, std::string_view> names{{11, "voxel"},
                                                     {12, "hexahedron"},
                                                     {13, "wedge"},
                                                     {14, "pyramid"},
                                                     {15, "pentagonal prism"},
                                                     {16, "hexagonal prism"},
                                                     {24, "quadratic tetrahedron"},
                                                     {25, "quadratic hexahedron"},
                                                     {26, "quadratic wedge"},
                                                     {27, "quadratic pyramid"},
                                                     {29, "triquadratic hexahedron"},
                                                     {31, "quadratic linear wedge"},
                                                     {32, "biquadratic quadratic wedge"},
                                                     {33, "biquadratic hexahedron"},
                                                     {42, "polyhedron"},
                                                     {71, "Lagrange tetrahedron"},
                                                     {72, "Lagrange hexahedron"},
                                                     {73, "Lagrange wedge"},
                                                     {74, "Lagrange pyramid"}};
  const auto found = is_count(type) && type < 100 ? names.find(static_cast<int>(type)) : names.end();
  return found == names.end() ? std::string_view() : found->second;
}

/// The points of a cell of one of the simple flat types, 0 for any number.
int num_points_of(double type) {
  constexpr std::array<std::pair<int, int>, 5> kCounts{{{1, 1}, {3, 2}, {5, 3}, {8, 4}, {9, 4}}};
  for (const auto& [number, count] : kCounts) {
    if (number == type) return count;
  }
  return type == kVtkTetra ? 4 : 0;
}

/// Types of points, lines and faces: 0 (empty) to 9, and the quadratic ones among 21 to 36.
bool is_flat(double type) {
  constexpr std::array<int, 10> kQuadratic{21, 22, 23, 28, 30, 34, 35, 36, 68, 69};
  return (type >= 0 && type <= 9) || type == 70 ||
         std::find(kQuadratic.begin(), kQuadratic.end(), type) != kQuadratic.end();
}

}  // namespace

void add_vtk_points(const std::vector<double>& coordinates, TetFileData* data) {
  data->point_word = "point";
  data->tet_word = "cell";
  for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3) {
    data->point_number.push_back(static_cast<long>(data->points.size()));
    data->points.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  }
}

void add_vtk_cells(const std::vector<double>& offsets, const std::vector<double>& connectivity,
                   const std::vector<double>& types, TetFileData* data) {
  if (offsets.size() != types.size() + 1) {
    throw FileFault{std::to_string(offsets.size() - 1) + " cells have " + std::to_string(types.size()) +
                    " types, one each expected"};
  }
  const double num_points = static_cast<double>(data->points.size());
  for (std::size_t cell = 0; cell < types.size(); ++cell) {
    const std::string here = "cell " + std::to_string(cell) + ": ";
    const double begin = offsets[cell], end = offsets[cell + 1], type = types[cell];
    if (!is_count(begin) || !(end >= begin && end <= static_cast<double>(connectivity.size()))) {
      throw FileFault{here + "its points are numbers " + format_number(begin) + " to " + format_number(end) +
                      " of " + std::to_string(connectivity.size())};
    }
    if (const int count = num_points_of(type); count > 0 && end - begin != count) {
      throw FileFault{here + format_number(end - begin) + " points, " + std::to_string(count) +
                      " expected for type " + format_number(type)};
    }
    if (is_flat(type)) {
      ++data->num_skipped;
      continue;
    }
    if (type != kVtkTetra) {
      const std::string_view name = solid_name(type);
      throw FileFault{here + "type " + format_number(type) +
                      (name.empty() ? "" : " (" + std::string(name) + ")") +
                      ", expected linear tetrahedra (type 10)" +
                      (type == 24 ? "; export the mesh with elements of first order"
                                  : "; mesh the body with tetrahedra")};
    }
    std::array<int, 4> tet{};
    for (int i = 0; i < 4; ++i) {
      const double point = connectivity[static_cast<std::size_t>(begin) + i];
      if (!is_count(point) || point >= num_points) {
        throw FileFault{here + "point " + format_number(point) + " does not exist, the file has " +
                        format_number(num_points) + " (counted from 0)"};
      }
      tet[i] = static_cast<int>(point);
    }
    data->tets.push_back(tet);
    data->tet_number.push_back(static_cast<long>(cell));
  }
}

}  // namespace csim
