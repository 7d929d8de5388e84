#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/crash_guard.h"
#include "cli/file_errors.h"
#include "cli/preview.h"
#include "cli/view_film.h"
#include "core/counted.h"
#include "core/nearest_name.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "record/errors.h"
#include "record/output_file.h"
#include "run/signals.h"
#include "view/frame_at.h"
#include "view/page.h"
#include "view/still.h"

namespace csim::cli {
namespace {

struct ViewOptions {
  std::string file;
  std::string page;  // empty: named after the result, in the current folder, unless a still is asked for
  bool wants_still = false;
  std::string still;  // empty, where a still is wanted: `page` names it, else the result does
  FilmOptions film;
  std::string overlay;              // a second result; empty: none
  std::vector<std::string> traces;  // bodies
  ViewSelection selection;
  StillOptions picture;
  bool has_size = false;  // --size was given
  ViewCamera camera;
  std::vector<double> look_at;  // m: three numbers, or none
  bool large = false;
  bool force = false;
};

// A larger page is slow in a browser and too large for a mail.
constexpr std::size_t kLargestPage = 50'000'000;

std::string megabytes(std::size_t bytes) {
  return format_text("%.1f MB", 1e-6 * static_cast<double>(bytes));
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
  std::printf("wrote %s (%s, %s): open it in a web browser\n", path.c_str(), megabytes(page.size()).c_str(),
              counted(scene.frames.size(), "frame").c_str());
}

void write_still(const ViewOptions& options, const ViewScene& scene, const std::string& path) {
  const std::size_t frame = nearest_frame(scene, options.selection.still.value_or(scene.frames.back().time));
  const Still still = render_still(scene, frame, options.picture);
  if (!still.annotated && !options.picture.plain)
    std::fprintf(stderr, "csim: note: %d x %d pixels are too few for time, scale and legend\n",
                 options.picture.width, options.picture.height);
  const std::string bytes = png_bytes(still.picture);
  write_file(path, bytes, options.force);
  std::printf("wrote %s (%s, t = %s)\n", path.c_str(), megabytes(bytes.size()).c_str(),
              time_text(scene.frames[frame].time).c_str());
}

/// What --time, --from and --to cannot mean.
std::optional<std::string> wrong_times(const ViewOptions& options, const ViewScene& scene) {
  const std::optional<double>& time = options.selection.still;
  if (!time) return std::nullopt;
  const double first = scene.frames.front().time, last = scene.frames.back().time;
  const double slack = 1e-9 * std::abs(last);
  if (*time >= first - slack && *time <= last + slack) return std::nullopt;
  return "--time " + format_number(*time) + ": the frames run from " + time_text(first) + " to " +
         time_text(last);
}

/// Pixels, "1280x800"; *width and *height receive them.
std::string check_size(const std::string& text, int* width, int* height) {
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%c", width, height, &rest) == 2;
  const bool in_range = *width >= 16 && *height >= 16 && *width <= 8192 && *height <= 8192;
  return read && in_range
             ? ""
             : "'" + text + "', expected WIDTHxHEIGHT in pixels, 16 to 8192 each, such as 1280x800";
}

/// Options that belong to pictures, and pictures that take other options.
void check_together(const ViewOptions& options) {
  const bool draws = options.wants_still || options.film.wanted();
  const auto alone = [](const char* option, const char* others) {
    throw InvalidResultError(std::string(option) + " stands alone, expected " + others + " beside it");
  };
  if (options.has_size && !draws) alone("--size", "--png, --frames or --mp4");
  if (options.picture.plain && !draws) alone("--plain", "--png, --frames or --mp4");
  if (!options.traces.empty() && !draws) alone("--trace", "--png, --frames or --mp4");
  if (options.film.speed != 1.0 && !options.film.wanted()) alone("--speed", "--frames or --mp4");
}

/// What of the result is read for the outputs that are wanted.
ViewSelection selection_for(const ViewOptions& options, bool wants_page) {
  ViewSelection selection = options.selection;
  selection.all_polygons = wants_page || options.film.wanted();
  selection.columns = wants_page;
  if (options.film.wanted()) {
    selection.film_step = options.film.speed / selection.fps.value_or(ViewSelection::kFps);
    selection.polygon_bytes = 0;
  }
  if (options.large) selection.polygon_bytes = selection.column_bytes = 0;
  return selection;
}

/// The bodies that --trace names; a scene that has not run has no paths.
std::vector<int> traced_bodies(const std::vector<std::string>& names, const ViewScene& scene) {
  std::vector<std::string> known;
  for (const ViewBody& body : scene.bodies) known.push_back(body.name);
  std::vector<int> bodies;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      throw InvalidResultError("--trace " + name + ": no body of that name" + did_you_mean(name, known));
    bodies.push_back(static_cast<int>(found - known.begin()));
    if (scene.before_running)
      throw InvalidResultError("--trace " + name + ": the scene has not run, expected a result");
    if (!scene.bodies[bodies.back()].moves)
      throw InvalidResultError("--trace " + name + ": the body does not move");
  }
  return bodies;
}

/// The bodies of a second result, with its curves.
std::shared_ptr<const ViewScene> read_overlay(const std::string& file, ViewSelection selection) {
  if (is_scene_file(file))
    throw InvalidResultError(file + ": a scene, expected a result to lay over the first");
  selection.contacts = selection.patches = false;
  return read_guarded(file, [&](const ResultFile& result) {
    return std::make_shared<const ViewScene>(read_view_scene(result, selection));
  });
}

int view(const ViewOptions& options) {
  try {
    check_together(options);
    const bool still_at_output = options.wants_still && options.still.empty();
    const bool wants_page =
        (!options.wants_still && !options.film.wanted()) || (!still_at_output && !options.page.empty());
    const ViewSelection selection = selection_for(options, wants_page);
    const bool before_running = is_scene_file(options.file);
    const auto preview = before_running ? Preview::make(options.file) : std::nullopt;
    if (before_running && !preview) return kInvalidInput;
    ViewScene scene = read_guarded(preview ? preview->file() : options.file, [&](const ResultFile& result) {
      return read_view_scene(result, selection);
    });
    scene.file = std::filesystem::path(options.file).filename().string();
    scene.camera = options.camera;
    if (preview) {
      scene.before_running = true;
      scene.overlaps = preview->overlaps();
    }
    scene.traces = traced_bodies(options.traces, scene);
    if (!options.overlay.empty()) scene.overlay = read_overlay(options.overlay, selection);
    if (!options.look_at.empty()) scene.camera.target = Vector3(options.look_at.data());
    if (const auto problem = wrong_times(options, scene)) throw InvalidResultError(*problem);
    const std::string page = output_path(options, options.page, ".html");
    const std::string still = output_path(options, still_at_output ? options.page : options.still, ".png");
    if (wants_page && options.wants_still && page == still)
      throw InvalidResultError(page + ": named for the page and for the still, expected two names");
    // Both places before either is taken.
    if (wants_page) check_output(page, options.force, {options.file});
    if (options.wants_still) check_output(still, options.force, {options.file});
    check_film(options.film, options.force, options.file);
    for (const std::string& note : scene.notes) {
      std::fprintf(stderr, "csim: note: %s; --large shows all\n", note.c_str());
    }
    if (wants_page) write_page(options, scene, page);
    if (options.wants_still) write_still(options, scene, still);
    if (!options.film.wanted()) return kDone;
    install_signal_handlers();
    turn_write_signals_into_errors();
    write_film(options.film, scene, options.picture, options.selection.fps.value_or(ViewSelection::kFps),
               options.force);
    return kDone;
  } catch (const Interrupted& interrupted) {
    std::fprintf(stderr, "csim: interrupted; nothing was written\n");
    end_by_signal(interrupted.signal);
  } catch (...) {
    return report_file_error("; --force overwrites it");
  }
}

}  // namespace

