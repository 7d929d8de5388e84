#include "mesh/mesh_summary.h"

#include <algorithm>

#include "core/counted.h"
#include "core/file_bytes.h"
#include "core/json_writer.h"
#include "core/number_format.h"
#include "geometry/mass_properties.h"
#include "mesh/field_from_mesh.h"

namespace csim {

namespace {

bool has_extension(const std::string& file, std::initializer_list<std::string_view> extensions) {
  return std::find(extensions.begin(), extensions.end(), lower_extension(file)) != extensions.end();
}

/// A line of the summary.
void add_line(std::string* text, const char* name, const std::string& what) {
  *text += format_text("  %-22s ", name) + what + "\n";
}

void set_tets(TetMeshReport report, const TetMesh& mesh, MeshSummary* summary) {
  summary->smallest_volume = tet_volume(mesh, report.smallest_tet);
  summary->worst_quality = tet_quality(mesh, report.worst_tet);
  summary->tets = std::move(report);
}

void set_pressure(const std::vector<double>& pressure, MeshSummary* summary) {
  const auto [least, largest] = std::minmax_element(pressure.begin(), pressure.end());
  summary->least_pressure = *least;
  summary->largest_pressure = *largest;
}

void summarise_tets(const Vector3& scale, MeshSummary* summary) {
  LoadResult<TetMeshFile> read = read_tet_mesh(summary->name, scale);
  if (!read.ok()) {
    summary->errors.push_back(read.error.substr(summary->name.size() + 2));
    return;
  }
  TetMeshFile& file = *read.value;
  const bool has_field = !file.values.empty();
  summary->numbers = file.numbers;
  summary->notes = file.notes;
  TetMeshReport report = inspect_tet_mesh(file.mesh);
  summary->errors = mesh_errors(report, file.mesh, file.numbers);
  for (std::string& warning : mesh_warnings(report, has_field))
    summary->warnings.push_back(std::move(warning));
  set_tets(std::move(report), file.mesh, summary);
  summary->field = has_field ? "array " + file.value_name : "by distance";
  if (!summary->errors.empty()) return;
  const LoadResult<CompliantMesh> field =
      has_field ? field_from_values(std::move(file.mesh), file.numbers, std::move(file.values), 1.0)
                : field_from_distance(std::move(file.mesh), file.numbers, 1.0, 0.0);
  if (field.ok()) {
    set_pressure(field.value->pressure, summary);
  } else {
    summary->errors.push_back(field.error);
  }
}

void write_box(const Aabb& bounds, std::string* text) {
  const Vector3 &l = bounds.lower, &u = bounds.upper;
  add_line(
      text, "box",
      format_text("(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", l.x(), l.y(), l.z(), u.x(), u.y(), u.z()));
}

void write_volume(const MeshSummary& summary, double volume, std::string* text) {
  add_line(
      text, "volume",
      format_text("%.7g m^3", volume) +
          (summary.exact_volume ? format_text(", %.6f of the exact shape's", volume / *summary.exact_volume)
                                : ""));
}

void write_tets(const MeshSummary& summary, std::string* text) {
  const TetMeshReport& r = *summary.tets;
  const auto tet = [&](int index) { return summary.numbers.tet(static_cast<std::size_t>(index)); };
  add_line(text, "vertices",
           format_text("%d, %d of them inside", r.num_vertices, r.num_vertices - r.num_boundary_vertices));
  add_line(text, "tetrahedra", std::to_string(r.num_tets));
  add_line(text, "boundary triangles", std::to_string(r.num_boundary_faces));
  write_box(r.bounds, text);
  write_volume(summary, r.volume, text);
  add_line(text, "edges", format_text("%.4g to %.4g m", r.shortest_edge, r.longest_edge));
  add_line(text, "smallest tetrahedron",
           format_text("%.4g m^3, ", summary.smallest_volume) + tet(r.smallest_tet));
  add_line(text, "worst shape",
           format_text("%.3g of 1 (mean %.3g), ", summary.worst_quality, r.mean_quality) + tet(r.worst_tet));
  add_line(text, "problem simplices",
           counted(r.problem.edges.size(), "edge") + ", " + counted(r.problem.triangles.size(), "triangle") +
               ", " + counted(r.problem.tets.size(), "tetrahedron", "tetrahedra"));
}

/// What a scene can be given for an open surface, in its own words: of its hull at the density of water.
void write_hull(const MassProperties& unit, std::string* text) {
  constexpr double kWater = 1000.0;  // kg/m^3
  const Matrix3 inertia = kWater * unit.inertia;
  add_line(text, "its convex hull",
           format_text("%.7g m^3; with the density of water, in a scene:", unit.mass));
  *text += format_text("mass: %.7g\ncom: [%.7g, %.7g, %.7g]\n", kWater * unit.mass, unit.com.x(),
                       unit.com.y(), unit.com.z());
  *text += format_text("inertia: [%.7g, %.7g, %.7g, %.7g, %.7g, %.7g]\n", inertia(0, 0), inertia(1, 1),
                       inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2));
}

void write_json_tets(const MeshSummary& summary, JsonWriter* json) {
  const TetMeshReport& r = *summary.tets;
  json->member("num_vertices", r.num_vertices, "num_boundary_vertices", r.num_boundary_vertices, "num_tets",
               r.num_tets, "num_boundary_faces", r.num_boundary_faces, "volume", r.volume, "lower",
               r.bounds.lower, "upper", r.bounds.upper, "shortest_edge", r.shortest_edge, "longest_edge",
               r.longest_edge, "smallest_volume", summary.smallest_volume, "smallest_tet", r.smallest_tet,
               "worst_quality", summary.worst_quality, "worst_tet", r.worst_tet, "mean_quality",
               r.mean_quality, "num_not_positive", static_cast<int>(r.not_positive.size()),
               "num_nonmanifold_edges", r.num_nonmanifold_edges, "num_problem_edges",
               static_cast<int>(r.problem.edges.size()), "num_problem_triangles",
               static_cast<int>(r.problem.triangles.size()), "num_problem_tets",
               static_cast<int>(r.problem.tets.size()), "field", summary.field, "least_pressure",
               summary.least_pressure, "largest_pressure", summary.largest_pressure);
}

}  // namespace

