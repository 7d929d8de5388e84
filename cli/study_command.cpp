#include <limits>
#include <memory>
#include <regex>

#include "cli/commands.h"
#include "cli/study.h"
#include "study/duration.h"

namespace csim::cli {
namespace {

using StudyFile = std::shared_ptr<StudyOptions>;

/// A command that reads a study file, and its other options.
Command on_study(const char* name, const char* description, const StudyFile& o,
                 int (*command)(const StudyOptions&), const std::vector<Option>& more, const char* examples) {
  const Option study = required({"study", &o->study, "study file (YAML)", "STUDY"});
  const Option set = one_each({"--set", &o->set,
                               "value of a key of the scene for every case, above `set` of the study, e.g. "
                               "time.end=0.5; may be repeated",
                               "KEY=VALUE"});
  return {.name = name,
          .description = description,
          .options = joined({study, set}, more),
          .examples = examples,
          .run = [=] { return command(*o); }};
}

Option folder_option(const StudyFile& o) {
  return {"-o,--output", &o->output,
          "folder of the results; default: the study's name, in the current folder", "DIR"};
}

Option chunk_option(int* chunk) {
  return {"--chunk", chunk, "cases per task of an array job", "K",
          whole_number(1, std::numeric_limits<int>::max())};
}

Option inconclusive_option(const StudyFile& o) {
  return with_default(
      {"--inconclusive", &o->inconclusive, "how inconclusive gates count", "", one_of({"fail", "pass"})});
}

Check duration() {
  return {[](const std::string& text) {
    return parse_duration(text) ? "" : "'" + text + "', expected a duration > 0 such as 90s, 10m or 1h30m";
  }};
}

Check slurm_time() {
  return {[](const std::string& text) {
    static const std::regex time("auto|[0-9]+(:[0-9]+){0,2}|[0-9]+-[0-9]+(:[0-9]+){0,2}");
    return std::regex_match(text, time)
               ? ""
               : "'" + text + "', expected a time of Slurm such as 01:00:00, 90 (minutes) or 1-12, or auto";
  }};
}

Option timeout_option(const StudyFile& o) {
  return {"--timeout", &o->timeout,
          "wall time of a case, e.g. 90s or 1h30m; one out of time writes its checkpoint (exit code 3)",
          "DURATION", duration()};
}

Command new_command(const StudyFile& o) {
  return {.name = "new",
          .description = "print a study of a scene, to start from",
          .options = {required({"scene", &o->study, "scene file (YAML)", "SCENE"}),
                      {.name = "--over",
                       .value = &o->over,
                       .help = "keys to refine, e.g. time.step",
                       .type = "KEY[,KEY]",
                       .required = true,
                       .delimiter = ','}},
          .examples = "  csim study new bounce.yaml --over time.step > order.yaml",
          .run = [o] { return study_new(*o); }};
}

Command list_command(const StudyFile& o) {
  return on_study("list", "check a study and print its cases", o, &study_list,
                  {folder_option(o), {"--json", &o->json, "one JSON array, with the place of each result"}},
                  "  csim study list order.yaml");
}

Command run_command(const StudyFile& o) {
  Command run =
      on_study("run", "run the missing cases, one process each; then collect and report", o, &study_run,
               {folder_option(o),
                {"--jobs", &o->jobs, "processes at a time; default: one per processor, or 1 with --case", "N",
                 whole_number(1, 4096)},
                {"--case", &o->cases,
                 "run only these cases: indices such as 3,7-9, or auto: those of this task of an array job "
                 "(Slurm, PBS, SGE, LSF, GNU parallel)",
                 "I"},
                chunk_option(&o->chunk),
                {"--retry-failed", &o->retry_failed, "also repeat cases that failed"},
                timeout_option(o),
                {"--force", &o->force, "use the folder even if it holds a study of another name"},
                {"-q,--quiet", &o->quiet, "no progress, no summary"},
                {"--junit", &o->junit, "also write JUnit XML: one test case per gate and per case", "F"},
                {"--markdown", &o->markdown, "also write the report as Markdown to F", "F"},
                with_default({"--progress", &o->progress, "progress on stderr", "",
                              one_of({"auto", "always", "never"})}),
                inconclusive_option(o)},
               "  csim study run order.yaml -o order              order/: results, tables, report.html\n"
               "  csim study run order.yaml -o order --case 0,2-3     only these cases\n"
               "  csim study run order.yaml --junit order.xml         for CI\n"
               "  csim study run order.yaml --set time.end=0.1        every case shorter");
  run.ends_in_order = true;
  return run;
}

Command status_command(const StudyFile& o) {
  return on_study("status", "print the state of each case (opens every file)", o, &study_status,
                  {folder_option(o),
                   {"--json", &o->json, "one JSON array"},
                   {"--todo", &o->todo, "indices of cases that are not complete, as 3,7-9"},
                   chunk_option(&o->chunk)},
                  "  csim study status order.yaml -o order\n"
                  "  csim study status order.yaml -o order --todo");
}

Command collect_command(const StudyFile& o) {
  return on_study("collect", "write study.h5 and study.csv, one row per case", o, &study_collect,
                  {folder_option(o)}, "  csim study collect order.yaml -o order");
}

Command report_command(const StudyFile& o) {
  return on_study("report", "evaluate the gates; write report.json, .md, .html and the plots", o,
                  &study_report,
                  {folder_option(o),
                   {"--junit", &o->junit, "also write JUnit XML: one test case per gate and per case", "F"},
                   {"--markdown", &o->markdown, "also write the report as Markdown to F", "F"},
                   {"-q,--quiet", &o->quiet, "no summary"},
                   inconclusive_option(o)},
                  "  csim study report order.yaml -o order --junit order.xml");
}

Command slurm_command(const StudyFile& o) {
  return on_study(
      "slurm", "make the folder of the results and print an array script for Slurm", o, &study_slurm,
      {folder_option(o),
       chunk_option(&o->slurm.chunk),
       {"--concurrent", &o->slurm.concurrent, "tasks that run at a time, at most", "N",
        whole_number(1, std::numeric_limits<int>::max())},
       {"--walltime", &o->slurm.walltime,
        "time limit of a task (sbatch --time); auto: for each of its cases 1.5 times the longest complete "
        "one, plus ten minutes",
        "T", slurm_time()},
       timeout_option(o),
       {"--partition", &o->slurm.partition, "sbatch --partition", "P"},
       {"--account", &o->slurm.account, "sbatch --account", "A"},
       {"--qos", &o->slurm.qos, "sbatch --qos", "Q"},
       {"--collect", &o->collect, "print the job that collects and reports when the array has ended"},
       {"--memory", &o->slurm.memory, "memory of a task (sbatch --mem)", "M"}},
      "  csim study slurm order.yaml -o order --walltime 01:00:00 > order.sbatch\n"
      "  csim study slurm order.yaml -o order --collect > report.sbatch");
}

Command commands_command(const StudyFile& o) {
  return on_study("commands", "print one shell command per case, for parallel, xargs, HyperQueue", o,
                  &study_commands, {folder_option(o)},
                  "  csim study commands order.yaml -o order | head -2 | bash");
}

}  // namespace

Command study_command() {
  const auto o = std::make_shared<StudyOptions>();
  return {
      .name = "study",
      .description = "run a scene many times with changed keys, compare and check the results",
      .examples =
          "  csim study new bounce.yaml --over time.step > order.yaml    a study to begin with\n"
          "  csim study list order.yaml                                  its cases\n"
          "  csim study run order.yaml -o order                          order/: results, report.html\n"
          "  csim study status order.yaml -o order                       how far each case has come\n"
          "  csim help study run                                         options and examples of a command",
      .commands = {new_command(o), list_command(o), run_command(o), status_command(o), collect_command(o),
                   report_command(o), slurm_command(o), commands_command(o)}};
}

}  // namespace csim::cli
