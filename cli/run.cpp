#include "run/run.h"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/log.h"
#include "core/number_format.h"
#include "core/workers.h"
#include "record/report/info.h"
#include "run/leave_on_signal.h"
#include "run/output_name.h"
#include "scene/resolve.h"

namespace csim::cli {
namespace {

struct RunOptions {
  SceneOptions scene;
  RunSettings settings;
  std::optional<double> end;  // s
  std::string resume;         // yes, auto or relax; "": no
  bool json = false, quiet = false, verbose = false;
  std::string progress = "auto";  // or always, never
  std::string log_file;
};

ProgressStyle progress_style(const RunOptions& options) {
  if (options.progress == "never" || (options.progress == "auto" && options.quiet))
    return ProgressStyle::kNone;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::kBar : ProgressStyle::kLines;
}

ResumeMode resume_mode(const std::string& word) {
  return word == "yes"     ? ResumeMode::kYes
         : word == "auto"  ? ResumeMode::kIfThere
         : word == "relax" ? ResumeMode::kRelaxed
                           : ResumeMode::kNo;
}

/// Of the file that this run has written or gone on with.
void print_summary(const RunOptions& options, const std::string& path) {
  const auto collect = [&] { return collect_info(ResultFile(path, Trial::kNone)); };
  if (options.json) {
    std::printf("%s\n", info_json(collect()).c_str());
  } else if (!options.quiet) {
    std::fputs(info_text(collect(), options.verbose).c_str(), stdout);
  }
}

/// Throws what the recorder throws.
int execute(const RunOptions& options, Run* run) {
  if (!options.resume.empty()) {
    const CrashGuard guard(run->output());
    run->find_checkpoint();
  }
  if (run->is_complete()) {
    run->finish_output();
    log_info(run->output() + " is complete: nothing to resume");
    print_summary(options, run->result_path());
    return kDone;
  }
  const RunReport report = run->execute();
  print_summary(options, run->result_path());
  return exit_code_of(report.status);
}

int run(const RunOptions& options) {
  leave_on_signal(kInterrupted, "csim: interrupted before the first step: nothing was written\n");
  SceneOptions scene = options.scene;
  if (options.end) scene.overrides.push_back("time.end=" + format_number(*options.end));
  auto loaded = load_scene_or_complain(scene);
  if (!loaded) return kInvalidInput;
  RunSettings settings = options.settings;
  settings.progress = progress_style(options);
  settings.resume = resume_mode(options.resume);
  std::string fault;
  const auto output = output_name(settings.output, resolved_tree(loaded->read.scene), &fault);
  if (!output) {
    std::fprintf(stderr, "csim: error: --output: %s\n", fault.c_str());
    return kInvalidInput;
  }
  settings.output = *output;
  Run run(std::move(*loaded), settings);
  if (const std::string mistake = run.find_wrong_outputs(options.log_file); !mistake.empty()) {
    std::fprintf(stderr, "csim: error: %s\n", mistake.c_str());
    return kInvalidInput;
  }
  try {
    const LogLevel level = options.quiet     ? LogLevel::kError
                           : options.verbose ? LogLevel::kDebug
                                             : LogLevel::kInfo;
    configure_log(level, options.log_file, settings.force);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
    return kOutputFailed;
  }
  log_info("running " + scene.scene);
  for (const Diagnostic& warning : run.loaded().read.warnings) log_warning(format_line(warning));
  for (const std::string& note : run.loaded().notes) log_info(note);
  try {
    return execute(options, &run);
  } catch (const TooManyThreadsError& error) {
    log_error("--threads " + std::to_string(settings.threads) + ": " + error.what());
    return kInvalidInput;
  } catch (...) {
    return report_file_error("; --force overwrites it, --resume goes on from it");
  }
}

}  // namespace

Command run_command(int argc, char** argv) {
  const auto o = std::make_shared<RunOptions>();
  o->settings.argv.assign(argv, argv + argc);
  const std::vector<Option> options{
      {"-o,--output", &o->settings.output,
       "result file; default: NAME.h5 in the current folder, NAME from the scene; {KEY} stands for a value "
       "of the scene",
       "FILE.h5"},
      {"--end", &o->end, "end time in s, in place of time.end", "T", number(kFromZero)},
      with_default({"--threads", &o->settings.threads,
                    "worker threads, 1 to 1024; results do not depend on it", "", whole_number(1, 1024)}),
      {"--resume{yes}", &o->resume,
       "continue from the checkpoint in the result file; =auto: start anew if there is no file; =relax: the "
       "keys under solver may differ",
       "", one_of({"yes", "auto", "relax"})},
      {"--force", &o->settings.force, "overwrite an existing result file"},
      {"--json", &o->json, "print the summary as one JSON object"},
      {"-q,--quiet", &o->quiet, "errors only"},
      {.name = "-v,--verbose",
       .value = &o->verbose,
       .help = "more messages, and all tables of csim info -v",
       .excludes = "--quiet"},
      {"--max-walltime", &o->settings.wall_times.max,
       "stop after S seconds of wall time, with a checkpoint and exit code 75", "S", number(kAboveZero)},
      {"--checkpoint-every", &o->settings.wall_times.checkpoint_every,
       "write a checkpoint every S seconds of wall time, unless the scene has output.checkpoint", "S",
       number(kAboveZero)},
      with_default(
          {"--progress", &o->progress, "progress on stderr", "", one_of({"auto", "always", "never"})}),
      {"--log-file", &o->log_file, "append all messages to this file too; with --force replace it", "F"}};
  return {.name = "run",
          .description = "simulate a scene and write an HDF5 result file",
          .options = joined(scene_options(&o->scene), options),
          .examples =
              "  csim run bounce.yaml                                      writes bounce.h5\n"
              "  csim run bounce.yaml --set contact.model=sap -o sap.h5    change a key for one run\n"
              "  csim run bounce.yaml --end 2 --resume                     go on with bounce.h5, to 2 s\n"
              "  csim run bounce.yaml --set contact.model=tamsi -o '{name}_{contact.model}.h5'     "
              "bounce_tamsi.h5\n"
              "  csim run - -o piped.h5 --resume=auto < bounce.yaml        from standard input; go on where "
              "there is "
              "piped.h5",
          .run = [o] { return run(*o); },
          .ends_in_order = true};
}

}  // namespace csim::cli