Command view_command() {
  const auto o = std::make_shared<ViewOptions>();
  const auto set_still = [options = o.get()](const std::string& file) {
    options->wants_still = true;
    options->still = file;
  };
  const auto check_pixels = [picture = &o->picture](const std::string& text) {
    return check_size(text, &picture->width, &picture->height);
  };
  const auto set_size = [options = o.get()](const std::string&) { options->has_size = true; };
  // Straight up and down there is no side that is up.
  const Check elevation = number({.min = -89.9, .max = 89.9}, "degrees from -89.9 to 89.9");
  return {
      .name = "view",
      .description = "show a result: an HTML page, a picture or a film",
      .options =
          {required({"file", &o->file, "result file, or a scene or robot to look at before it runs",
                     "FILE.h5|SCENE.yaml|ROBOT.urdf"}),
           {"-o,--output", &o->page, "page; default: the result's name with .html, in the current folder",
            "FILE.html"},
           {.name = "--png",
            .value = set_still,
            .help =
                "a still picture instead of the page; default: the name of -o, or the result's, with .png. "
                "With FILE.png and -o both are written",
            .type = "FILE.png",
            .may_be_bare = true},
           needing("--png",
                   {"--time", &o->selection.still, "time of the still, s; default: the end", "T", number()}),
           {"--frames",
            &o->film.frames,
            "pictures of the whole motion instead of the page: frame_00000.png and so on, --fps of them per "
            "second",
            "DIR",
            {[](const std::string& text) { return text.empty() ? "empty text, expected a folder" : ""; }}},
           {"--mp4", &o->film.mp4, "a film of these pictures; needs the program ffmpeg", "FILE.mp4"},
           {"--speed", &o->film.speed,
            "speed of the film: 0.1 is ten times slower than the motion; default 1", "X", number(kAboveZero)},
           {"--size", set_size, "size of still and film in pixels; default 1280x800", "WxH", {check_pixels}},
           {"--plain", &o->picture.plain, "still and film without time, scale, legend and colour bar"},
           {"--overlay", &o->overlay,
            "a second result over the first: its bodies translucent, its curves dashed", "FILE.h5"},
           one_each(
               {"--trace", &o->traces,
                "draw the path of a body's centre of mass up to the time of the still or picture; may be "
                "repeated",
                "BODY"}),
           {"--azimuth", &o->camera.azimuth,
            "direction of the first view, degrees: 0 from +x, 90 from +y, -90 from -y", "DEG", number()},
           {"--elevation", &o->camera.elevation, "elevation of the first view, degrees above the horizon",
            "DEG", elevation},
           {"--zoom", &o->camera.zoom, "zoom of the first view; 2: from half the distance", "Z",
            number(kAboveZero)},
           {.name = "--look-at",
            .value = &o->look_at,
            .help = "point in the middle of the first view, m; default: the middle of what moves",
            .type = "X,Y,Z",
            .check = number(),
            .delimiter = ',',
            .count = 3},
           {"--fps", &o->selection.fps,
            "frame rate: of the page at most N frames per second (default: 30, or all if there are at most "
            "301), of a film exactly N",
            "N", number(kAboveZero)},
           {"--from", &o->selection.from, "leave out frames before this time, s", "T", number()},
           {"--to", &o->selection.to, "leave out frames after this time, s", "T", number()},
           {"!--no-contacts", &o->selection.contacts, "leave out contacts and forces"},
           {"!--no-patches", &o->selection.patches, "leave out contact patches"},
           {"--large", &o->large,
            "allow a page of more than 50 MB, and more than 20 MB of polygons of patches in it"},
           {"--force", &o->force, "overwrite an existing file"}},
      .examples =
          "  csim view bounce.h5                                      bounce.html: open it in a browser\n"
          "  csim view bounce.yaml --png                              bounce.png: where its bodies start\n"
          "  csim view bounce.h5 --png side.png --azimuth -90 --elevation 5 --time 0.5     a still\n"
          "  csim view bounce.h5 --png path.png --trace ball          the path of a body\n"
          "  csim view bounce.h5 --frames pictures --size 320x200 --fps 10    pictures/frame_00000.png ...\n"
          "  csim view bounce.h5 --overlay sap.h5 -o both.html        two results in one page",
      .run = [o] { return view(*o); }};
}

}  // namespace csim::cli
