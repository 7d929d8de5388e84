#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "cli/file_errors.h"
#include "cli/study.h"
#include "core/counted.h"
#include "core/json_writer.h"
#include "core/log.h"
#include "core/seconds_text.h"
#include "record/output_file.h"
#include "run/exit_code.h"
#include "run/signals.h"
#include "scene/yaml/yaml_json.h"
#include "study/array_index.h"
#include "study/collect.h"
#include "study/duration.h"
#include "study/fit_report.h"
#include "study/read_study.h"
#include "study/report.h"
#include "study/run_cases.h"

namespace csim::cli {
namespace {

/// A study with its cases, or its problems on stderr.
struct LoadedStudy {
  Study study;
  Cases cases;
};

std::optional<LoadedStudy> load_study_or_complain(const StudyOptions& options) {
  Diagnostics diagnostics;
  std::optional<Study> study = read_study(options.study, options.set, &diagnostics);
  std::optional<Cases> cases;
  if (study) cases = list_cases(*study, &diagnostics);
  if (!cases) {
    std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
    return std::nullopt;
  }
  return LoadedStudy{std::move(*study), std::move(*cases)};
}

/// The members of a case; its result is null where the study keeps none.
void write_case(const Case& one, const Study& study, const StudyFolder& folder, JsonWriter* json) {
  json->member("index", one.index, "id", one.id, "role", to_string(one.role));
  json->key("values").begin_object();
  for (const KeyValue& value : one.values) {
    json->key(value.key);
    write_json(value.value, json);
  }
  json->end_object().member(
      "result", study.keeps_results ? std::optional<std::string>(folder.result(one)) : std::nullopt);
}

StudyFolder folder_of(const StudyOptions& options, const Study& study) {
  std::string path = options.output.empty() ? study.name : options.output;
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return {path};
}

int complain(const std::string& text) {
  std::fprintf(stderr, "csim: error: %s\n", text.c_str());
  return kInvalidInput;
}

/// The cases that --case names, or all; nothing after a complaint.
std::optional<std::vector<int>> selected_cases(const StudyOptions& options, const Cases& cases) {
  const int count = static_cast<int>(cases.cases.size());
  std::vector<int> which;
  if (options.chunk != 1 && options.cases != "auto") {
    complain("--chunk: of the tasks of --case auto alone");
    return std::nullopt;
  }
  if (options.cases.empty()) {
    which.resize(cases.cases.size());
    std::iota(which.begin(), which.end(), 0);
    return which;
  }
  if (options.cases == "auto") {
    std::string fault;
    const std::optional<int> task = array_index(&fault);
    if (!task) {
      complain("--case auto: " + fault);
      return std::nullopt;
    }
    const long first = static_cast<long>(*task) * options.chunk,
               end = std::min<long>(first + options.chunk, count);
    for (long i = first; i < end; ++i) which.push_back(static_cast<int>(i));
    if (which.empty()) {
      complain("--case auto: task " + std::to_string(*task) + " begins at case " + std::to_string(first) +
               ", the last one is " + std::to_string(count - 1));
      return std::nullopt;
    }
    return which;
  }
  const auto ranges = parse_ranges(options.cases);
  if (!ranges) {
    complain("--case: '" + options.cases + "', expected indices such as 3,7-9, or auto");
    return std::nullopt;
  }
  if (ranges->back() >= count) {
    complain("--case: " + std::to_string(ranges->back()) + ", the last case is " + std::to_string(count - 1));
    return std::nullopt;
  }
  return *ranges;
}

/// The fits of a study as far as the folder has their candidates.
std::vector<FitResult> fits_so_far(const LoadedStudy& loaded, const StudyFolder& folder) {
  return run_fits(loaded.study, loaded.cases, folder, {});
}

/// Judges what there is, writes the report, prints its summary.
int report_study(const StudyOptions& options, const LoadedStudy& loaded, std::vector<FitResult> fits,
                 const StudyFolder& folder) {
  StudyResults results(loaded.study, loaded.cases, folder);
  write_tables(loaded.study, loaded.cases, results, fits, folder);
  const Judgement judgement = judge(loaded.study, loaded.cases, std::move(fits), &results);
  const ReportData data{loaded.study, loaded.cases, folder,
                        results,      judgement,    options.inconclusive == "pass"};
  write_report(data);
  if (!options.junit.empty()) replace_file(options.junit, report_junit(data));
  if (!options.markdown.empty()) replace_file(options.markdown, report_markdown(data));
  if (!options.quiet) {
    std::printf("%s\n", first_line(data).c_str());
    for (const FitResult& fit : judgement.fits) {
      std::printf("%s\n", fit_line(loaded.study, fit).c_str());
      for (const std::string& doubt : fit.doubts) std::printf("  warning: %s\n", doubt.c_str());
    }
    for (const GateResult& gate : judgement.gates)
      std::printf("%-12s  %s: found %.6g%s%s\n", to_string(gate.verdict), gate.sentence.c_str(), gate.found,
                  gate.note.empty() ? "" : "; ", gate.note.c_str());
    std::printf("report: %s\n", folder.file("report.html").c_str());
  }
  const bool all_complete = num_complete(data) == static_cast<int>(loaded.cases.cases.size()) &&
                            std::all_of(judgement.fits.begin(), judgement.fits.end(),
                                        [](const FitResult& fit) { return fit.done && fit.best >= 0; });
  const bool all_hold = num_held(data) == static_cast<int>(judgement.gates.size());
  return !all_complete ? kSimulationFailed : all_hold ? kDone : kGateFailed;
}

ProgressStyle progress_style(const StudyOptions& options) {
  if (options.progress == "never" || (options.progress == "auto" && options.quiet))
    return ProgressStyle::kNone;
  return isatty(STDERR_FILENO) != 0 ? ProgressStyle::kBar : ProgressStyle::kLines;
}

int interrupted() {
  log_warning("interrupted: the cases have written their checkpoints; the same command goes on");
  return kInterrupted;
}

/// Shows what a fit does: rewritten on a terminal, else a line now and then.
class FitLines {
 public:
  explicit FitLines(ProgressStyle style) : style_(style) {}

