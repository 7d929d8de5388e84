#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.h"
#include "cli/mesh_output.h"
#include "core/file_bytes.h"
#include "geometry/repair_surface.h"
#include "mesh/load_tet_mesh.h"
#include "mesh/mesh_summary.h"
#include "mesh/write_mesh.h"

namespace csim::cli {

namespace {

struct MeshFileOptions {
  std::string file;
  std::vector<double> scale;  // one number or three
  bool json = false;
  bool strict = false;  // check: warnings count as errors
  // Of export and repair.
  std::string output;
  bool force = false;
  double tolerance = 0.0;     // m, of repair; 0: its default
  CompliantFileOptions load;  // its scale follows from `scale`
};

/// Why a file cannot be opened; empty when it can.
std::string why_no_input(const std::string& file) {
  if (!is_tet_file(file) && !is_surface_file(file)) {
    return file +
           ": unknown extension, expected .vtk, .vtu or .msh (tetrahedra) or .obj, .stl or .ply (a surface)";
  }
  errno = 0;
  if (!std::ifstream(file)) return file + ": " + describe_open_failure(file);
  if (std::filesystem::is_directory(file)) return file + ": is a folder";
  return {};
}

/// The summary, printed, or an exit code.
std::optional<MeshSummary> print_summary(const MeshFileOptions& options) {
  std::string wrong = why_no_input(options.file);
  const auto scale = scale_of(options.scale);
  if (wrong.empty() && !scale) wrong = "--scale: two numbers, expected one or three";
  if (wrong.empty() && (!scale->allFinite() || (scale->array() == 0.0).any())) {
    wrong = "--scale: finite numbers other than 0 expected";
  }
  if (!wrong.empty()) {
    complain(wrong, kInvalidInput);
    return std::nullopt;
  }
  MeshSummary summary = summarise_file(options.file, *scale);
  std::fputs((options.json ? summary_json(summary) : summary_text(summary)).c_str(), stdout);
  return summary;
}

/// The text of the exported file.
LoadResult<std::string> exported(const MeshFileOptions& options, const Vector3& scale) {
  const std::string title = "csim mesh export " + std::filesystem::path(options.file).filename().string();
  if (is_surface_file(options.file)) {
    const LoadResult<TriangleMesh> surface = load_triangle_mesh(options.file, scale);
    if (!surface.ok()) return {std::nullopt, surface.error};
    return {is_obj(options.output) ? obj_text(*surface.value, title) : vtk_text(*surface.value, title), {}};
  }
  CompliantFileOptions load = options.load;
  load.scale = scale;
  const LoadResult<CompliantFile> file = load_compliant_mesh(options.file, load);
  if (!file.ok()) return {std::nullopt, file.error};
  for (const std::string& note : file.value->notes) {
    std::fprintf(stderr, "csim: note: %s: %s\n", options.file.c_str(), note.c_str());
  }
  const CompliantMesh& compliant = file.value->compliant;
  return {is_obj(options.output) ? obj_text(boundary_surface(compliant.mesh), title)
                                 : vtk_text(compliant, load.modulus, title),
          {}};
}

int mesh_check(const MeshFileOptions& options) {
  const auto summary = print_summary(options);
  if (!summary) return kInvalidInput;
  return summary->errors.empty() && (!options.strict || summary->warnings.empty()) ? kDone : kGateFailed;
}

/// A line for each thing done and what came of it, on stdout.
int mesh_repair(const MeshFileOptions& options) {
  if (std::string wrong = why_no_input(options.file); !wrong.empty()) return complain(wrong, kInvalidInput);
  if (!is_surface_file(options.file))
    return complain(
        options.file + ": tetrahedra, expected a surface; csim mesh export --fix-orientation mends these",
        kInvalidInput);
  if (!is_obj(options.output))
    return complain(options.output + ": expected a name that ends in .obj", kInvalidInput);
  if (const int code = check_mesh_output(options.output, options.force, options.file); code != kDone)
    return code;
  const auto scale = scale_of(options.scale);
  if (!scale) return complain("--scale: two numbers, expected one or three", kInvalidInput);
  const LoadResult<RepairedSurface> repaired = load_repaired(options.file, *scale, options.tolerance);
  if (!repaired.ok()) return complain(repaired.error, kInvalidInput);
  for (const std::string& done : repaired.value->done) std::printf("%s\n", done.c_str());
  if (repaired.value->done.empty()) std::printf("nothing to repair\n");
  std::fputs(summary_text(summarise(options.output, repaired.value->mesh)).c_str(), stdout);
  const std::string title = "csim mesh repair " + std::filesystem::path(options.file).filename().string();
  return write_output(options.output, obj_text(repaired.value->mesh, title));
}

int mesh_export(const MeshFileOptions& options) {
  if (std::string wrong = why_no_input(options.file); !wrong.empty()) return complain(wrong, kInvalidInput);
  if (const int code = check_mesh_output(options.output, options.force, options.file); code != kDone)
    return code;
  const auto scale = scale_of(options.scale);
  if (!scale) return complain("--scale: two numbers, expected one or three", kInvalidInput);
  const LoadResult<std::string> text = exported(options, *scale);
  if (!text.ok()) return complain(text.error, kInvalidInput);
  return write_output(options.output, *text.value);
}

using MeshFile = std::shared_ptr<MeshFileOptions>;

/// A command that reads a mesh, and its other options.
Command on_mesh(const char* name, const char* description, const MeshFile& o,
                int (*command)(const MeshFileOptions&), const std::vector<Option>& more,
                const char* examples) {
  const char* help = "tetrahedra (VTK, VTU, Gmsh) or a surface (OBJ, STL, PLY)";
  return {.name = name,
          .description = description,
          .options = joined({required({"file", &o->file, help, "FILE"}), scale_option(&o->scale)}, more),
          .examples = examples,
          .run = [=] { return command(*o); }};
}

Command mesh_export_command(const MeshFile& o) {
  return on_mesh("export", "write the mesh with its pressure for other programs", o, &mesh_export,
                 {required(mesh_output_option(&o->output)),
                  {"--force", &o->force, "overwrite an existing file"},
                  mesh_modulus_option(&o->load.modulus),
                  with_default({"--margin", &o->load.margin, "layer of negative pressure around the body, m",
                                "D", number()}),
                  {"--fix-orientation", &o->load.fix_orientation,
                   "reorder the vertices of tetrahedra of negative volume"},
                  {"--split-problem-simplices", &o->load.split_problem_simplices,
                   "split tetrahedra, triangles and edges inside whose vertices all lie on the boundary"},
                  {"--ignore-field", &o->load.ignore_values,
                   "compute the pressure from the distance to the boundary, also if the file has a field"}},
                 "  csim mesh export ball.vtk -o surface.obj     the boundary, as a surface");
}

Command mesh_repair_command(const MeshFile& o) {
  return on_mesh("repair", "repair a surface: weld vertices, orient triangles, stitch edges", o, &mesh_repair,
                 {required({"output", &o->output, "the repaired surface, .obj", "OUT"}),
                  {"--tolerance", &o->tolerance,
                   "largest distance of vertices that are joined, or of a vertex from the edge that it "
                   "splits, m; default: 1e-6 of the extent",
                   "D", number()},
                  {"--force", &o->force, "overwrite an existing file"}},
                 "  csim mesh repair surface.obj mended.obj       prints a line for each repair");
}

}  // namespace

Command mesh_command() {
  const auto o = std::make_shared<MeshFileOptions>();
  const Option json{"--json", &o->json, "one JSON object"};
  return {.name = "mesh",
          .description = "meshes and pressure fields: make, check, info, export, repair",
          .examples =
              "  csim mesh make box --size 0.1 0.1 0.2 -o block.vtk    a mesh with its pressure field\n"
              "  csim mesh check block.vtk                             whether a scene can use it\n"
              "  csim mesh export block.vtk -o block.obj               its boundary, as a surface\n"
              "  csim help mesh make                                   options and examples of a command",
          .commands = {mesh_make_command(),
                       on_mesh("check", "check a mesh; when it cannot be used, say why and exit with code 5",
                               o, &mesh_check, {{"--strict", &o->strict, "warnings count as errors"}, json},
                               "  csim mesh check ball.vtk"),
                       on_mesh("info",
                               "print counts, volume, worst elements, pressure, hull of an open surface; "
                               "exit codes as of check",
                               o, &mesh_check, {json}, "  csim mesh info ball.vtk"),
                       mesh_export_command(o), mesh_repair_command(o)}};
}

}  // namespace csim::cli
