#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/mesh_output.h"
#include "core/number_format.h"
#include "geometry/load_shape.h"
#include "geometry/mass_properties.h"
#include "mesh/make_compliant_mesh.h"
#include "mesh/mesh_summary.h"
#include "mesh/write_mesh.h"
#include "scene/default_resolution.h"

namespace csim::cli {

namespace {

/// A shape as the command line gives it. What a shape does not take stays empty.
struct MeshMakeOptions {
  std::string shape;
  std::optional<double> radius, length;  // m
  std::vector<double> size, semi_axes;   // m
  std::string file;                      // of a convex hull
  std::vector<double> scale;             // one number or three
  std::optional<double> resolution;      // m; default 0.02
  double modulus = 1e7;                  // Pa
  double margin = 0.0;                   // m
  std::optional<std::string> strategy;   // single (default) or dense
  bool rigid = false;                    // the surface alone
  std::string output;                    // empty: only the summary
  bool force = false;
  bool json = false;
};

/// An option that some shapes take.
struct Argument {
  const char* name;
  bool given;
  std::vector<double> lengths;  // have to be positive
};

/// Which options each shape needs; all others among the arguments are a mistake.
const std::map<std::string, std::vector<std::string>> kNeeds{{"sphere", {"--radius"}},
                                                             {"box", {"--size"}},
                                                             {"cylinder", {"--radius", "--length"}},
                                                             {"capsule", {"--radius", "--length"}},
                                                             {"ellipsoid", {"--semi-axes"}},
                                                             {"convex", {"--file"}}};

std::string check_arguments(const MeshMakeOptions& o) {
  const std::vector<Argument> arguments{
      {"--radius", o.radius.has_value(), {o.radius.value_or(1.0)}},
      {"--length", o.length.has_value(), {o.length.value_or(1.0)}},
      {"--size", !o.size.empty(), o.size},
      {"--semi-axes", !o.semi_axes.empty(), o.semi_axes},
      {"--file", !o.file.empty(), {}},
      {"--scale", !o.scale.empty(), {}},
  };
  const std::vector<std::string>& needs = kNeeds.at(o.shape);
  std::string list;
  for (const std::string& name : needs) list += (list.empty() ? "" : " and ") + name;
  for (const auto& [name, given, lengths] : arguments) {
    const bool needed = std::find(needs.begin(), needs.end(), name) != needs.end();
    const bool optional = o.shape == "convex" && std::string(name) == "--scale";
    if (given && !needed && !optional)
      return std::string(name) + " has no meaning for a " + o.shape + ", which takes " + list;
    if (needed && !given) return "a " + o.shape + " needs " + list;
    for (const double length : lengths) {
      if (!(std::isfinite(length) && length > 0.0))
        return std::string(name) + ": " + format_number(length) + ", expected > 0 (m)";
    }
  }
  return {};
}

LoadResult<Shape> shape_of(const MeshMakeOptions& o) {
  const auto vector = [](const std::vector<double>& v) { return Vector3(v[0], v[1], v[2]); };
  if (o.shape == "sphere") return {Sphere{*o.radius}, {}};
  if (o.shape == "box") return {Box{vector(o.size)}, {}};
  if (o.shape == "cylinder") return {Cylinder{*o.radius, *o.length}, {}};
  if (o.shape == "capsule") return {Capsule{*o.radius, *o.length}, {}};
  if (o.shape == "ellipsoid") return {Ellipsoid{vector(o.semi_axes)}, {}};
  const auto scale = scale_of(o.scale);
  if (!scale) return {std::nullopt, "--scale: two numbers, expected one or three"};
  LoadResult<ConvexPolytope> hull = load_convex(o.file, *scale);
  if (!hull.ok()) return {std::nullopt, hull.error};
  return {Convex{std::make_shared<const ConvexPolytope>(*std::move(hull.value))}, {}};
}

/// As a scene has it; a shape without curved surfaces has no use for one.
double default_resolution_of(const MeshMakeOptions& o) {
  ShapeSpec spec;
  spec.type = o.shape == "ellipsoid" ? ShapeType::kEllipsoid
              : o.radius             ? ShapeType::kSphere
                                     : ShapeType::kBox;
  spec.radius = o.radius.value_or(0.0);
  if (o.shape == "ellipsoid") spec.semi_axes = Vector3(o.semi_axes[0], o.semi_axes[1], o.semi_axes[2]);
  return default_resolution(spec);
}

int mesh_make(const MeshMakeOptions& o) {
  if (std::string wrong = check_arguments(o); !wrong.empty()) return complain(wrong, kInvalidInput);
  if (!o.output.empty()) {
    if (const int code = check_mesh_output(o.output, o.force, o.file); code != kDone) return code;
  }
  const LoadResult<Shape> shape = shape_of(o);
  if (!shape.ok()) return complain(shape.error, kInvalidInput);
  CompliantMeshOptions options;
  options.resolution = o.resolution.value_or(default_resolution_of(o));
  options.modulus = o.modulus;
  options.margin = o.margin;
  options.strategy = o.strategy == "dense" ? MeshStrategy::kDense : MeshStrategy::kSingle;
  if (o.rigid && o.margin != 0.0) return complain("--margin has no meaning with --rigid", kInvalidInput);
  if (std::string wrong = why_no_compliant_mesh(*shape.value, options); !wrong.empty())
    return complain("--" + wrong, kInvalidInput);

  MeshSummary summary;
  std::string text;
  const std::string title = "csim mesh make " + o.shape;
  if (o.rigid) {
    const TriangleMesh surface = make_rigid_surface(*shape.value, options.resolution);
    summary = summarise(o.shape, surface);
    if (!o.output.empty()) text = is_obj(o.output) ? obj_text(surface, title) : vtk_text(surface, title);
  } else {
    const CompliantMesh compliant = make_compliant_mesh(*shape.value, options);
    summary = summarise(o.shape, compliant);
    if (!o.output.empty()) {
      text = is_obj(o.output) ? obj_text(boundary_surface(compliant.mesh), title)
                              : vtk_text(compliant, options.modulus, title);
    }
  }
  // With a margin the mesh is that of a larger shape.
  if (o.margin == 0.0) summary.exact_volume = volume(*shape.value);
  for (const std::string& note : compliant_mesh_notes(*shape.value, options)) {
    const bool asked = note.starts_with("resolution has") ? o.resolution.has_value() : true;
    if (asked) summary.notes.push_back(note);
  }
  if (!o.output.empty()) {
    if (const int code = write_output(o.output, text); code != kDone) return code;
    summary.name = o.output;
  }
  std::fputs((o.json ? summary_json(summary) : summary_text(summary)).c_str(), stdout);
  return kDone;
}

}  // namespace

Command mesh_make_command() {
  const auto o = std::make_shared<MeshMakeOptions>();
  return {
      .name = "make",
      .description = "mesh a shape with its pressure field, and report the quality of the mesh",
      .options = {required({"shape", &o->shape, "shape of the scene format", "",
                            one_of({"sphere", "box", "cylinder", "capsule", "ellipsoid", "convex"})}),
                  {"--radius", &o->radius, "of a sphere, cylinder or capsule, m", "R", number()},
                  {"--length", &o->length, "of a cylinder, or of a capsule's cylindrical part, m", "L",
                   number()},
                  {.name = "--size",
                   .value = &o->size,
                   .help = "full lengths of a box, m; with spaces or commas between them",
                   .type = "X Y Z",
                   .check = number(),
                   .delimiter = ',',
                   .count = 3},
                  {.name = "--semi-axes",
                   .value = &o->semi_axes,
                   .help = "of an ellipsoid, m; the same",
                   .type = "A B C",
                   .check = number(),
                   .delimiter = ',',
                   .count = 3},
                  {"--file", &o->file, "surface whose convex hull is meshed (OBJ, STL, PLY)", "FILE"},
                  scale_option(&o->scale),
                  {"--resolution", &o->resolution,
                   "target edge length on curved surfaces, m; default as in a scene: a quarter of the "
                   "radius, of an ellipsoid of the largest semi-axis",
                   "H", number()},
                  mesh_modulus_option(&o->modulus),
                  with_default({"--margin", &o->margin, "layer of negative pressure around the shape, m", "D",
                                number()}),
                  {"--strategy", &o->strategy, "inside of spheres and ellipsoids; default single", "",
                   one_of({"single", "dense"})},
                  {"--rigid", &o->rigid, "only the surface, as for rigid geometries"},
                  mesh_output_option(&o->output),
                  {"--force", &o->force, "overwrite an existing file"},
                  {"--json", &o->json, "one JSON object"}},
      .examples =
          "  csim mesh make sphere --radius 0.05 -o ball.vtk     the mesh of a scene's default resolution\n"
          "  csim mesh make box --size 0.1 0.1 0.2 --json        how good it is, for a program",
      .run = [o] { return mesh_make(*o); }};
}

}  // namespace csim::cli