  void show(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (style_ == ProgressStyle::kNone || (shown_ && now - last_ < std::chrono::seconds(2))) return;
    const bool bar = style_ == ProgressStyle::kBar;
    std::fprintf(stderr, "%scsim: %s%s", bar ? "\r" : "", text.c_str(), bar ? "      " : "\n");
    std::fflush(stderr);
    shown_ = true;
    last_ = now;
  }

  ~FitLines() {
    if (shown_ && style_ == ProgressStyle::kBar) std::fputc('\n', stderr);
  }

 private:
  ProgressStyle style_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// All fits, whose candidates run as other cases do.
std::vector<FitResult> fit_study(const LoadedStudy& loaded, const StudyFolder& folder, RunCasesOptions how) {
  FitLines lines(how.progress);
  how.progress = ProgressStyle::kNone;
  const RunCandidates run = [&](const Cases& cases) {
    std::vector<int> all(cases.cases.size());
    std::iota(all.begin(), all.end(), 0);
    return run_cases(loaded.study, cases, folder, all, how);
  };
  return run_fits(loaded.study, loaded.cases, folder, run,
                  [&](const std::string& text) { lines.show(text); });
}

int run_study(const StudyOptions& options, const LoadedStudy& loaded, const std::vector<int>& which) {
  const StudyFolder folder = folder_of(options, loaded.study);
  const bool alone = !options.cases.empty();
  prepare_folder(loaded.study, loaded.cases, folder, options.force);
  RunCasesOptions how;
  how.program = this_program();
  how.jobs = options.jobs > 0 ? options.jobs : alone ? 1 : num_processors();
  how.retry_failed = options.retry_failed || alone;
  how.progress = progress_style(options);
  how.timeout = parse_duration(options.timeout).value_or(0.0);
  const RunCasesReport report = run_cases(loaded.study, loaded.cases, folder, which, how);
  if (report.interrupted) return interrupted();
  if (alone) return report.num_failed > 0 ? kSimulationFailed : kDone;
  std::vector<FitResult> fits = fit_study(loaded, folder, how);
  if (!fits.empty() && fits.back().interrupted) return interrupted();
  return report_study(options, loaded, std::move(fits), folder);
}

/// Checks that the folder is of this study, and warns where its cases had other values.
void check_folder(const Study& study, const StudyFolder& folder) {
  check_folder_name(study, folder);
  const std::optional<Assignment> there = other_set(study, folder);
  if (!there) return;
  const auto list = [](const Assignment& set) { return set.empty() ? "nothing" : describe(set); };
  log_warning(folder.path + ": was run with " + list(*there) + " for every case, here it is " +
              list(study.set) + ": other values are other cases; --set gives them");
}

/// The exit code of `act` on a study with the folder of an earlier run, or a complaint.
template <typename Act>
int on_results(const StudyOptions& options, const Act& act) {
  const auto loaded = load_study_or_complain(options);
  if (!loaded) return kInvalidInput;
  const StudyFolder folder = folder_of(options, loaded->study);
  if (!std::filesystem::is_directory(folder.path))
    return complain(folder.path + ": no such folder, expected one of `csim study run`");
  try {
    check_folder(loaded->study, folder);
    return act(*loaded, folder);
  } catch (...) {
    return report_file_error();
  }
}

void print_status(const std::vector<CaseStatus>& all, const Cases& cases) {
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::string seconds = std::isnan(all[c].seconds) ? "" : seconds_text(all[c].seconds);
    std::printf("%5zu  %s  %-11s  %10s  %s%s%s\n", c, cases.cases[c].id.c_str(), to_string(all[c].state),
                seconds.c_str(), describe(cases.cases[c].values).c_str(), all[c].message.empty() ? "" : "; ",
                all[c].message.c_str());
  }
}

void print_status_json(const std::vector<CaseStatus>& all, const LoadedStudy& loaded,
                       const StudyFolder& folder) {
  JsonWriter json;
  json.begin_array();
  for (std::size_t c = 0; c < all.size(); ++c) {
    json.begin_object();
    write_case(loaded.cases.cases[c], loaded.study, folder, &json);
    json.member("status", to_string(all[c].state), "seconds", all[c].seconds, "message", all[c].message)
        .end_object();
  }
  std::fputs(json.end_array().text().c_str(), stdout);
}

/// Indices of cases, or of tasks of `chunk` cases, that are not complete.
std::string todo(const std::vector<CaseStatus>& all, int chunk) {
  std::vector<int> indices;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const int task = static_cast<int>(c) / chunk;
    if (all[c].state != CaseState::kComplete && (indices.empty() || indices.back() != task))
      indices.push_back(task);
  }
  return format_ranges(indices);
}

/// On stderr: what reads the list reads stdout.
void tell_number_of_cases(const Cases& cases) {
  const long all = static_cast<long>(cases.cases.size()), others = all - cases.num_varied;
  log_info(counted(all, "case") +
           (others > 0 ? ", " + std::to_string(others) + " of them for references and co_refine" : ""));
}

}  // namespace

