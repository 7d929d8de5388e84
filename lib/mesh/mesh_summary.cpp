#include "mesh/mesh_summary.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "core/file_bytes.h"
#include "core/json_writer.h"
#include "geometry/mass_properties.h"
#include "mesh/field_from_mesh.h"

namespace csim {

namespace {

bool has_extension(const std::string& file, std::initializer_list<std::string_view> extensions) {
  return std::find(extensions.begin(), extensions.end(), lower_extension(file)) != extensions.end();
}

/// printf into a string that grows.
class Lines {
 public:
  void add(const char* name, const char* format, ...) __attribute__((format(printf, 3, 4))) {
    char buffer[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    add_text(name, buffer);
  }
  void add_text(const char* name, const std::string& text) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "  %-22s ", name);
    text_ += buffer + text + "\n";
  }
  std::string text_;
};

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

void write_box(const Aabb& bounds, Lines* lines) {
  const Vector3 &l = bounds.lower, &u = bounds.upper;
  lines->add("box", "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", l.x(), l.y(), l.z(), u.x(), u.y(), u.z());
}

void write_volume(const MeshSummary& summary, double volume, Lines* lines) {
  if (summary.exact_volume) {
    lines->add("volume", "%.7g m^3, %.6f of the exact shape's", volume, volume / *summary.exact_volume);
  } else {
    lines->add("volume", "%.7g m^3", volume);
  }
}

void write_tets(const MeshSummary& summary, Lines* lines) {
  const TetMeshReport& r = *summary.tets;
  lines->add("vertices", "%d, %d of them inside", r.num_vertices, r.num_vertices - r.num_boundary_vertices);
  lines->add("tetrahedra", "%d", r.num_tets);
  lines->add("boundary triangles", "%d", r.num_boundary_faces);
  write_box(r.bounds, lines);
  write_volume(summary, r.volume, lines);
  lines->add("edges", "%.4g to %.4g m", r.shortest_edge, r.longest_edge);
  lines->add("smallest tetrahedron", "%.4g m^3, %s", summary.smallest_volume,
             summary.numbers.tet(static_cast<std::size_t>(r.smallest_tet)).c_str());
  lines->add("worst shape", "%.3g of 1 (mean %.3g), %s", summary.worst_quality, r.mean_quality,
             summary.numbers.tet(static_cast<std::size_t>(r.worst_tet)).c_str());
  lines->add("problem simplices", "%zu edges, %zu triangles, %zu tetrahedra", r.problem.edges.size(),
             r.problem.triangles.size(), r.problem.tets.size());
}

void write_json_box(const Aabb& bounds, JsonWriter* json) {
  for (const auto& [name, corner] : {std::pair("lower", &bounds.lower), std::pair("upper", &bounds.upper)}) {
    json->key(name).begin_array();
    for (int i = 0; i < 3; ++i) json->value((*corner)[i]);
    json->end_array();
  }
}

void write_json_tets(const MeshSummary& summary, JsonWriter* json) {
  const TetMeshReport& r = *summary.tets;
  json->member("num_vertices", r.num_vertices)
      .member("num_boundary_vertices", r.num_boundary_vertices)
      .member("num_tets", r.num_tets)
      .member("num_boundary_faces", r.num_boundary_faces)
      .member("volume", r.volume);
  write_json_box(r.bounds, json);
  json->member("shortest_edge", r.shortest_edge)
      .member("longest_edge", r.longest_edge)
      .member("smallest_volume", summary.smallest_volume)
      .member("smallest_tet", r.smallest_tet)
      .member("worst_quality", summary.worst_quality)
      .member("worst_tet", r.worst_tet)
      .member("mean_quality", r.mean_quality)
      .member("num_not_positive", static_cast<int>(r.not_positive.size()))
      .member("num_nonmanifold_edges", r.num_nonmanifold_edges)
      .member("num_problem_edges", static_cast<int>(r.problem.edges.size()))
      .member("num_problem_triangles", static_cast<int>(r.problem.triangles.size()))
      .member("num_problem_tets", static_cast<int>(r.problem.tets.size()))
      .member("field", summary.field)
      .member("least_pressure", summary.least_pressure)
      .member("largest_pressure", summary.largest_pressure);
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
  Lines lines;
  if (summary.tets) {
    write_tets(summary, &lines);
    if (summary.largest_pressure > 0.0) {
      const bool in_pascal = summary.field == "array pressure" || summary.field == "made with the mesh";
      lines.add("pressure", "%.6g to %.6g %s, %s", summary.least_pressure, summary.largest_pressure,
                in_pascal ? "Pa" : "of the modulus", summary.field.c_str());
    }
  }
  if (summary.surface) {
    const SurfaceReport& r = *summary.surface;
    lines.add("vertices", "%d", r.num_vertices);
    lines.add("triangles", "%d, %s", r.num_triangles,
              r.closed ? "closed" : "open: two-sided, without a volume");
    write_box(r.bounds, &lines);
    if (r.closed) write_volume(summary, r.volume, &lines);
    lines.add("area", "%.7g m^2", r.area);
  }
  for (const std::string& note : summary.notes) lines.add_text("note", note);
  for (const std::string& warning : summary.warnings) lines.add_text("warning", warning);
  for (const std::string& error : summary.errors) lines.add_text("error", error);
  return summary.name + "\n" + lines.text_;
}

std::string summary_json(const MeshSummary& summary) {
  JsonWriter json;
  json.begin_object().member("name", summary.name).member("ok", summary.errors.empty());
  json.member("kind", summary.tets ? "tetrahedra" : summary.surface ? "surface" : "unknown");
  if (summary.exact_volume) json.member("exact_volume", *summary.exact_volume);
  if (summary.tets) write_json_tets(summary, &json);
  if (summary.surface) {
    const SurfaceReport& r = *summary.surface;
    json.member("num_vertices", r.num_vertices)
        .member("num_triangles", r.num_triangles)
        .member("closed", r.closed)
        .member("area", r.area)
        .member("volume", r.volume);
    write_json_box(r.bounds, &json);
  }
  for (const auto& [name, list] :
       {std::pair("notes", &summary.notes), std::pair("warnings", &summary.warnings),
        std::pair("errors", &summary.errors)}) {
    json.key(name).begin_array();
    for (const std::string& text : *list) json.value(text);
    json.end_array();
  }
  json.end_object();
  return json.text() + "\n";
}

}  // namespace csim
