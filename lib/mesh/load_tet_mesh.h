// Tetrahedral meshes and their pressure fields from files.
#pragma once

#include <string>
#include <vector>

#include "geometry/load_shape.h"
#include "mesh/inspect_tet_mesh.h"
#include "mesh/mesh_numbers.h"
#include "mesh/pressure_field.h"

namespace csim {

/// A file as it is: whatever can be read, sound or not.
struct TetMeshFile {
  TetMesh mesh;
  MeshNumbers numbers;
  std::vector<double> values;      // [vertices], of the file's array `value_name`; empty when it has none
  std::string value_name;          // "extent" (a pure number), "pressure" (Pa), or empty
  std::vector<std::string> notes;  // what was left out
};

/// Reads legacy VTK (.vtk), VTK's XML format (.vtu) and Gmsh 2 and 4.1 (.msh), scaled per axis; a mirroring
/// scale (negative product) turns the tets over. Points that no tet uses are left out, with a note. Of the
/// point arrays `extent` and `pressure` the first is kept. Errors: a file that cannot be read, cells of three
/// dimensions that are no linear tetrahedra, no tets at all, coordinates that are not finite.
[[nodiscard]] LoadResult<TetMeshFile> read_tet_mesh(const std::string& file, const Vector3& scale);

/// What forbids the use of a mesh, one sentence each: tets that are not positive, faces that more than two
/// share, tets that touch without sharing vertices.
[[nodiscard]] std::vector<std::string> mesh_errors(const TetMeshReport& report, const TetMesh& mesh,
                                                   const MeshNumbers& numbers);
/// What a user should know: edges where the boundary is no surface, problem simplices (unless the field comes
/// from the file).
[[nodiscard]] std::vector<std::string> mesh_warnings(const TetMeshReport& report, bool has_field);

struct CompliantFileOptions {
  Vector3 scale = Vector3::Ones();
  double modulus = 1e7;                  // Pa
  double margin = 0.0;                   // m
  bool fix_orientation = false;          // turn tets of negative volume
  bool split_problem_simplices = false;  // before the distance is taken
  bool ignore_values = false;            // take the distance although the file has a field
};

struct CompliantFile {
  CompliantMesh compliant;
  std::vector<std::string> notes;  // what was left out, repaired, chosen, and is doubtful
};

/// A file's mesh, checked, with its pressure: modulus times the array `extent`, or the array `pressure`, or
/// by field_from_distance(). Every error of the mesh in one text, a line each, with the file's name.
[[nodiscard]] LoadResult<CompliantFile> load_compliant_mesh(const std::string& file,
                                                            const CompliantFileOptions& options);

/// The boundary of a file's mesh, checked, for a rigid body.
[[nodiscard]] LoadResult<TriangleMesh> load_boundary_surface(const std::string& file, const Vector3& scale);

}  // namespace csim
