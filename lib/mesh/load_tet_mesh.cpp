#include "mesh/load_tet_mesh.h"

#include <algorithm>
#include <cmath>

#include "core/counted.h"
#include "core/number_format.h"
#include "geometry/coordinate_limit.h"
#include "mesh/field_from_mesh.h"
#include "mesh/repair_tet_mesh.h"
#include "mesh/tet_files.h"

namespace csim {

namespace {

std::string read_file(const std::string& file, TetFileData* data) {
  return read_mesh_file<TetFileData>(
      file, {{{"vtk", &read_legacy_vtk}, {"vtu", &read_vtu}, {"msh", &read_gmsh}}}, data);
}

/// "a, b, c and 12 more"
std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

std::string check_points(const TetFileData& data) {
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    const Vector3& p = data.points[i];
    if (p.allFinite()) continue;
    return data.point_word + " " + std::to_string(data.point_number[i]) + ": (" + format_number(p.x()) +
           ", " + format_number(p.y()) + ", " + format_number(p.z()) + "), finite coordinates expected";
  }
  return {};
}

/// Parts of the largest pressure by which `pressure` may differ from a multiple of `extent`: room for files
/// in single precision.
constexpr double kSameField = 1e-6;

/// Whether two arrays are one field: `pressure` is a positive number times `extent` at every point.
bool is_one_field(const PointScalars& extent, const PointScalars& pressure) {
  double largest_extent = 0.0, largest_pressure = 0.0;
  for (const double e : extent.values) largest_extent = std::max(largest_extent, std::abs(e));
  for (const double p : pressure.values) largest_pressure = std::max(largest_pressure, std::abs(p));
  if (!(largest_extent > 0.0 && largest_pressure > 0.0)) return false;
  const double modulus = largest_pressure / largest_extent;
  for (std::size_t v = 0; v < extent.values.size(); ++v) {
    const double difference = pressure.values[v] - modulus * extent.values[v];
    if (!(std::abs(difference) <= kSameField * largest_pressure)) return false;
  }
  return true;
}

/// Whether a choice among the arrays of a field makes a difference.
bool is_ambiguous(const std::vector<PointScalars>& scalars) {
  if (scalars.size() < 2) return false;
  if (scalars.size() > 2 || scalars[0].name == scalars[1].name) return true;
  const bool extent_first = scalars[0].name == "extent";
  return !is_one_field(scalars[extent_first ? 0 : 1], scalars[extent_first ? 1 : 0]);
}

/// The points that tets use, in their order; the others are dropped.
TetMeshFile used_part(TetFileData data) {
  TetMeshFile file;
  std::vector<int> new_index(data.points.size(), -1);
  for (const auto& tet : data.tets) {
    for (const int v : tet) new_index[v] = 0;
  }
  // `extent` before `pressure`: the scene's modulus stays in force.
  const PointScalars* scalars = nullptr;
  for (const PointScalars& candidate : data.scalars) {
    if (!scalars || candidate.name < scalars->name) scalars = &candidate;
  }
  if (scalars) file.value_name = scalars->name;
  for (std::size_t v = 0; v < data.points.size(); ++v) {
    if (new_index[v] < 0) continue;
    new_index[v] = static_cast<int>(file.mesh.vertices.size());
    file.mesh.vertices.push_back(data.points[v]);
    file.numbers.vertex_number.push_back(data.point_number[v]);
    if (scalars) file.values.push_back(scalars->values[v]);
  }
  for (const auto& [a, b, c, d] : data.tets) {
    file.mesh.tets.push_back({new_index[a], new_index[b], new_index[c], new_index[d]});
  }
  file.numbers.tet_number = std::move(data.tet_number);
  file.numbers.vertex_word = data.point_word;
  file.numbers.tet_word = data.tet_word;

  const auto left_out = data.points.size() - file.mesh.vertices.size();
  if (left_out > 0) {
    file.notes.push_back(std::to_string(left_out) + " " + data.point_word + (left_out > 1 ? "s" : "") +
                         " that no tetrahedron uses left out");
  }
  if (data.num_skipped > 0) {
    file.notes.push_back(std::to_string(data.num_skipped) + " " + data.tet_word +
                         (data.num_skipped > 1 ? "s" : "") + " of fewer dimensions left out");
  }
  if (is_ambiguous(data.scalars)) {
    file.notes.push_back("of " + std::to_string(data.scalars.size()) +
                         " arrays of extent or pressure the first, '" + file.value_name + "', is used");
  }
  return file;
}

std::vector<std::string> names_of(const std::vector<int>& tets, const MeshNumbers& numbers) {
  std::vector<std::string> names;
  for (const int t : tets) names.push_back(numbers.tet(t));
  return names;
}

std::string in_lines(const std::string& file, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + file + ": " + sentence;
  return text;
}

}  // namespace