bool is_tet_file(const std::string& file) {
  return has_extension(file, {"vtk", "vtu", "msh"});
}
bool is_surface_file(const std::string& file) {
  return has_extension(file, {"obj", "stl", "ply"});
}

SurfaceReport inspect_surface(const TriangleMesh& surface) {
  SurfaceReport report;
  report.num_vertices = static_cast<int>(surface.vertices.size());
  report.num_triangles = static_cast<int>(surface.triangles.size());
  report.closed = surface.closed;
  for (const Vector3& p : surface.vertices) report.bounds.add(p);
  for (const auto& [a, b, c] : surface.triangles) {
    const Vector3& o = surface.vertices[a];
    report.area += 0.5 * (surface.vertices[b] - o).cross(surface.vertices[c] - o).norm();
  }
  report.volume = volume(Mesh{std::make_shared<const TriangleMesh>(surface)});
  if (surface.closed) return report;
  LoadResult<ConvexPolytope> hull = convex_hull(surface.vertices);
  if (hull.ok()) {
    report.hull =
        solid_mass_properties(Convex{std::make_shared<const ConvexPolytope>(*std::move(hull.value))}, 1.0);
  }
  return report;
}

MeshSummary summarise(const std::string& name, const CompliantMesh& compliant) {
  MeshSummary summary;
  summary.name = name;
  set_tets(inspect_tet_mesh(compliant.mesh), compliant.mesh, &summary);
  summary.field = "made with the mesh";
  set_pressure(compliant.pressure, &summary);
  return summary;
}

MeshSummary summarise(const std::string& name, const TriangleMesh& surface) {
  MeshSummary summary;
  summary.name = name;
  summary.surface = inspect_surface(surface);
  return summary;
}

MeshSummary summarise_file(const std::string& file, const Vector3& scale) {
  MeshSummary summary;
  summary.name = file;
  if (is_tet_file(file)) {
    summarise_tets(scale, &summary);
    return summary;
  }
  std::vector<std::string> notes;
  const LoadResult<TriangleMesh> surface = load_triangle_mesh(file, scale, &notes);
  if (surface.ok())
    summary.surface = inspect_surface(*surface.value);
  else
    summary.errors.push_back(surface.error.substr(file.size() + 2));
  for (const std::string& note : notes) summary.notes.push_back(note.substr(file.size() + 2));
  return summary;
}

std::string summary_text(const MeshSummary& summary) {
  std::string text = summary.name + "\n";
  if (summary.tets) {
    write_tets(summary, &text);
    if (summary.largest_pressure > 0.0) {
      const bool in_pascal = summary.field == "array pressure" || summary.field == "made with the mesh";
      add_line(&text, "pressure",
               format_text("%.6g to %.6g %s, %s", summary.least_pressure, summary.largest_pressure,
                           in_pascal ? "Pa" : "of the modulus", summary.field.c_str()));
    }
  }
  if (summary.surface) {
    const SurfaceReport& r = *summary.surface;
    add_line(&text, "vertices", std::to_string(r.num_vertices));
    add_line(
        &text, "triangles",
        std::to_string(r.num_triangles) + (r.closed ? ", closed" : ", open: two-sided, without a volume"));
    write_box(r.bounds, &text);
    if (r.closed) write_volume(summary, r.volume, &text);
    add_line(&text, "area", format_text("%.7g m^2", r.area));
    if (r.hull) write_hull(*r.hull, &text);
  }
  for (const std::string& note : summary.notes) add_line(&text, "note", note);
  for (const std::string& warning : summary.warnings) add_line(&text, "warning", warning);
  for (const std::string& error : summary.errors) add_line(&text, "error", error);
  return text;
}

std::string summary_json(const MeshSummary& summary) {
  JsonWriter json;
  json.begin_object().member("name", summary.name, "ok", summary.errors.empty());
  json.member("kind", summary.tets ? "tetrahedra" : summary.surface ? "surface" : "unknown");
  if (summary.exact_volume) json.member("exact_volume", *summary.exact_volume);
  if (summary.tets) write_json_tets(summary, &json);
  if (summary.surface) {
    const SurfaceReport& r = *summary.surface;
    json.member("num_vertices", r.num_vertices, "num_triangles", r.num_triangles, "closed", r.closed, "area",
                r.area, "volume", r.volume, "lower", r.bounds.lower, "upper", r.bounds.upper);
    if (r.hull) {
      json.member("hull_volume", r.hull->mass, "hull_com", r.hull->com, "hull_inertia",
                  std::vector<double>{r.hull->inertia(0, 0), r.hull->inertia(1, 1), r.hull->inertia(2, 2),
                                      r.hull->inertia(0, 1), r.hull->inertia(0, 2), r.hull->inertia(1, 2)});
    }
  }
  json.member("notes", summary.notes, "warnings", summary.warnings, "errors", summary.errors).end_object();
  return json.text() + "\n";
}

}  // namespace csim
