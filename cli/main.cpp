// The command line: parses arguments, calls one function a subcommand, maps every failure to its exit code.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "cli/commands.h"
#include "solver/blas_info.h"

namespace {

using namespace csim::cli;

constexpr const char* kFooter =
    "Examples:\n"
    "  csim run scenes/clutter/scene.yaml -o clutter.h5     simulate and write results\n"
    "  csim run scene.yaml --set contact.model=sap          change one key\n"
    "  csim validate scene.yaml                             check a scene without running it\n"
    "  csim info clutter.h5                                 what ran, how it ended, where the time went\n"
    "\n"
    "Exit codes: 0 done, 1 internal error, 2 usage or invalid input, 3 the simulation failed, 4 output "
    "cannot be written,\n"
    "5 a gate failed (diff), 75 interrupted with a checkpoint written (--resume goes on from it).";

void add_scene_options(CLI::App* app, SceneOptions* options) {
  app->add_option("scene", options->scene, "scene file (YAML)")->required()->type_name("SCENE");
  app->add_option("--set", options->overrides,
                  "override a key of the scene, e.g. contact.model=sap or bodies.ball.mass=0.2")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("csim: batch simulation of contact mechanics in robotics", "csim");
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  app.set_help_all_flag("--help-all", "help of every command");
  int exit_code = kDone;
  csim::use_one_blas_thread();

  bool print_version = false, version_json = false;
  app.add_flag("--version", print_version, "version, revision, libraries, licence");
  app.add_flag("--json", version_json, "with --version: one JSON object");

  RunOptions run_options;
  run_options.argv.assign(argv, argv + argc);
  auto* run_app = app.add_subcommand("run", "simulate a scene and write an HDF5 result file");
  add_scene_options(run_app, &run_options.scene);
  run_app
      ->add_option("-o,--output", run_options.output, "result file; default: the scene's name with .h5, here")
      ->type_name("FILE.h5");
  run_app->add_option("--end", run_options.end, "end time instead of the scene's, s")->type_name("T");
  run_app->add_option("--threads", run_options.threads, "worker threads; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  run_app->add_flag("--resume", run_options.resume, "go on from the checkpoint in the result file");
  run_app->add_flag("--force", run_options.force, "overwrite an existing result file");
  run_app->add_flag("--json", run_options.json, "print the summary as one JSON object");
  bool quiet = false, verbose = false;
  auto* quiet_flag = run_app->add_flag("-q,--quiet", quiet, "errors only");
  run_app->add_flag("-v,--verbose", verbose, "more messages")->excludes(quiet_flag);
  std::string progress = "auto";
  run_app->add_option("--progress", progress, "progress on stderr")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  run_app->add_option("--log-file", run_options.log_file, "also write messages to this file")->type_name("F");
  run_app->callback([&] {
    const std::map<std::string, ProgressMode> modes{
        {"auto", ProgressMode::kAuto}, {"always", ProgressMode::kAlways}, {"never", ProgressMode::kNever}};
    run_options.progress = modes.at(progress);
    if (quiet) run_options.verbosity = Verbosity::kQuiet;
    if (verbose) run_options.verbosity = Verbosity::kVerbose;
    exit_code = run(run_options);
  });

  ValidateOptions validate_options;
  auto* validate_app =
      app.add_subcommand("validate", "check scenes: all problems of all files, like a compiler");
  validate_app->add_option("scenes", validate_options.scenes, "scene files")->required()->type_name("SCENE");
  validate_app->add_flag("--json", validate_options.json, "problems as a JSON array on stdout");
  validate_app->callback([&] { exit_code = validate(validate_options); });

  SceneOptions resolve_options;
  auto* resolve_app = app.add_subcommand("resolve", "print the complete scene with every default, as YAML");
  add_scene_options(resolve_app, &resolve_options);
  resolve_app->callback([&] { exit_code = resolve(resolve_options); });

  SchemaOptions schema_options;
  auto* schema_app = app.add_subcommand("schema", "print the JSON Schema (draft-07) of the scene format");
  schema_app->add_option("which", schema_options.which, "which format")
      ->check(CLI::IsMember({"scene"}))
      ->capture_default_str();
  schema_app->add_flag("--markdown", schema_options.markdown, "the reference page instead");
  schema_app->callback([&] { exit_code = schema(schema_options); });

  InfoOptions info_options;
  auto* info_app = app.add_subcommand("info", "summarise a result file");
  info_app->add_option("file", info_options.file, "result file")->required()->type_name("FILE.h5");
  info_app->add_flag("--json", info_options.json, "one JSON object");
  info_app->callback([&] { exit_code = info(info_options); });

  DiffCommand diff_options;
  auto* diff_app =
      app.add_subcommand("diff", "compare two result files; exit code 5 when they differ beyond tolerance");
  diff_app->add_option("a", diff_options.a, "result file")->required()->type_name("A.h5");
  diff_app->add_option("b", diff_options.b, "result file")->required()->type_name("B.h5");
  diff_app->add_option("--rtol", diff_options.rtol, "relative tolerance")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  diff_app->add_option("--atol", diff_options.atol, "absolute tolerance")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  diff_app->add_flag("--json", diff_options.json, "one JSON object");
  diff_app->callback([&] { exit_code = diff(diff_options); });

  try {
    app.parse(argc, argv);
    if (print_version) return version(version_json);
    if (app.get_subcommands().empty()) std::fputs(app.help().c_str(), stdout);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kInvalidInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "csim: internal error: %s\n", error.what());
    return kInternalError;
  }
}
