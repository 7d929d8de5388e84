#include "cli/preview.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cli/commands.h"
#include "core/log.h"
#include "record/errors.h"
#include "run/run.h"
#include "run/start_overlaps.h"
#include "step/make_stepper.h"

namespace csim::cli {
namespace {

std::vector<ViewOverlap> overlaps_of(const LoadedScene& loaded) {
  const auto stepper = make_stepper(loaded.model, loaded.read.scene, 1);
  State state = loaded.state;
  stepper->start(&state);
  std::vector<ViewOverlap> overlaps;
  for (const StartOverlap& overlap : find_overlaps(stepper->contacts())) {
    overlaps.push_back({loaded.model.geometries[overlap.geometry_a].name,
                        loaded.model.geometries[overlap.geometry_b].name, overlap.depth, overlap.point});
  }
  return overlaps;
}

}  // namespace

bool is_scene_file(const std::string& file) {
  const auto ending = std::filesystem::path(file).extension();
  return ending == ".yaml" || ending == ".yml" || ending == ".urdf";
}

std::optional<Preview> Preview::make(const std::string& scene) {
  auto loaded = load_scene_or_complain({scene, {"time.end=0"}});
  if (!loaded) return std::nullopt;
  for (const Diagnostic& warning : loaded->read.warnings)
    std::fprintf(stderr, "%s\n", format_line(warning).c_str());
  for (const std::string& note : loaded->notes) std::fprintf(stderr, "%s\n", note.c_str());
  std::string folder = std::filesystem::temp_directory_path() / "csim_view_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) throw IoError(folder + ": " + std::strerror(errno));
  Preview preview{folder};
  preview.overlaps_ = overlaps_of(*loaded);
  configure_log(LogLevel::kWarning, "", false);
  RunSettings settings;
  settings.output = preview.file();
  Run run(std::move(*loaded), settings);
  run.execute();
  return preview;
}

Preview::~Preview() {
  std::error_code ignored;  // a folder that cannot be removed is left to the system
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace csim::cli