int study_list(const StudyOptions& options) {
  const auto loaded = load_study_or_complain(options);
  if (!loaded) return kInvalidInput;
  tell_number_of_cases(loaded->cases);
  if (options.json) {
    const StudyFolder folder = folder_of(options, loaded->study);
    JsonWriter json;
    json.begin_array();
    for (const Case& one : loaded->cases.cases) {
      json.begin_object();
      write_case(one, loaded->study, folder, &json);
      json.end_object();
    }
    std::fputs(json.end_array().text().c_str(), stdout);
    return kDone;
  }
  for (const Case& one : loaded->cases.cases) {
    const std::string role =
        one.role == CaseRole::kCase ? "" : std::string("  (") + to_string(one.role) + ")";
    std::printf("%5d  %s  %s%s\n", one.index, one.id.c_str(), describe(one.values).c_str(), role.c_str());
  }
  for (const Analysis& analysis : loaded->study.analyses) {
    if (analysis.type != AnalysisType::kFit) continue;
    const FitSplit split = split_cases(analysis.fit, loaded->cases);
    std::printf("fit %s: candidates come while it runs, at most %d starts x %d, each of %s\n",
                analysis.name.c_str(), analysis.fit.starts, analysis.fit.evaluations,
                counted(static_cast<int>(split.train.size()), "case").c_str());
  }
  return kDone;
}