LoadResult<TetMeshFile> read_tet_mesh(const std::string& file, const Vector3& scale) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<TetMeshFile>{std::nullopt, file + ": " + what};
  };
  if (!scale.allFinite() || (scale.array() == 0.0).any()) {
    return fail("the scale must be finite and not zero in each axis");
  }
  TetFileData data;
  if (std::string wrong = read_file(file, &data); !wrong.empty()) return fail(wrong);
  if (data.tets.empty()) {
    return fail("no tetrahedra" + (data.num_skipped > 0
                                       ? ", " + std::to_string(data.num_skipped) + " " + data.tet_word +
                                             "s of fewer dimensions; mesh the inside of the body"
                                       : std::string()));
  }
  if (std::string wrong = check_points(data); !wrong.empty()) return fail(wrong);
  TetMeshFile result = used_part(std::move(data));
  for (Vector3& p : result.mesh.vertices) p = p.cwiseProduct(scale);
  if (scale.prod() < 0) {
    for (auto& tet : result.mesh.tets) std::swap(tet[0], tet[1]);
  }
  if (std::string wrong = check_coordinates(result.mesh.vertices); !wrong.empty()) return fail(wrong);
  return {std::move(result), {}};
}

std::vector<std::string> mesh_errors(const TetMeshReport& report, const TetMesh& mesh,
                                     const MeshNumbers& numbers) {
  std::vector<std::string> errors;
  if (!report.not_positive.empty()) {
    const auto count = report.not_positive.size();
    std::vector<std::string> names;
    bool turned = true;
    for (const int t : report.not_positive) {
      const double v = tet_volume(mesh, t);
      names.push_back(numbers.tet(t) + " (" + format_number(v) + " m^3)");
      turned = turned && v < 0.0;
    }
    errors.push_back(counted(count, "tetrahedron has", "tetrahedra have") +
                     " no positive volume: " + first_few(names) +
                     (turned ? "; csim mesh export --fix-orientation turns them over"
                             : "; flat ones have to be meshed anew"));
  }
  if (!report.crowded.empty()) {
    errors.push_back("faces shared by more than two tetrahedra: " +
                     first_few(names_of(report.crowded, numbers)) + "; remove the doubled ones");
  }
  if (!report.coincident.empty()) {
    std::vector<std::string> names;
    for (const auto& [a, b] : report.coincident) names.push_back(numbers.tet(a) + " with " + numbers.tet(b));
    errors.push_back(counted(names.size(), "pair of faces lies", "pairs of faces lie") +
                     " in one place without shared vertices: " + first_few(names) +
                     "; merge coincident vertices");
  }
  return errors;
}

