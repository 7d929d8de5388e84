// A scene at its start as a result file, to look at it before it runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "view/view_scene.h"

namespace csim::cli {

/// A result of no steps in a folder of its own, which goes with the object.
class Preview {
 public:
  /// Reads the scene and writes the result. Mistakes of the scene and what `csim validate` notes go to
  /// stderr; without a value then. Throws what a run throws.
  [[nodiscard]] static std::optional<Preview> make(const std::string& scene);

  Preview(Preview&& other) noexcept
      : folder_(std::exchange(other.folder_, {})), overlaps_(std::move(other.overlaps_)) {}
  Preview& operator=(Preview&&) = delete;
  ~Preview();

  [[nodiscard]] std::string file() const { return folder_ / "start.h5"; }
  /// What overlaps there, the deepest first.
  [[nodiscard]] const std::vector<ViewOverlap>& overlaps() const { return overlaps_; }

 private:
  explicit Preview(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
  std::vector<ViewOverlap> overlaps_;
};

/// Whether a file named so is a scene and not a result.
[[nodiscard]] bool is_scene_file(const std::string& file);

}  // namespace csim::cli