int study_run(const StudyOptions& options) {
  std::optional<LoadedStudy> loaded;
  try {
    loaded = load_study_or_complain(options);
  } catch (const Interrupted&) {
    log_warning("interrupted before a case began; the same command begins anew");
    return kInterrupted;
  }
  if (!loaded) return kInvalidInput;
  if (!options.cases.empty() && !(options.junit + options.markdown).empty())
    return complain("--junit and --markdown beside --case, which makes no report; `csim study report` does");
  const auto which = selected_cases(options, loaded->cases);
  if (!which) return kInvalidInput;
  try {
    for (const std::string& file : {options.junit, options.markdown})
      if (!file.empty()) check_output(file, true);  // before hours of cases
    return run_study(options, *loaded, *which);
  } catch (...) {
    return report_file_error("; --force uses it, -o another folder");
  }
}

int study_status(const StudyOptions& options) {
  const auto loaded = load_study_or_complain(options);
  if (!loaded) return kInvalidInput;
  const StudyFolder folder = folder_of(options, loaded->study);
  try {
    check_folder(loaded->study, folder);
  } catch (...) {
    return report_file_error();
  }
  const std::vector<CaseStatus> all = look_at_cases(loaded->cases, folder);
  if (options.todo) {
    std::printf("%s\n", todo(all, options.chunk).c_str());
  } else if (options.json) {
    print_status_json(all, *loaded, folder);
  } else {
    print_status(all, loaded->cases);
    const std::vector<FitResult> fits = fits_so_far(*loaded, folder);
    for (const FitResult& fit : fits) std::printf("%s\n", fit_line(loaded->study, fit).c_str());
    if (const int others = count_other_results(loaded->cases, candidate_ids(fits), folder); others > 0)
      std::printf("%s of cases that the study has no more\n", counted(others, "result").c_str());
  }
  return kDone;
}

int study_collect(const StudyOptions& options) {
  return on_results(options, [](const LoadedStudy& loaded, const StudyFolder& folder) {
    write_tables(loaded.study, loaded.cases, StudyResults(loaded.study, loaded.cases, folder),
                 fits_so_far(loaded, folder), folder);
    std::printf("%s\n%s\n", folder.file("study.h5").c_str(), folder.file("study.csv").c_str());
    return kDone;
  });
}

int study_report(const StudyOptions& options) {
  return on_results(options, [&](const LoadedStudy& loaded, const StudyFolder& folder) {
    return report_study(options, loaded, fits_so_far(loaded, folder), folder);
  });
}

int study_slurm(const StudyOptions& options) {
  const auto loaded = load_study_or_complain(options);
  if (!loaded) return kInvalidInput;
  const StudyFolder folder = folder_of(options, loaded->study);
  try {  // Slurm writes the tasks' logs into the folder, and fails a task whose log has no place
    prepare_folder(loaded->study, loaded->cases, folder, false);
  } catch (...) {
    return report_file_error("; -o another folder");
  }
  SlurmOptions slurm = options.slurm;
  slurm.timeout = options.timeout;
  if (slurm.walltime == "auto") {
    const auto walltime = slurm_walltime(look_at_cases(loaded->cases, folder), slurm.chunk);
    if (!walltime)
      return complain("--walltime auto: no case is complete; `csim study run " + options.study + " -o " +
                      folder.path + " --case 0` runs one");
    slurm.walltime = *walltime;
  }
  const std::string script = options.collect
                                 ? slurm_report_script(loaded->study, folder, this_program(), slurm)
                                 : slurm_script(loaded->study, loaded->cases, folder, this_program(), slurm);
  std::fputs(script.c_str(), stdout);
  return kDone;
}

int study_commands(const StudyOptions& options) {
  const auto loaded = load_study_or_complain(options);
  if (!loaded) return kInvalidInput;
  std::fputs(
      case_commands(loaded->study, loaded->cases, folder_of(options, loaded->study), this_program()).c_str(),
      stdout);
  return kDone;
}

int study_new(const StudyOptions& options) {
  Diagnostics diagnostics;
  const auto text = new_study(options.study, options.over, &diagnostics);
  std::fputs(text ? text->c_str() : format_diagnostics(diagnostics).c_str(), text ? stdout : stderr);
  return text ? kDone : kInvalidInput;
}

}  // namespace csim::cli
