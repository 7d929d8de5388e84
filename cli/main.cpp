// The command line: parses arguments, calls one function a subcommand, maps every failure to its exit code.
#include <poll.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "cli/check_arguments.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "core/log.h"
#include "core/nearest_name.h"
#include "run/signals.h"
#include "study/result_table.h"

namespace {

using namespace csim::cli;
using csim::kDone, csim::kInternalError, csim::kInvalidInput;

constexpr const char* kFooter =
    "Examples:\n"
    "  csim run scenes/clutter/scene.yaml -o clutter.h5     simulate and write results\n"
    "  csim run scene.yaml --set contact.model=sap          change one key\n"
    "  csim validate scene.yaml                             check a scene without running it\n"
    "  csim info clutter.h5                                 what ran, how it ended, where the time went\n"
    "  csim view clutter.h5                                 clutter.html: look at it in a browser\n"
    "  csim export clutter.h5 --csv tables                  tables/: motion, contacts and the rest as CSV\n"
    "  csim help run                                        options and examples of a command\n"
    "\n"
    "Exit codes: 0 done, 1 internal error, 2 usage or invalid input, 3 the simulation failed, 4 output "
    "cannot be written,\n"
    "5 a gate failed (study, diff, mesh check), 75 interrupted with a checkpoint written (--resume goes on "
    "from "
    "it).";

constexpr csim::Bounds kAboveZero{.min = 0.0, .above_min = true}, kFromZero{.min = 0.0};

/// CLI11's form of a check; help shows the description beside the option's name.
CLI::Validator checked(std::function<std::string(const std::string&)> check,
                       const std::string& description = "") {
  return CLI::Validator([check](std::string& text) { return check(text); }, description);
}

CLI::Validator number(const csim::Bounds& bounds = {}) {
  return checked([bounds](const std::string& text) { return check_number(text, bounds); });
}

CLI::Validator whole_number(int min, int max, const std::string& description = "") {
  const csim::Bounds bounds{.min = 1.0 * min, .max = 1.0 * max};
  return checked([bounds](const std::string& text) { return check_whole_number(text, bounds); }, description);
}

CLI::Validator one_of(const std::vector<std::string>& words) {
  return checked([words](const std::string& text) { return check_word(text, words); },
                 "{" + CLI::detail::join(words) + "}");
}

/// An option or argument: where its value goes, its help, what the help calls the value, what it may be.
template <typename Value>
CLI::Option* add(CLI::App* app, const std::string& name, Value* value, const std::string& help,
                 const std::string& type, const CLI::Validator& check = {}) {
  CLI::Option* option = app->add_option(name, *value, help)->check(check);
  return type.empty() ? option : option->type_name(type);
}

/// Examples at the end of a command's help; a test runs them.
void add_examples(CLI::App* app, const std::string& lines) {
  app->footer("Examples:\n" + lines);
}

void add_overrides(CLI::App* app, std::vector<std::string>* overrides) {
  add(app, "--set", overrides, "override a key of the scene, e.g. contact.model=sap or bodies.ball.mass=0.2",
      "KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

void add_scene_options(CLI::App* app, SceneOptions* options) {
  add(app, "scene", &options->scene, "scene file (YAML); - for standard input", "SCENE")->required();
  add_overrides(app, &options->overrides);
}

void add_scale(CLI::App* app, std::vector<double>* scale) {
  add(app, "--scale", scale, "factor, or one per axis: 0.001 or 1,1,-1", "S", number())
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_output(CLI::App* app, std::string* output, bool* force) {
  add(app, "-o,--output", output, ".vtk: tetrahedra with pressure; .obj: the surface", "FILE");
  app->add_flag("--force", *force, "overwrite an existing file");
}

/// Options of `mesh`'s four commands, kept while they are parsed.
struct MeshCommands {
  MeshMakeOptions make;
  MeshFileOptions file;
};

void add_mesh_make(CLI::App* mesh, MeshMakeOptions* options, int* exit_code) {
  auto* app =
      mesh->add_subcommand("make", "mesh a shape with its pressure field, and say how good the mesh is");
  add(app, "shape", &options->shape, "shape of the scene format", "",
      one_of({"sphere", "box", "cylinder", "capsule", "ellipsoid", "convex"}))
      ->required();
  add(app, "--radius", &options->radius, "of a sphere, cylinder or capsule, m", "R", number());
  add(app, "--length", &options->length, "of a cylinder, or of a capsule's cylindrical part, m", "L",
      number());
  add(app, "--size", &options->size, "full lengths of a box, m", "X Y Z", number())->expected(3);
  add(app, "--semi-axes", &options->semi_axes, "of an ellipsoid, m", "A B C", number())->expected(3);
  add(app, "--file", &options->file, "surface whose convex hull is meshed (OBJ, STL, PLY)", "FILE");
  add_scale(app, &options->scale);
  add(app, "--resolution", &options->resolution,
      "edge length aimed at on curved surfaces, m; default as in a scene: a quarter of the "
      "radius, of an ellipsoid of the largest semi-axis",
      "H", number());
  add(app, "--modulus", &options->modulus, "pressure at the deepest place, Pa", "E", number())
      ->capture_default_str();
  add(app, "--margin", &options->margin, "layer of negative pressure around the shape, m", "D", number())
      ->capture_default_str();
  add(app, "--strategy", &options->strategy, "inside of spheres and ellipsoids; default single", "",
      one_of({"single", "dense"}));
  app->add_flag("--rigid", options->rigid, "the surface alone, as rigid bodies have it");
  add_output(app, &options->output, &options->force);
  app->add_flag("--json", options->json, "one JSON object");
  add_examples(
      app,
      "  csim mesh make sphere --radius 0.05 -o ball.vtk     the mesh of a scene's default resolution\n"
      "  csim mesh make box --size 0.1 0.1 0.2 --json        how good it is, for a program");
  app->callback([options, exit_code] { *exit_code = mesh_make(*options); });
}

CLI::App* add_mesh_file(CLI::App* mesh, const char* name, const char* description, MeshFileOptions* options,
                        int* exit_code, int (*command)(const MeshFileOptions&)) {
  auto* app = mesh->add_subcommand(name, description);
  add(app, "file", &options->file, "tetrahedra (VTK, VTU, Gmsh) or a surface (OBJ, STL, PLY)", "FILE")
      ->required();
  add_scale(app, &options->scale);
  app->callback([=] { *exit_code = command(*options); });
  return app;
}

void add_mesh_commands(CLI::App* app, MeshCommands* commands, int* exit_code) {
  auto* mesh =
      app->add_subcommand("mesh", "tetrahedral meshes and pressure fields: make, check, info, export");
  mesh->require_subcommand(1);
  add_mesh_make(mesh, &commands->make, exit_code);
  MeshFileOptions* options = &commands->file;
  auto* check = add_mesh_file(mesh, "check", "exit code 5 when the mesh cannot be used, and why", options,
                              exit_code, &mesh_check);
  check->add_flag("--strict", options->strict, "warnings count as errors");
  check->add_flag("--json", options->json, "one JSON object");
  add_examples(check, "  csim mesh check ball.vtk");
  auto* info = add_mesh_file(mesh, "info", "counts, volume, worst elements, problem simplices, pressure",
                             options, exit_code, &mesh_info);
  info->add_flag("--json", options->json, "one JSON object");
  add_examples(info, "  csim mesh info ball.vtk");
  auto* save = add_mesh_file(mesh, "export", "write the mesh with its pressure for other programs", options,
                             exit_code, &mesh_export);
  add_output(save, &options->output, &options->force);
  save->get_option("--output")->required();
  add(save, "--modulus", &options->load.modulus, "pressure at the deepest place, Pa", "E", number())
      ->capture_default_str();
  add(save, "--margin", &options->load.margin, "layer of negative pressure around the body, m", "D", number())
      ->capture_default_str();
  save->add_flag("--fix-orientation", options->load.fix_orientation,
                 "turn tetrahedra of negative volume over");
  save->add_flag("--split-problem-simplices", options->load.split_problem_simplices,
                 "refine what has all its vertices on the boundary");
  save->add_flag("--ignore-field", options->load.ignore_values,
                 "pressure by distance although the file has one");
  add_examples(save, "  csim mesh export ball.vtk -o surface.obj     the boundary, as a surface");
}

void add_view_options(CLI::App* app, ViewOptions* options) {
  const CLI::Validator finite = number(), positive = number(kAboveZero);
  const CLI::Validator size = checked([options](const std::string& text) {
    return check_size(text, &options->picture.width, &options->picture.height);
  });
  add(app, "file", &options->file, "result file, or a scene to look at before it runs", "FILE.h5|SCENE.yaml")
      ->required();
  add(app, "-o,--output", &options->page, "page; default: the result's name with .html, here", "FILE.html");
  auto* still =
      app->add_option_function<std::string>(
             "--png",
             [options](const std::string& file) {
               options->wants_still = true;
               options->still = file;
             },
             "a still picture of the first view instead of the page; without FILE.png it goes where -o says, "
             "with it -o asks for a page as well")
          ->expected(0, 1)
          ->type_name("FILE.png");
  add(app, "--time", &options->selection.still, "time of the still, s; default: the end", "T", finite)
      ->needs(still);
  app->add_option_function<std::string>(
         "--size", [](const std::string&) {}, "pixels of the still; default 1280x800")
      ->type_name("WxH")
      ->check(size)
      ->needs(still);
  app->add_flag("--plain", options->picture.plain, "the still without time, scale, legend and colour bar")
      ->needs(still);
  add(app, "--azimuth", &options->camera.azimuth,
      "side from which page and still are seen at first, degrees: 0 from +x, 90 from +y, -90 from -y", "DEG",
      finite);
  add(app, "--elevation", &options->camera.elevation,
      "height from which they are seen, degrees above the horizon", "DEG", checked(&check_elevation));
  add(app, "--zoom", &options->camera.zoom, "2: from half the distance", "Z", positive);
  add(app, "--look-at", &options->look_at, "point in the middle, m; default: the middle of what moves",
      "X,Y,Z", finite)
      ->delimiter(',')
      ->expected(3);
  add(app, "--fps", &options->selection.fps, "frames kept of a second, at most", "", positive)
      ->capture_default_str();
  add(app, "--from", &options->selection.from, "leave out frames before, s", "T", finite);
  add(app, "--to", &options->selection.to, "leave out frames after, s", "T", finite);
  app->add_flag("!--no-contacts", options->selection.contacts, "leave out contacts and forces");
  app->add_flag("!--no-patches", options->selection.patches, "leave out contact patches");
  app->add_flag("--large", options->large,
                "write a page of more than 50 MB too, of which more than 20 MB are polygons of patches");
  app->add_flag("--force", options->force, "overwrite an existing file");
  add_examples(
      app,
      "  csim view bounce.h5                                      bounce.html: open it in a browser\n"
      "  csim view bounce.yaml --png                              bounce.png: where its bodies start\n"
      "  csim view bounce.h5 --png side.png --azimuth -90 --elevation 5 --time 0.5     a still");
}

void add_export_options(CLI::App* app, ExportOptions* options, int* exit_code) {
  const CLI::Validator folder = checked(&check_folder);
  add(app, "file", &options->file, "result file, of an unfinished run too", "FILE.h5")->required();
  add(app, "--paraview", &options->paraview,
      "time series of bodies, contacts, patches, pressure fields (.pvd, VTK)", "DIR", folder);
  add(app, "--csv", &options->csv, "tables as CSV, a file each", "DIR", folder);
  auto* frames =
      app->add_option_function<std::string>(
             "--frames",
             [options](const std::string& text) { options->frames = *csim::parse_frame_range(text); },
             "rows A to B (not included) of /trajectory, every STEP-th, as Python's slices; or one row")
          ->type_name("A:B:STEP")
          ->check(checked(&check_frames));
  add(app, "--every", &options->frames.step, "every N-th frame", "N",
      whole_number(1, std::numeric_limits<int>::max()))
      ->excludes(frames);
  app->add_flag("--force", options->force,
                "write into a folder that is not empty; an earlier export there is replaced");
  add_examples(
      app,
      "  csim export bounce.h5 --csv tables                  tables/: motion, contacts, energy ... as CSV\n"
      "  csim export bounce.h5 --paraview series --every 10  series/*.pvd, a tenth of the frames");
  app->callback([options, exit_code] {
    if (options->paraview.empty() && options->csv.empty())
      throw CLI::RequiredError("--paraview DIR or --csv DIR (or both)");
    *exit_code = export_result(*options);
  });
}

void add_diff_options(CLI::App* app, DiffCommand* options) {
  csim::DiffOptions* what = &options->options;
  const auto names = [app](const char* option, std::vector<std::string>* list, const char* help) {
    add(app, option, list, help, "PATH")->allow_extra_args(false)->take_all();
  };
  add(app, "a", &options->a, "result file", "A.h5")->required();
  add(app, "b", &options->b, "result file", "B.h5")->required();
  add(app, "--rtol", &what->rtol, "relative tolerance", "", number(kFromZero))->capture_default_str();
  add(app, "--atol", &what->atol, "absolute tolerance", "", number(kFromZero))->capture_default_str();
  names("--only", &what->only, "compare these datasets or groups alone, statistics of steps too");
  names("--ignore", &what->ignore, "leave out these datasets or groups");
  add(app, "--until", &what->until, "last time that counts, s", "T", number());
  app->add_option_function<std::vector<std::string>>(
         "--tolerance",
         [what](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) what->tolerances.push_back(*parse_tolerance(text));
         },
         "tolerances of a dataset or group; RTOL is --rtol without it")
      ->type_name("PATH=ATOL[,RTOL]")
      ->allow_extra_args(false)
      ->take_all()
      ->check(checked(&check_tolerance));
  app->add_flag("--json", options->json, "one JSON object");
  add_examples(
      app,
      "  csim diff bounce.h5 sap.h5 --rtol 1e-6\n"
      "  csim diff bounce.h5 sap.h5 --only trajectory --ignore trajectory/v --until 0.5\n"
      "  csim diff bounce.h5 sap.h5 --tolerance contact=1e-3,1e-2 --tolerance stats/step/iterations=5");
}

void add_table_options(CLI::App* app, TableOptions* options) {
  const auto check_columns = [](const std::string& text) {
    std::string fault;
    return csim::parse_columns(text, &fault) ? "" : fault;
  };
  add(app, "files", &options->files, "result files", "FILE.h5")->required();
  add(app, "--columns", &options->columns,
      "separated by commas: file, status, message, seconds (wall time), keys of the scene, and numbers "
      "DATASET[ITEM].COMPONENT@REDUCTION; TITLE=COLUMN gives a title",
      "C,C,..", checked(check_columns))
      ->capture_default_str();
  add(app, "--format", &options->format, "of the table", "", one_of({"csv", "markdown", "json"}))
      ->capture_default_str();
  app->add_flag_callback(
      "--json", [options] { options->format = "json"; }, "short for --format json");
  add(app, "--reference", &options->reference, "result that @difference compares with", "FILE.h5");
  add_examples(
      app,
      "  csim table *.h5                            how the runs differ, and what they cost\n"
      "  csim table *.h5 --columns name,contact.model,energy/total@final --format markdown\n"
      "  csim table *.h5 --columns 'file,peak=contact/normal_force[ground,ball]@max:0.2:0.4'     from 0.2 "
      "to 0.4 s\n"
      "  csim table *.h5 --columns 'file,trajectory/position[ball]@difference' --reference bounce.h5");
}

/// A command of `study` that reads a study file.
CLI::App* add_study_command(CLI::App* study, const char* name, const char* description, StudyOptions* options,
                            int* exit_code, int (*command)(const StudyOptions&)) {
  auto* app = study->add_subcommand(name, description);
  add(app, "study", &options->study, "study file (YAML)", "STUDY")->required();
  app->callback([=] { *exit_code = command(*options); });
  return app;
}

CLI::Option* add_study_folder(CLI::App* app, StudyOptions* options) {
  return add(app, "-o,--output", &options->output, "folder of the results; default: the study's name, here",
             "DIR");
}

void add_chunk(CLI::App* app, int* chunk) {
  add(app, "--chunk", chunk, "cases a task of an array", "K",
      whole_number(1, std::numeric_limits<int>::max()));
}

void add_inconclusive(CLI::App* app, StudyOptions* options) {
  add(app, "--inconclusive", &options->inconclusive, "what a gate counts as that cannot be judged", "",
      one_of({"fail", "pass"}))
      ->capture_default_str();
}

void add_study_run(CLI::App* study, StudyOptions* options, int* exit_code) {
  auto* app = add_study_command(study, "run", "run what is missing, one process a case; collect and report",
                                options, exit_code, &study_run);
  add_study_folder(app, options);
  add(app, "--jobs", &options->jobs, "processes at a time; default: the processors, with --case one", "N",
      whole_number(1, 4096));
  add(app, "--case", &options->cases,
      "these cases alone, by index: 3,7-9; or auto: the task of an array job of Slurm, PBS, SGE, LSF or "
      "parallel",
      "I");
  add_chunk(app, &options->chunk);
  app->add_flag("--retry-failed", options->retry_failed, "repeat cases too that failed by themselves");
  app->add_flag("--force", options->force, "use a folder that holds a study of another name");
  app->add_flag("-q,--quiet", options->quiet, "no progress, no summary");
  add(app, "--progress", &options->progress, "progress on stderr", "", one_of({"auto", "always", "never"}))
      ->capture_default_str();
  add_inconclusive(app, options);
  add_examples(app,
               "  csim study run order.yaml -o order              order/: results, tables, report.html\n"
               "  csim study run order.yaml -o order --case 0,2-3     these cases alone");
}

void add_study_results(CLI::App* study, StudyOptions* options, int* exit_code) {
  auto* status = add_study_command(study, "status", "how far each case has come; every file is opened",
                                   options, exit_code, &study_status);
  add_study_folder(status, options);
  status->add_flag("--json", options->json, "one JSON array");
  status->add_flag("--todo", options->todo, "indices of cases that are not complete, as 3,7-9");
  add_chunk(status, &options->chunk);
  add_examples(status,
               "  csim study status order.yaml -o order\n  csim study status order.yaml -o order --todo");
  auto* collect = add_study_command(study, "collect", "study.h5 and study.csv: a row a case", options,
                                    exit_code, &study_collect);
  add_study_folder(collect, options);
  add_examples(collect, "  csim study collect order.yaml -o order");
  auto* report = add_study_command(study, "report", "judge, and write report.json, .md, .html and the plots",
                                   options, exit_code, &study_report);
  add_study_folder(report, options);
  add(report, "--junit", &options->junit, "write JUnit XML too, a test case a gate", "F");
  add(report, "--markdown", &options->markdown, "write the Markdown to another place too", "F");
  report->add_flag("-q,--quiet", options->quiet, "no summary");
  add_inconclusive(report, options);
  add_examples(report, "  csim study report order.yaml -o order --junit order.xml");
}

void add_study_commands(CLI::App* app, StudyOptions* options, int* exit_code) {
  auto* study = app->add_subcommand("study", "many runs of a scene, judged");
  study->require_subcommand(1);
  auto* fresh = study->add_subcommand("new", "print a study of a scene to begin with");
  add(fresh, "scene", &options->study, "scene file (YAML)", "SCENE")->required();
  add(fresh, "--over", &options->over, "keys to refine, e.g. time.step", "KEY[,KEY]")
      ->required()
      ->delimiter(',');
  add_examples(fresh, "  csim study new bounce.yaml --over time.step > order.yaml");
  fresh->callback([=] { *exit_code = study_new(*options); });
  auto* list =
      add_study_command(study, "list", "check a study and print its cases", options, exit_code, &study_list);
  list->add_flag("--json", options->json, "one JSON array");
  add_examples(list, "  csim study list order.yaml");
  add_study_run(study, options, exit_code);
  add_study_results(study, options, exit_code);
  auto* slurm =
      add_study_command(study, "slurm", "make the folder of the results and print an array script for Slurm",
                        options, exit_code, &study_slurm);
  add_study_folder(slurm, options);
  add_chunk(slurm, &options->slurm.chunk);
  add(slurm, "--concurrent", &options->slurm.concurrent, "tasks at a time", "N",
      whole_number(1, std::numeric_limits<int>::max()));
  add(slurm, "--walltime", &options->slurm.walltime, "of a task, as --time", "T");
  add(slurm, "--partition", &options->slurm.partition, "as --partition", "P");
  add(slurm, "--memory", &options->slurm.memory, "of a task, as --mem", "M");
  add_examples(slurm, "  csim study slurm order.yaml -o order --walltime 01:00:00 > order.sbatch");
  auto* commands =
      add_study_command(study, "commands", "print a shell command a case, for parallel, xargs, HyperQueue",
                        options, exit_code, &study_commands);
  add_study_folder(commands, options);
  add_examples(commands, "  csim study commands order.yaml -o order | head -2 | bash");
}

/// The first unknown argument, with the nearest known one.
std::string unexpected_argument(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> left = app.remaining(true);
  const auto first = std::find_first_of(argv + 1, argv + argc, left.begin(), left.end());
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> known;
  for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(below->get_name());
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string word =
      first == argv + argc ? "" : std::string(*first).substr(0, std::string(*first).find('='));
  return "unexpected argument '" + word + "'" + csim::did_you_mean(word, known);
}

/// The words of a command for shells.
CommandWords words_of(const CLI::App& app) {
  CommandWords words{app.get_name(), app.get_description(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();  // "TEXT:{csv,markdown}" where there are choices
    const std::size_t open = type.find('{'), close = type.rfind('}');
    std::vector<std::string> choices;
    if (open != std::string::npos && close != std::string::npos)
      choices = CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
    if (!option->nonpositional()) {
      words.arguments.insert(words.arguments.end(), choices.begin(), choices.end());
      continue;
    }
    CommandWords::Option& found = words.options.emplace_back();
    for (const std::string& name : option->get_snames()) found.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) found.names.push_back("--" + name);
    found.description = option->get_description();
    found.takes_value = option->get_items_expected_max() > 0;
    found.choices = choices;
  }
  for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; }))
    words.commands.push_back(words_of(*below));
  return words;
}

