#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "core/number_format.h"
#include "export/csv_export.h"
#include "export/paraview_export.h"
#include "record/errors.h"
#include "run/signals.h"

namespace csim::cli {
namespace {

using Writer = void (*)(const ResultFile&, const std::vector<long>&, OutputFolder*);

void write_folder(const ExportOptions& options, const std::string& path, Writer write, const char* hint) {
  const std::string summary = read_guarded(options.file, [&](const ResultFile& result) {
    const std::vector<long> rows = rows_of(options.frames, result.rows().frames);
    if (rows.empty()) {
      throw InvalidResultError(options.file + ": none of its " + std::to_string(result.rows().frames) +
                               " frames is asked for");
    }
    result.check_indices();
    OutputFolder folder(path, options.force);
    write(result, rows, &folder);
    const double megabytes = 1e-6 * static_cast<double>(folder.bytes());
    folder.commit();
    return format_text("%zu files, %.1f MB, %zu frames", folder.num_files(), megabytes, rows.size());
  });
  std::printf("wrote %s (%s): %s\n", path.c_str(), summary.c_str(), hint);
}

}  // namespace

int export_result(const ExportOptions& options) {
  install_signal_handlers();
  try {
    if (!options.paraview.empty())
      write_folder(options, options.paraview, &export_paraview, "open its .pvd files in ParaView");
    if (!options.csv.empty()) write_folder(options, options.csv, &export_csv, "a table a file");
    return kDone;
  } catch (const Interrupted& interrupted) {
    // The handler is reset after its first signal: the signal now ends the process by default.
    std::fprintf(stderr, "csim: interrupted; nothing was written\n");
    std::raise(interrupted.signal);
    return kInternalError;
  } catch (...) {
    return report_file_error();
  }
}

}  // namespace csim::cli
