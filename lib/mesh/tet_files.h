// Readers of tetrahedral mesh files, one per format: bytes in, tets out. load_tet_mesh.h checks what they
// give.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "geometry/surface_files.h"

namespace csim {

/// A value at every point of a file.
struct PointScalars {
  std::string name;
  std::vector<double> values;  // [points]; not finite where the file has none
};

/// What a file lists, with the numbers it goes by there, for complaints.
struct TetFileData {
  std::vector<Vector3> points;           // m, before scaling
  std::vector<std::array<int, 4>> tets;  // indices checked against the points
  std::vector<long> point_number;        // [points]: the index from 0 (VTK), the tag (Gmsh)
  std::vector<long> tet_number;          // [tets]: likewise
  std::string point_word, tet_word;      // "point", "cell" or "node", "element"
  long num_skipped = 0;                  // cells of fewer dimensions
  std::vector<PointScalars> scalars;     // those that is_pressure_name() takes
};

/// The arrays that carry a pressure field.
[[nodiscard]] inline bool is_pressure_name(std::string_view name) {
  return name == "extent" || name == "pressure";
}

/// Legacy VTK (DATASET UNSTRUCTURED_GRID, versions 1 to 5, ASCII and binary), VTK's XML format (.vtu; ASCII,
/// base64, appended raw and base64, zlib), Gmsh 2 and 4.1 (ASCII and binary). Each throws FileFault
/// (geometry/surface_files.h); `bytes` is the whole file. Cells of three dimensions that are no
/// linear tetrahedra are an error, points, lines and faces are skipped.
void read_legacy_vtk(std::string_view bytes, TetFileData* data);
void read_vtu(std::string_view bytes, TetFileData* data);
void read_gmsh(std::string_view bytes, TetFileData* data);

/// VTK's cells, as legacy and XML files list them: cell i has the points connectivity[offsets[i],
/// offsets[i + 1]) and the type types[i]. Values as read, unchecked. Appends the tets; throws FileFault.
void add_vtk_cells(const std::vector<double>& offsets, const std::vector<double>& connectivity,
                   const std::vector<double>& types, TetFileData* data);

/// Triples of coordinates to points numbered from 0.
void add_vtk_points(const std::vector<double>& coordinates, TetFileData* data);

}  // namespace csim
