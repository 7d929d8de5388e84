#include <cstdio>
#include <limits>
#include <memory>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/counted.h"
#include "core/number_format.h"
#include "export/csv_export.h"
#include "export/frame_range.h"
#include "export/paraview_export.h"
#include "record/errors.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

struct ExportOptions {
  std::string file;
  std::string paraview, csv;  // folders; empty: not wanted, but one of them is
  FrameRange frames;
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

std::string check_folder(const std::string& text) {
  return text.empty() ? "empty text, expected the name of a folder" : "";
}

std::string check_frames(const std::string& text) {
  return parse_frame_range(text)
             ? ""
             : "'" + text + "', expected A:B:STEP, such as 0:100:10 or -50:, with STEP > 0";
}

int export_result(const ExportOptions& options) {
  if (options.paraview.empty() && options.csv.empty()) {
    std::fprintf(stderr,
                 "csim: error: --paraview DIR or --csv DIR (or both) is required\n"
                 "Run with --help or --help-all for more information.\n");
    return kInvalidInput;
  }
  install_signal_handlers();
  try {
    if (!options.paraview.empty())
      write_folder(options, options.paraview, &export_paraview, "open its .pvd files in ParaView");
    if (!options.csv.empty()) write_folder(options, options.csv, &export_csv, "one table per file");
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
      .description = "write a result for ParaView, or as CSV tables",
      .options =
          {required({"file", &o->file, "result file, of an unfinished run too", "FILE.h5"}),
           {"--paraview",
            &o->paraview,
            "time series of bodies, contacts, patches, pressure fields (.pvd, VTK)",
            "DIR",
            {&check_folder}},
           {"--csv", &o->csv, "tables as CSV, one file each", "DIR", {&check_folder}},
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
            "write into a folder that is not empty; an earlier export there is replaced"}},
      .examples =
          "  csim export bounce.h5 --csv tables                  tables/: motion, contacts, energy ... as "
          "CSV\n"
          "  csim export bounce.h5 --paraview series --every 10  series/*.pvd, a tenth of the frames",
      .run = [o] { return export_result(*o); }};
}

}  // namespace csim::cli
