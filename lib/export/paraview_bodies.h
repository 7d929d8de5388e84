// Surfaces and pressure fields of bodies where they are at a time.
#pragma once

#include <string>
#include <vector>

#include "core/rigid_transform.h"
#include "export/vtk_file.h"
#include "record/reader.h"
#include "view/read_parts.h"

namespace csim {

/// Triangles of parts of bodies that move, or of those that do not: cell data `body` and `geometry` (rows of
/// /bodies and /geometries) and `color` (red, green, blue, opacity, as csim view has them). Half spaces are
/// squares of side `reach` about the origin of their frame.
struct BodySurfaces {
  ViewParts parts;
  std::vector<char> moves;  // of every body
  double reach = 1.0;       // m

  /// X_WB of every body.
  void write(const std::vector<RigidTransform>& X_WB, bool moving, VtkFile* file) const;
  [[nodiscard]] bool any(bool moving) const;  // whether there is a part
};

/// The tets of a compliant geometry with their pressure.
struct PressureField {
  int body = 0, geometry = 0;
  std::vector<Vector3> vertices;   // m, body frame
  std::vector<std::int64_t> tets;  // four a tet
  std::vector<double> pressure;    // Pa, at every vertex
};

/// All that /meshes holds.
[[nodiscard]] std::vector<PressureField> read_fields(const ResultFile& result);

/// Tets with point data `pressure` and cell data `body` and `geometry`.
void write_fields(const std::vector<PressureField>& fields, const std::vector<RigidTransform>& X_WB,
                  VtkFile* file);

}  // namespace csim