/// "csim help mesh make" is "csim mesh make --help"; throws for a word that is no command.
std::vector<char*> without_help_command(const CLI::App& app, int argc, char** argv) {
  static char flag[] = "--help";
  std::vector<char*> arguments(argv, argv + argc);
  if (argc < 2 || std::string(argv[1]) != "help") return arguments;
  arguments.erase(arguments.begin() + 1);
  const CLI::App* command = &app;
  for (auto word = arguments.begin() + 1; word != arguments.end(); ++word) {
    std::vector<std::string> known;
    const CLI::App* found = nullptr;
    for (const CLI::App* below : command->get_subcommands([](const CLI::App*) { return true; })) {
      known.push_back(below->get_name());
      if (known.back() == *word) found = below;
    }
    if (found == nullptr)
      throw CLI::ValidationError(
          "help", "'" + std::string(*word) + "', expected a command" + csim::did_you_mean(*word, known));
    command = found;
  }
  arguments.push_back(flag);
  return arguments;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("csim: batch simulation of contact mechanics in robotics", "csim");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  app.set_help_all_flag("--help-all", "help of every command");
  int exit_code = kDone;

  bool print_version = false, version_json = false;
  app.add_flag("--version", print_version, "version, revision, libraries, licence");
  app.add_flag("--json", version_json, "with --version: one JSON object");

  RunOptions run_options;
  run_options.settings.argv.assign(argv, argv + argc);
  auto* run_app = app.add_subcommand("run", "simulate a scene and write an HDF5 result file");
  add_scene_options(run_app, &run_options.scene);
  add(run_app, "-o,--output", &run_options.settings.output,
      "result file; default: the scene's name with .h5, here; {KEY} stands for a value of the scene",
      "FILE.h5");
  add(run_app, "--end", &run_options.end, "end time instead of the scene's, s", "T", number(kFromZero));
  add(run_app, "--threads", &run_options.settings.threads, "worker threads; results do not depend on it", "",
      whole_number(1, 1024, "INT in [1 - 1024]"))
      ->capture_default_str();
  run_app
      ->add_flag(
          "--resume{yes}", run_options.resume,
          "go on from the checkpoint in the result file; =auto: or begin where there is no file; =relax: "
          "also with other keys of solver")
      ->check(one_of({"yes", "auto", "relax"}));
  run_app->add_flag("--force", run_options.settings.force, "overwrite an existing result file");
  run_app->add_flag("--json", run_options.json, "print the summary as one JSON object");
  auto* quiet = run_app->add_flag("-q,--quiet", run_options.quiet, "errors only");
  run_app->add_flag("-v,--verbose", run_options.verbose, "more messages")->excludes(quiet);
  add(run_app, "--max-walltime", &run_options.settings.wall_times.max,
      "stop after so many seconds of wall time as after a signal: with a checkpoint and exit code 75", "S",
      number(kAboveZero));
  add(run_app, "--checkpoint-every", &run_options.settings.wall_times.checkpoint_every,
      "a checkpoint once in so many seconds of wall time, where the scene has no output.checkpoint", "S",
      number(kAboveZero));
  add(run_app, "--progress", &run_options.progress, "progress on stderr", "",
      one_of({"auto", "always", "never"}))
      ->capture_default_str();
  add(run_app, "--log-file", &run_options.log_file,
      "also write messages to this file, at its end; with --force anew", "F");
  add_examples(
      run_app,
      "  csim run bounce.yaml                                      writes bounce.h5\n"
      "  csim run bounce.yaml --set contact.model=sap -o sap.h5    change a key for one run\n"
      "  csim run bounce.yaml --end 2 --resume                     go on with bounce.h5, to 2 s\n"
      "  csim run bounce.yaml --set contact.model=tamsi -o '{name}_{contact.model}.h5'     bounce_tamsi.h5\n"
      "  csim run - -o piped.h5 --resume=auto < bounce.yaml        from standard input; go on where there is "
      "piped.h5");
  run_app->callback([&] { exit_code = run(run_options); });

  ValidateOptions validate_options;
  auto* validate_app =
      app.add_subcommand("validate", "check scenes: all problems of all files, like a compiler");
  add(validate_app, "scenes", &validate_options.scenes, "scene files", "SCENE")->required();
  validate_app->add_flag("--json", validate_options.json, "problems as a JSON array on stdout");
  add_examples(validate_app,
               "  csim validate bounce.yaml\n"
               "  csim validate *.yaml --json     for a program");
  validate_app->callback([&] { exit_code = validate(validate_options); });

  SceneOptions resolve_options;
  auto* resolve_app = app.add_subcommand("resolve", "print the complete scene with every default, as YAML");
  add_scene_options(resolve_app, &resolve_options);
  add_examples(resolve_app, "  csim resolve bounce.yaml --set contact.model=sap > sap.yaml");
  resolve_app->callback([&] { exit_code = resolve(resolve_options); });

  ExplainOptions explain_options;
  auto* explain_app = app.add_subcommand(
      "explain", "print what follows from a scene: stiffness and time scales of its pairs, sizes, advice");
  add_scene_options(explain_app, &explain_options.scene);
  explain_app->add_flag("--json", explain_options.json, "one JSON object");
  add_examples(explain_app, "  csim explain bounce.yaml --set time.step=1e-3");
  explain_app->callback([&] { exit_code = explain(explain_options); });

  SchemaOptions schema_options;
  auto* schema_app = app.add_subcommand("schema", "print the JSON Schema (draft-07) of the scene format");
  add(schema_app, "which", &schema_options.which, "which format", "", one_of({"scene", "study"}))
      ->capture_default_str();
  schema_app->add_flag("--markdown", schema_options.markdown, "the reference page instead");
  add_examples(schema_app,
               "  csim schema > scene.schema.json     for an editor with a YAML language server\n"
               "  csim schema --markdown              every key with its default and an example");
  schema_app->callback([&] { exit_code = schema(schema_options); });

  InfoOptions info_options;
  auto* info_app = app.add_subcommand("info", "summarise a result file");
  add(info_app, "file", &info_options.file, "result file", "FILE.h5")->required();
  info_app->add_flag("--json", info_options.json, "one JSON object");
  add_examples(info_app, "  csim info bounce.h5");
  info_app->callback([&] { exit_code = info(info_options); });

  ReplayOptions replay_options;
  auto* replay_app = app.add_subcommand(
      "replay",
      "make the step again that failed, alone, with any law and tolerance; exit code 3 when it fails");
  add(replay_app, "file", &replay_options.file,
      "result file; of a run that did not fail: the step after its last checkpoint", "FILE.h5")
      ->required();
  add_overrides(replay_app, &replay_options.overrides);
  replay_app->add_flag("--json", replay_options.json, "one JSON object, with every iteration");
  add_examples(replay_app,
               "  csim replay bounce.h5\n"
               "  csim replay bounce.h5 --set contact.model=sap --set solver.tolerance=1e-8");
  replay_app->callback([&] { exit_code = replay(replay_options); });

  DiffCommand diff_options;
  auto* diff_app =
      app.add_subcommand("diff", "compare two result files; exit code 5 when they differ beyond tolerance");
  add_diff_options(diff_app, &diff_options);
  diff_app->callback([&] { exit_code = diff(diff_options); });

  TableOptions table_options;
  auto* table_app = app.add_subcommand("table", "results side by side: a row a file");
  add_table_options(table_app, &table_options);
  table_app->callback([&] { exit_code = table(table_options); });

  MeshCommands mesh_commands;
  add_mesh_commands(&app, &mesh_commands, &exit_code);

  ViewOptions view_options;
  auto* view_app =
      app.add_subcommand("view", "write a page that shows a result: motion, contacts, statistics");
  add_view_options(view_app, &view_options);
  view_app->callback([&] { exit_code = view(view_options); });

  ExportOptions export_options;
  auto* export_app = app.add_subcommand("export", "write a result for ParaView, or as CSV tables");
  add_export_options(export_app, &export_options, &exit_code);

  StudyOptions study_options;
  add_study_commands(&app, &study_options, &exit_code);

  std::string shell;
  auto* completion_app =
      app.add_subcommand("completion", "print a script that completes csim's words in a shell");
  add(completion_app, "shell", &shell, "which shell", "", one_of({"bash", "zsh", "fish"}))->required();
  add_examples(completion_app,
               "  csim completion bash > csim.bash     to be sourced in ~/.bashrc\n"
               "  csim completion zsh > csim.zsh       to be sourced in ~/.zshrc\n"
               "  csim completion fish > csim.fish     to be put into ~/.config/fish/completions");
  completion_app->callback([&] { std::fputs(completion_script(shell, words_of(app)).c_str(), stdout); });

  try {
    const std::vector<char*> arguments = without_help_command(app, argc, argv);
    app.parse(static_cast<int>(arguments.size()), arguments.data());
    if (print_version) return version(version_json);
    if (app.get_subcommands().empty()) std::fputs(app.help().c_str(), stdout);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help
    std::fprintf(stderr, "csim: error: %s\nRun with --help or --help-all for more information.\n",
                 app.remaining(true).empty() ? error.what() : unexpected_argument(app, argc, argv).c_str());
    return kInvalidInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "csim: internal error: %s\n", error.what());
    return kInternalError;
  }
}

/// Whether who read stdout closed it, as `csim info a.h5 | head` does on purpose.
bool reader_left() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// What did not reach stdout or the log file turns success into kOutputFailed.
int check_streams(int exit_code) {
  std::string failure = csim::log_failure();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) failure = "standard output cannot be written";
  if (failure.empty()) return exit_code;
  if (!reader_left()) std::fprintf(stderr, "csim: error: %s\n", failure.c_str());
  return exit_code == kDone ? csim::kOutputFailed : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  csim::turn_write_signals_into_errors();
  return check_streams(parse_and_run(argc, argv));
}
