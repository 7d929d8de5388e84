#include <cstdio>
#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "cli/preview.h"
#include "core/number_format.h"
#include "record/errors.h"
#include "record/output_file.h"
#include "view/page.h"
#include "view/still.h"

namespace csim::cli {
namespace {

// A larger page is slow in a browser and too large for a mail.
constexpr std::size_t kLargestPage = 50'000'000;

std::string megabytes(std::size_t bytes) {
  return format_text("%.1f MB", 1e-6 * static_cast<double>(bytes));
}

/// The frame that stands nearest to a time.
std::size_t frame_at(const ViewScene& scene, double time) {
  std::size_t nearest = 0;
  for (std::size_t f = 0; f < scene.frames.size(); ++f) {
    if (std::abs(scene.frames[f].time - time) < std::abs(scene.frames[nearest].time - time)) nearest = f;
  }
  return nearest;
}

/// The output's name: the one asked for, or the result's with another ending, in the current folder.
std::string output_path(const ViewOptions& options, const std::string& wanted, const char* ending) {
  return wanted.empty() ? std::filesystem::path(options.file).stem().string() + ending : wanted;
}

void write_page(const ViewOptions& options, const ViewScene& scene, const std::string& path) {
  const std::string page = page_html(scene);
  if (page.size() > kLargestPage && !options.large) {
    throw InvalidResultError(
        "the page would be " + megabytes(page.size()) + ", more than " + megabytes(kLargestPage) +
        ": choose fewer frames with --fps, a part of the time with --from and --to, --no-contacts or "
        "--no-patches; --large writes it all the same");
  }
  write_file(path, page, options.force);
  std::printf("wrote %s (%s, %zu frames): open it in a web browser\n", path.c_str(),
              megabytes(page.size()).c_str(), scene.frames.size());
}

void write_still(const ViewOptions& options, const ViewScene& scene, const std::string& path) {
  const std::size_t frame = frame_at(scene, options.selection.still.value_or(scene.frames.back().time));
  const Still still = render_still(scene, frame, options.picture);
  if (!still.annotated && !options.picture.plain)
    std::fprintf(stderr, "csim: note: %d x %d pixels are too few for time, scale and legend\n",
                 options.picture.width, options.picture.height);
  const std::string bytes = png_bytes(still.picture);
  write_file(path, bytes, options.force);
  std::printf("wrote %s (%s, t = %s s)\n", path.c_str(), megabytes(bytes.size()).c_str(),
              format_number(scene.frames[frame].time).c_str());
}

/// What --time, --from and --to cannot mean.
std::optional<std::string> wrong_times(const ViewOptions& options, const ViewScene& scene) {
  const std::optional<double>& time = options.selection.still;
  if (!time) return std::nullopt;
  const double first = scene.frames.front().time, last = scene.frames.back().time;
  const double slack = 1e-9 * std::abs(last);
  if (*time >= first - slack && *time <= last + slack) return std::nullopt;
  return "--time " + format_number(*time) + ": the frames run from " + format_number(first) + " s to " +
         format_number(last) + " s";
}

}  // namespace

int view(const ViewOptions& options) {
  try {
    const bool still_at_output = options.wants_still && options.still.empty();
    const bool wants_page = !options.wants_still || (!still_at_output && !options.page.empty());
    ViewSelection selection = options.selection;
    selection.all_polygons = wants_page;
    if (options.large) selection.polygon_bytes = 0;
    const bool before_running = is_scene_file(options.file);
    const auto preview = before_running ? Preview::make(options.file) : std::nullopt;
    if (before_running && !preview) return kInvalidInput;
    ViewScene scene = read_guarded(preview ? preview->file() : options.file, [&](const ResultFile& result) {
      return read_view_scene(result, selection);
    });
    scene.file = std::filesystem::path(options.file).filename().string();
    scene.camera = options.camera;
    if (!options.look_at.empty()) scene.camera.target = Vector3(options.look_at.data());
    if (const auto problem = wrong_times(options, scene)) throw InvalidResultError(*problem);
    const std::string page = output_path(options, options.page, ".html");
    const std::string still = output_path(options, still_at_output ? options.page : options.still, ".png");
    if (wants_page && options.wants_still && page == still)
      throw InvalidResultError(page + ": named for the page and for the still, expected two names");
    // Both places before either is taken.
    if (wants_page) check_output(page, options.force, {options.file});
    if (options.wants_still) check_output(still, options.force, {options.file});
    for (const std::string& note : scene.notes) {
      std::fprintf(stderr, "csim: note: %s; --large shows all, --no-patches leaves them out\n", note.c_str());
    }
    if (wants_page) write_page(options, scene, page);
    if (options.wants_still) write_still(options, scene, still);
    return kDone;
  } catch (...) {
    return report_file_error("; --force overwrites it");
  }
}

}  // namespace csim::cli
