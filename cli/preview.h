// A scene at its start as a result file, to look at it before it runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace csim::cli {

/// A result of no steps in a folder of its own, which goes with the object.
class Preview {
 public:
  /// Reads the scene and writes the result. Mistakes of the scene and what `csim validate` notes go to
  /// stderr; without a value then. Throws what a run throws.
  [[nodiscard]] static std::optional<Preview> make(const std::string& scene);

  Preview(Preview&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  Preview& operator=(Preview&&) = delete;
  ~Preview();

  [[nodiscard]] std::string file() const { return folder_ / "start.h5"; }

 private:
  explicit Preview(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

/// Whether a file named so is a scene and not a result.
[[nodiscard]] bool is_scene_file(const std::string& file);

}  // namespace csim::cli