std::vector<std::string> mesh_warnings(const TetMeshReport& report, bool has_field) {
  std::vector<std::string> warnings;
  if (report.num_nonmanifold_edges > 0) {
    warnings.push_back(counted(static_cast<std::size_t>(report.num_nonmanifold_edges), "boundary edge") +
                       " without exactly two boundary triangles of opposite sense");
  }
  if (!has_field && !report.problem.empty()) {
    warnings.push_back(counted(report.problem.edges.size(), "interior edge") + ", " +
                       counted(report.problem.triangles.size(), "interior triangle") + " and " +
                       counted(report.problem.tets.size(), "tetrahedron", "tetrahedra") +
                       " have all their vertices on the boundary, where the pressure is 0: contact is "
                       "weak there (csim mesh export --split-problem-simplices refines them)");
  }
  return warnings;
}

LoadResult<CompliantFile> load_compliant_mesh(const std::string& file, const CompliantFileOptions& options) {
  const auto fail = [&](const std::string& what) {
    return LoadResult<CompliantFile>{std::nullopt, file + ": " + what};
  };
  if (!(std::isfinite(options.modulus) && options.modulus > 0.0)) {
    return fail("modulus: " + format_number(options.modulus) + ", expected > 0 (Pa)");
  }
  if (!(std::isfinite(options.margin) && options.margin >= 0.0)) {
    return fail("margin: " + format_number(options.margin) + ", expected >= 0 (m)");
  }
  LoadResult<TetMeshFile> read = read_tet_mesh(file, options.scale);
  if (!read.ok()) return {std::nullopt, read.error};
  TetMeshFile& data = *read.value;
  CompliantFile result;
  result.notes = data.notes;
  if (options.ignore_values) data.values.clear();
  const bool has_field = !data.values.empty();
  if (has_field && options.margin > 0.0) {
    return fail("margin: " + format_number(options.margin) + ", but the file carries its own field (array '" +
                data.value_name + "'), whose negative values would be the margin; expected 0");
  }
  if (has_field && options.split_problem_simplices) {
    return fail("split_problem_simplices is for fields by distance, and the file carries its own (array '" +
                data.value_name + "')");
  }
  if (options.fix_orientation) {
    if (const int n = turn_inverted_tets(&data.mesh); n > 0)
      result.notes.push_back(counted(static_cast<std::size_t>(n), "tetrahedron", "tetrahedra") +
                             " turned over");
  }
  TetMeshReport report = inspect_tet_mesh(data.mesh);
  if (const auto errors = mesh_errors(report, data.mesh, data.numbers); !errors.empty()) {
    return {std::nullopt, in_lines(file, errors)};
  }
  if (options.split_problem_simplices) {
    const SplitCounts split = split_problem_simplices(&data.mesh);
    result.notes.push_back("problem simplices split: " + counted(split.edges, "edge") + ", " +
                           counted(split.triangles, "triangle") + ", " +
                           counted(split.tets, "tetrahedron", "tetrahedra"));
    report.problem = {};
  }
  for (std::string& warning : mesh_warnings(report, has_field)) result.notes.push_back(std::move(warning));

  LoadResult<CompliantMesh> field =
      has_field ? field_from_values(std::move(data.mesh), data.numbers, std::move(data.values),
                                    data.value_name == "extent" ? options.modulus : 1.0)
                : field_from_distance(std::move(data.mesh), data.numbers, options.modulus, options.margin);
  if (!field.ok()) return fail((has_field ? "array '" + data.value_name + "': " : "") + field.error);
  result.compliant = *std::move(field.value);
  return {std::move(result), {}};
}

LoadResult<TriangleMesh> load_boundary_surface(const std::string& file, const Vector3& scale) {
  LoadResult<TetMeshFile> read = read_tet_mesh(file, scale);
  if (!read.ok()) return {std::nullopt, read.error};
  const TetMesh& mesh = read.value->mesh;
  if (const auto errors = mesh_errors(inspect_tet_mesh(mesh), mesh, read.value->numbers); !errors.empty()) {
    return {std::nullopt, in_lines(file, errors)};
  }
  return {boundary_surface(mesh), {}};
}

}  // namespace csim
