#include "run/run.h"

#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/log.h"
#include "core/number_format.h"
#include "record/report/info.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

ProgressStyle progress_style(const RunOptions& options) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  switch (options.progress) {
    case ProgressMode::kNever:
      return ProgressStyle::kNone;
    case ProgressMode::kAlways:
      return terminal ? ProgressStyle::kBar : ProgressStyle::kLines;
    case ProgressMode::kAuto:
      break;
  }
  if (options.verbosity == Verbosity::kQuiet) return ProgressStyle::kNone;
  return terminal ? ProgressStyle::kBar : ProgressStyle::kLines;
}

LogLevel log_level(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::kQuiet:
      return LogLevel::kError;
    case Verbosity::kVerbose:
      return LogLevel::kDebug;
    case Verbosity::kNormal:
      break;
  }
  return LogLevel::kInfo;
}

void print_summary(const RunOptions& options, const std::string& path) {
  if (options.json) {
    std::printf("%s\n", info_json(collect_info(ResultFile(path))).c_str());
  } else if (options.verbosity != Verbosity::kQuiet) {
    std::fputs(info_text(collect_info(ResultFile(path))).c_str(), stdout);
  }
}

/// Throws what the recorder throws.
int execute(const RunOptions& options, Run* run) {
  if (options.resume) {
    const CrashGuard guard(run->output());
    run->find_checkpoint();
  }
  if (run->is_complete()) {
    log_info(run->output() + " is complete: nothing to resume");
    print_summary(options, run->result_path());
    return kDone;
  }
  const RunReport report = run->execute();
  print_summary(options, run->result_path());
  return exit_code_of(report.status);
}

}  // namespace

int run(const RunOptions& options) {
  SceneOptions scene = options.scene;
  if (options.end) scene.overrides.push_back("time.end=" + format_number(*options.end));
  auto loaded = load_scene_or_complain(scene);
  if (!loaded) return kInvalidInput;
  Run run(std::move(*loaded), {.output = options.output,
                               .threads = options.threads,
                               .resume = options.resume,
                               .force = options.force,
                               .progress = progress_style(options),
                               .argv = options.argv});
  if (const std::string mistake = run.find_wrong_outputs(options.log_file); !mistake.empty()) {
    std::fprintf(stderr, "csim: error: %s\n", mistake.c_str());
    return kInvalidInput;
  }
  try {
    configure_log(log_level(options.verbosity), options.log_file, options.force);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "csim: error: %s\n", error.what());
    return kOutputFailed;
  }
  log_info("running " + scene.scene);
  for (const Diagnostic& warning : run.loaded().read.warnings) log_warning(format_line(warning));
  for (const std::string& note : run.loaded().notes) log_info("note: " + note);
  install_signal_handlers();
  try {
    return execute(options, &run);
  } catch (...) {
    return report_file_error("; --force overwrites it, --resume goes on from it");
  }
}

}  // namespace csim::cli
