// Scenes with random corrupted bytes and lines: never a crash, every error at an existing place, and an
// accepted scene resolves to itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "scene/read_scene.h"
#include "scene/resolve.h"
#include "support/source_folder.h"

namespace csim {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> good_scenes() {
  std::vector<std::string> texts;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(test::source_folder()) / "scenes")) {
    const fs::path file = entry.path() / "scene.yaml";
    if (fs::exists(file) && fs::file_size(file) < 5000) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

/// Bytes that mean something to YAML or to a number.
constexpr std::string_view kBytes = "[]{}:,-#&*!|>'\"%@` \n\t0159.eE+_axyz\xC3\xA9";

std::string spoil(std::string text, std::mt19937* generator) {
  const auto below = [&](size_t n) { return (*generator)() % n; };
  const size_t edits = 1 + below(3);
  for (size_t k = 0; k < edits && !text.empty(); ++k) {
    const size_t at = below(text.size()), length = 1 + below(8);
    switch (below(4)) {
      case 0:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 1:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), 4 * length));
        break;
    }
  }
  return text;
}

TEST(Mutations, AreAnsweredAtAPlaceThatExists) {
  std::mt19937 generator(20240229);
  const std::vector<std::string> scenes = good_scenes();
  ASSERT_GT(scenes.size(), 3u);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = spoil(scenes[static_cast<size_t>(i) % scenes.size()], &generator);
    const SceneReadResult result = read_scene_text(text, "s.yaml");
    const auto num_lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Diagnostic& d : result.diagnostics) {
      EXPECT_TRUE(d.line >= 1 && d.line <= num_lines) << d.line << " of " << num_lines << "\n" << text;
      const auto end = d.first_column + static_cast<int>(d.source_line.size());
      EXPECT_TRUE(d.column >= std::max(1, d.first_column) && d.column <= end) << format_diagnostics({d});
      EXPECT_FALSE(d.message.empty());
    }
    (result.ok() ? accepted : refused)++;
    if (!result.ok()) continue;
    const std::string once = resolved_yaml(result.scene);
    const SceneReadResult again = read_scene_text(once, "s.yaml");
    ASSERT_EQ(format_diagnostics(again.diagnostics), "") << text;
    EXPECT_EQ(resolved_yaml(again.scene), once);
  }
  // Of use only while both happen often.
  EXPECT_GT(accepted, 200);
  EXPECT_GT(refused, 1000);
}

TEST(Mutations, OfOverridesAreAnsweredToo) {
  std::mt19937 generator(7);
  const std::string scene = good_scenes().front();
  const std::vector<std::string> overrides{"time.end=2", "bodies.0.name=other",
                                           "contact={model: sap, pairs: []}", "gravity.2=-1",
                                           "materials.x={friction: [1]}"};
  for (int i = 0; i < 1000; ++i) {
    const SceneReadResult result = read_scene_text(
        scene, "s.yaml", {spoil(overrides[static_cast<size_t>(i) % overrides.size()], &generator)});
    for (const Diagnostic& d : result.diagnostics)
      EXPECT_FALSE(d.message.empty() || d.line < 1 || d.column < 1);
  }
}

}  // namespace
}  // namespace csim
