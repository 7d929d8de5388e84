// What a user reads before trusting a mesh, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/spatial.h"
#include "mesh/inspect_tet_mesh.h"
#include "mesh/load_tet_mesh.h"
#include "mesh/mesh_numbers.h"
#include "mesh/pressure_field.h"

namespace csim {

/// The numbers of a surface.
struct SurfaceReport {
  int num_vertices = 0, num_triangles = 0;
  bool closed = false;
  Aabb bounds;          // m
  double area = 0.0;    // m^2
  double volume = 0.0;  // m^3, of a closed one
  /// Of an open one: its convex hull, of density 1, where it has a volume.
  std::optional<MassProperties> hull;
};
[[nodiscard]] SurfaceReport inspect_surface(const TriangleMesh& surface);

struct MeshSummary {
  std::string name;                   // the file, or the shape
  std::optional<TetMeshReport> tets;  // of one of these two, or of none when the file is damaged
  std::optional<SurfaceReport> surface;
  MeshNumbers numbers;
  double smallest_volume = 0.0, worst_quality = 0.0;  // of the tets that the report names
  std::optional<double> exact_volume;                 // m^3, of the shape that the mesh stands for
  std::string field;                                  // where the pressure comes from; empty: none
  double least_pressure = 0.0,
         largest_pressure = 0.0;      // Pa; of fields by distance or extent in units of the modulus
  std::vector<std::string> errors;    // what forbids its use
  std::vector<std::string> warnings;  // what makes contact worse than it should be
  std::vector<std::string> notes;     // what was left out or chosen
};

/// Of a mesh that was made.
[[nodiscard]] MeshSummary summarise(const std::string& name, const CompliantMesh& compliant);
[[nodiscard]] MeshSummary summarise(const std::string& name, const TriangleMesh& surface);

/// Of a file, by its extension a tetrahedral mesh (.vtk, .vtu, .msh) or a surface (.obj, .stl, .ply), sound
/// or not: whatever is wrong with its content is in `errors`.
[[nodiscard]] MeshSummary summarise_file(const std::string& file, const Vector3& scale);

/// True for the extensions of tetrahedral meshes and of surfaces.
[[nodiscard]] bool is_tet_file(const std::string& file);
[[nodiscard]] bool is_surface_file(const std::string& file);

[[nodiscard]] std::string summary_text(const MeshSummary& summary);
[[nodiscard]] std::string summary_json(const MeshSummary& summary);

}  // namespace csim
