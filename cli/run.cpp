#include "run/run.h"

#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/log.h"
#include "core/number_format.h"
#include "record/report/info.h"
#include "run/output_name.h"
#include "run/signals.h"
#include "scene/resolve.h"

namespace csim::cli {
namespace {

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

void print_summary(const RunOptions& options, const std::string& path) {
  if (options.json) {
    std::printf("%s\n", info_json(collect_info(ResultFile(path))).c_str());
  } else if (!options.quiet) {
    std::fputs(info_text(collect_info(ResultFile(path))).c_str(), stdout);
  }
}

/// Throws what the recorder throws.
int execute(const RunOptions& options, Run* run) {
  if (!options.resume.empty()) {
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
  install_signal_handlers();
  try {
    return execute(options, &run);
  } catch (...) {
    return report_file_error("; --force overwrites it, --resume goes on from it");
  }
}

}  // namespace csim::cli
