#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/counted.h"
#include "core/number_format.h"
#include "export/csv_export.h"
#include "export/frame_range.h"
#include "export/paraview_export.h"
#include "record/errors.h"
#include "record/friction/friction_file.h"
#include "record/output_file.h"
#include "run/friction_step.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

struct ExportOptions {
  std::string file;
  std::string paraview, csv;  // folders; empty: not wanted
  std::string fclib;          // file; likewise, but one of the three is
  FrameRange frames;
  int step = 0;                // of --fclib; 0: not given
  std::optional<double> time;  // s, likewise
  bool force = false;
};

using Writer = void (*)(const ResultFile&, const std::vector<long>&, OutputFolder*);

void write_folder(const ExportOptions& options, const std::string& path, Writer write, const char* hint) {
  const std::string summary = read_guarded(options.file, [&](const ResultFile& result) {
    const std::vector<long> rows = rows_of(options.frames, result.rows().frames);
    if (rows.empty()) {
      throw InvalidResultError(options.file + ": none of its " + counted(result.rows().frames, "frame") +
                               " is asked for");
    }
    result.check_indices();
    OutputFolder folder(path, options.force);
    write(result, rows, &folder);
    const double megabytes = 1e-6 * static_cast<double>(folder.bytes());
    folder.commit();
    return counted(folder.num_files(), "file") + format_text(", %.1f MB, ", megabytes) +
           counted(rows.size(), "frame");
  });
  std::printf("wrote %s (%s): %s\n", path.c_str(), summary.c_str(), hint);
}

std::string plain(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::absolute(path).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).string();
}

/// What is wrong with the options of --fclib; "" for nothing.
std::string check_fclib(const ExportOptions& options) {
  if ((options.step > 0) == options.time.has_value()) return "--fclib needs --step N or --time T";
  for (const std::string& folder : {options.paraview, options.csv})
    if (!folder.empty() && plain(folder) == plain(options.fclib))
      return "--fclib and a folder have the same name, " + options.fclib;
  return "";
}

/// The step that --fclib asks for, before anything is written. None where the scene cannot be built, which is
/// said.
std::optional<FrictionStep> read_friction_step(const ExportOptions& options) {
  check_output(options.fclib, options.force, {options.file});
  Diagnostics diagnostics;
  auto step = read_guarded(options.file, [&](const ResultFile& result) {
    diagnostics.clear();
    return friction_step(result, options.time ? step_ending_at(result, *options.time) : options.step,
                         &diagnostics);
  });
  std::fputs(format_diagnostics(diagnostics).c_str(), stderr);
  return step;
}

void write_friction_step(const ExportOptions& options, const FrictionStep& step) {
  write_fclib_file(options.fclib, step.problem, step.info, options.force);
  std::printf("wrote %s: step %ld, from %.10g s, %s, %s: solve it with csim solve\n", options.fclib.c_str(),
              step.step, step.time, counted(step.problem.mu.size(), "contact").c_str(),
              counted(step.problem.M.rows(), "velocity", "velocities").c_str());
}

std::string check_folder(const std::string& text) {
  return text.empty() ? "empty text, expected the name of a folder" : "";
}

std::string check_file(const std::string& text) {
  return text.empty() ? "empty text, expected the name of a file" : "";
}

std::string check_frames(const std::string& text) {
  return parse_frame_range(text)
             ? ""
             : "'" + text + "', expected A:B:STEP, such as 0:100:10 or -50:, with STEP > 0";
}

int export_result(const ExportOptions& options) {
  if (options.paraview.empty() && options.csv.empty() && options.fclib.empty()) {
    std::fprintf(stderr,
                 "csim: error: --paraview DIR, --csv DIR or --fclib FILE (or several) is required\n"
                 "Run with --help or --help-all for more information.\n");
    return kInvalidInput;
  }
  if (const std::string fault = options.fclib.empty() ? "" : check_fclib(options); !fault.empty()) {
    std::fprintf(stderr, "csim: error: %s\n", fault.c_str());
    return kInvalidInput;
  }
  try {
    std::optional<FrictionStep> step;
    if (!options.fclib.empty()) {
      step = read_friction_step(options);
      if (!step) return kInvalidInput;
    }
    if (!options.paraview.empty())
      write_folder(options, options.paraview, &export_paraview, "open its .pvd files in ParaView");
    if (!options.csv.empty()) write_folder(options, options.csv, &export_csv, "one table per file");
    if (step) write_friction_step(options, *step);
    return kDone;
  } catch (const Interrupted& interrupted) {
    std::fprintf(stderr, "csim: interrupted; nothing was written\n");
    end_by_signal(interrupted.signal);
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace

Command export_command() {
  const auto o = std::make_shared<ExportOptions>();
  const auto set_frames = [frames = &o->frames](const std::string& text) {
    *frames = *parse_frame_range(text);
  };
  return {
      .name = "export",
      .description = "write a result for ParaView, as CSV tables, or a step of it for solvers of friction",
      .options =
          {required({"file", &o->file, "result file, of an unfinished run too", "FILE.h5"}),
           {"--paraview",
            &o->paraview,
            "time series of bodies, contacts, patches, pressure fields (.pvd, VTK)",
            "DIR",
            {&check_folder}},
           {"--csv", &o->csv, "tables as CSV, one file each", "DIR", {&check_folder}},
           {"--fclib",
            &o->fclib,
            "one step as a problem of rigid contacts with friction, in FCLIB's format",
            "FILE.hdf5",
            {&check_file}},
           needing("--fclib",
                   {.name = "--step",
                    .value = &o->step,
                    .help = "number of that step, from 1; a row of the trajectory has to be at its start",
                    .type = "N",
                    .check = whole_number(1, std::numeric_limits<int>::max())}),
           needing("--fclib", {.name = "--time",
                               .value = &o->time,
                               .help = "s, the end of that step, in place of its number",
                               .type = "T",
                               .check = number(kAboveZero),
                               .excludes = "--step"}),
           {"--frames",
            set_frames,
            "rows of /trajectory: from A up to but without B, every STEP-th, as slices in Python; or one row",
            "A:B:STEP",
            {&check_frames}},
           {.name = "--every",
            .value = &o->frames.step,
            .help = "every N-th frame",
            .type = "N",
            .check = whole_number(1, std::numeric_limits<int>::max()),
            .excludes = "--frames"},
           {"--force", &o->force,
            "write into a folder that is not empty, where an earlier export is replaced; replace the "
            "file of --fclib"}},
      .examples =
          "  csim export bounce.h5 --csv tables                  tables/: motion, contacts, energy ... as "
          "CSV\n"
          "  csim export bounce.h5 --paraview series --every 10  series/*.pvd, a tenth of the frames\n"
          "  csim export bounce.h5 --fclib step.hdf5 --step 301  what that step solved, as rigid contacts",
      .run = [o] { return export_result(*o); },
      .ends_in_order = true};
}

}  // namespace csim::cli
